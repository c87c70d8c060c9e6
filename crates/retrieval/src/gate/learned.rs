//! A gate fitted to tasks: the probability that late interaction improves an answer, by a logistic
//! model over the figures that the rules look at.

use super::GateFeatures;
use crate::shape::QueryShape;
use serde::{Deserialize, Serialize};
use specta::Type;

/// A logistic model, as `whyrank bench gate` fits it: a coefficient for each input, by its name in
/// [`gate_inputs`]. All finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct LearnedGate {
    /// The stage runs from this probability on, 0 to 1.
    pub threshold: f64,
    /// Log-odds where every input is 0.
    pub intercept: f64,
    /// Of the entropy of the ten best.
    pub entropy: f64,
    /// Of `ln(1 + margin)`, the margin in deviations of the background.
    pub margin: f64,
    /// Of `ln(1 + peak)`, the peak in deviations of the background.
    pub peak: f64,
    /// Of the overlap of words and meaning; 0 where one of them found nothing.
    pub agreement: f64,
    /// Of the natural logarithm of the number of words.
    pub words: f64,
    /// Of queries that are an identifier.
    pub identifier: f64,
    /// Of queries that look like a message.
    pub message: f64,
}

/// Names of the inputs, in the order of [`gate_inputs`].
pub const GATE_INPUTS: [&str; 7] = [
    "entropy",
    "margin",
    "peak",
    "agreement",
    "words",
    "identifier",
    "message",
];

/// What the learned gate looks at, in the order of [`GATE_INPUTS`]. All finite.
pub fn gate_inputs(features: &GateFeatures) -> [f64; 7] {
    let is = |shape: QueryShape| f64::from(u8::from(features.shape == shape));
    [
        features.entropy,
        features.z_margin.max(0.0).ln_1p(),
        features.z_peak.max(0.0).ln_1p(),
        features.agreement.unwrap_or(0.0),
        f64::from(features.n_words.max(1)).ln(),
        is(QueryShape::Identifier),
        is(QueryShape::ErrorString),
    ]
}

/// An input with what it adds to the log-odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GateTerm {
    /// One of [`GATE_INPUTS`].
    pub name: String,
    /// The input.
    pub value: f64,
    /// Its coefficient.
    pub coefficient: f64,
    /// `value * coefficient`.
    pub contribution: f64,
}

/// What the learned gate says of a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct LearnedVerdict {
    /// Probability that the stage improves the answer: `1 / (1 + exp(-log_odds))`.
    pub probability: f64,
    /// The probability from which on it runs.
    pub threshold: f64,
    /// Intercept and contributions, summed.
    pub log_odds: f64,
    /// Log-odds where every input is 0.
    pub intercept: f64,
    /// The inputs.
    pub terms: Vec<GateTerm>,
}

impl LearnedGate {
    /// A model from coefficients in the order of [`GATE_INPUTS`].
    pub fn new(threshold: f64, intercept: f64, coefficients: [f64; 7]) -> Self {
        let [entropy, margin, peak, agreement, words, identifier, message] = coefficients;
        Self {
            threshold,
            intercept,
            entropy,
            margin,
            peak,
            agreement,
            words,
            identifier,
            message,
        }
    }

    /// Coefficients in the order of [`GATE_INPUTS`].
    pub fn coefficients(&self) -> [f64; 7] {
        [
            self.entropy,
            self.margin,
            self.peak,
            self.agreement,
            self.words,
            self.identifier,
            self.message,
        ]
    }

    /// What it says of `features`.
    pub fn weigh(&self, features: &GateFeatures) -> LearnedVerdict {
        let inputs = GATE_INPUTS.iter().zip(gate_inputs(features));
        let terms: Vec<GateTerm> = inputs
            .zip(self.coefficients())
            .map(|((name, value), coefficient)| GateTerm {
                name: (*name).to_owned(),
                value,
                coefficient,
                contribution: value * coefficient,
            })
            .collect();
        let sum: f64 = terms.iter().map(|term| term.contribution).sum();
        let log_odds = self.intercept + sum;
        LearnedVerdict {
            probability: 1.0 / (1.0 + (-log_odds).exp()),
            threshold: self.threshold,
            log_odds,
            intercept: self.intercept,
            terms,
        }
    }
}

impl LearnedVerdict {
    /// Whether the stage runs.
    pub fn runs(&self) -> bool {
        self.probability >= self.threshold
    }
}

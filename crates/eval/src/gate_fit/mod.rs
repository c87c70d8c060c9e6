//! A logistic gate fitted to what late interaction brought for each task, and held against the rules
//! on repositories that it has not seen.

mod logistic;

use crate::statistics::{Estimate, Paired, estimate, mean, paired_difference};
use logistic::Logistic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A task, asked once without and once with late interaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateExample {
    /// Repository: examples of one are fitted or tested together.
    pub repo: String,
    /// Task.
    pub task: String,
    /// What the gate looked at, all finite, as many for each example.
    pub inputs: Vec<f64>,
    /// Whether the rules let the stage run.
    pub rules_run: bool,
    /// The metric without the stage.
    pub never: f64,
    /// The metric with it.
    pub always: f64,
}

impl GateExample {
    fn has_gain(&self) -> bool {
        self.always > self.never + 1e-9
    }

    fn value(&self, runs: bool) -> f64 {
        if runs { self.always } else { self.never }
    }
}

/// A way to decide, over all examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GatePolicy {
    /// `never`, `rules`, `learned`, `always` or `oracle`.
    pub name: String,
    /// Mean of the metric.
    pub value: Estimate,
    /// Share of the examples for which the stage runs.
    pub runs: f64,
    /// What the stage would have brought beyond it: always minus this.
    pub regret: f64,
}

/// How well a probability of a gain tells gains from the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateForecast {
    /// `rules` (their verdict as 0 or 1), `base rate` or `learned`.
    pub name: String,
    /// Chance that an example with a gain stands before one without; `None` where all are alike.
    pub auc: Option<f64>,
    /// Mean squared difference from what came (Brier 1950); less is better.
    pub brier: f64,
}

/// A fitted gate with its honest figures: `policies` and `forecasts` are out of sample, each example
/// judged by a model fitted without its repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateFit {
    /// Examples.
    pub n: u32,
    /// Repositories.
    pub n_repositories: u32,
    /// Examples that the stage improves.
    pub n_gain: u32,
    /// Examples that it worsens.
    pub n_loss: u32,
    /// Never, rules, learned, always, oracle.
    pub policies: Vec<GatePolicy>,
    /// Rules, base rate, learned.
    pub forecasts: Vec<GateForecast>,
    /// Rules against learned.
    pub over_rules: Paired,
    /// Whether the learned gate is better than the rules outside noise, and has gains to learn from:
    /// where the stage never helps, the mode `never` says it in a word.
    pub is_better: bool,
    /// The stage runs from this probability on; fitted to all examples, as what follows.
    pub threshold: f64,
    /// Log-odds where every input is 0.
    pub intercept: f64,
    /// In the order of the inputs.
    pub coefficients: Vec<f64>,
}

/// Fits a gate to `examples`, cross-validated by leaving one repository out at a time.
///
/// The label is whether the stage improves the metric; the threshold is the one with the best mean
/// metric on what was fitted to, the higher one of equals, as a run that brings nothing costs time.
/// Deterministic; `seed` is of the intervals.
pub fn fit_gate(examples: &[GateExample], seed: u64) -> GateFit {
    let held_out = cross_validate(examples);
    let learned: Vec<bool> = held_out.iter().map(|judged| judged.runs).collect();
    let rules: Vec<bool> = examples.iter().map(|example| example.rules_run).collect();
    let all: Vec<&GateExample> = examples.iter().collect();
    let (model, threshold) = fitted(&all);
    let pairs: Vec<(f64, f64)> = examples
        .iter()
        .zip(rules.iter().zip(&learned))
        .map(|(example, (rules, learned))| (example.value(*rules), example.value(*learned)))
        .collect();
    let over_rules = paired_difference(&pairs, seed);
    let n_gain = examples.iter().filter(|example| example.has_gain()).count() as u32;
    GateFit {
        n: examples.len() as u32,
        n_repositories: repositories(examples).len() as u32,
        n_gain,
        n_loss: examples
            .iter()
            .filter(|e| e.always < e.never - 1e-9)
            .count() as u32,
        policies: policies(examples, &rules, &learned, seed),
        forecasts: forecasts(examples, &held_out),
        is_better: over_rules.is_clear() && over_rules.difference.mean > 0.0 && n_gain > 0,
        over_rules,
        threshold,
        intercept: model.intercept,
        coefficients: model.coefficients,
    }
}

/// What a model says of an example that it has not seen.
struct Judged {
    probability: f64,
    /// Share of gains among what it was fitted to.
    base_rate: f64,
    runs: bool,
}

fn repositories(examples: &[GateExample]) -> BTreeSet<&str> {
    examples
        .iter()
        .map(|example| example.repo.as_str())
        .collect()
}

fn cross_validate(examples: &[GateExample]) -> Vec<Judged> {
    let mut judged: Vec<Option<Judged>> = examples.iter().map(|_| None).collect();
    for repo in repositories(examples) {
        let rest: Vec<&GateExample> = examples.iter().filter(|e| e.repo != repo).collect();
        let (model, threshold) = fitted(&rest);
        let n_gain = rest.iter().filter(|example| example.has_gain()).count();
        let base_rate = n_gain as f64 / rest.len().max(1) as f64;
        for (slot, example) in judged.iter_mut().zip(examples) {
            if example.repo == repo {
                let probability = model.probability(&example.inputs);
                *slot = Some(Judged {
                    probability,
                    base_rate,
                    runs: probability >= threshold,
                });
            }
        }
    }
    judged.into_iter().flatten().collect()
}

/// A model and the threshold that serves the same examples best.
fn fitted(examples: &[&GateExample]) -> (Logistic, f64) {
    let rows: Vec<(&[f64], bool)> = examples
        .iter()
        .map(|example| (&example.inputs[..], example.has_gain()))
        .collect();
    let model = Logistic::fit(&rows);
    let mut gains: Vec<(f64, f64)> = examples
        .iter()
        .map(|example| {
            (
                model.probability(&example.inputs),
                example.always - example.never,
            )
        })
        .collect();
    gains.sort_by(|a, b| b.0.total_cmp(&a.0));
    (model, best_threshold(&gains))
}

/// `gains` by falling probability. Nothing runs at 1.
fn best_threshold(gains: &[(f64, f64)]) -> f64 {
    let (mut best, mut threshold, mut sum) = (1e-9, 1.0, 0.0);
    for (index, (probability, gain)) in gains.iter().enumerate() {
        sum += gain;
        let next = gains.get(index + 1).map(|(next, _)| *next);
        // Equal probabilities are decided alike.
        if sum > best && next != Some(*probability) {
            best = sum;
            threshold = next.map_or(*probability, |next| f64::midpoint(*probability, next));
        }
    }
    threshold
}

fn policies(
    examples: &[GateExample],
    rules: &[bool],
    learned: &[bool],
    seed: u64,
) -> Vec<GatePolicy> {
    let n = examples.len();
    let always = mean(&examples.iter().map(|e| e.always).collect::<Vec<_>>());
    let policy = |name: &str, runs: &[bool]| {
        let values: Vec<f64> = examples
            .iter()
            .zip(runs)
            .map(|(e, runs)| e.value(*runs))
            .collect();
        let value = estimate(&values, seed);
        GatePolicy {
            name: name.to_owned(),
            runs: runs.iter().filter(|runs| **runs).count() as f64 / n.max(1) as f64,
            regret: always - value.mean,
            value,
        }
    };
    let oracle: Vec<bool> = examples.iter().map(GateExample::has_gain).collect();
    vec![
        policy("never", &vec![false; n]),
        policy("rules", rules),
        policy("learned", learned),
        policy("always", &vec![true; n]),
        policy("oracle", &oracle),
    ]
}

fn forecasts(examples: &[GateExample], held_out: &[Judged]) -> Vec<GateForecast> {
    let labels: Vec<bool> = examples.iter().map(GateExample::has_gain).collect();
    let forecast = |name: &str, probabilities: Vec<f64>| {
        let errors: Vec<f64> = probabilities
            .iter()
            .zip(&labels)
            .map(|(p, label)| (p - f64::from(u8::from(*label))).powi(2))
            .collect();
        GateForecast {
            name: name.to_owned(),
            auc: auc(&probabilities, &labels),
            brier: mean(&errors),
        }
    };
    let rules = examples
        .iter()
        .map(|example| f64::from(u8::from(example.rules_run)));
    vec![
        forecast("rules", rules.collect()),
        forecast(
            "base rate",
            held_out.iter().map(|judged| judged.base_rate).collect(),
        ),
        forecast(
            "learned",
            held_out.iter().map(|judged| judged.probability).collect(),
        ),
    ]
}

/// Area under the curve of hits against false alarms; equal scores count half (Mann and Whitney 1947).
fn auc(scores: &[f64], labels: &[bool]) -> Option<f64> {
    let of = |wanted: bool| {
        let rows = scores
            .iter()
            .zip(labels)
            .filter(move |(_, label)| **label == wanted);
        rows.map(|(score, _)| *score).collect::<Vec<f64>>()
    };
    let (with, without) = (of(true), of(false));
    if with.is_empty() || without.is_empty() {
        return None;
    }
    let ahead = |a: &f64, b: &f64| match a.total_cmp(b) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    let sum: f64 = with
        .iter()
        .flat_map(|a| without.iter().map(move |b| ahead(a, b)))
        .sum();
    Some(sum / (with.len() * without.len()) as f64)
}

#[cfg(test)]
mod tests;

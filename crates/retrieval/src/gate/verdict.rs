//! The figures that the gate decides by, and the checks that it makes.

use crate::query::QueryShape;
use serde::{Deserialize, Serialize};
use specta::Type;

/// What the gate looks at. All figures are finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GateFeatures {
    /// Candidates of the first stage with a finite score.
    pub n_candidates: u32,
    /// `(s1 - s2) / σ`, σ the deviation of ranks 51 to 500, or of the last three quarters.
    pub z_margin: f64,
    /// `(s1 - μ) / σ` against the same background.
    pub z_peak: f64,
    /// Entropy of `softmax((s - s1) / σ)` over the ten best, against that of ten equal ones: 0 when
    /// one stands alone, 1 when all are alike.
    pub entropy: f64,
    /// Rank-biased overlap (p = 0.9) of the dense and the lexical ten best; `None` without both.
    pub agreement: Option<f64>,
    /// The query is the name of one definition, and two channels have it first.
    pub id_hit: bool,
    /// The query's shape.
    pub shape: QueryShape,
    /// Words of the query.
    pub n_words: u32,
    /// Milliseconds until the stage has to be done.
    pub time_left_ms: f64,
    /// What it took lately, milliseconds; `None` before the first time.
    pub expected_ms: Option<f64>,
}

/// Why the gate decided as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum GateReason {
    /// Skipped: fewer than two candidates, so there is nothing to order.
    NoHits,
    /// Skipped: the stage is switched off.
    Disabled,
    /// Skipped: no model or no index of token vectors.
    IndexMissing,
    /// Skipped: it would not be done in time.
    Budget,
    /// Skipped: the query names one definition, which was found.
    ExactSymbol,
    /// Skipped: the query is a path, which is matched by letters.
    Literal,
    /// Skipped: the first stage is sure.
    Confident,
    /// Runs: too few candidates to tell how sure the first stage is, and cheap to look at.
    FewHits,
    /// Runs: several of the best score alike.
    HighEntropy,
    /// Runs: the first is hardly ahead of the second.
    LowMargin,
    /// Runs: the first hardly stands out of the background.
    LowPeak,
    /// Runs: meaning and words rank differently.
    Disagreement,
    /// Runs: it always does.
    Always,
}

impl GateReason {
    /// Says whether the stage runs for this reason.
    pub fn runs(self) -> bool {
        matches!(
            self,
            Self::FewHits
                | Self::HighEntropy
                | Self::LowMargin
                | Self::LowPeak
                | Self::Disagreement
                | Self::Always
        )
    }
}

/// A figure of the first stage that the gate judges by, in the order of its checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum GateFigure {
    /// How alike the ten best score.
    Entropy,
    /// How far the first is ahead of the second.
    Margin,
    /// How far the first stands out of the background.
    Peak,
    /// How far meaning and words rank alike.
    Agreement,
}

impl GateFigure {
    /// Returns the name as traces write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entropy => "entropy",
            Self::Margin => "margin",
            Self::Peak => "peak",
            Self::Agreement => "agreement",
        }
    }

    /// Returns why the stage runs where the first stage is not sure by this figure.
    pub(super) fn doubt(self) -> GateReason {
        match self {
            Self::Entropy => GateReason::HighEntropy,
            Self::Margin => GateReason::LowMargin,
            Self::Peak => GateReason::LowPeak,
            Self::Agreement => GateReason::Disagreement,
        }
    }

    /// Whether the first stage is sure when the figure is small.
    pub(super) fn is_sure_when_small(self) -> bool {
        self == Self::Entropy
    }
}

/// A figure compared with its threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GateCheck {
    /// Which one.
    pub name: GateFigure,
    /// The figure.
    pub value: f64,
    /// What it is compared with.
    pub threshold: f64,
    /// Sure means at most the threshold, not at least.
    pub at_most: bool,
    /// Whether the first stage counts as sure by this figure.
    pub sure: bool,
}

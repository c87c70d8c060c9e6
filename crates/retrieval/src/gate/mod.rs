//! Gate: whether the late-interaction stage is worth its time for this query.
//!
//! [`decide`] is the only place where figures become a verdict: the pipeline, and the window's
//! what-if over a recorded trace, call the same function. Raw scores never enter it: every figure is
//! scaled within its list, so a verdict does not depend on the scale of the scores.

mod verdict;
pub use verdict::{GateCheck, GateFeatures, GateFigure, GateReason};

mod features;
mod words;

pub(crate) use features::{FirstStage, measure};

use crate::query::QueryShape;
use serde::{Deserialize, Serialize};
use specta::Type;

/// When the late-interaction stage runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum GateMode {
    /// Not at all.
    Never,
    /// When the first stage is not sure of itself.
    #[default]
    Gated,
    /// For every query, as far as time allows.
    Always,
}

impl GateMode {
    /// Returns the name as settings write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Gated => "gated",
            Self::Always => "always",
        }
    }
}

/// Bounds within which the first stage counts as sure: all of them have to hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GateThresholds {
    /// Entropy of the ten best, 0 to 1, at most this.
    pub max_entropy: f64,
    /// Distance between the first two in deviations of the background, at least this.
    pub min_margin: f64,
    /// Distance from the first to the background's mean in its deviations, at least this.
    pub min_peak: f64,
    /// Overlap of the dense and the lexical ten best, 0 to 1, at least this.
    pub min_agreement: f64,
}

impl Default for GateThresholds {
    fn default() -> Self {
        Self {
            max_entropy: 0.25,
            min_margin: 2.0,
            min_peak: 4.0,
            min_agreement: 0.5,
        }
    }
}

/// The gate as it is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct GateSettings {
    /// When the stage runs.
    pub mode: GateMode,
    /// What counts as sure.
    pub thresholds: GateThresholds,
}

/// A verdict and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GateVerdict {
    /// Whether the stage runs.
    pub runs: bool,
    /// The rule that decided.
    pub reason: GateReason,
    /// The same in words, with figures.
    pub sentence: String,
    /// The figures against their thresholds.
    pub checks: Vec<GateCheck>,
}

/// The gate's part of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GateRecord {
    /// How the gate was set.
    pub settings: GateSettings,
    /// What it looked at.
    pub features: GateFeatures,
    /// Why the stage could not have run, whatever the verdict; `None` when it could.
    pub missing: Option<String>,
    /// What came of it.
    pub verdict: GateVerdict,
}

/// Fewer candidates than this have no background to be measured against.
pub(crate) const MIN_BACKGROUND: u32 = 8;

/// Decides whether the stage runs.
///
/// In this order: what cannot be (`missing`, fewer than two candidates, no time), what is set (never,
/// always), what needs no judgement (one definition by its name, a path), and then the four figures:
/// the stage is left out only when all of them say that the first stage is sure. A wrong skip costs
/// more than a wrong run. Stricter thresholds never turn a run into a skip.
pub fn decide(
    settings: &GateSettings,
    features: &GateFeatures,
    missing: Option<&str>,
) -> GateVerdict {
    let checks = checks(&settings.thresholds, features);
    let reason =
        certain(settings.mode, features, missing.is_some()).unwrap_or_else(|| by_rules(&checks));
    GateVerdict {
        runs: reason.runs(),
        reason,
        sentence: words::sentence(
            reason,
            &words::VerdictFigures {
                features,
                missing,
                checks: &checks,
            },
        ),
        checks,
    }
}

/// What needs no judgement.
fn certain(mode: GateMode, features: &GateFeatures, is_missing: bool) -> Option<GateReason> {
    let late = features
        .expected_ms
        .is_some_and(|expected| expected > features.time_left_ms);
    let reason = match mode {
        GateMode::Never => GateReason::Disabled,
        _ if is_missing => GateReason::IndexMissing,
        _ if features.n_candidates < 2 => GateReason::NoHits,
        _ if late || features.time_left_ms <= 0.0 => GateReason::Budget,
        GateMode::Always => GateReason::Always,
        GateMode::Gated if features.id_hit => GateReason::ExactSymbol,
        GateMode::Gated if features.shape == QueryShape::Path => GateReason::Literal,
        GateMode::Gated if features.n_candidates < MIN_BACKGROUND => GateReason::FewHits,
        GateMode::Gated => return None,
    };
    Some(reason)
}

fn by_rules(checks: &[GateCheck]) -> GateReason {
    let doubtful = checks.iter().find(|check| !check.sure);
    doubtful.map_or(GateReason::Confident, |check| check.name.doubt())
}

fn checks(thresholds: &GateThresholds, features: &GateFeatures) -> Vec<GateCheck> {
    let check = |name: GateFigure, value: f64, threshold: f64| {
        let at_most = name.is_sure_when_small();
        GateCheck {
            name,
            value,
            threshold,
            at_most,
            sure: if at_most {
                value <= threshold
            } else {
                value >= threshold
            },
        }
    };
    let mut checks = vec![
        check(
            GateFigure::Entropy,
            features.entropy,
            thresholds.max_entropy,
        ),
        check(GateFigure::Margin, features.z_margin, thresholds.min_margin),
        check(GateFigure::Peak, features.z_peak, thresholds.min_peak),
    ];
    let agreement = features.agreement;
    checks.extend(
        agreement.map(|value| check(GateFigure::Agreement, value, thresholds.min_agreement)),
    );
    checks
}

#[cfg(test)]
mod tests;

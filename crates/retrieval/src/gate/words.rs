//! A verdict in words, with the figures that it rests on.

use super::verdict::{GateCheck, GateFeatures, GateFigure, GateReason};

/// What a sentence is made from.
pub(super) struct VerdictFigures<'a> {
    pub(super) features: &'a GateFeatures,
    pub(super) missing: Option<&'a str>,
    pub(super) checks: &'a [GateCheck],
}

pub(super) fn sentence(reason: GateReason, figures: &VerdictFigures<'_>) -> String {
    let VerdictFigures {
        features,
        missing,
        checks,
    } = figures;
    let told = |sure: bool| {
        let told: Vec<String> = checks
            .iter()
            .filter(|check| check.sure == sure)
            .map(tell)
            .collect();
        told.join(", ")
    };
    match reason {
        GateReason::Disabled => "skipped: switched off in the settings".to_owned(),
        GateReason::IndexMissing => format!("skipped: {}", missing.unwrap_or("no token vectors")),
        GateReason::NoHits => format!(
            "skipped: {} candidates leave nothing to order",
            features.n_candidates
        ),
        GateReason::Budget => match features.expected_ms {
            Some(expected) => format!(
                "skipped: it took {expected:.0} ms lately, and {:.0} ms are left",
                features.time_left_ms.max(0.0)
            ),
            None => "skipped: no time is left".to_owned(),
        },
        GateReason::ExactSymbol => {
            "skipped: the query names one definition, and two channels have it first".to_owned()
        }
        GateReason::Literal => {
            "skipped: the query is a path, which is matched by letters".to_owned()
        }
        GateReason::Confident => format!("skipped, the first stage is sure: {}", told(true)),
        GateReason::FewHits => format!(
            "runs: {} candidates are too few to tell, and cheap to look at",
            features.n_candidates
        ),
        GateReason::Always => "runs: set to run for every query".to_owned(),
        GateReason::HighEntropy
        | GateReason::LowMargin
        | GateReason::LowPeak
        | GateReason::Disagreement => format!("runs: {}", told(false)),
    }
}

/// `margin 0.80 σ < 2.00 σ`.
fn tell(check: &GateCheck) -> String {
    let unit = match check.name {
        GateFigure::Margin | GateFigure::Peak => " σ",
        GateFigure::Entropy | GateFigure::Agreement => "",
    };
    let sign = match (check.at_most, check.sure) {
        (true, true) => "≤",
        (true, false) => ">",
        (false, true) => "≥",
        (false, false) => "<",
    };
    format!(
        "{} {:.2}{unit} {sign} {:.2}{unit}",
        check.name.name(),
        check.value,
        check.threshold
    )
}

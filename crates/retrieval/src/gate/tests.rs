use super::features::{Spread, overlap};
use super::*;
use proptest::prelude::*;
use whyrank_index::ChunkRef;

fn gated() -> GateSettings {
    GateSettings::default()
}

/// A first stage that is sure by every figure.
fn sure() -> GateFeatures {
    GateFeatures {
        n_candidates: 300,
        z_margin: 3.0,
        z_peak: 9.0,
        entropy: 0.1,
        agreement: Some(0.8),
        id_hit: false,
        shape: QueryShape::NaturalLanguage,
        n_words: 4,
        time_left_ms: 180.0,
        expected_ms: Some(20.0),
    }
}

fn check(features: GateFeatures, expected: GateReason) {
    let verdict = decide(&gated(), &features, None);
    assert_eq!(verdict.reason, expected, "{verdict:?}");
    assert_eq!(verdict.runs, expected.runs());
}

#[test]
fn one_unsure_figure_is_enough_to_run() {
    check(sure(), GateReason::Confident);
    check(
        GateFeatures {
            entropy: 0.6,
            ..sure()
        },
        GateReason::HighEntropy,
    );
    check(
        GateFeatures {
            z_margin: 0.4,
            ..sure()
        },
        GateReason::LowMargin,
    );
    check(
        GateFeatures {
            z_peak: 2.0,
            ..sure()
        },
        GateReason::LowPeak,
    );
    check(
        GateFeatures {
            agreement: Some(0.1),
            ..sure()
        },
        GateReason::Disagreement,
    );
    check(
        GateFeatures {
            agreement: None,
            ..sure()
        },
        GateReason::Confident,
    );
}

#[test]
fn what_needs_no_judgement_comes_first() {
    let unsure = GateFeatures {
        entropy: 0.9,
        ..sure()
    };
    check(
        GateFeatures {
            id_hit: true,
            ..unsure
        },
        GateReason::ExactSymbol,
    );
    check(
        GateFeatures {
            shape: QueryShape::Path,
            ..unsure
        },
        GateReason::Literal,
    );
    check(
        GateFeatures {
            n_candidates: 0,
            ..unsure
        },
        GateReason::NoHits,
    );
    check(
        GateFeatures {
            n_candidates: 1,
            ..unsure
        },
        GateReason::NoHits,
    );
    check(
        GateFeatures {
            n_candidates: 3,
            ..unsure
        },
        GateReason::FewHits,
    );
    check(
        GateFeatures {
            expected_ms: Some(200.0),
            ..unsure
        },
        GateReason::Budget,
    );
    check(
        GateFeatures {
            time_left_ms: 0.0,
            expected_ms: None,
            ..unsure
        },
        GateReason::Budget,
    );
}

#[test]
fn modes_decide_within_what_is_possible() {
    let with = |mode, missing| {
        let settings = GateSettings { mode, ..gated() };
        decide(&settings, &sure(), missing).reason
    };
    assert_eq!(with(GateMode::Never, None), GateReason::Disabled);
    assert_eq!(with(GateMode::Always, None), GateReason::Always);
    assert_eq!(
        with(GateMode::Always, Some("no index")),
        GateReason::IndexMissing
    );
    let late = GateFeatures {
        expected_ms: Some(500.0),
        ..sure()
    };
    let always = GateSettings {
        mode: GateMode::Always,
        ..gated()
    };
    assert_eq!(decide(&always, &late, None).reason, GateReason::Budget);
}

#[test]
fn the_sentence_names_what_decided() {
    let unsure = GateFeatures {
        z_margin: 0.8,
        agreement: Some(0.12),
        ..sure()
    };
    assert_eq!(
        decide(&gated(), &unsure, None).sentence,
        "runs: margin 0.80 σ < 2.00 σ, agreement 0.12 < 0.50"
    );
    let missing = decide(&gated(), &sure(), Some("no token vectors yet"));
    assert_eq!(missing.sentence, "skipped: no token vectors yet");
}

#[test]
fn a_lone_peak_has_no_entropy_and_equals_have_all() {
    let mut peak = vec![100.0];
    peak.extend((0..200).map(|rank| 10.0 - f64::from(rank) * 0.01));
    let spread = Spread::of(&peak);
    assert!(
        spread.entropy < 0.01 && spread.z_margin > 10.0,
        "{spread:?}"
    );
    let flat = Spread::of(&[1.0; 40]);
    assert_eq!((flat.entropy, flat.z_margin, flat.z_peak), (1.0, 0.0, 0.0));
    assert_eq!(Spread::of(&[]), Spread::of(&[3.0, 1.0]));
}

fn places(chunks: &[u32]) -> Vec<ChunkRef> {
    let place = |chunk: &u32| ChunkRef {
        file: 0,
        chunk: *chunk,
    };
    chunks.iter().map(place).collect()
}

#[test]
fn overlap_counts_the_top_most() {
    let at = |a: &[u32], b: &[u32]| overlap(&places(a), &places(b));
    assert!((at(&[1, 2, 3], &[1, 2, 3]) - 1.0).abs() < 1e-12);
    assert_eq!(at(&[1, 2, 3], &[4, 5, 6]), 0.0);
    assert!(at(&[1, 2, 3], &[1, 5, 6]) > at(&[1, 2, 3], &[4, 5, 1]));
    assert_eq!(at(&[], &[]), 0.0);
}

fn scores() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.0_f64..50.0, 8..300).prop_map(|mut scores| {
        scores.sort_by(|a, b| b.total_cmp(a));
        scores
    })
}

fn features() -> impl Strategy<Value = GateFeatures> {
    let figures = (
        0.0_f64..5.0,
        0.0_f64..20.0,
        0.0_f64..1.0,
        proptest::option::of(0.0_f64..1.0),
    );
    (figures, 0_u32..400, any::<bool>()).prop_map(|(figures, n_candidates, id_hit)| {
        let (z_margin, z_peak, entropy, agreement) = figures;
        GateFeatures {
            n_candidates,
            z_margin,
            z_peak,
            entropy,
            agreement,
            id_hit,
            ..sure()
        }
    })
}

proptest! {
    #[test]
    fn a_verdict_does_not_depend_on_the_scale(
        scores in scores(),
        factor in 1e-3_f64..1e3,
        shift in -100.0_f64..100.0,
    ) {
        let scaled: Vec<f64> = scores.iter().map(|score| score * factor + shift).collect();
        let (one, two) = (Spread::of(&scores), Spread::of(&scaled));
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(1.0);
        prop_assert!(near(one.z_margin, two.z_margin), "{one:?} {two:?}");
        prop_assert!(near(one.z_peak, two.z_peak), "{one:?} {two:?}");
        prop_assert!(near(one.entropy, two.entropy), "{one:?} {two:?}");
    }

    #[test]
    fn figures_are_finite_whatever_the_scores(scores in scores(), huge in any::<bool>()) {
        let factor = if huge { 1e300 } else { 1e-300 };
        let scores: Vec<f64> = scores.iter().map(|score| score * factor).collect();
        let spread = Spread::of(&scores);
        for figure in [spread.z_margin, spread.z_peak, spread.entropy] {
            prop_assert!(figure.is_finite() && figure >= 0.0, "{spread:?}");
        }
    }

    #[test]
    fn stricter_thresholds_never_turn_a_run_into_a_skip(
        features in features(),
        less in 0.0_f64..1.0,
        more in 0.0_f64..5.0,
    ) {
        let lenient = gated();
        let set = lenient.thresholds;
        let strict = GateSettings {
            thresholds: GateThresholds {
                max_entropy: set.max_entropy - less,
                min_margin: set.min_margin + more,
                min_peak: set.min_peak + more,
                min_agreement: set.min_agreement + less,
            },
            ..lenient
        };
        let runs = |settings: &GateSettings| decide(settings, &features, None).runs;
        prop_assert!(!runs(&lenient) || runs(&strict));
    }

    #[test]
    fn a_skip_always_says_why(features in features()) {
        let verdict = decide(&gated(), &features, None);
        prop_assert_eq!(verdict.runs, verdict.sentence.starts_with("runs"));
        prop_assert_eq!(verdict.runs, verdict.reason.runs());
    }
}

#[test]
fn a_record_with_a_fitted_gate_of_an_older_version_is_read() {
    let record = serde_json::json!({
        "mode": "gated",
        "thresholds": {"max_entropy": 0.25, "min_margin": 2.0, "min_peak": 4.0, "min_agreement": 0.5},
        "learned": {"threshold": 0.4}
    });
    let settings: GateSettings = serde_json::from_value(record).expect("it is read");
    assert_eq!(settings, gated());
}

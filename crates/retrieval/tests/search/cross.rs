//! The cross-encoder's stage.

use crate::fixture::Fixture;
use whyrank_inference::{CrossEncoder, FakeCrossEncoder, InferenceError};
use whyrank_retrieval::{GateMode, SearchOutcome, Stage};

const QUERY: &str = "where the cookie of a session is read";

fn ask(fixture: &Fixture, off: &[Stage]) -> SearchOutcome {
    let change = |query: &mut whyrank_retrieval::SearchQuery| {
        query.gate.mode = GateMode::Always;
        query.off = off.to_vec();
    };
    fixture.ask_with(QUERY, change, true)
}

#[test]
fn what_is_read_beside_the_query_adds_to_its_file_and_the_sums_hold() {
    let mut fixture = Fixture::new();
    let before = ask(&fixture, &[]);
    assert_eq!(before.trace.cross, None, "no weights, no word of it");
    let stages = |outcome: &SearchOutcome| -> Vec<String> {
        let timings = outcome.trace.timings.iter();
        timings.map(|timing| timing.stage.clone()).collect()
    };
    assert!(!stages(&before).contains(&"cross-encode".to_owned()));

    fixture.cross = Some(Box::new(FakeCrossEncoder));
    let outcome = ask(&fixture, &[]);
    let record = outcome.trace.cross.as_ref().expect("it ran");
    assert_eq!((record.n_asked, &record.cut), (record.n_done, &None));
    assert!(record.n_done > 1 && record.deviation > 0.0);
    assert!(stages(&outcome).contains(&"cross-encode".to_owned()));
    let of = |row: &whyrank_retrieval::TraceRow| -> f64 {
        let terms = row.evidence.iter();
        let its = terms.filter(|term| term.name == "cross-encode");
        its.map(|term| term.contribution).sum()
    };
    for row in &outcome.trace.rows {
        let channels: f64 = row.channels.iter().map(|rank| rank.contribution).sum();
        let evidence: f64 = row.evidence.iter().map(|term| term.contribution).sum();
        assert!((channels + evidence - row.score).abs() < 1e-9, "{row:?}");
        assert!(
            of(row) >= 0.0,
            "nothing that was read falls below what was not"
        );
        assert!(row.stages.and_then(|ranks| ranks.crossed).is_some());
    }
    let first = &outcome.trace.rows[0];
    assert_eq!(first.path, "src/session.py");
    assert!(of(first) > 0.0);

    let off = ask(&fixture, &[Stage::CrossEncode]);
    assert_eq!(off.trace.cross, None);
    assert_eq!(fixture.paths(&off), fixture.paths(&before));
}

/// Gets no further than two passages.
struct Slow;

impl CrossEncoder for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn score(
        &self,
        query: &str,
        documents: &[&str],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<f32>, InferenceError> {
        FakeCrossEncoder.score(query, &documents[..2], stop)
    }
}

#[test]
fn out_of_time_what_was_read_counts() {
    let mut fixture = Fixture::new();
    fixture.cross = Some(Box::new(Slow));
    let outcome = ask(&fixture, &[]);
    let record = outcome.trace.cross.expect("it began");
    assert_eq!(record.n_done, 2);
    assert!(record.n_asked > 2);
    let cut = record.cut.expect("it was cut");
    assert!(cut.starts_with("out of time after 2 of"), "{cut}");
    let notes = outcome.trace.notes.join("\n");
    assert!(notes.contains("cross-encoder: out of time"), "{notes}");
}

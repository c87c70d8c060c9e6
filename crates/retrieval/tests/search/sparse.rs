//! The sparse channel among the others.

use crate::fixture::Fixture;
use whyrank_inference::FakeSparseEncoder;
use whyrank_retrieval::{Channel, SearchOutcome};

fn ranks(outcome: &SearchOutcome) -> usize {
    let rows = outcome.trace.rows.iter();
    rows.flat_map(|row| &row.channels)
        .filter(|rank| rank.channel == Channel::Splade)
        .count()
}

#[test]
fn without_a_model_there_is_no_such_channel() {
    let outcome = Fixture::new().ask("cookies of a session");
    let runs = outcome.trace.channels.iter();
    assert!(runs.clone().all(|run| run.channel != Channel::Splade));
    let weights = outcome.trace.weights.iter();
    assert!(
        weights
            .clone()
            .all(|weight| weight.channel != Channel::Splade)
    );
}

#[test]
fn with_one_it_brings_its_list_and_every_term_still_sums() {
    let mut fixture = Fixture::new();
    let encoder = FakeSparseEncoder::default();
    fixture.encode_sparse(&encoder);
    fixture.sparse = Some(encoder);
    let outcome = fixture.ask("cookies of a session");
    let run = outcome
        .trace
        .channels
        .iter()
        .find(|run| run.channel == Channel::Splade);
    let run = run.unwrap();
    assert_eq!(run.skipped, None);
    assert!(run.n_hits > 0 && run.encode_ms.is_some());
    assert_eq!(ranks(&outcome), run.n_hits as usize);
    for row in &outcome.trace.rows {
        let ranked: f64 = row.channels.iter().map(|rank| rank.contribution).sum();
        let terms: f64 = row.evidence.iter().map(|term| term.contribution).sum();
        assert!((ranked + terms - row.score).abs() < 1e-9, "{}", row.path);
    }
}

#[test]
fn without_an_index_of_its_own_it_is_left_out_and_says_so() {
    let mut fixture = Fixture::new();
    let plain = fixture.ask("cookies of a session");
    fixture.sparse = Some(FakeSparseEncoder::default());
    let outcome = fixture.ask("cookies of a session");
    assert_eq!(outcome.hits, plain.hits);
    let notes = outcome.trace.notes.join(" ");
    assert!(
        notes.contains("splade channel skipped: no chunk has sparse vectors"),
        "{notes}"
    );
}

#[test]
fn a_weight_of_zero_switches_it_off() {
    let mut fixture = Fixture::new();
    let encoder = FakeSparseEncoder::default();
    fixture.encode_sparse(&encoder);
    fixture.sparse = Some(encoder);
    let off = |query: &mut whyrank_retrieval::SearchQuery| {
        query.weights.0.insert(Channel::Splade, 0.0);
    };
    let outcome = fixture.ask_with("cookies of a session", off, true);
    assert_eq!(ranks(&outcome), 0);
}

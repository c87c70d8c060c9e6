//! A new order of the hits in their trace, whose sums stay whole.

use crate::explain::TraceRow;
use crate::terms::Evidence;

/// The term that a reranked hit has.
const TERM: &str = "rerank";

/// Puts the first rows of a trace in a new order. The places keep their scores and rows take those of
/// the places that they come to; the difference is a term of its own, so the terms of every row still
/// sum to its score. `order` is a permutation of `0..order.len()`, not longer than `rows`.
pub fn apply_order(rows: &mut Vec<TraceRow>, order: &[usize]) {
    let n = order.len().min(rows.len());
    let rest = rows.split_off(n);
    let mut old: Vec<Option<TraceRow>> = rows.drain(..).map(Some).collect();
    let scores: Vec<f64> = old.iter().flatten().map(|row| row.score).collect();
    let shown: Vec<bool> = old.iter().flatten().map(|row| row.shown).collect();
    for (place, at) in order.iter().enumerate() {
        let Some(mut row) = old.get_mut(*at).and_then(Option::take) else {
            continue;
        };
        let rank = place as u32 + 1;
        if let Some(stages) = &mut row.stages {
            stages.presented = Some(row.rank);
            stages.reranked = Some(rank);
        }
        if scores[place] != row.score {
            row.evidence.push(Evidence {
                words: Vec::new(),
                name: TERM.to_owned(),
                contribution: scores[place] - row.score,
                reason: format!("the reranker put it at {rank} of {n}, {} before", row.rank),
            });
            row.score = scores[place];
        }
        row.rank = rank;
        row.shown = shown[place];
        rows.push(row);
    }
    rows.extend(rest);
}

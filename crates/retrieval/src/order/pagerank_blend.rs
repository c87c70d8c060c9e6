//! CKB's way to use the graph, to compare with: the final score is a blend of rank and PageRank.
//!
//! It runs after the rows have their order, since it reads ranks and not scores, and before repeats of a
//! file are damped, which it would undo. Off unless `graph_blend` is set.

use crate::channels::GraphWalk;
use crate::evidence::Scored;
use crate::terms::Evidence;

/// Shorter lists are left as they are.
const MIN_ROWS: usize = 3;

/// Replaces each score by `(1 - share) / (rank + 1) + share * PageRank / best PageRank`, ranks from 0.
///
/// `ranked` best first; the rows have to be sorted again afterwards. Lists of three rows or less
/// are left alone, as is everything when the graph reached nothing: there PageRank has nothing to tell
/// apart.
pub(crate) fn blend(ranked: &mut [Scored], walk: &GraphWalk, share: f64) {
    let best = walk.shares.values().copied().fold(0.0, f64::max);
    if ranked.len() <= MIN_ROWS || best <= 0.0 {
        return;
    }
    for (rank, row) in ranked.iter_mut().enumerate() {
        let place = row.fused.place;
        let norm = walk.shares.get(&place).copied().unwrap_or(0.0) / best;
        let combined = (1.0 - share) / (rank as f64 + 1.0) + share * norm;
        let term = Evidence {
            words: Vec::new(),
            name: "graph-blend".to_owned(),
            contribution: combined - row.score,
            reason: format!(
                "{:.2} / ({rank} + 1) + {share:.2} * {norm:.3} of the best PageRank = {combined:.4}, instead of {:.4}",
                1.0 - share,
                row.score
            ),
        };
        row.score += term.contribution;
        row.evidence.push(term);
    }
}

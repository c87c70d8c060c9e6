//! Where each candidate stood after each stage.

use crate::evidence::Scored;
use crate::refine::RefineRecord;

/// Notes the ranks by fusion and by evidence; returns the rows' order by the latter.
pub(crate) fn first_order(rows: &mut [Scored]) -> Vec<usize> {
    let by_fused = by(rows, |row| row.fused.score);
    for (rank, at) in by_fused.into_iter().enumerate() {
        rows[at].stages.fused = rank as u32 + 1;
    }
    let by_score = by(rows, |row| row.score);
    for (rank, at) in by_score.iter().enumerate() {
        rows[*at].stages.evidence = rank as u32 + 1;
    }
    by_score
}

/// Notes the ranks with late interaction, if it looked at anything.
pub(crate) fn after_refine(rows: &mut [Scored], record: Option<&RefineRecord>) {
    if record.is_none_or(|record| record.n_done == 0) {
        return;
    }
    for (rank, at) in by(rows, |row| row.score).into_iter().enumerate() {
        rows[at].stages.refined = Some(rank as u32 + 1);
    }
}

/// Notes the ranks of rows in their final order.
pub(crate) fn after_order(ranked: &mut [Scored]) {
    for (rank, row) in ranked.iter_mut().enumerate() {
        row.stages.ordered = rank as u32 + 1;
    }
}

/// Notes the ranks of rows with what the cross-encoder says.
pub(crate) fn after_cross(ranked: &mut [Scored]) {
    for (rank, row) in ranked.iter_mut().enumerate() {
        row.stages.crossed = Some(rank as u32 + 1);
    }
}

/// Indices by falling score, ties by place: rows come in order of place.
fn by(rows: &[Scored], score: impl Fn(&Scored) -> f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| score(&rows[*b]).total_cmp(&score(&rows[*a])).then(a.cmp(b)));
    order
}

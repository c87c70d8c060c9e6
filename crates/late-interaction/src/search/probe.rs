//! WARPSELECT: which cells a query token visits, and what a document without a visited token gets.

use crate::query::CentroidScores;

/// Below this many tokens in all, every visited one counts.
const FEW_TOKENS: u64 = 100_000;

/// What a query token does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Probe {
    /// Cells to visit, best first.
    pub(super) cells: Vec<u32>,
    /// The score of the centroid at which this many tokens have been passed that none of the rest
    /// counts: what a document is given that has no visited token.
    pub(super) imputed: f32,
    /// What a visited token has to be above to count: what is imputed, or nothing when all cells are
    /// visited or there are so few tokens that no time is saved.
    pub(super) floor: f32,
}

/// How many cells a query token visits.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbeLimits {
    /// At most this many.
    pub(super) n_probe: usize,
    /// Until this many tokens are passed, for what is imputed.
    pub(super) passed: u64,
}

/// How many tokens have to be passed: t' of the paper, but never 0 and never more than there are.
///
/// As published, t' is ⌊√(8N) / 1000⌋ · 1000, which is 0 below 125,000 tokens.
pub(super) fn passed_tokens(n_tokens: u64, k: usize) -> u64 {
    let wanted = (8.0 * n_tokens as f64).sqrt().round() as u64;
    wanted.max(64).max(k as u64).min(n_tokens)
}

/// Chooses cells for every query token.
///
/// `n_tokens` of the rows count; `cell_len` says how many tokens a cell has. O(centroids × rows) and
/// little more.
pub(super) fn probes(
    scores: CentroidScores<'_>,
    n_tokens: usize,
    cell_len: &[u32],
    limits: ProbeLimits,
) -> Vec<Probe> {
    let passed = limits.passed;
    let n_probe = limits.n_probe.min(cell_len.len().max(1));
    let least = n_probe.max(128);
    let tops = tops(scores, n_tokens, cell_len, least);
    let in_all: u64 = cell_len.iter().map(|len| u64::from(*len)).sum();
    let is_all = n_probe >= cell_len.len() || in_all < FEW_TOKENS;
    let probe_of = |(row, mut top): (usize, Vec<(f32, u32)>)| {
        let mut bound = least;
        // Cells are small where there are many: go on until enough tokens are passed.
        while top.len() >= bound && passed_by(&top, cell_len) < passed {
            bound *= 4;
            top = best_of(scores.column(row, cell_len), bound);
        }
        let mut probe = probe(&top, cell_len, ProbeLimits { n_probe, passed });
        if is_all {
            probe.floor = f32::NEG_INFINITY;
        }
        probe
    };
    tops.into_iter().enumerate().map(probe_of).collect()
}

fn passed_by(top: &[(f32, u32)], cell_len: &[u32]) -> u64 {
    top.iter()
        .map(|(_, cell)| u64::from(cell_len[*cell as usize]))
        .sum()
}

fn probe(top: &[(f32, u32)], cell_len: &[u32], limits: ProbeLimits) -> Probe {
    let mut n = 0;
    let at = top.iter().find(|(_, cell)| {
        n += u64::from(cell_len[*cell as usize]);
        n >= limits.passed
    });
    let imputed = at.or(top.last()).map_or(0.0, |(score, _)| *score);
    Probe {
        cells: top
            .iter()
            .take(limits.n_probe)
            .map(|(_, cell)| *cell)
            .collect(),
        imputed,
        floor: imputed,
    }
}

/// Each row's best `bound` cells that have tokens, best first; equal ones by number.
fn tops(
    scores: CentroidScores<'_>,
    n_tokens: usize,
    cell_len: &[u32],
    bound: usize,
) -> Vec<Vec<(f32, u32)>> {
    let mut thresholds = vec![f32::NEG_INFINITY; n_tokens];
    let mut tops: Vec<Vec<(f32, u32)>> = vec![Vec::with_capacity(2 * bound); n_tokens];
    for (scores, cell) in scores.of_cells(cell_len) {
        let scores = &scores[..n_tokens];
        // Nearly every cell fails for nearly every row: one pass without branches says so.
        let any = scores
            .iter()
            .zip(&thresholds)
            .fold(false, |any, (score, threshold)| any | (score > threshold));
        if !any {
            continue;
        }
        for (row, score) in scores.iter().enumerate() {
            if *score > thresholds[row] {
                tops[row].push((*score, cell));
                if tops[row].len() == 2 * bound {
                    keep(&mut tops[row], bound);
                    thresholds[row] = tops[row][bound - 1].0;
                }
            }
        }
    }
    tops.into_iter().map(|top| best_of(top, bound)).collect()
}

fn best_of(mut top: Vec<(f32, u32)>, bound: usize) -> Vec<(f32, u32)> {
    if top.len() > bound {
        keep(&mut top, bound);
    }
    top.sort_unstable_by(order);
    top
}

/// The best `bound`, the worst of them last.
fn keep(top: &mut Vec<(f32, u32)>, bound: usize) {
    top.select_nth_unstable_by(bound - 1, order);
    top.truncate(bound);
}

fn order(a: &(f32, u32), b: &(f32, u32)) -> std::cmp::Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn some_tokens_are_always_passed_and_never_more_than_there_are() {
        assert_eq!(passed_tokens(0, 10), 0);
        assert_eq!(passed_tokens(10, 10), 10);
        assert_eq!(passed_tokens(100_000, 10), 894);
        assert_eq!(passed_tokens(100_000, 2_000), 2_000);
    }

    proptest! {
        #[test]
        fn the_best_cells_in_order_and_the_score_where_enough_tokens_are_passed(
            seed in any::<u64>(), n_cells in 1usize..900, n_tokens in 1usize..9, n_probe in 1usize..40,
        ) {
            let mut random = fastrand::Rng::with_seed(seed);
            let n_rows = 16;
            let scores: Vec<f32> = (0..n_cells * n_rows).map(|_| random.f32()).collect();
            let cell_len: Vec<u32> = (0..n_cells).map(|_| random.u32(0..3)).collect();
            let total: u32 = cell_len.iter().sum();
            let passed = passed_tokens(u64::from(total), 10);
            let scores = CentroidScores { values: &scores, n_rows };
            let limits = ProbeLimits { n_probe, passed };
            let found = probes(scores, n_tokens, &cell_len, limits);
            for (row, found) in found.iter().enumerate() {
                let all = best_of(scores.column(row, &cell_len), n_cells);
                let cells: Vec<u32> = all.iter().take(n_probe).map(|(_, cell)| *cell).collect();
                prop_assert_eq!(&found.cells, &cells);
                let mut n = 0;
                let at = all.iter().find(|(_, cell)| {
                    n += u64::from(cell_len[*cell as usize]);
                    n >= passed
                });
                prop_assert_eq!(found.imputed, at.map_or(0.0, |(score, _)| *score));
            }
        }
    }
}

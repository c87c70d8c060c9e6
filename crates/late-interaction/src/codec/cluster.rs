//! Token-aware clustering: tokens of one word of the vocabulary share centroids among themselves.
//!
//! After the TAC of TACHIOM (arXiv 2604.28142). A global k-means costs tokens × centroids; here a
//! token is compared with the centroids of its own word, a few dozen. A rare identifier has a centroid
//! of its own, which is what a search for it needs.

use super::training::Training;
use super::{PcaRotation, kmeans};
use crate::exact::dot;
use crate::matrix::Document;
use rayon::prelude::*;
use std::collections::BTreeMap;

const ROUNDS: usize = 10;
/// Fewer points for a centroid say nothing of it.
const POINTS_PER_CENTROID: usize = 39;
/// Tokens for each centroid of the whole budget.
const TOKENS_PER_CENTROID: f64 = 128.0;
/// Tokens for each centroid where rare words have taken the budget: the common ones, which most
/// tokens are of, are not left without.
const LARGE_TOKENS_PER_CENTROID: f64 = 128.0;
/// More points of one word do not move its centroids.
const MAX_POINTS: usize = 1 << 17;

/// Centroids, of unit length as far as 8 bits a component let them be, grouped by word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clusters {
    pub(super) dim: usize,
    /// Row by row, words in ascending order.
    pub(crate) centroids: Vec<f32>,
    /// Word and its first centroid, ascending; its last is before the next one's first.
    pub(super) words: Vec<(u32, u32)>,
    /// The centroids in steps, once they are turned.
    pub(super) whole: Vec<i8>,
    /// Of each centroid: its components are multiples of it, -127 to 127.
    pub(super) steps: Vec<f32>,
}

impl Clusters {
    /// The centroid nearest to a token of a word. O(centroids of the word × dim); a word that
    /// training has not seen is compared with all.
    pub(super) fn nearest(&self, word: u32, row: &[f32]) -> u32 {
        let range = self.range(word);
        let mut best = (range.start, f32::NEG_INFINITY);
        for centroid in range {
            let score = dot(row, self.centroid(centroid));
            if score > best.1 {
                best = (centroid, score);
            }
        }
        best.0
    }

    fn range(&self, word: u32) -> std::ops::Range<u32> {
        let end = (self.centroids.len() / self.dim) as u32;
        match self.words.binary_search_by_key(&word, |(word, _)| *word) {
            Ok(at) => self.words[at].1..self.words.get(at + 1).map_or(end, |(_, first)| *first),
            Err(_) => 0..end,
        }
    }

    /// Turns the centroids, and rounds them to what is kept on disk: what rounding takes, residuals
    /// have.
    pub(super) fn turn(&mut self, rotation: &PcaRotation) {
        self.centroids = rotation.apply(&self.centroids);
        for centroid in self.centroids.chunks_exact_mut(self.dim) {
            let largest = centroid.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            let step = largest.max(1e-9) / 127.0;
            for x in centroid {
                let whole = (*x / step).round();
                *x = whole * step;
                self.whole.push(whole as i8);
            }
            self.steps.push(step);
        }
    }

    pub(crate) fn centroid(&self, centroid: u32) -> &[f32] {
        let at = centroid as usize * self.dim;
        &self.centroids[at..at + self.dim]
    }
}

pub(super) fn train(documents: &[&Document<'_>], dim: usize, training: &Training) -> Clusters {
    let mut words: BTreeMap<u32, Vec<&[f32]>> = BTreeMap::new();
    let mut n_tokens = 0;
    for document in documents {
        n_tokens += document.vectors().n_tokens();
        for (word, row) in document.vocab().iter().zip(document.vectors().rows()) {
            words.entry(*word).or_default().push(row);
        }
    }
    let groups: Vec<Group> = words.values().map(|rows| Group::of(rows, dim)).collect();
    let scale = (training.n_tokens as f64 / n_tokens as f64).max(1.0);
    let shares = share_out(&groups, n_tokens as f64 * scale);
    let jobs: Vec<(u32, &Vec<&[f32]>, usize)> = words
        .iter()
        .zip(shares)
        .map(|((word, rows), share)| (*word, rows, share))
        .collect();
    let trained: Vec<Vec<f32>> = jobs
        .par_iter()
        .map(|(word, rows, share)| {
            centroids_of(rows, dim, *share, training.seed ^ u64::from(*word))
        })
        .collect();
    let mut clusters = Clusters {
        dim,
        centroids: Vec::new(),
        words: Vec::with_capacity(jobs.len()),
        whole: Vec::new(),
        steps: Vec::new(),
    };
    for ((word, ..), centroids) in jobs.iter().zip(trained) {
        let first = (clusters.centroids.len() / dim) as u32;
        clusters.words.push((*word, first));
        clusters.centroids.extend(centroids);
    }
    clusters
}

fn centroids_of(rows: &[&[f32]], dim: usize, k: usize, seed: u64) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(seed);
    let step = rows.len().div_ceil(MAX_POINTS).max(1);
    let points: Vec<f32> = rows
        .iter()
        .step_by(step)
        .flat_map(|row| row.iter())
        .copied()
        .collect();
    kmeans::spherical(&points, dim, k, ROUNDS, &mut random)
}

/// A word's tokens.
#[derive(Clone, Copy, Debug)]
struct Group {
    n: usize,
    /// Sum of the components' variances.
    spread: f64,
}

impl Group {
    fn of(rows: &[&[f32]], dim: usize) -> Self {
        let n = rows.len();
        let (mut sum, mut squares) = (vec![0.0f64; dim], 0.0f64);
        for row in rows {
            for (sum, x) in sum.iter_mut().zip(*row) {
                *sum += f64::from(*x);
                squares += f64::from(*x) * f64::from(*x);
            }
        }
        let mean_squared: f64 = sum.iter().map(|sum| (sum / n as f64).powi(2)).sum();
        let spread = (squares / n as f64 - mean_squared).max(0.0);
        Self { n, spread }
    }
}

/// Centroids for each group. Words below `micro` tokens get one, small ones two; the rest of the
/// budget goes by √tokens × spread, at least 4 and at most a 39th of the tokens, and what the
/// capped ones leave goes to the others.
fn share_out(groups: &[Group], n_tokens: f64) -> Vec<usize> {
    let micro = n_tokens.powf(0.25).log2().round().exp2().clamp(32.0, 128.0) as usize;
    let small = 4 * micro;
    let mut shares: Vec<usize> = groups
        .iter()
        .map(|group| if group.n < micro { 1 } else { 2 })
        .collect();
    let large: Vec<usize> = (0..groups.len())
        .filter(|at| groups[*at].n >= small)
        .collect();
    let taken: usize = shares.iter().sum::<usize>() - 2 * large.len();
    let budget = (n_tokens / TOKENS_PER_CENTROID).log2().round().exp2();
    let mut left = (budget - taken as f64).max(n_tokens / LARGE_TOKENS_PER_CENTROID);
    let cap = |at: usize| (groups[at].n / POINTS_PER_CENTROID).max(4);
    let pull = |at: usize| (groups[at].n as f64).sqrt() * groups[at].spread;
    let mut open = large;
    loop {
        let total: f64 = open.iter().map(|at| pull(*at)).sum();
        let wish = |at: usize| {
            if total > 0.0 {
                left * pull(at) / total
            } else {
                0.0
            }
        };
        let (capped, rest): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|at| wish(**at) >= cap(**at) as f64);
        if capped.is_empty() {
            for at in rest {
                shares[at] = (wish(at).round() as usize).clamp(4, cap(at));
            }
            return shares;
        }
        let mut spent = 0;
        for at in capped {
            shares[at] = cap(at);
            spent += cap(at);
        }
        left = (left - spent as f64).max(0.0);
        open = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_get_one_centroid_and_common_ones_share_the_rest() {
        let group = |n, spread| Group { n, spread };
        let groups = [
            group(1, 0.0),
            group(100, 0.5),
            group(50_000, 0.5),
            group(50_000, 1.0),
        ];
        let shares = share_out(&groups, 1e5);
        assert_eq!(shares[..2], [1, 2]);
        assert!(shares[3] > shares[2] && shares[2] >= 4, "{shares:?}");
        assert!(
            shares
                .iter()
                .zip(&groups)
                .all(|(share, group)| *share <= group.n)
        );
    }
}

//! Causal attention of grouped heads over keys and values that are kept, and rotary positions.

use rayon::prelude::*;

use super::gguf::{Config, ModelFamily};
use crate::kernels::{Softmax, run};
use crate::matmul::{Matrix, MatrixMut, matmul};

/// Queries of one piece of work: a block's scores stay in the cache.
const BLOCK: usize = 64;

/// Keys and values of one layer, head by head: each `[n_tokens, head_dim]`.
#[derive(Default)]
pub(super) struct KeyValues {
    keys: Vec<Vec<f32>>,
    values: Vec<Vec<f32>>,
}

impl KeyValues {
    /// Adds rows of `[n_kv_heads * head_dim]`.
    fn push(&mut self, keys: &[f32], values: &[f32], config: &Config) {
        let (n, dim) = (config.n_kv_heads, config.head_dim);
        for (kept, rows) in [(&mut self.keys, keys), (&mut self.values, values)] {
            kept.resize_with(n, Vec::new);
            for row in rows.chunks_exact(n * dim) {
                for (head, part) in kept.iter_mut().zip(row.chunks_exact(dim)) {
                    head.extend_from_slice(part);
                }
            }
        }
    }
}

/// Query, key and value rows of new tokens.
pub(super) struct Projected {
    pub(super) query: Vec<f32>,
    pub(super) key: Vec<f32>,
    pub(super) value: Vec<f32>,
}

/// Attends from new tokens to all up to each of them; `n_before` tokens are kept already.
pub(super) fn attend(
    projected: &Projected,
    kept: &mut KeyValues,
    n_before: usize,
    config: &Config,
) -> Vec<f32> {
    kept.push(&projected.key, &projected.value, config);
    let (n_heads, dim) = (config.n_heads, config.head_dim);
    let width = n_heads * dim;
    let n_rows = projected.query.len() / width;
    let group = n_heads / config.n_kv_heads;
    let heads: Vec<Vec<f32>> = (0..n_heads)
        .into_par_iter()
        .map(|head| {
            let mut out = vec![0.0; n_rows * dim];
            let (keys, values) = (&kept.keys[head / group], &kept.values[head / group]);
            for first in (0..n_rows).step_by(BLOCK) {
                let n = BLOCK.min(n_rows - first);
                let queries = &projected.query[first * width + head * dim..];
                let out = &mut out[first * dim..(first + n) * dim];
                let head = QueryBlock {
                    queries: Matrix::new(queries, n, dim, width),
                    keys,
                    values,
                    dim,
                };
                head.attend(out, n_before + first);
            }
            out
        })
        .collect();
    let mut out = vec![0.0; n_rows * width];
    for (row, out) in out.chunks_exact_mut(width).enumerate() {
        for (head, part) in heads.iter().zip(out.chunks_exact_mut(dim)) {
            part.copy_from_slice(&head[row * dim..(row + 1) * dim]);
        }
    }
    out
}

/// A block of consecutive queries of one head, and all that it may look at.
struct QueryBlock<'a> {
    queries: Matrix<'a>,
    keys: &'a [f32],
    values: &'a [f32],
    dim: usize,
}

impl QueryBlock<'_> {
    /// `at` is the position of the first query.
    fn attend(&self, out: &mut [f32], at: usize) {
        let dim = self.dim;
        let n = out.len() / dim;
        let n_seen = at + n;
        let scale = 1.0 / (dim as f32).sqrt();
        let mut scores = vec![0.0; n * n_seen];
        matmul(
            MatrixMut::new(&mut scores, n, n_seen, n_seen),
            self.queries,
            Matrix::new(self.keys, n_seen, dim, dim).transposed(),
        );
        for (row, scores) in scores.chunks_exact_mut(n_seen).enumerate() {
            let (seen, ahead) = scores.split_at_mut(at + row + 1);
            run(Softmax {
                dim: seen.len(),
                rows: seen,
                scale,
            });
            ahead.fill(0.0);
        }
        matmul(
            MatrixMut::new(out, n, dim, dim),
            Matrix::new(&scores, n, n_seen, n_seen),
            Matrix::new(self.values, n_seen, dim, dim),
        );
    }
}

/// Rotary positions (arXiv 2104.09864): pairs of a head's components turned by their token's place.
pub(super) struct Rotary {
    /// Radians a token, for each pair.
    frequencies: Vec<f64>,
    /// Pairs lie side by side, not half a head apart.
    adjacent: bool,
}

impl Rotary {
    /// `factors` divide the frequencies: Llama 3.1 and later have them for long contexts.
    pub(super) fn new(config: &Config, factors: &[f32]) -> Self {
        let dim = config.head_dim;
        let frequency = |pair: usize| {
            let factor = factors.get(pair).copied().map_or(1.0, f64::from);
            config.rope_base.powf(-2.0 * pair as f64 / dim as f64) / factor
        };
        Self {
            frequencies: (0..dim / 2).map(frequency).collect(),
            adjacent: config.family == ModelFamily::Llama,
        }
    }

    /// Turns rows of whole heads; the first row is at position `at`.
    pub(super) fn turn(&self, rows: &mut [f32], width: usize, at: usize) {
        let half = self.frequencies.len();
        rows.par_chunks_mut(width)
            .enumerate()
            .for_each(|(row, heads)| {
                let turns: Vec<(f32, f32)> = self
                    .frequencies
                    .iter()
                    .map(|frequency| {
                        let (sin, cos) = (frequency * (at + row) as f64).sin_cos();
                        (sin as f32, cos as f32)
                    })
                    .collect();
                for head in heads.chunks_exact_mut(2 * half) {
                    for (pair, (sin, cos)) in turns.iter().enumerate() {
                        let (one, other) = if self.adjacent {
                            (2 * pair, 2 * pair + 1)
                        } else {
                            (pair, pair + half)
                        };
                        let (x, y) = (head[one], head[other]);
                        head[one] = x * cos - y * sin;
                        head[other] = x * sin + y * cos;
                    }
                }
            });
    }
}

//! Self-attention over one sequence: no padding, no mask but a window.

use std::sync::Arc;

use crate::kernels::{AddBias, Softmax, run};
use crate::matmul::{Matrix, MatrixMut, matmul};
use crate::weights::Linear;

/// What a score outside the window is set to: its share vanishes.
const OUT_OF_SIGHT: f32 = -1e30;

/// The attention of one block.
pub(crate) struct Attention {
    /// Queries, keys and values side by side: `n_out = 3 * n_heads * head_dim`.
    pub qkv: Linear,
    /// From `n_heads * head_dim` to the states' components. Its bias is left to the caller.
    pub out: Linear,
    pub n_heads: usize,
    /// Of the products before the softmax.
    pub scale: f32,
    pub places: Places,
    /// A token sees those at most this far away.
    pub window: Option<usize>,
}

/// How attention knows where tokens stand.
pub(crate) enum Places {
    /// The states say so themselves.
    InStates,
    /// Rotation of queries and keys, halves paired. [Su 2021]
    Rotary(Arc<RotaryTable>),
}

/// Sine and cosine of each position's angles: `[max_tokens, head_dim / 2]`.
pub(crate) struct RotaryTable {
    sin: Vec<f32>,
    cos: Vec<f32>,
}

/// Buffers of one pass.
#[derive(Default)]
pub(crate) struct AttentionBuffers {
    qkv: Vec<f32>,
    scores: Vec<f32>,
    context: Vec<f32>,
}

impl Attention {
    /// `out: [n_tokens, dim]` of `states: [n_tokens, qkv.n_in]`.
    pub(crate) fn apply(&self, states: &[f32], out: &mut [f32], buffers: &mut AttentionBuffers) {
        let n_tokens = states.len() / self.qkv.n_in;
        let dim = self.out.n_in;
        let qkv = fit(&mut buffers.qkv, n_tokens * 3 * dim);
        self.qkv.apply(states, qkv);
        if !self.qkv.bias.is_empty() {
            run(AddBias {
                rows: qkv,
                bias: &self.qkv.bias,
            });
        }
        let head_dim = dim / self.n_heads;
        if let Places::Rotary(table) = &self.places {
            rotate(qkv, table, dim, head_dim);
        }
        let scores = fit(&mut buffers.scores, n_tokens * n_tokens);
        let context = fit(&mut buffers.context, n_tokens * dim);
        let part = |start: usize| Matrix::new(&qkv[start..], n_tokens, head_dim, 3 * dim);
        for start in (0..dim).step_by(head_dim) {
            matmul(
                MatrixMut::new(scores, n_tokens, n_tokens, n_tokens),
                part(start),
                part(dim + start).transposed(),
            );
            self.hide(scores, n_tokens);
            run(Softmax {
                rows: scores,
                dim: n_tokens,
                scale: self.scale,
            });
            matmul(
                MatrixMut::new(&mut context[start..], n_tokens, head_dim, dim),
                Matrix::new(scores, n_tokens, n_tokens, n_tokens),
                part(2 * dim + start),
            );
        }
        self.out.apply(context, out);
    }

    /// The window, in `scores: [query, key]` of one head.
    fn hide(&self, scores: &mut [f32], n_tokens: usize) {
        if let Some(window) = self.window.filter(|window| *window + 1 < n_tokens) {
            for (query, row) in scores.chunks_exact_mut(n_tokens).enumerate() {
                row[..query.saturating_sub(window)].fill(OUT_OF_SIGHT);
                row[(query + window + 1).min(n_tokens)..].fill(OUT_OF_SIGHT);
            }
        }
    }
}

impl RotaryTable {
    /// Angles `position * base^(-2 i / head_dim)` for `i` in `0..head_dim / 2`.
    pub(crate) fn new(max_tokens: usize, head_dim: usize, base: f32) -> Self {
        let half = head_dim / 2;
        let angle = |idx: usize| {
            let exponent = (2 * (idx % half)) as f64 / head_dim as f64;
            (idx / half) as f64 * f64::from(base).powf(-exponent)
        };
        let angles: Vec<f64> = (0..max_tokens * half).map(angle).collect();
        Self {
            sin: angles.iter().map(|a| a.sin() as f32).collect(),
            cos: angles.iter().map(|a| a.cos() as f32).collect(),
        }
    }
}

/// Rotates queries and keys in rows `[query | key | value]: [n, 3 * dim]`, head by head.
fn rotate(qkv: &mut [f32], table: &RotaryTable, dim: usize, head_dim: usize) {
    let half = head_dim / 2;
    for (position, row) in qkv.chunks_exact_mut(3 * dim).enumerate() {
        let sin = &table.sin[position * half..][..half];
        let cos = &table.cos[position * half..][..half];
        for head in row[..2 * dim].chunks_exact_mut(head_dim) {
            let (first, second) = head.split_at_mut(half);
            for (((x, y), s), c) in first.iter_mut().zip(second).zip(sin).zip(cos) {
                (*x, *y) = (*x * c - *y * s, *y * c + *x * s);
            }
        }
    }
}

impl Linear {
    /// `out: [n, n_out] = x: [n, n_in] * weight`; the bias is left to the kernel that follows.
    pub(crate) fn apply(&self, x: &[f32], out: &mut [f32]) {
        let n_rows = x.len() / self.n_in;
        matmul(
            MatrixMut::new(out, n_rows, self.n_out, self.n_out),
            Matrix::new(x, n_rows, self.n_in, self.n_in),
            Matrix::new(&self.weight, self.n_in, self.n_out, self.n_out),
        );
    }
}

/// The first `len` elements, as left by the last use.
pub(crate) fn fit(buffer: &mut Vec<f32>, len: usize) -> &mut [f32] {
    buffer.resize(len, 0.0);
    buffer
}

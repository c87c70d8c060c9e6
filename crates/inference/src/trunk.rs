//! The encoder stack of BERT and NomicBERT: token ids in, one state per token out.
//!
//! One sequence at a time: no padding, no mask. Post-norm blocks; positions are learned vectors or
//! rotations, the feed-forward part is GELU or SwiGLU. [Devlin 2019], [Su 2021], [Shazeer 2020].

use crate::error::InferenceError;
use crate::kernels::{AddBias, BiasGelu, LayerNorm, ResidualLayerNorm, Softmax, SwiGlu, run};
use crate::matmul::{Matrix, MatrixMut, matmul};
use crate::weights::{EmbeddingTable, Linear};

/// A loaded encoder stack.
pub(crate) struct Trunk {
    pub words: EmbeddingTable,
    /// `[dim]`: the vector of token type 0, the only one a single text has.
    pub token_type: Vec<f32>,
    pub positions: Positions,
    pub embedding_norm: LayerNorm,
    pub blocks: Vec<Block>,
    pub dim: usize,
    pub n_heads: usize,
}

/// How a token knows its place.
pub(crate) enum Positions {
    /// `[max_tokens, dim]`, added to the word vectors.
    Learned(Vec<f32>),
    /// Rotation of queries and keys, halves paired.
    Rotary(RotaryTable),
}

/// Sine and cosine of each position's angles: `[max_tokens, head_dim / 2]`.
pub(crate) struct RotaryTable {
    pub sin: Vec<f32>,
    pub cos: Vec<f32>,
}

/// Attention, norm, feed-forward, norm.
pub(crate) struct Block {
    /// Queries, keys and values side by side: `n_out = 3 * dim`.
    pub qkv: Linear,
    pub attention_out: Linear,
    pub attention_norm: LayerNorm,
    pub feed_forward: FeedForward,
    pub output_norm: LayerNorm,
}

/// The position-wise part of a block.
pub(crate) enum FeedForward {
    /// `down(gelu(up(x)))`
    Gelu { up: Linear, down: Linear },
    /// `down(up(x) * silu(gate(x)))`, up and gate side by side.
    SwiGlu { up_gate: Linear, down: Linear },
}

/// Buffers of one forward pass, kept by a worker from text to text.
#[derive(Default)]
pub(crate) struct Scratch {
    /// `[n_tokens, dim]`: the states, the result.
    pub states: Vec<f32>,
    qkv: Vec<f32>,
    scores: Vec<f32>,
    context: Vec<f32>,
    projected: Vec<f32>,
    inner: Vec<f32>,
    gated: Vec<f32>,
}

impl Trunk {
    /// Leaves the last layer's states of `ids` in `scratch.states`.
    ///
    /// # Errors
    ///
    /// `Tensor` when a token or position has no vector.
    pub(crate) fn forward(&self, ids: &[u32], scratch: &mut Scratch) -> Result<(), InferenceError> {
        self.embed(ids, scratch)?;
        for block in &self.blocks {
            self.attend(block, ids.len(), scratch);
            feed_forward(block, ids.len(), scratch);
        }
        Ok(())
    }

    fn embed(&self, ids: &[u32], scratch: &mut Scratch) -> Result<(), InferenceError> {
        let states = fit(&mut scratch.states, ids.len() * self.dim);
        self.words.look_up(ids, states)?;
        let residual = match &self.positions {
            Positions::Learned(table) => table
                .get(..states.len())
                .ok_or_else(|| out_of_positions(ids.len()))?,
            Positions::Rotary(table) => {
                let half = self.dim / self.n_heads / 2;
                if table.sin.len() < ids.len() * half {
                    return Err(out_of_positions(ids.len()));
                }
                &[]
            }
        };
        run(ResidualLayerNorm {
            rows: states,
            residual,
            bias: &self.token_type,
            norm: &self.embedding_norm,
        });
        Ok(())
    }

    fn attend(&self, block: &Block, n_tokens: usize, scratch: &mut Scratch) {
        let dim = self.dim;
        let head_dim = dim / self.n_heads;
        let qkv = fit(&mut scratch.qkv, n_tokens * 3 * dim);
        block.qkv.apply(&scratch.states, qkv);
        if !block.qkv.bias.is_empty() {
            run(AddBias {
                rows: qkv,
                bias: &block.qkv.bias,
            });
        }
        if let Positions::Rotary(table) = &self.positions {
            rotate(qkv, table, dim, head_dim);
        }
        let scores = fit(&mut scratch.scores, n_tokens * n_tokens);
        let context = fit(&mut scratch.context, n_tokens * dim);
        let part = |start: usize| Matrix::new(&qkv[start..], n_tokens, head_dim, 3 * dim);
        for start in (0..dim).step_by(head_dim) {
            matmul(
                MatrixMut::new(scores, n_tokens, n_tokens, n_tokens),
                part(start),
                part(dim + start).transposed(),
            );
            run(Softmax {
                rows: scores,
                dim: n_tokens,
                scale: (head_dim as f32).sqrt().recip(),
            });
            matmul(
                MatrixMut::new(&mut context[start..], n_tokens, head_dim, dim),
                Matrix::new(scores, n_tokens, n_tokens, n_tokens),
                part(2 * dim + start),
            );
        }
        let projected = fit(&mut scratch.projected, n_tokens * dim);
        block.attention_out.apply(context, projected);
        run(ResidualLayerNorm {
            rows: projected,
            residual: &scratch.states,
            bias: &block.attention_out.bias,
            norm: &block.attention_norm,
        });
        std::mem::swap(&mut scratch.states, &mut scratch.projected);
    }
}

fn feed_forward(block: &Block, n_tokens: usize, scratch: &mut Scratch) {
    let (activated, down) = match &block.feed_forward {
        FeedForward::Gelu { up, down } => {
            let inner = fit(&mut scratch.inner, n_tokens * up.n_out);
            up.apply(&scratch.states, inner);
            run(BiasGelu {
                rows: inner,
                bias: &up.bias,
                dim: up.n_out,
            });
            (&*inner, down)
        }
        FeedForward::SwiGlu { up_gate, down } => {
            let inner = fit(&mut scratch.inner, n_tokens * up_gate.n_out);
            up_gate.apply(&scratch.states, inner);
            if !up_gate.bias.is_empty() {
                run(AddBias {
                    rows: inner,
                    bias: &up_gate.bias,
                });
            }
            let gated = fit(&mut scratch.gated, n_tokens * down.n_in);
            run(SwiGlu {
                up_gate: inner,
                out: gated,
                dim: down.n_in,
            });
            (&*gated, down)
        }
    };
    let projected = fit(&mut scratch.projected, n_tokens * down.n_out);
    down.apply(activated, projected);
    run(ResidualLayerNorm {
        rows: projected,
        residual: &scratch.states,
        bias: &down.bias,
        norm: &block.output_norm,
    });
    std::mem::swap(&mut scratch.states, &mut scratch.projected);
}

impl Linear {
    /// `out: [n, n_out] = x: [n, n_in] * weight`; the bias is left to the kernel that follows.
    fn apply(&self, x: &[f32], out: &mut [f32]) {
        let n_rows = x.len() / self.n_in;
        matmul(
            MatrixMut::new(out, n_rows, self.n_out, self.n_out),
            Matrix::new(x, n_rows, self.n_in, self.n_in),
            Matrix::new(&self.weight, self.n_in, self.n_out, self.n_out),
        );
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

/// The first `len` elements, as left by the last use.
fn fit(buffer: &mut Vec<f32>, len: usize) -> &mut [f32] {
    buffer.resize(len, 0.0);
    buffer
}

fn out_of_positions(n_tokens: usize) -> InferenceError {
    InferenceError::Tensor {
        tensor: "positions".into(),
        detail: format!("{n_tokens} tokens are more than the model has positions for"),
    }
}

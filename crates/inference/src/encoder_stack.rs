//! The encoder stack of BERT, NomicBERT and ModernBERT: token ids in, one state per token out.
//!
//! One sequence at a time: no padding, no mask. [Devlin 2019], [Su 2021], [Shazeer 2020],
//! [Warner 2024].

use crate::attention::{Attention, AttentionBuffers, fit};
use crate::error::InferenceError;
use crate::kernels::{Add, AddBias, BiasGelu, GeGlu, LayerNorm, ResidualLayerNorm, SwiGlu, run};
use crate::weights::{EmbeddingTable, Linear};

/// A loaded encoder stack.
pub(crate) struct EncoderStack {
    pub words: EmbeddingTable,
    pub embedding: Embedding,
    pub blocks: Vec<Block>,
    /// After the last block; post-norm stacks have none.
    pub final_norm: Option<LayerNorm>,
    pub dim: usize,
    /// Longer texts have no places.
    pub max_tokens: usize,
}

/// What is done with word vectors before the first block.
pub(crate) struct Embedding {
    /// `[dim]`: the vector of token type 0, the only one a single text has; empty for none.
    pub token_type: Vec<f32>,
    /// `[max_tokens, dim]`, added to the word vectors; empty where attention knows the places.
    pub positions: Vec<f32>,
    pub norm: LayerNorm,
}

/// Attention and feed-forward, each beside a residual.
pub(crate) struct Block {
    pub attention: Attention,
    pub feed_forward: FeedForward,
    pub norms: Norms,
}

/// Where a block's norms stand.
pub(crate) enum Norms {
    /// `norm(x + f(x))`: BERT and NomicBERT.
    Post {
        attention: LayerNorm,
        output: LayerNorm,
    },
    /// `x + f(norm(x))`: ModernBERT, whose first attention has none.
    Pre {
        attention: Option<LayerNorm>,
        feed_forward: LayerNorm,
    },
}

/// The position-wise part of a block.
pub(crate) enum FeedForward {
    /// `down(gelu(up(x)))`
    Gelu { up: Linear, down: Linear },
    /// `down(up(x) * silu(gate(x)))`, up and gate side by side.
    SwiGlu { up_gate: Linear, down: Linear },
    /// `down(gelu(gate(x)) * up(x))`, gate and up side by side.
    GeGlu { gate_up: Linear, down: Linear },
}

/// Buffers of one forward pass, kept by a worker from text to text.
#[derive(Default)]
pub(crate) struct Scratch {
    /// `[n_tokens, dim]`: the states, the result.
    pub states: Vec<f32>,
    normed: Vec<f32>,
    projected: Vec<f32>,
    attention: AttentionBuffers,
    inner: InnerBuffers,
}

#[derive(Default)]
struct InnerBuffers {
    inner: Vec<f32>,
    gated: Vec<f32>,
}

impl EncoderStack {
    /// Leaves the last layer's states of `ids` in `scratch.states`.
    ///
    /// # Errors
    ///
    /// `TooLong`; `UnknownToken`; `Tensor` when a token's vector is not of numbers.
    pub(crate) fn forward(&self, ids: &[u32], scratch: &mut Scratch) -> Result<(), InferenceError> {
        if ids.len() > self.max_tokens {
            return Err(InferenceError::TooLong {
                n_tokens: ids.len(),
                max_tokens: self.max_tokens,
            });
        }
        let states = fit(&mut scratch.states, ids.len() * self.dim);
        if ids.is_empty() {
            return Ok(());
        }
        self.words.look_up(ids, states)?;
        self.embedding.apply(states);
        for block in &self.blocks {
            block.apply(scratch);
        }
        if let Some(norm) = &self.final_norm {
            normalize(&mut scratch.states, norm);
        }
        Ok(())
    }
}

impl Embedding {
    fn apply(&self, states: &mut [f32]) {
        let positions = self.positions.get(..states.len()).unwrap_or_default();
        run(ResidualLayerNorm {
            rows: states,
            residual: positions,
            bias: &self.token_type,
            norm: &self.norm,
        });
    }
}

/// `rows = norm(rows)`
fn normalize(rows: &mut [f32], norm: &LayerNorm) {
    run(ResidualLayerNorm {
        rows,
        residual: &[],
        bias: &[],
        norm,
    });
}

impl Block {
    fn apply(&self, scratch: &mut Scratch) {
        let Scratch {
            states,
            normed,
            projected,
            attention: buffers,
            inner,
        } = scratch;
        let len = states.len();
        fit(projected, len);
        match &self.norms {
            Norms::Post { attention, output } => {
                self.attention.apply(states, projected, buffers);
                close(projected, states, &self.attention.out.bias, attention);
                self.feed_forward.apply(states, projected, inner);
                close(projected, states, &self.feed_forward.down().bias, output);
            }
            Norms::Pre {
                attention,
                feed_forward,
            } => {
                before(attention.as_ref(), states, normed);
                self.attention.apply(normed, projected, buffers);
                join(states, projected, &self.attention.out.bias);
                before(Some(feed_forward), states, normed);
                self.feed_forward.apply(normed, projected, inner);
                join(states, projected, &self.feed_forward.down().bias);
            }
        }
    }
}

/// `states = norm(projected + states + bias)`; `projected` is lost.
fn close(projected: &mut Vec<f32>, states: &mut Vec<f32>, bias: &[f32], norm: &LayerNorm) {
    run(ResidualLayerNorm {
        rows: projected,
        residual: states,
        bias,
        norm,
    });
    std::mem::swap(states, projected);
}

/// `normed = norm(states)`
fn before(norm: Option<&LayerNorm>, states: &[f32], normed: &mut Vec<f32>) {
    normed.clear();
    normed.extend_from_slice(states);
    if let Some(norm) = norm {
        normalize(normed, norm);
    }
}

/// `states += projected + bias`
fn join(states: &mut [f32], projected: &[f32], bias: &[f32]) {
    run(Add {
        rows: states,
        other: projected,
    });
    if !bias.is_empty() {
        run(AddBias { rows: states, bias });
    }
}

impl FeedForward {
    fn down(&self) -> &Linear {
        match self {
            Self::Gelu { down, .. } | Self::SwiGlu { down, .. } | Self::GeGlu { down, .. } => down,
        }
    }

    fn up(&self) -> &Linear {
        match self {
            Self::Gelu { up, .. } => up,
            Self::SwiGlu { up_gate, .. } => up_gate,
            Self::GeGlu { gate_up, .. } => gate_up,
        }
    }

    /// `out: [n_tokens, dim]` of `states`; the last bias is left to the caller.
    fn apply(&self, states: &[f32], out: &mut [f32], buffers: &mut InnerBuffers) {
        let (up, down) = (self.up(), self.down());
        let n_tokens = states.len() / up.n_in;
        let inner = fit(&mut buffers.inner, n_tokens * up.n_out);
        up.apply(states, inner);
        if let Self::Gelu { up, .. } = self {
            run(BiasGelu {
                rows: inner,
                bias: &up.bias,
                dim: up.n_out,
            });
            return down.apply(inner, out);
        }
        if !up.bias.is_empty() {
            run(AddBias {
                rows: inner,
                bias: &up.bias,
            });
        }
        let dim = down.n_in;
        let gated = fit(&mut buffers.gated, n_tokens * dim);
        if matches!(self, Self::SwiGlu { .. }) {
            run(SwiGlu {
                up_gate: inner,
                out: gated,
                dim,
            });
        } else {
            run(GeGlu {
                gate_up: inner,
                out: gated,
                dim,
            });
        }
        down.apply(gated, out);
    }
}

//! The forward pass: pre-norm blocks of attention and a gated feed-forward net.

use candle_core::quantized::QTensor;
use candle_core::{Device, Tensor};
use rayon::prelude::*;

use super::attention::{KeyValues, Projected, Rotary, attend};
use super::gguf::{Config, GgufFile, ModelFamily};
use super::linear::Linear;
use crate::error::InferenceError;

const OUTPUT: &str = "output.weight";
const EMBEDDING: &str = "token_embd.weight";

/// Keys and values of the tokens so far.
#[derive(Default)]
pub(super) struct Cache {
    layers: Vec<KeyValues>,
    n_tokens: usize,
}

pub(super) struct Decoder {
    config: Config,
    embedding: QTensor,
    layers: Vec<Layer>,
    norm: Vec<f32>,
    output: Linear,
    rotary: Rotary,
}

struct Layer {
    attention_norm: Vec<f32>,
    query: Linear,
    key: Linear,
    value: Linear,
    /// Norms over each head of query and key; empty where there are none.
    query_norm: Vec<f32>,
    key_norm: Vec<f32>,
    attention_out: Linear,
    feed_norm: Vec<f32>,
    gate: Linear,
    up: Linear,
    down: Linear,
}

impl Decoder {
    pub(super) fn load(file: &mut GgufFile, config: Config) -> Result<Self, InferenceError> {
        let n_words = file.n_rows(EMBEDDING)?;
        let embedding = file.tensor(EMBEDDING, &[n_words, config.dim])?;
        // Small models read and write with one table.
        let output = if file.has(OUTPUT) { OUTPUT } else { EMBEDDING };
        let output = linear(file, output, (n_words, config.dim), false)?;
        let factors = if file.has("rope_freqs.weight") {
            file.vector("rope_freqs.weight", config.head_dim / 2)?
        } else {
            Vec::new()
        };
        let layers = (0..config.n_layers).map(|at| Layer::load(file, &config, at));
        let layers = layers.collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            rotary: Rotary::new(&config, &factors),
            norm: file.vector("output_norm.weight", config.dim)?,
            embedding,
            layers,
            output,
            config,
        })
    }

    /// The likeliest token behind new ones; the first of equals.
    pub(super) fn next_token(
        &self,
        tokens: &[u32],
        cache: &mut Cache,
        stop: &dyn Fn() -> bool,
    ) -> Result<u32, InferenceError> {
        let scores = self.scores(tokens, cache, stop)?;
        let mut best = 0;
        for (at, score) in scores.iter().enumerate() {
            // NaN is never better.
            if *score > scores[best] {
                best = at;
            }
        }
        Ok(best as u32)
    }

    /// Scores of all tokens behind new ones.
    pub(super) fn scores(
        &self,
        tokens: &[u32],
        cache: &mut Cache,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<f32>, InferenceError> {
        let dim = self.config.dim;
        let mut states = self.embed(tokens)?;
        cache
            .layers
            .resize_with(self.layers.len(), KeyValues::default);
        for (layer, kept) in self.layers.iter().zip(&mut cache.layers) {
            if stop() {
                return Err(InferenceError::Cancelled);
            }
            let passed = layer.forward(
                &mut states,
                kept,
                (cache.n_tokens, &self.rotary),
                &self.config,
            );
            passed.map_err(failed)?;
        }
        cache.n_tokens += tokens.len();
        let last = states.split_off(states.len() - dim);
        let last = normed(&last, &self.norm, self.config.eps);
        self.output.forward(&last).map_err(failed)
    }

    fn embed(&self, tokens: &[u32]) -> Result<Vec<f32>, InferenceError> {
        let embedded = Tensor::from_slice(tokens, (tokens.len(),), &Device::Cpu)
            .and_then(|ids| self.embedding.embedding(&ids))
            .and_then(|rows| rows.flatten_all()?.to_vec1());
        embedded.map_err(failed)
    }
}

impl Layer {
    fn load(file: &mut GgufFile, config: &Config, at: usize) -> Result<Self, InferenceError> {
        let name = |part: &str| format!("blk.{at}.{part}");
        let (dim, head_dim) = (config.dim, config.head_dim);
        let (n_query, n_key) = (config.n_heads * head_dim, config.n_kv_heads * head_dim);
        let n_feed = file.n_rows(&name("ffn_up.weight"))?;
        let has_bias = config.family == ModelFamily::Qwen2;
        let (query_norm, key_norm) = match config.family {
            ModelFamily::Qwen3 => (
                file.vector(&name("attn_q_norm.weight"), head_dim)?,
                file.vector(&name("attn_k_norm.weight"), head_dim)?,
            ),
            _ => (Vec::new(), Vec::new()),
        };
        Ok(Self {
            attention_norm: file.vector(&name("attn_norm.weight"), dim)?,
            query: linear(file, &name("attn_q.weight"), (n_query, dim), has_bias)?,
            key: linear(file, &name("attn_k.weight"), (n_key, dim), has_bias)?,
            value: linear(file, &name("attn_v.weight"), (n_key, dim), has_bias)?,
            query_norm,
            key_norm,
            attention_out: linear(file, &name("attn_output.weight"), (dim, n_query), false)?,
            feed_norm: file.vector(&name("ffn_norm.weight"), dim)?,
            gate: linear(file, &name("ffn_gate.weight"), (n_feed, dim), false)?,
            up: linear(file, &name("ffn_up.weight"), (n_feed, dim), false)?,
            down: linear(file, &name("ffn_down.weight"), (dim, n_feed), false)?,
        })
    }

    fn forward(
        &self,
        states: &mut [f32],
        kept: &mut KeyValues,
        (at, rotary): (usize, &Rotary),
        config: &Config,
    ) -> candle_core::Result<()> {
        let input = normed(states, &self.attention_norm, config.eps);
        let mut query = self.query.forward(&input)?;
        let mut key = self.key.forward(&input)?;
        if !self.query_norm.is_empty() {
            query = normed(&query, &self.query_norm, config.eps);
            key = normed(&key, &self.key_norm, config.eps);
        }
        rotary.turn(&mut query, self.query.n_out(), at);
        rotary.turn(&mut key, self.key.n_out(), at);
        let projected = Projected {
            query,
            key,
            value: self.value.forward(&input)?,
        };
        let attended = attend(&projected, kept, at, config);
        add(states, &self.attention_out.forward(&attended)?);

        let input = normed(states, &self.feed_norm, config.eps);
        let mut gate = self.gate.forward(&input)?;
        let up = self.up.forward(&input)?;
        gate.par_iter_mut().zip(&up).for_each(|(gate, up)| {
            *gate = *gate / (1.0 + (-*gate).exp()) * up;
        });
        add(states, &self.down.forward(&gate)?);
        Ok(())
    }
}

/// A matrix, and the bias beside it where the family has one.
fn linear(
    file: &mut GgufFile,
    name: &str,
    shape: (usize, usize),
    has_bias: bool,
) -> Result<Linear, InferenceError> {
    let weight = file.tensor(name, &[shape.0, shape.1])?;
    let bias = if has_bias {
        file.vector(&name.replace(".weight", ".bias"), shape.0)?
    } else {
        Vec::new()
    };
    Linear::new(weight, bias).map_err(failed)
}

fn add(states: &mut [f32], more: &[f32]) {
    for (state, more) in states.iter_mut().zip(more) {
        *state += more;
    }
}

/// Root-mean-square norm of rows as long as `weight`.
fn normed(rows: &[f32], weight: &[f32], eps: f32) -> Vec<f32> {
    let dim = weight.len();
    let mut out = rows.to_vec();
    out.par_chunks_mut(dim).for_each(|row| {
        let mean = row.iter().map(|x| x * x).sum::<f32>() / dim as f32;
        let scale = 1.0 / (mean + eps).sqrt();
        for (x, weight) in row.iter_mut().zip(weight) {
            *x *= scale * weight;
        }
    });
    out
}

fn failed(source: candle_core::Error) -> InferenceError {
    InferenceError::Compute { source }
}

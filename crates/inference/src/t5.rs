//! T5 encoders (xtr-base-en and its family): `config.json` and tensor names to a [`EncoderStack`].
//! [Raffel 2020], arXiv 1910.10683.
//!
//! No scaling of the scores, no biases; the first block's table of distances serves all blocks.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::attention::{Attention, DistanceBias, Places};
use crate::config::{ModelFiles, read_config};
use crate::encoder_stack::{Block, Embedding, EncoderStack, FeedForward, Norm, Norms};
use crate::error::InferenceError;
use crate::weights::{EmbeddingTable, Linear, Naming, Weights};

const NAMING: Naming = Naming {
    words: &["shared.weight", "encoder.embed_tokens.weight"],
    prefixes: &[""],
};

#[derive(Deserialize)]
struct Config {
    d_model: usize,
    d_kv: usize,
    d_ff: usize,
    num_heads: usize,
    num_layers: usize,
    vocab_size: usize,
    relative_attention_num_buckets: usize,
    #[serde(default = "usual_distance")]
    relative_attention_max_distance: usize,
    layer_norm_epsilon: f32,
    #[serde(default = "relu")]
    feed_forward_proj: String,
}

fn usual_distance() -> usize {
    128
}

fn relu() -> String {
    "relu".into()
}

/// Loads a T5 encoder that takes up to `max_tokens` tokens; a decoder, if any, is left out.
///
/// # Errors
///
/// `ModelConfig` for a variant of the family this stack has not; `OpenWeights`; `Tensor`.
pub(crate) fn load(
    files: &ModelFiles<'_>,
    max_tokens: usize,
) -> Result<EncoderStack, InferenceError> {
    let config: Config = read_config(files.config)?;
    config.check(files.config)?;
    let weights = Weights::open(files.weights, &NAMING)?;
    let bias = Arc::new(distances(&weights, &config, max_tokens)?);
    let dim = config.d_model;
    Ok(EncoderStack {
        words: EmbeddingTable::open(files.weights, &NAMING, config.vocab_size, dim)?,
        n_words: config.vocab_size,
        embedding: Embedding::default(),
        blocks: (0..config.num_layers)
            .map(|idx| block(&weights, idx, &config, &bias))
            .collect::<Result<_, _>>()?,
        final_norm: Some(rms_norm(&weights, "encoder.final_layer_norm", &config)?),
        dim,
        max_tokens,
    })
}

fn rms_norm(weights: &Weights, name: &str, config: &Config) -> Result<Norm, InferenceError> {
    let weight = weights.tensor(&format!("{name}.weight"), &[config.d_model])?;
    Ok(Norm::Rms(weight, config.layer_norm_epsilon))
}

fn block(
    weights: &Weights,
    idx: usize,
    config: &Config,
    bias: &Arc<DistanceBias>,
) -> Result<Block, InferenceError> {
    let (dim, inner) = (config.d_model, config.num_heads * config.d_kv);
    let attention = format!("encoder.block.{idx}.layer.0");
    let qkv = ["q", "k", "v"].map(|part| format!("{attention}.SelfAttention.{part}"));
    let out = format!("{attention}.SelfAttention.o");
    let second = format!("encoder.block.{idx}.layer.1");
    Ok(Block {
        attention: Attention {
            qkv: weights.fused_linear(&qkv, dim, inner, false)?,
            out: weights.linear(&out, inner, dim, false)?,
            n_heads: config.num_heads,
            scale: 1.0,
            places: Places::Distance(Arc::clone(bias)),
            window: None,
        },
        feed_forward: feed_forward(weights, &format!("{second}.DenseReluDense"), config)?,
        norms: Norms::Pre {
            attention: Some(rms_norm(
                weights,
                &format!("{attention}.layer_norm"),
                config,
            )?),
            feed_forward: rms_norm(weights, &format!("{second}.layer_norm"), config)?,
        },
    })
}

fn feed_forward(
    weights: &Weights,
    name: &str,
    config: &Config,
) -> Result<FeedForward, InferenceError> {
    let (dim, inner) = (config.d_model, config.d_ff);
    let down: Linear = weights.linear(&format!("{name}.wo"), inner, dim, false)?;
    if config.feed_forward_proj == "relu" {
        let up = weights.linear(&format!("{name}.wi"), dim, inner, false)?;
        return Ok(FeedForward::Relu { up, down });
    }
    let gate_up = ["wi_0", "wi_1"].map(|part| format!("{name}.{part}"));
    Ok(FeedForward::GeGlu {
        gate_up: weights.fused_linear(&gate_up, dim, inner, false)?,
        down,
        is_tanh: true,
    })
}

/// The table of buckets, spread over distances.
fn distances(
    weights: &Weights,
    config: &Config,
    max_tokens: usize,
) -> Result<DistanceBias, InferenceError> {
    let name = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
    let (n_buckets, n_heads) = (config.relative_attention_num_buckets, config.num_heads);
    let table = weights.tensor(name, &[n_buckets, n_heads])?;
    let reach = max_tokens as isize - 1;
    let value = |head: usize, distance: isize| {
        let bucket = bucket_of(distance, n_buckets, config.relative_attention_max_distance);
        table[bucket * n_heads + head]
    };
    let of_head = |head| (-reach..=reach).map(move |distance| (head, distance));
    let all = (0..n_heads).flat_map(of_head);
    Ok(DistanceBias {
        values: all.map(|(head, distance)| value(head, distance)).collect(),
        max_tokens,
    })
}

/// Buckets of a key that stands `distance` further on than the query: half of them for either
/// direction, the near half of those exact, the far ones growing in proportion.
fn bucket_of(distance: isize, n_buckets: usize, max_distance: usize) -> usize {
    let half = n_buckets / 2;
    let side = if distance > 0 { half } else { 0 };
    let (far, n_exact) = (distance.unsigned_abs(), half / 2);
    if far < n_exact {
        return side + far;
    }
    let growth = (far as f32 / n_exact as f32).ln() / (max_distance as f32 / n_exact as f32).ln();
    let beyond = n_exact + (growth * (half - n_exact) as f32) as usize;
    side + beyond.min(half - 1)
}

impl Config {
    fn check(&self, path: &Path) -> Result<(), InferenceError> {
        let wrong = |detail: String| {
            Err(InferenceError::ModelConfig {
                path: path.into(),
                detail,
            })
        };
        if !matches!(self.feed_forward_proj.as_str(), "relu" | "gated-gelu") {
            let found = &self.feed_forward_proj;
            return wrong(format!(
                "feed_forward_proj is {found:?}, neither \"relu\" nor \"gated-gelu\""
            ));
        }
        if self.num_heads == 0 || self.d_kv == 0 {
            return wrong("num_heads or d_kv is 0".into());
        }
        let n_exact = self.relative_attention_num_buckets / 4;
        if n_exact == 0 || self.relative_attention_max_distance <= n_exact {
            return wrong("relative_attention_num_buckets does not fit the distances".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_exact_nearby_and_grow_far_off() {
        // Figures of the published implementation for 32 buckets up to 128.
        for (distance, bucket) in [
            (0, 0),
            (-1, 1),
            (-7, 7),
            (-8, 8),
            (-11, 8),
            (-12, 9),
            (-16, 10),
            (-127, 15),
            (-5000, 15),
            (1, 17),
            (8, 24),
            (20, 26),
            (200, 31),
        ] {
            assert_eq!(bucket_of(distance, 32, 128), bucket, "{distance}");
        }
    }
}

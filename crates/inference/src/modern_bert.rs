//! ModernBERT checkpoints (LateOn-Code, Ettin and their family): `config.json` and tensor names to a
//! [`EncoderStack`]. [Warner 2024], arXiv 2412.13663.
//!
//! Every n-th layer sees the whole text, the others half a window to either side; the two kinds have
//! rotary bases of their own. The first layer's attention has no norm before it: the embedding has
//! just had one.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::attention::{Attention, Places, RotaryTable};
use crate::config::{ModelFiles, read_config};
use crate::encoder_stack::{Block, Embedding, EncoderStack, FeedForward, Norms};
use crate::error::InferenceError;
use crate::weights::{EmbeddingTable, Naming, Weights};

const NAMING: Naming = Naming {
    words: &["embeddings.tok_embeddings.weight"],
    prefixes: &["", "model."],
};

#[derive(Deserialize)]
struct Config {
    hidden_size: usize,
    num_attention_heads: usize,
    num_hidden_layers: usize,
    intermediate_size: usize,
    vocab_size: usize,
    #[serde(default = "usual_eps")]
    norm_eps: f32,
    global_rope_theta: f32,
    #[serde(default = "usual_local_theta")]
    local_rope_theta: Option<f32>,
    global_attn_every_n_layers: usize,
    local_attention: usize,
    #[serde(default = "gelu")]
    hidden_activation: String,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    #[serde(default)]
    norm_bias: bool,
}

fn usual_eps() -> f32 {
    1e-5
}

fn usual_local_theta() -> Option<f32> {
    Some(10_000.0)
}

fn gelu() -> String {
    "gelu".into()
}

/// Loads a ModernBERT encoder that takes up to `max_tokens` tokens; heads, if any, are left out.
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
    let loader = Loader {
        weights: Weights::open(files.weights, &NAMING)?,
        global: config.rotary(max_tokens, config.global_rope_theta),
        local: config.rotary(
            max_tokens,
            config.local_rope_theta.unwrap_or(config.global_rope_theta),
        ),
        config,
    };
    let config = &loader.config;
    let dim = config.hidden_size;
    let embedding = Embedding {
        token_type: Vec::new(),
        positions: Vec::new(),
        norm: loader.norm("embeddings.norm")?,
    };
    Ok(EncoderStack {
        words: EmbeddingTable::open(files.weights, &NAMING, config.vocab_size, dim)?,
        embedding,
        blocks: (0..config.num_hidden_layers)
            .map(|idx| loader.block(idx))
            .collect::<Result<_, _>>()?,
        final_norm: Some(loader.norm("final_norm")?),
        dim,
        max_tokens,
    })
}

struct Loader {
    weights: Weights,
    config: Config,
    global: Arc<RotaryTable>,
    local: Arc<RotaryTable>,
}

impl Loader {
    fn norm(&self, name: &str) -> Result<crate::kernels::LayerNorm, InferenceError> {
        let (dim, eps) = (self.config.hidden_size, self.config.norm_eps);
        if self.config.norm_bias {
            self.weights.layer_norm(name, dim, eps)
        } else {
            self.weights.unbiased_layer_norm(name, dim, eps)
        }
    }

    fn block(&self, idx: usize) -> Result<Block, InferenceError> {
        let config = &self.config;
        let (dim, inner) = (config.hidden_size, config.intermediate_size);
        let name = |part: &str| format!("layers.{idx}.{part}");
        let linear = |part: &str, n_in, n_out, has_bias| {
            self.weights.linear(&name(part), n_in, n_out, has_bias)
        };
        let is_global = idx.is_multiple_of(config.global_attn_every_n_layers);
        let rotary = if is_global { &self.global } else { &self.local };
        let attention_norm = match idx {
            0 => None,
            _ => Some(self.norm(&name("attn_norm"))?),
        };
        Ok(Block {
            attention: Attention {
                qkv: linear("attn.Wqkv", dim, 3 * dim, config.attention_bias)?,
                out: linear("attn.Wo", dim, dim, config.attention_bias)?,
                n_heads: config.num_attention_heads,
                scale: ((dim / config.num_attention_heads) as f32).sqrt().recip(),
                places: Places::Rotary(Arc::clone(rotary)),
                window: (!is_global).then_some(config.local_attention / 2),
            },
            feed_forward: FeedForward::GeGlu {
                gate_up: linear("mlp.Wi", dim, 2 * inner, config.mlp_bias)?,
                down: linear("mlp.Wo", inner, dim, config.mlp_bias)?,
            },
            norms: Norms::Pre {
                attention: attention_norm,
                feed_forward: self.norm(&name("mlp_norm"))?,
            },
        })
    }
}

impl Config {
    fn rotary(&self, max_tokens: usize, base: f32) -> Arc<RotaryTable> {
        let head_dim = self.hidden_size / self.num_attention_heads;
        Arc::new(RotaryTable::new(max_tokens, head_dim, base))
    }

    fn check(&self, path: &Path) -> Result<(), InferenceError> {
        let wrong = |detail: &str| {
            Err(InferenceError::ModelConfig {
                path: path.into(),
                detail: detail.into(),
            })
        };
        if self.hidden_activation != "gelu" {
            return wrong("hidden_activation is not \"gelu\"");
        }
        if self.num_attention_heads == 0
            || !self
                .hidden_size
                .is_multiple_of(2 * self.num_attention_heads)
        {
            return wrong("hidden_size is not an even multiple of num_attention_heads");
        }
        if self.global_attn_every_n_layers == 0 {
            return wrong("global_attn_every_n_layers is 0");
        }
        Ok(())
    }
}

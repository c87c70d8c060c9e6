//! NomicBERT checkpoints (CodeRankEmbed and its family): `config.json` and tensor names to a
//! [`EncoderStack`].
//!
//! Names as in `modeling_hf_nomic_bert.py`: of the two feed-forward inputs `fc12` is the gated one.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::attention::{Attention, Places, RotaryTable};
use crate::bert::NAMING;
use crate::config::{ModelFiles, read_config};
use crate::encoder_stack::{Block, Embedding, EncoderStack, FeedForward, Norms};
use crate::error::InferenceError;
use crate::weights::{EmbeddingTable, Weights};

#[derive(Deserialize)]
struct Config {
    n_embd: usize,
    n_head: usize,
    n_layer: usize,
    n_inner: usize,
    /// Padded: the table has more rows than the tokenizer has tokens.
    vocab_size: usize,
    type_vocab_size: usize,
    layer_norm_epsilon: f32,
    rotary_emb_base: f32,
    rotary_emb_fraction: f32,
    activation_function: String,
    #[serde(default)]
    rotary_emb_interleaved: bool,
    #[serde(default)]
    prenorm: bool,
    #[serde(default)]
    use_rms_norm: bool,
    #[serde(default)]
    qkv_proj_bias: bool,
    #[serde(default)]
    mlp_fc1_bias: bool,
    #[serde(default)]
    mlp_fc2_bias: bool,
}

/// Loads a NomicBERT encoder that takes up to `max_tokens` tokens.
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
    let (dim, head_dim) = (config.n_embd, config.n_embd / config.n_head);
    let token_types = weights.tensor(
        "embeddings.token_type_embeddings.weight",
        &[config.type_vocab_size, dim],
    )?;
    let rotary = Arc::new(RotaryTable::new(
        max_tokens,
        head_dim,
        config.rotary_emb_base,
    ));
    let embedding = Embedding {
        token_type: token_types[..dim].to_vec(),
        positions: Vec::new(),
        norm: weights.layer_norm("emb_ln", dim, config.layer_norm_epsilon)?,
    };
    let load = |idx| block(&weights, &format!("encoder.layers.{idx}"), &config, &rotary);
    Ok(EncoderStack {
        words: EmbeddingTable::open(files.weights, &NAMING, config.vocab_size, dim)?,
        embedding,
        blocks: (0..config.n_layer).map(load).collect::<Result<_, _>>()?,
        final_norm: None,
        dim,
        max_tokens,
    })
}

fn block(
    weights: &Weights,
    name: &str,
    config: &Config,
    rotary: &Arc<RotaryTable>,
) -> Result<Block, InferenceError> {
    let (dim, inner) = (config.n_embd, config.n_inner);
    let up_gate = ["fc11", "fc12"].map(|part| format!("{name}.mlp.{part}"));
    let norm =
        |part: &str| weights.layer_norm(&format!("{name}.{part}"), dim, config.layer_norm_epsilon);
    let linear = |part: &str, n_in, n_out, has_bias| {
        weights.linear(&format!("{name}.{part}"), n_in, n_out, has_bias)
    };
    Ok(Block {
        attention: Attention {
            qkv: linear("attn.Wqkv", dim, 3 * dim, config.qkv_proj_bias)?,
            out: linear("attn.out_proj", dim, dim, config.qkv_proj_bias)?,
            n_heads: config.n_head,
            scale: ((dim / config.n_head) as f32).sqrt().recip(),
            places: Places::Rotary(Arc::clone(rotary)),
            window: None,
        },
        feed_forward: FeedForward::SwiGlu {
            up_gate: weights.fused_linear(&up_gate, dim, inner, config.mlp_fc1_bias)?,
            down: linear("mlp.fc2", inner, dim, config.mlp_fc2_bias)?,
        },
        norms: Norms::Post {
            attention: norm("norm1")?,
            output: norm("norm2")?,
        },
    })
}

impl Config {
    fn check(&self, path: &Path) -> Result<(), InferenceError> {
        let wrong = |detail: &str| {
            Err(InferenceError::ModelConfig {
                path: path.into(),
                detail: detail.into(),
            })
        };
        if self.activation_function != "swiglu" {
            return wrong("activation_function is not \"swiglu\"");
        }
        if self.rotary_emb_fraction != 1.0 || self.rotary_emb_interleaved {
            return wrong("rotary positions are partial or interleaved, not over whole heads");
        }
        if self.prenorm || self.use_rms_norm {
            return wrong("blocks are pre-norm or RMS-norm, not post-norm");
        }
        if self.n_head == 0 || !self.n_embd.is_multiple_of(2 * self.n_head) {
            return wrong("n_embd is not an even multiple of n_head");
        }
        if self.type_vocab_size == 0 {
            return wrong("type_vocab_size is 0");
        }
        Ok(())
    }
}

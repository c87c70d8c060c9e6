//! BERT checkpoints: `config.json` and tensor names to a [`EncoderStack`].

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use crate::attention::{Attention, Places};
use crate::config::{ModelFiles, read_config};
use crate::encoder_stack::{Block, Embedding, EncoderStack, FeedForward, Norms};
use crate::error::InferenceError;
use crate::weights::{EmbeddingTable, Naming, Weights};

pub(crate) const NAMING: Naming = Naming {
    words: &["embeddings.word_embeddings.weight"],
    prefixes: &["", "bert."],
};

#[derive(Deserialize)]
struct Config {
    hidden_size: usize,
    num_attention_heads: usize,
    num_hidden_layers: usize,
    intermediate_size: usize,
    max_position_embeddings: usize,
    type_vocab_size: usize,
    vocab_size: usize,
    layer_norm_eps: f32,
    hidden_act: String,
    #[serde(default = "absolute")]
    position_embedding_type: String,
}

fn absolute() -> String {
    "absolute".into()
}

/// Loads a BERT encoder; the pooler head, if any, is left out.
///
/// # Errors
///
/// `ModelConfig` for an activation or a position type this stack has not; `OpenWeights`; `Tensor`.
pub(crate) fn load(files: &ModelFiles<'_>) -> Result<EncoderStack, InferenceError> {
    let config: Config = read_config(files.config)?;
    config.check(files.config)?;
    let weights = Weights::open(files.weights, &NAMING)?;
    let weights = weights.adapted(files.adapters.clone(), &layers(&config))?;
    let (dim, eps) = (config.hidden_size, config.layer_norm_eps);
    let token_types = weights.tensor(
        "embeddings.token_type_embeddings.weight",
        &[config.type_vocab_size, dim],
    )?;
    let embedding = Embedding {
        token_type: token_types[..dim].to_vec(),
        positions: weights.tensor(
            "embeddings.position_embeddings.weight",
            &[config.max_position_embeddings, dim],
        )?,
        norm: weights.layer_norm("embeddings.LayerNorm", dim, eps)?,
    };
    Ok(EncoderStack {
        words: EmbeddingTable::open(files.weights, &NAMING, config.vocab_size, dim)?,
        embedding,
        blocks: (0..config.num_hidden_layers)
            .map(|idx| block(&weights, &format!("encoder.layer.{idx}"), &config))
            .collect::<Result<_, _>>()?,
        final_norm: None,
        dim,
        max_tokens: config.max_position_embeddings,
    })
}

/// Names of all dense layers.
fn layers(config: &Config) -> BTreeSet<String> {
    let parts = [
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
        "attention.output.dense",
        "intermediate.dense",
        "output.dense",
    ];
    let of_block = |idx: usize| parts.map(|part| format!("encoder.layer.{idx}.{part}"));
    (0..config.num_hidden_layers).flat_map(of_block).collect()
}

fn block(weights: &Weights, name: &str, config: &Config) -> Result<Block, InferenceError> {
    let (dim, inner) = (config.hidden_size, config.intermediate_size);
    let qkv = ["query", "key", "value"].map(|part| format!("{name}.attention.self.{part}"));
    let norm =
        |part: &str| weights.layer_norm(&format!("{name}.{part}"), dim, config.layer_norm_eps);
    Ok(Block {
        attention: Attention {
            qkv: weights.fused_linear(&qkv, dim, dim, true)?,
            out: weights.linear(&format!("{name}.attention.output.dense"), dim, dim, true)?,
            n_heads: config.num_attention_heads,
            scale: ((dim / config.num_attention_heads) as f32).sqrt().recip(),
            places: Places::InStates,
            window: None,
        },
        feed_forward: FeedForward::Gelu {
            up: weights.linear(&format!("{name}.intermediate.dense"), dim, inner, true)?,
            down: weights.linear(&format!("{name}.output.dense"), inner, dim, true)?,
        },
        norms: Norms::Post {
            attention: norm("attention.output.LayerNorm")?,
            output: norm("output.LayerNorm")?,
        },
    })
}

impl Config {
    fn check(&self, path: &Path) -> Result<(), InferenceError> {
        let wrong = |detail: String| InferenceError::ModelConfig {
            path: path.into(),
            detail,
        };
        if self.hidden_act != "gelu" {
            return Err(wrong(format!(
                "hidden_act is {:?}, not \"gelu\"",
                self.hidden_act
            )));
        }
        if self.position_embedding_type != "absolute" {
            return Err(wrong("position_embedding_type is not \"absolute\"".into()));
        }
        if self.num_attention_heads == 0
            || !self.hidden_size.is_multiple_of(self.num_attention_heads)
        {
            return Err(wrong(
                "hidden_size is not a multiple of num_attention_heads".into(),
            ));
        }
        if self.type_vocab_size == 0 {
            return Err(wrong("type_vocab_size is 0".into()));
        }
        Ok(())
    }
}

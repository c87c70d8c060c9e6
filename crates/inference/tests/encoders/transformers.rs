//! The loaders against Hugging Face transformers, which reads the same weights under the names of the
//! published checkpoints: `tests/transformers/reference.py` wrote the figures.

use std::sync::Arc;

use whyrank_inference::{BiEncoder, TokenEncoder, TokenHeadEncoder, TransformerEncoder};

use crate::pre_norm::{head, modern, values};
use crate::tiny::{DIM, TEXT, nomic};

/// Longer than half a window of local attention.
const LONG: &str = "a b c d e f a c";

fn expected(name: &str) -> Vec<f32> {
    let all = include_str!("../transformers/expected.json");
    let all: serde_json::Value = serde_json::from_str(all).unwrap();
    serde_json::from_value(all[name].clone()).unwrap()
}

fn assert_same(got: &[f32], name: &str) {
    let expected = expected(name);
    assert_eq!(got.len(), expected.len(), "{name}");
    let apart = got
        .iter()
        .zip(&expected)
        .map(|(got, right)| (got - right).abs());
    let apart = apart.fold(0.0, f32::max);
    assert!(apart < 1e-4, "{name}: {apart} apart");
}

#[test]
fn code_rank_embed_s_architecture_gives_what_transformers_gives() {
    let temp = tempfile::tempdir().unwrap();
    let (_, encoder) = nomic(temp.path());
    assert_same(&encoder.token_states(LONG).unwrap().vectors, "nomic_states");
    let vectors = encoder.encode_documents(&[TEXT], &|| false).unwrap();
    assert_same(&vectors[0], "nomic_vector");
}

#[test]
fn late_on_s_architecture_gives_what_transformers_gives() {
    let temp = tempfile::tempdir().unwrap();
    let (_, entry) = modern(temp.path());
    let encoder = Arc::new(TransformerEncoder::open(temp.path(), &entry).unwrap());
    assert_same(
        &encoder.token_states(LONG).unwrap().vectors,
        "modern_states",
    );
    let heads = [
        head(
            temp.path(),
            "1_Dense/model.safetensors",
            &values(6 * DIM),
            6,
        ),
        head(temp.path(), "2_Dense/model.safetensors", &values(3 * 6), 3),
    ];
    let with_heads = TokenHeadEncoder::open(encoder, temp.path(), &heads).unwrap();
    let found = with_heads
        .encode_document_tokens(&[LONG], &|| false)
        .unwrap();
    assert_same(&found[0].tokens.vectors, "late_interaction_vectors");
}

//! Sparse vectors from a tiny seeded model, in the form in which old checkpoints are saved.

use std::path::Path;

use safetensors::tensor::Dtype;
use whyrank_inference::{
    Architecture, InferenceError, ModelEntry, Pooling, SparseEncoder, SpladeEncoder,
};

use crate::reference::{self, Tensors, erf, layer_norm, linear};
use crate::tiny::{
    DIM, IDS, SHAPE, TEXT, VOCABULARY, bert_shapes, entry, seeded, write_bert_config,
    write_tokenizer, write_weights,
};

const TRANSFORM: &str = "cls.predictions.transform";

fn shapes() -> Vec<(String, Vec<usize>)> {
    let mut shapes = bert_shapes();
    for (part, shape) in [
        ("dense.weight", vec![DIM, DIM]),
        ("dense.bias", vec![DIM]),
        ("LayerNorm.weight", vec![DIM]),
        ("LayerNorm.bias", vec![DIM]),
    ] {
        shapes.push((format!("{TRANSFORM}.{part}"), shape));
    }
    shapes.push(("cls.predictions.bias".into(), vec![VOCABULARY]));
    shapes
}

/// The encoder below `bert.`, norms with a `gamma` and a `beta`.
fn old_name(name: &str) -> String {
    let name = name
        .replace("LayerNorm.weight", "LayerNorm.gamma")
        .replace("LayerNorm.bias", "LayerNorm.beta");
    if name.starts_with("cls.") {
        name
    } else {
        format!("bert.{name}")
    }
}

fn model(dir: &Path) -> (Tensors, ModelEntry) {
    let shapes = shapes();
    let tensors = seeded(&shapes);
    let renamed = shapes
        .iter()
        .map(|(name, shape)| (old_name(name), shape.clone()));
    let old = tensors
        .iter()
        .map(|(name, values)| (old_name(name), values.clone()));
    let renamed: Vec<_> = renamed.collect();
    write_weights(dir, &renamed, &old.collect(), Dtype::F32);
    write_tokenizer(dir);
    write_bert_config(dir);
    (tensors, entry(Architecture::BertMlm, Pooling::None))
}

/// `ln(1 + max(logit, 0))` of the largest logit of each word, in plain loops.
fn expected(tensors: &Tensors) -> Vec<f64> {
    let states = reference::bert(tensors, &SHAPE, &IDS);
    let mut inner = linear(tensors, &format!("{TRANSFORM}.dense"), &states);
    for x in inner.iter_mut().flatten() {
        *x = 0.5 * *x * (1.0 + erf(*x / 2f64.sqrt()));
    }
    let inner = layer_norm(tensors, &format!("{TRANSFORM}.LayerNorm"), &inner, 1e-12);
    let words = tensors["embeddings.word_embeddings.weight"].chunks(DIM);
    let bias = &tensors["cls.predictions.bias"];
    let logit = |word: &[f32], state: &[f64]| -> f64 {
        word.iter().zip(state).map(|(w, x)| f64::from(*w) * x).sum()
    };
    let peak = |word| {
        inner
            .iter()
            .map(|state| logit(word, state))
            .fold(f64::MIN, f64::max)
    };
    let logits = words
        .zip(bias)
        .map(|(word, bias)| peak(word) + f64::from(*bias));
    logits.map(|logit| logit.max(0.0).ln_1p()).collect()
}

#[test]
fn weights_are_the_largest_logits_and_marks_are_no_terms() {
    let temp = tempfile::tempdir().unwrap();
    let (tensors, entry) = model(temp.path());
    let encoder = SpladeEncoder::open(temp.path(), &entry).unwrap();
    let found = encoder
        .encode_sparse_documents(&[TEXT, ""], &|| false)
        .unwrap();
    let weights = expected(&tensors);
    // Of 64 rows the tokenizer has words for 12, and four of those are marks.
    let terms: Vec<u32> = (4..12)
        .filter(|term| weights[*term as usize] > 0.0)
        .collect();
    assert!(terms.len() > 2, "a test of nothing");
    assert_eq!(found[0].terms, terms);
    for (term, weight) in found[0].terms.iter().zip(&found[0].weights) {
        assert!((f64::from(*weight) - weights[*term as usize]).abs() < 2e-5);
    }
    assert_eq!(encoder.encode_sparse_query(TEXT).unwrap(), found[0]);
    let cancelled = encoder.encode_sparse_documents(&[TEXT], &|| true);
    assert!(matches!(cancelled, Err(InferenceError::Cancelled)));
}

#[test]
fn another_kind_of_model_and_a_missing_head_are_refused() {
    let temp = tempfile::tempdir().unwrap();
    let (tensors, mut entry) = model(temp.path());
    let said = |entry: &ModelEntry| {
        let outcome = SpladeEncoder::open(temp.path(), entry);
        outcome
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    entry.arch = Architecture::Bert;
    assert!(said(&entry).contains("no sparse encoder"));
    entry.arch = Architecture::BertMlm;
    let stack: Vec<_> = bert_shapes();
    write_weights(temp.path(), &stack, &tensors, Dtype::F32);
    assert!(said(&entry).contains(TRANSFORM), "{}", said(&entry));
}

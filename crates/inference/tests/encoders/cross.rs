//! The cross-encoder, against scores worked out from the reference's states.

use crate::reference;
use crate::tiny::{
    DIM, SHAPE, bert_shapes, entry, seeded, write_bert_config, write_tokenizer, write_weights,
};
use safetensors::tensor::Dtype;
use std::path::Path;
use whyrank_inference::{Architecture, CrossEncoder, InferenceError, Pooling, TrainedCrossEncoder};

const MATCH: f64 = 3.0;

fn open(
    dir: &Path,
    shapes: &[(String, Vec<usize>)],
) -> Result<TrainedCrossEncoder, InferenceError> {
    let aside = tempfile::tempdir().unwrap();
    let mut tensors = seeded(shapes);
    if let Some(matched) = tensors.get_mut("score.match") {
        matched[0] = MATCH as f32;
    }
    write_weights(aside.path(), shapes, &tensors, Dtype::F32);
    let bytes = std::fs::read(aside.path().join("model.safetensors")).unwrap();
    let entry = entry(Architecture::Bert, Pooling::Mean);
    TrainedCrossEncoder::open(dir, &entry, Path::new("cross"), &bytes)
}

fn unit(row: &[f64]) -> Vec<f64> {
    let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
    row.iter().map(|x| x / norm).collect()
}

fn mean(rows: &[Vec<f64>]) -> Vec<f64> {
    unit(
        &(0..DIM)
            .map(|d| rows.iter().map(|row| row[d]).sum())
            .collect::<Vec<f64>>(),
    )
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn query_and_document_are_read_together() {
    let dir = tempfile::tempdir().unwrap();
    let model = seeded(&bert_shapes());
    write_weights(dir.path(), &bert_shapes(), &model, Dtype::F32);
    write_tokenizer(dir.path());
    write_bert_config(dir.path());
    let head = [
        ("score.cosine".to_owned(), vec![DIM]),
        ("score.match".to_owned(), vec![1]),
    ];
    let encoder = open(dir.path(), &head).unwrap();
    let scores = encoder.score("a b", &["c d e", "f"], &|| false).unwrap();
    let cosine = seeded(&head)["score.cosine"].clone();

    // [CLS] a b [SEP] and what follows it.
    for (document, score) in [(&[8, 9, 10, 3][..], scores[0]), (&[11, 3], scores[1])] {
        let ids = [&[2, 6, 7, 3], document].concat();
        let states = reference::bert(&model, &SHAPE, &ids);
        let (left, right) = states.split_at(4);
        let weighed: Vec<f64> = mean(left)
            .iter()
            .zip(&cosine)
            .map(|(x, weight)| x * f64::from(*weight))
            .collect();
        let best = |row: &Vec<f64>| {
            let products = right.iter().map(|other| dot(&unit(row), &unit(other)));
            products.fold(-1.0, f64::max)
        };
        let matched: f64 = left.iter().map(best).sum::<f64>() / 4.0;
        let expected = dot(&weighed, &mean(right)) + MATCH * matched;
        assert!(
            (expected - f64::from(score)).abs() < 1e-3,
            "{expected} {score}"
        );
    }
    let stopped = encoder.score("a b", &["c", "f"], &|| true).unwrap();
    assert!(stopped.is_empty());
    assert!(matches!(
        open(dir.path(), &head[..1]),
        Err(InferenceError::Tensor { tensor, .. }) if tensor == "score.match"
    ));
    let other = [
        head.as_slice(),
        &[("encoder.layer.9.x.lora_A".to_owned(), vec![1, 1])],
    ]
    .concat();
    assert!(
        open(dir.path(), &other).is_err(),
        "a layer that the model lacks"
    );
}

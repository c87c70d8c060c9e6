//! A low-rank change of a model's weights, against the changed weights themselves.

use crate::reference::Tensors;
use crate::tiny::{
    DIM, INNER, bert_shapes, entry, seeded, write_bert_config, write_tokenizer, write_weights,
};
use safetensors::tensor::Dtype;
use sha2::{Digest, Sha256};
use std::path::Path;
use whyrank_inference::{
    AdapterFile, Architecture, BiEncoder, InferenceError, ModelEntry, Pooling, TransformerEncoder,
};

const NAME: &str = "change.safetensors";
const RANK: usize = 3;

fn shapes(layer: &str, n_out: usize, n_in: usize) -> Vec<(String, Vec<usize>)> {
    vec![
        (format!("{layer}.lora_A"), vec![RANK, n_in]),
        (format!("{layer}.lora_B"), vec![n_out, RANK]),
    ]
}

/// Writes an adapter beside the model; gives the model's entry with it.
fn write_adapter(dir: &Path, shapes: &[(String, Vec<usize>)], tensors: &Tensors) -> ModelEntry {
    let aside = tempfile::tempdir().unwrap();
    write_weights(aside.path(), shapes, tensors, Dtype::F32);
    let bytes = std::fs::read(aside.path().join("model.safetensors")).unwrap();
    std::fs::write(dir.join(NAME), &bytes).unwrap();
    ModelEntry {
        adapter: Some(AdapterFile {
            name: NAME.to_owned(),
            sha256: hex::encode(Sha256::digest(&bytes)),
        }),
        ..entry(Architecture::Bert, Pooling::Mean)
    }
}

fn write_model(dir: &Path, tensors: &Tensors) {
    write_weights(dir, &bert_shapes(), tensors, Dtype::F32);
    write_tokenizer(dir);
    write_bert_config(dir);
}

/// `weight += b a`, row by row.
fn change(weight: &mut [f32], b: &[f32], a: &[f32], n_in: usize) {
    for (row, b) in weight.chunks_exact_mut(n_in).zip(b.chunks_exact(RANK)) {
        for (b, a) in b.iter().zip(a.chunks_exact(n_in)) {
            row.iter_mut().zip(a).for_each(|(w, a)| *w += b * a);
        }
    }
}

#[test]
fn a_changed_model_is_the_model_with_changed_weights() {
    let (changed, plain) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut tensors = seeded(&bert_shapes());
    write_model(changed.path(), &tensors);
    let layers = [
        ("encoder.layer.0.attention.self.key", DIM, DIM),
        ("encoder.layer.1.attention.output.dense", DIM, DIM),
        ("encoder.layer.1.output.dense", DIM, INNER),
    ];
    let all: Vec<(String, Vec<usize>)> = layers
        .iter()
        .flat_map(|(layer, n_out, n_in)| shapes(layer, *n_out, *n_in))
        .collect();
    let parts = seeded(&all);
    let entry_with = write_adapter(changed.path(), &all, &parts);
    for (layer, _, n_in) in layers {
        let weight = tensors.get_mut(&format!("{layer}.weight")).unwrap();
        let (a, b) = (
            &parts[&format!("{layer}.lora_A")],
            &parts[&format!("{layer}.lora_B")],
        );
        change(weight, b, a, n_in);
    }
    write_model(plain.path(), &tensors);

    let with = TransformerEncoder::open(changed.path(), &entry_with).unwrap();
    let whole = entry(Architecture::Bert, Pooling::Mean);
    let of_weights = TransformerEncoder::open(plain.path(), &whole).unwrap();
    let without = TransformerEncoder::open(changed.path(), &whole).unwrap();
    let encode = |encoder: &TransformerEncoder| {
        let texts = ["a b c", "d e f a"];
        encoder
            .encode_documents(&texts, &|| false)
            .unwrap()
            .concat()
    };
    let (with_values, expected) = (encode(&with), encode(&of_weights));
    let far = |a: &[f32], b: &[f32]| {
        a.iter()
            .zip(b)
            .map(|(x, y)| (x - y).abs())
            .fold(0.0, f32::max)
    };
    assert!(far(&with_values, &expected) < 1e-5);
    assert!(far(&with_values, &encode(&without)) > 1e-2);
    // Vectors of the one are not those of the other.
    assert_ne!(with.spec().fingerprint, without.spec().fingerprint);
}

#[test]
fn a_change_that_does_not_fit_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    write_model(dir.path(), &seeded(&bert_shapes()));
    let problem = |shapes: &[(String, Vec<usize>)], tensors: &Tensors| {
        let entry = write_adapter(dir.path(), shapes, tensors);
        match TransformerEncoder::open(dir.path(), &entry) {
            Err(InferenceError::Tensor { tensor, detail, .. }) => format!("{tensor}: {detail}"),
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("it was taken"),
        }
    };
    let query = "encoder.layer.0.attention.self.query";
    for (layer, n_in, said) in [
        ("encoder.layer.7.attention.self.query", DIM, "no such layer"),
        (query, DIM + 1, "the layer is [16, 16]"),
    ] {
        let shapes = shapes(layer, DIM, n_in);
        let told = problem(&shapes, &seeded(&shapes));
        assert!(told.contains(layer) && told.contains(said), "{told}");
    }
    let half = &shapes(query, DIM, DIM)[..1];
    assert!(problem(half, &seeded(half)).contains("missing"));
    let whole = shapes(query, DIM, DIM);
    let mut broken = seeded(&whole);
    broken.get_mut(&whole[0].0).unwrap()[0] = f32::NAN;
    assert!(problem(&whole, &broken).contains("finite"));

    let mut entry = write_adapter(dir.path(), &whole, &seeded(&whole));
    std::fs::write(dir.path().join(NAME), "other").unwrap();
    let error = TransformerEncoder::open(dir.path(), &entry).err().unwrap();
    assert!(error.to_string().contains("sha256"), "{error}");
    entry.adapter.as_mut().unwrap().name = "absent.safetensors".to_owned();
    assert!(matches!(
        TransformerEncoder::open(dir.path(), &entry),
        Err(InferenceError::File { .. })
    ));
}

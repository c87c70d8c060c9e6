//! Tiny models with seeded weights, written as files and loaded as any other.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use safetensors::tensor::{Dtype, TensorView};
use serde_json::json;
use whyrank_inference::{
    Architecture, BiEncoder, InferenceError, ModelEntry, Normalization, Pooling, Pretokenize,
    QueryKind, TransformerEncoder,
};

use crate::reference::{self, Shape, Tensors};

pub(crate) const DIM: usize = 16;
pub(crate) const N_LAYERS: usize = 2;
pub(crate) const INNER: usize = 24;
const N_WORDS: usize = 12;
pub(crate) const MAX_TOKENS: usize = 10;
/// Padded beyond the tokenizer's 12 words, as NomicBERT's is.
pub(crate) const VOCABULARY: usize = 64;
const BASE: f64 = 1000.0;
pub(crate) const PREFIX: &str = "find code ";

pub(crate) const SHAPE: Shape = Shape {
    dim: DIM,
    n_heads: 2,
    n_layers: N_LAYERS,
    eps: 1e-12,
};

pub(crate) fn entry(arch: Architecture, pooling: Pooling) -> ModelEntry {
    ModelEntry {
        name: "tiny".into(),
        title: "Tiny".into(),
        arch,
        dim: DIM,
        pooling,
        max_tokens: MAX_TOKENS,
        max_query_tokens: MAX_TOKENS,
        query_prefix: PREFIX.into(),
        document_prefix: String::new(),
        normalization: Normalization::default(),
        licence: "MIT".into(),
        upstream: String::new(),
        files: Vec::new(),
        sources: Vec::new(),
        adapter: None,
        token_heads: Vec::new(),
    }
}

/// Names and shapes of a BERT checkpoint.
pub(crate) fn bert_shapes() -> Vec<(String, Vec<usize>)> {
    let mut shapes = vec![
        (
            "embeddings.word_embeddings.weight".to_owned(),
            vec![VOCABULARY, DIM],
        ),
        (
            "embeddings.position_embeddings.weight".to_owned(),
            vec![MAX_TOKENS, DIM],
        ),
        (
            "embeddings.token_type_embeddings.weight".to_owned(),
            vec![2, DIM],
        ),
        ("embeddings.LayerNorm.weight".to_owned(), vec![DIM]),
        ("embeddings.LayerNorm.bias".to_owned(), vec![DIM]),
    ];
    for layer in 0..N_LAYERS {
        for (part, n_out, n_in) in [
            ("attention.self.query", DIM, DIM),
            ("attention.self.key", DIM, DIM),
            ("attention.self.value", DIM, DIM),
            ("attention.output.dense", DIM, DIM),
            ("intermediate.dense", INNER, DIM),
            ("output.dense", DIM, INNER),
        ] {
            shapes.push((
                format!("encoder.layer.{layer}.{part}.weight"),
                vec![n_out, n_in],
            ));
            shapes.push((format!("encoder.layer.{layer}.{part}.bias"), vec![n_out]));
        }
        for norm in ["attention.output.LayerNorm", "output.LayerNorm"] {
            shapes.push((format!("encoder.layer.{layer}.{norm}.weight"), vec![DIM]));
            shapes.push((format!("encoder.layer.{layer}.{norm}.bias"), vec![DIM]));
        }
    }
    shapes
}

/// Names and shapes of a NomicBERT checkpoint.
fn nomic_shapes() -> Vec<(String, Vec<usize>)> {
    let mut shapes = vec![
        (
            "embeddings.word_embeddings.weight".to_owned(),
            vec![VOCABULARY, DIM],
        ),
        (
            "embeddings.token_type_embeddings.weight".to_owned(),
            vec![2, DIM],
        ),
        ("emb_ln.weight".to_owned(), vec![DIM]),
        ("emb_ln.bias".to_owned(), vec![DIM]),
    ];
    for layer in 0..N_LAYERS {
        for (part, shape) in [
            ("attn.Wqkv.weight", vec![3 * DIM, DIM]),
            ("attn.out_proj.weight", vec![DIM, DIM]),
            ("mlp.fc11.weight", vec![INNER, DIM]),
            ("mlp.fc12.weight", vec![INNER, DIM]),
            ("mlp.fc2.weight", vec![DIM, INNER]),
            ("norm1.weight", vec![DIM]),
            ("norm1.bias", vec![DIM]),
            ("norm2.weight", vec![DIM]),
            ("norm2.bias", vec![DIM]),
        ] {
            shapes.push((format!("encoder.layers.{layer}.{part}"), shape));
        }
    }
    shapes
}

/// Weights in [-0.5, 0.5), each exact in bf16, so that it can be stored in either type.
pub(crate) fn seeded(shapes: &[(String, Vec<usize>)]) -> Tensors {
    let mut state = 42u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((state >> 33) % 128) as f32 / 128.0 - 0.5
    };
    shapes
        .iter()
        .map(|(name, shape)| {
            (
                name.clone(),
                (0..shape.iter().product()).map(|_| next()).collect(),
            )
        })
        .collect()
}

pub(crate) fn write_weights(
    dir: &Path,
    shapes: &[(String, Vec<usize>)],
    tensors: &Tensors,
    dtype: Dtype,
) {
    let bytes: Vec<Vec<u8>> = shapes
        .iter()
        .map(|(name, _)| {
            let values = tensors[name].iter();
            match dtype {
                Dtype::BF16 => values.flat_map(|x| x.to_le_bytes()[2..].to_vec()).collect(),
                _ => values.flat_map(|x| x.to_le_bytes()).collect(),
            }
        })
        .collect();
    let views = shapes.iter().zip(&bytes).map(|((name, shape), bytes)| {
        (
            name.clone(),
            TensorView::new(dtype, shape.clone(), bytes).unwrap(),
        )
    });
    let file = safetensors::serialize(views, None).unwrap();
    std::fs::write(dir.join("model.safetensors"), file).unwrap();
}

/// A word tokenizer saved, as MiniLM's is, with padding and truncation that must not be obeyed.
pub(crate) fn write_tokenizer(dir: &Path) {
    let words = [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "find", "code", "a", "b", "c", "d", "e", "f",
    ];
    let vocabulary: serde_json::Map<_, _> = words
        .iter()
        .enumerate()
        .map(|(id, word)| ((*word).to_owned(), json!(id)))
        .collect();
    assert_eq!(vocabulary.len(), N_WORDS);
    let special = |word: &str, id: u32| json!({"id": word, "ids": [id], "tokens": [word]});
    let tokenizer = json!({
        "version": "1.0",
        "truncation":
            {"max_length": 4, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"[CLS]": special("[CLS]", 2), "[SEP]": special("[SEP]", 3)}},
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    });
    std::fs::write(dir.join("tokenizer.json"), tokenizer.to_string()).unwrap();
}

fn write_bert(dir: &Path, dtype: Dtype) -> Tensors {
    let tensors = seeded(&bert_shapes());
    write_weights(dir, &bert_shapes(), &tensors, dtype);
    write_tokenizer(dir);
    write_bert_config(dir);
    tensors
}

pub(crate) fn write_bert_config(dir: &Path) {
    let config = json!({"hidden_size": DIM, "num_attention_heads": 2,
        "num_hidden_layers": N_LAYERS, "intermediate_size": INNER,
        "max_position_embeddings": MAX_TOKENS, "type_vocab_size": 2, "vocab_size": VOCABULARY,
        "layer_norm_eps": 1e-12, "hidden_act": "gelu"});
    std::fs::write(dir.join("config.json"), config.to_string()).unwrap();
}

fn nomic_config() -> serde_json::Value {
    json!({"n_embd": DIM, "n_head": 2, "n_layer": N_LAYERS, "n_inner": INNER,
        "vocab_size": VOCABULARY, "type_vocab_size": 2, "layer_norm_epsilon": 1e-12,
        "rotary_emb_base": BASE, "rotary_emb_fraction": 1.0, "rotary_emb_interleaved": false,
        "activation_function": "swiglu", "prenorm": false, "use_rms_norm": false,
        "qkv_proj_bias": false, "mlp_fc1_bias": false, "mlp_fc2_bias": false})
}

fn write_nomic(dir: &Path) -> Tensors {
    let tensors = seeded(&nomic_shapes());
    write_weights(dir, &nomic_shapes(), &tensors, Dtype::F32);
    write_tokenizer(dir);
    std::fs::write(dir.join("config.json"), nomic_config().to_string()).unwrap();
    tensors
}

pub(crate) fn bert(dir: &Path, dtype: Dtype) -> (Tensors, TransformerEncoder) {
    let tensors = write_bert(dir, dtype);
    let entry = entry(Architecture::Bert, Pooling::Mean);
    (tensors, TransformerEncoder::open(dir, &entry).unwrap())
}

pub(crate) fn nomic(dir: &Path) -> (Tensors, TransformerEncoder) {
    let tensors = write_nomic(dir);
    let entry = entry(Architecture::NomicBert, Pooling::Cls);
    (tensors, TransformerEncoder::open(dir, &entry).unwrap())
}

pub(crate) fn assert_close(got: &[f32], expected: &[f64]) {
    assert_eq!(got.len(), expected.len());
    for (x, y) in got.iter().zip(expected) {
        assert!((f64::from(*x) - y).abs() < 2e-5, "{x} against {y}");
    }
}

fn unit(vector: &[f64]) -> Vec<f64> {
    let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.iter().map(|x| x / norm).collect()
}

/// `[CLS] a b c d [SEP]`
pub(crate) const TEXT: &str = "a b c d";
pub(crate) const IDS: [u32; 6] = [2, 6, 7, 8, 9, 3];

#[test]
fn bert_states_and_mean_agree_with_plain_loops() {
    let temp = tempfile::tempdir().unwrap();
    let (tensors, encoder) = bert(temp.path(), Dtype::F32);
    let expected = reference::bert(&tensors, &SHAPE, &IDS);
    let got = encoder.token_states(TEXT).unwrap();
    assert_eq!(got.token_ids, IDS);
    assert_eq!(got.spans[2], (2, 3));
    assert_close(&got.vectors, &expected.concat());

    let mean: Vec<f64> = (0..DIM)
        .map(|d| expected.iter().map(|state| state[d]).sum::<f64>())
        .collect();
    let vectors = encoder.encode_documents(&[TEXT], &|| false).unwrap();
    assert_close(&vectors[0], &unit(&mean));
}

#[test]
fn nomic_bert_states_and_cls_agree_with_plain_loops() {
    let temp = tempfile::tempdir().unwrap();
    let (tensors, encoder) = nomic(temp.path());
    let expected = reference::nomic_bert(&tensors, &SHAPE, BASE, &IDS);
    let got = encoder.token_states(TEXT).unwrap();
    assert_close(&got.vectors, &expected.concat());
    let vectors = encoder.encode_documents(&[TEXT], &|| false).unwrap();
    assert_close(&vectors[0], &unit(&expected[0]));
}

#[test]
fn half_precision_weights_give_the_same_states() {
    let temp = tempfile::tempdir().unwrap();
    let (tensors, encoder) = bert(temp.path(), Dtype::BF16);
    let expected = reference::bert(&tensors, &SHAPE, &IDS);
    assert_close(
        &encoder.token_states(TEXT).unwrap().vectors,
        &expected.concat(),
    );
}

#[test]
fn only_natural_language_queries_get_the_prefix() {
    let temp = tempfile::tempdir().unwrap();
    let (_, encoder) = nomic(temp.path());
    let plain = encoder.encode_query("a b", QueryKind::Code).unwrap();
    let prefixed = encoder
        .encode_query("a b", QueryKind::NaturalLanguage)
        .unwrap();
    let documents = encoder
        .encode_documents(&["a b", "find code a b"], &|| false)
        .unwrap();
    assert_eq!(documents, [plain, prefixed]);
}

#[test]
fn long_texts_are_cut_and_keep_their_end_token() {
    let temp = tempfile::tempdir().unwrap();
    let (_, encoder) = bert(temp.path(), Dtype::F32);
    let states = encoder.token_states(&"a ".repeat(50)).unwrap();
    assert_eq!(states.token_ids, [2, 6, 6, 6, 6, 6, 6, 6, 6, 3]);
}

#[test]
fn vectors_come_in_input_order_and_do_not_depend_on_neighbours() {
    let temp = tempfile::tempdir().unwrap();
    let (_, encoder) = bert(temp.path(), Dtype::F32);
    let texts = ["a", "b c d e f", "", "c d", "e f a b", "f"];
    let encode = |texts: &[&str]| encoder.encode_documents(texts, &|| false).unwrap();
    for n_threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap();
        let together = pool.install(|| encode(&texts));
        for (text, vector) in texts.iter().zip(together) {
            assert_eq!(encode(&[text])[0], vector, "{text:?}");
        }
    }
    assert!(encode(&[]).is_empty());
}

#[test]
fn cancel_stops_between_sequences() {
    let temp = tempfile::tempdir().unwrap();
    let (_, encoder) = bert(temp.path(), Dtype::F32);
    // A pool of one thread: the caller is the only worker, so it is asked before each text, once
    // for its tokens and once for its vector.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let n_asked = AtomicUsize::new(0);
    let result = pool.install(|| {
        let cancel = || n_asked.fetch_add(1, Ordering::Relaxed) == 15;
        encoder.encode_documents(&["a b"; 10], &cancel)
    });
    assert!(matches!(result, Err(InferenceError::Cancelled)));
    assert_eq!(n_asked.into_inner(), 16);
}

#[test]
fn a_variant_of_the_family_that_cannot_run_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    write_nomic(temp.path());
    let check = |field: &str, value: serde_json::Value| {
        let mut config = nomic_config();
        config[field] = value;
        std::fs::write(temp.path().join("config.json"), config.to_string()).unwrap();
        let result =
            TransformerEncoder::open(temp.path(), &entry(Architecture::NomicBert, Pooling::Cls));
        assert!(
            matches!(result, Err(InferenceError::ModelConfig { .. })),
            "{field}"
        );
    };
    check("activation_function", json!("gelu"));
    check("rotary_emb_fraction", json!(0.5));
    check("rotary_emb_interleaved", json!(true));
    check("prenorm", json!(true));
    check("n_embd", json!(15));
}

#[test]
fn weights_of_another_shape_are_refused() {
    let temp = tempfile::tempdir().unwrap();
    write_nomic(temp.path());
    let mut config = nomic_config();
    config["n_inner"] = json!(20);
    std::fs::write(temp.path().join("config.json"), config.to_string()).unwrap();
    let result =
        TransformerEncoder::open(temp.path(), &entry(Architecture::NomicBert, Pooling::Cls));
    assert!(matches!(result, Err(InferenceError::Tensor { .. })));
}

#[test]
fn the_fingerprint_changes_with_whatever_changes_vectors() {
    let temp = tempfile::tempdir().unwrap();
    write_bert(temp.path(), Dtype::F32);
    let fingerprint = |change: fn(&mut ModelEntry)| {
        let mut entry = entry(Architecture::Bert, Pooling::Mean);
        change(&mut entry);
        TransformerEncoder::open(temp.path(), &entry)
            .unwrap()
            .spec()
            .fingerprint
            .clone()
    };
    let same = fingerprint(|_| {});
    assert_eq!(same, fingerprint(|entry| entry.name = "other".into()));
    assert_ne!(same, fingerprint(|entry| entry.pooling = Pooling::Cls));
    assert_ne!(same, fingerprint(|entry| entry.max_tokens = 9));
    assert_ne!(same, fingerprint(|entry| entry.query_prefix = "q".into()));
    assert_ne!(
        same,
        fingerprint(|entry| entry.normalization.lowercase = true)
    );
    assert_ne!(
        same,
        fingerprint(|entry| entry.normalization.pretokenize = Pretokenize::Code)
    );
    assert_ne!(
        same,
        fingerprint(|entry| entry.document_prefix = "d".into())
    );
}

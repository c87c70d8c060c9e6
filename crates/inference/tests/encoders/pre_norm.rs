//! Late-interaction encoders, tiny and seeded: ModernBERT encoder stacks under dense heads.

use std::path::Path;
use std::sync::Arc;

use safetensors::tensor::{Dtype, TensorView};
use serde_json::json;
use sha2::{Digest, Sha256};
use whyrank_inference::{
    Architecture, HeadFile, InferenceError, ModelEntry, ModelFile, ModelLock, ModelStore,
    Normalization, Pooling, Pretokenize, QueryKind, TokenEncoder, TokenHeadEncoder,
    TransformerEncoder, load_bi_encoder, load_encoders, specs_of,
};

use crate::reference::{Shape, Tensors};
use crate::reference_pre_norm::{self, Modern};
use crate::tiny::{
    DIM, IDS, INNER, MAX_TOKENS, PREFIX, TEXT, VOCABULARY, assert_close, entry, seeded,
    write_tokenizer, write_weights,
};

const N_LAYERS: usize = 4;
const SHAPE: Shape = Shape {
    dim: DIM,
    n_heads: 2,
    n_layers: N_LAYERS,
    eps: 1e-5,
};
const MODERN: Modern = Modern {
    every: 3,
    half_window: 1,
    global_base: 160_000.0,
    local_base: 10_000.0,
};

type Shapes = Vec<(String, Vec<usize>)>;

fn modern_shapes() -> Shapes {
    let mut shapes = vec![
        (
            "embeddings.tok_embeddings.weight".into(),
            vec![VOCABULARY, DIM],
        ),
        ("embeddings.norm.weight".into(), vec![DIM]),
        ("final_norm.weight".into(), vec![DIM]),
    ];
    for layer in 0..N_LAYERS {
        let mut add = |part: &str, shape: Vec<usize>| {
            shapes.push((format!("layers.{layer}.{part}.weight"), shape));
        };
        add("attn.Wqkv", vec![3 * DIM, DIM]);
        add("attn.Wo", vec![DIM, DIM]);
        add("mlp.Wi", vec![2 * INNER, DIM]);
        add("mlp.Wo", vec![DIM, INNER]);
        add("mlp_norm", vec![DIM]);
        if layer > 0 {
            add("attn_norm", vec![DIM]);
        }
    }
    shapes
}

fn modern_config() -> serde_json::Value {
    json!({"hidden_size": DIM, "num_attention_heads": 2, "num_hidden_layers": N_LAYERS,
        "intermediate_size": INNER, "vocab_size": VOCABULARY, "norm_eps": 1e-5,
        "global_rope_theta": 160_000.0, "local_rope_theta": 10_000.0,
        "global_attn_every_n_layers": 3, "local_attention": 2, "hidden_activation": "gelu",
        "attention_bias": false, "mlp_bias": false, "norm_bias": false})
}

fn write(dir: &Path, shapes: &Shapes, config: &serde_json::Value) -> Tensors {
    let tensors = seeded(shapes);
    write_weights(dir, shapes, &tensors, Dtype::F32);
    write_tokenizer(dir);
    std::fs::write(dir.join("config.json"), config.to_string()).unwrap();
    tensors
}

pub(crate) fn modern(dir: &Path) -> (Tensors, ModelEntry) {
    let tensors = write(dir, &modern_shapes(), &modern_config());
    (tensors, entry(Architecture::ModernBert, Pooling::None))
}

pub(crate) fn head(dir: &Path, name: &str, weights: &[f32], dim: usize) -> HeadFile {
    let bytes: Vec<u8> = weights.iter().flat_map(|x| x.to_le_bytes()).collect();
    let shape = vec![dim, weights.len() / dim];
    let view = TensorView::new(Dtype::F32, shape, &bytes).unwrap();
    let file = safetensors::serialize([("linear.weight", view)], None).unwrap();
    let path = dir.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, &file).unwrap();
    HeadFile {
        name: name.into(),
        dim,
        sha256: hex::encode(Sha256::digest(&file)),
    }
}

pub(crate) fn values(n: usize) -> Vec<f32> {
    (0..n)
        .map(|i| ((i * 37 + 11) % 64) as f32 / 64.0 - 0.5)
        .collect()
}

#[test]
fn modern_bert_agrees_with_plain_loops() {
    let temp = tempfile::tempdir().unwrap();
    let (tensors, entry) = modern(temp.path());
    let encoder = TransformerEncoder::open(temp.path(), &entry).unwrap();
    let expected = reference_pre_norm::modern_bert(&tensors, &SHAPE, &MODERN, &IDS);
    assert_close(
        &encoder.token_states(TEXT).unwrap().vectors,
        &expected.concat(),
    );
}

#[test]
fn dense_heads_follow_each_other_and_prefixes_have_no_vector() {
    let temp = tempfile::tempdir().unwrap();
    let (_, mut entry) = modern(temp.path());
    entry.document_prefix = PREFIX.into();
    let (first, second) = (values(6 * DIM), values(3 * 6));
    let heads = [
        head(temp.path(), "1_Dense/model.safetensors", &first, 6),
        head(temp.path(), "2_Dense/model.safetensors", &second, 3),
    ];
    let encoder = Arc::new(TransformerEncoder::open(temp.path(), &entry).unwrap());
    let with_head = TokenHeadEncoder::open(Arc::clone(&encoder), temp.path(), &heads).unwrap();
    assert_eq!(with_head.token_spec().dim, 3);
    assert_eq!(with_head.token_spec().pooled_as, "");
    let found = with_head
        .encode_document_tokens(&[TEXT], &|| false)
        .unwrap();
    assert!(found[0].pooled.is_empty());
    assert_eq!(found[0].tokens.spans, [(0, 1), (2, 3), (4, 5), (6, 7)]);
    // Behind `[CLS]` and the two words of the prefix.
    let states = encoder.token_states(&format!("{PREFIX}{TEXT}")).unwrap();
    let project = |weights: &[f32], x: &[f64]| -> Vec<f64> {
        let rows = weights.chunks(x.len());
        rows.map(|row| row.iter().zip(x).map(|(w, x)| f64::from(*w) * x).sum())
            .collect()
    };
    for (at, vector) in found[0].tokens.vectors.chunks(3).enumerate() {
        let state = &states.vectors[(at + 3) * DIM..][..DIM];
        let state: Vec<f64> = state.iter().map(|x| f64::from(*x)).collect();
        let out = project(&second, &project(&first, &state));
        let norm = out.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert_close(vector, &out.iter().map(|x| x / norm).collect::<Vec<_>>());
    }
}

#[test]
fn texts_are_prepared_and_tokens_point_at_what_was_given() {
    let temp = tempfile::tempdir().unwrap();
    let (_, mut entry) = modern(temp.path());
    entry.normalization = Normalization {
        lowercase: true,
        pretokenize: Pretokenize::Code,
    };
    let heads = [head(temp.path(), "h.safetensors", &values(4 * DIM), 4)];
    let encoder = Arc::new(TransformerEncoder::open(temp.path(), &entry).unwrap());
    let with_head = TokenHeadEncoder::open(encoder, temp.path(), &heads).unwrap();
    let ask = |text: &str| {
        with_head
            .encode_query_tokens(text, QueryKind::Code)
            .unwrap()
    };
    let (given, plain) = (ask("É aBC_d(E)"), ask("é a bc d(e)"));
    assert_eq!(given.tokens.token_ids, plain.tokens.token_ids);
    assert_eq!(given.tokens.vectors, plain.tokens.vectors);
    let words: Vec<&str> = given
        .tokens
        .spans
        .iter()
        .map(|(start, end)| &"É aBC_d(E)"[*start as usize..*end as usize])
        .collect();
    assert_eq!(words, ["É", "a", "BC", "d", "E"]);
    let empty = ask("");
    assert_eq!(empty.tokens.n_tokens(), 0);
}

/// A store that has the model of a folder as `m`.
fn imported(dir: &Path, pooling: &str, heads: &[HeadFile]) -> (ModelStore, ModelEntry) {
    let mut names = vec!["model.safetensors", "tokenizer.json", "config.json"];
    names.extend(heads.iter().map(|head| head.name.as_str()));
    let files: Vec<String> = names
        .iter()
        .map(|name| format!("{{ name = {name:?} }}"))
        .collect();
    let heads: Vec<String> = heads
        .iter()
        .map(|head| format!("{{ name = {:?}, dim = {} }}", head.name, head.dim))
        .collect();
    let lock = ModelLock::parse(&format!(
        "schema = 1\ndefault = \"m\"\n[model.m]\ntitle = \"M\"\narch = \"modern-bert\"\n\
         dim = {DIM}\npooling = {pooling:?}\nmax_tokens = {MAX_TOKENS}\nmax_query_tokens = 8\n\
         licence = \"MIT\"\nupstream = \"u\"\nsources = []\nimport_only = true\n\
         files = [{}]\ntoken_heads = [{}]\n",
        files.join(", "),
        heads.join(", ")
    ))
    .unwrap();
    let store = ModelStore::with_lock(dir.join("store"), lock);
    store.import("m", dir, &mut |_| (), &|| false).unwrap();
    let entry = store.lock().get("m").unwrap().clone();
    (store, entry)
}

#[test]
fn an_imported_model_serves_what_it_was_trained_for() {
    let temp = tempfile::tempdir().unwrap();
    modern(temp.path());
    let heads = [head(
        temp.path(),
        "1_Dense/model.safetensors",
        &values(4 * DIM),
        4,
    )];
    let (store, entry) = imported(temp.path(), "none", &heads);
    assert_eq!(entry.roles(), ["token encoder"]);
    let encoders = load_encoders(&store, &entry).unwrap();
    assert!(
        encoders
            .bi
            .is_err_and(|reason| reason.contains("token-model"))
    );
    let tokens = encoders.tokens.unwrap();
    // What a listing says without loading it is what it then is.
    let specs = specs_of(&store.as_stored(&entry));
    assert!(specs.bi.is_err_and(|reason| reason.contains("token-model")));
    assert_eq!(specs.tokens.as_ref(), Ok(tokens.token_spec()));
    assert!(matches!(
        load_bi_encoder(&store, &entry),
        Err(InferenceError::WrongRole { .. })
    ));
    // Other weights, another fingerprint: the hashes that import recorded are in it.
    let other = tempfile::tempdir().unwrap();
    modern(other.path());
    let heads = [head(
        other.path(),
        "1_Dense/model.safetensors",
        &values(4 * DIM + 4)[4..],
        4,
    )];
    let (store, entry) = imported(other.path(), "none", &heads);
    let others = load_encoders(&store, &entry).unwrap().tokens.unwrap();
    assert_ne!(
        tokens.token_spec().fingerprint,
        others.token_spec().fingerprint
    );
}

fn refusal(dir: &Path, entry: &ModelEntry) -> String {
    let outcome = TransformerEncoder::open(dir, entry);
    outcome
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default()
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_name_and_the_tensors() {
    let temp = tempfile::tempdir().unwrap();
    let (tensors, entry) = modern(temp.path());
    let shapes = modern_shapes();
    let weights = temp.path().join("model.safetensors");
    let check = |words: &[&str]| {
        let said = refusal(temp.path(), &entry);
        for word in words.iter().chain([&"model.safetensors"]) {
            assert!(said.contains(word), "{word} in {said}");
        }
    };
    let mut missing = shapes.clone();
    missing.retain(|(name, _)| name != "layers.2.mlp.Wi.weight");
    write_weights(temp.path(), &missing, &tensors, Dtype::F32);
    check(&["layers.2.mlp.Wi.weight"]);

    let mut broken = tensors.clone();
    broken.get_mut("layers.1.attn.Wo.weight").unwrap()[5] = f32::NAN;
    write_weights(temp.path(), &shapes, &broken, Dtype::F32);
    check(&["layers.1.attn.Wo.weight", "finite"]);

    write_weights(temp.path(), &shapes, &tensors, Dtype::F32);
    let mut config = modern_config();
    config["vocab_size"] = json!(VOCABULARY + 1);
    std::fs::write(temp.path().join("config.json"), config.to_string()).unwrap();
    check(&["embeddings.tok_embeddings.weight", "shape"]);
    std::fs::write(temp.path().join("config.json"), modern_config().to_string()).unwrap();

    let whole = std::fs::read(&weights).unwrap();
    std::fs::write(&weights, &whole[..whole.len() - 7]).unwrap();
    check(&["cannot open the weights"]);
    std::fs::write(&weights, &whole[..5]).unwrap();
    check(&["cannot open the weights"]);
}

#[test]
fn a_word_whose_vector_is_no_number_fails_the_texts_that_use_it() {
    let temp = tempfile::tempdir().unwrap();
    let (mut tensors, entry) = modern(temp.path());
    // The word `b` has id 7.
    tensors.get_mut("embeddings.tok_embeddings.weight").unwrap()[7 * DIM] = f32::INFINITY;
    write_weights(temp.path(), &modern_shapes(), &tensors, Dtype::F32);
    let encoder = TransformerEncoder::open(temp.path(), &entry).unwrap();
    assert!(encoder.token_states("a c").is_ok());
    let said = encoder.token_states("a b").unwrap_err().to_string();
    assert!(
        said.contains("row 7") && said.contains("model.safetensors"),
        "{said}"
    );
}

#[test]
fn variants_that_cannot_run_are_refused() {
    let temp = tempfile::tempdir().unwrap();
    let (_, entry) = modern(temp.path());
    for (field, value) in [
        ("hidden_activation", json!("silu")),
        ("global_attn_every_n_layers", json!(0)),
        ("num_attention_heads", json!(0)),
    ] {
        let mut config = modern_config();
        config[field] = value;
        std::fs::write(temp.path().join("config.json"), config.to_string()).unwrap();
        assert!(refusal(temp.path(), &entry).contains(field), "{field}");
    }
    let mut other = entry;
    other.dim = DIM + 1;
    write(temp.path(), &modern_shapes(), &modern_config());
    assert!(refusal(temp.path(), &other).contains("the lock says"));
    other.files = vec![ModelFile {
        name: "w".into(),
        size_bytes: 0,
        sha256: String::new(),
    }];
    assert!(other.how_to_get().contains("models import tiny"));
}

//! The real all-MiniLM-L6-v2, where it is installed: `WHYRANK_TEST_MODELS` names a model store.

use std::io::Write;
use std::sync::Arc;

use whyrank_inference::{BiEncoder, ModelStore, Normalization, QueryKind, load_bi_encoder};

/// The last is cut at 192 tokens.
const TEXTS: [&str; 7] = [
    "That is a happy person",
    "That is a very happy person",
    "Today is a sunny day",
    "where is the configuration file parsed?",
    "fn parse_config(path: &Path) -> Result<Config, Error> {\n    let text = \
     fs::read_to_string(path)?;\n    Ok(toml::from_str(&text)?)\n}",
    "def area(radius):\n    return math.pi * radius ** 2",
    "word ",
];

/// Cosines of pairs of texts, from an f64 forward pass in numpy over the same files.
const COSINES: [(usize, usize, f32); 10] = [
    (0, 1, 0.942_915),
    (0, 2, 0.256_876),
    (1, 2, 0.210_615),
    (0, 3, -0.036_408),
    (3, 4, 0.446_809),
    (3, 5, 0.003_214),
    (4, 5, 0.003_855),
    (0, 6, 0.015_736),
    (5, 6, 0.035_275),
    (2, 6, 0.019_209),
];

/// The first components of the first text, and of the one that is cut.
const HEADS: [(usize, [f32; 3]); 2] = [
    (0, [-0.033_877, 0.091_942, 0.048_701]),
    (6, [-0.000_359, -0.083_306, -0.039_502]),
];

fn installed() -> Option<Arc<dyn BiEncoder>> {
    let Some(dir) = std::env::var_os("WHYRANK_TEST_MODELS") else {
        // Straight to the handle: the test harness swallows what passing tests print.
        let message = b"SKIPPED: set WHYRANK_TEST_MODELS to a model store that has minilm-l6\n";
        std::io::stderr().write_all(message).unwrap();
        return None;
    };
    let store = ModelStore::new(dir);
    let mut entry = store.lock().get("minilm-l6").unwrap().clone();
    // The reference was given the texts as they stand, and the weights as they were published.
    entry.normalization = Normalization::default();
    entry.adapter = None;
    Some(load_bi_encoder(&store, &entry).unwrap())
}

#[test]
fn minilm_agrees_with_a_reference_forward_pass() {
    let Some(encoder) = installed() else { return };
    let long = TEXTS[6].repeat(400);
    let mut texts = TEXTS;
    texts[6] = &long;
    let vectors = encoder.encode_documents(&texts, &|| false).unwrap();
    for (a, b, expected) in COSINES {
        let cosine: f32 = vectors[a].iter().zip(&vectors[b]).map(|(x, y)| x * y).sum();
        assert!(
            (cosine - expected).abs() < 1e-4,
            "{a} {b}: {cosine} against {expected}"
        );
    }
    for (idx, head) in HEADS {
        for (x, y) in vectors[idx].iter().zip(head) {
            assert!((x - y).abs() < 1e-4, "{idx}: {x} against {y}");
        }
    }
}

#[test]
fn minilm_finds_the_code_that_a_question_means() {
    let Some(encoder) = installed() else { return };
    let query = encoder
        .encode_query(TEXTS[3], QueryKind::NaturalLanguage)
        .unwrap();
    let vectors = encoder.encode_documents(&TEXTS, &|| false).unwrap();
    let score = |idx: usize| -> f32 { query.iter().zip(&vectors[idx]).map(|(x, y)| x * y).sum() };
    for idx in [0, 1, 2, 5] {
        assert!(score(4) > score(idx) + 0.3);
    }
    assert!(
        (score(3) - 1.0).abs() < 1e-5,
        "a query without prefix is a document"
    );
}

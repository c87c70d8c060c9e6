//! Token vectors from tiny seeded models.

use std::path::Path;
use std::sync::Arc;

use safetensors::tensor::{Dtype, TensorView};
use sha2::{Digest, Sha256};
use whyrank_inference::{
    BiEncoder, HeadFile, InferenceError, QueryKind, TokenEncoder, TokenHeadEncoder,
};

use crate::tiny::{DIM, PREFIX, TEXT, bert, nomic};

const HEAD_DIM: usize = 4;

fn head_file(dir: &Path, weights: &[f32], shape: [usize; 2]) -> HeadFile {
    let bytes: Vec<u8> = weights.iter().flat_map(|x| x.to_le_bytes()).collect();
    let view = TensorView::new(Dtype::F32, shape.to_vec(), &bytes).unwrap();
    let file = safetensors::serialize([("linear.weight", view)], None).unwrap();
    std::fs::write(dir.join("head.safetensors"), &file).unwrap();
    HeadFile {
        name: "head.safetensors".into(),
        dim: HEAD_DIM,
        sha256: hex::encode(Sha256::digest(&file)),
    }
}

/// Takes the first components of a state.
fn first_components() -> Vec<f32> {
    let at = |(row, column)| if row == column { 1.0 } else { 0.0 };
    let places = (0..HEAD_DIM).flat_map(|row| (0..DIM).map(move |column| (row, column)));
    places.map(at).collect()
}

#[test]
fn one_pass_gives_the_bi_encoders_vector_and_unit_token_vectors_with_their_bytes() {
    let temp = tempfile::tempdir().unwrap();
    let (_, encoder) = bert(temp.path(), Dtype::F32);
    let head = head_file(temp.path(), &first_components(), [HEAD_DIM, DIM]);
    let encoder = Arc::new(encoder);
    let with_head = TokenHeadEncoder::open(Arc::clone(&encoder), temp.path(), &[head]).unwrap();
    let texts = [TEXT, "", "d c"];
    let found = with_head.encode_document_tokens(&texts, &|| false).unwrap();
    let pooled = encoder.encode_documents(&texts, &|| false).unwrap();
    for (found, pooled) in found.iter().zip(&pooled) {
        assert_eq!(&found.pooled, pooled);
    }
    assert_eq!(found[0].tokens.token_ids, [6, 7, 8, 9]);
    assert_eq!(found[0].tokens.spans, [(0, 1), (2, 3), (4, 5), (6, 7)]);
    assert_eq!(found[1].tokens.n_tokens(), 0);
    let raw = encoder.token_states(TEXT).unwrap();
    let state = &raw.vectors[DIM..DIM + HEAD_DIM];
    let norm = state.iter().map(|x| x * x).sum::<f32>().sqrt();
    for (got, expected) in found[0].tokens.vectors.iter().zip(state) {
        assert!((got - expected / norm).abs() < 1e-5);
    }
}

#[test]
fn a_querys_prefix_is_in_the_vector_and_not_among_the_tokens() {
    let temp = tempfile::tempdir().unwrap();
    let (_, encoder) = nomic(temp.path());
    let head = head_file(temp.path(), &first_components(), [HEAD_DIM, DIM]);
    let encoder = Arc::new(encoder);
    let with_head = TokenHeadEncoder::open(Arc::clone(&encoder), temp.path(), &[head]).unwrap();
    let kind = QueryKind::NaturalLanguage;
    let found = with_head.encode_query_tokens("a b", kind).unwrap();
    assert_eq!(found.pooled, encoder.encode_query("a b", kind).unwrap());
    assert_eq!(found.tokens.spans, [(0, 1), (2, 3)]);
    let whole = with_head
        .encode_query_tokens(&format!("{PREFIX}a b"), QueryKind::Code)
        .unwrap();
    assert_eq!(found.pooled, whole.pooled);
    let n = found.tokens.vectors.len();
    assert_eq!(
        found.tokens.vectors,
        whole.tokens.vectors[whole.tokens.vectors.len() - n..]
    );
}

#[test]
fn heads_that_do_not_fit_are_refused_with_the_reason() {
    let temp = tempfile::tempdir().unwrap();
    let (_, encoder) = bert(temp.path(), Dtype::F32);
    let encoder = Arc::new(encoder);
    let open = |head: &HeadFile| {
        let heads = std::slice::from_ref(head);
        let outcome = TokenHeadEncoder::open(Arc::clone(&encoder), temp.path(), heads);
        outcome
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let narrow = head_file(temp.path(), &[0.5; HEAD_DIM * 8], [HEAD_DIM, 8]);
    assert!(open(&narrow).contains("wanted"), "{}", open(&narrow));
    let mut weights = first_components();
    weights[3] = f32::NAN;
    let broken = head_file(temp.path(), &weights, [HEAD_DIM, DIM]);
    assert!(open(&broken).contains("finite"), "{}", open(&broken));
    let mut other = head_file(temp.path(), &first_components(), [HEAD_DIM, DIM]);
    other.sha256 = "0".repeat(64);
    assert!(open(&other).contains("sha256"), "{}", open(&other));
    std::fs::remove_file(temp.path().join("head.safetensors")).unwrap();
    let outcome = TokenHeadEncoder::open(encoder, temp.path(), &[other]);
    assert!(matches!(outcome, Err(InferenceError::File { .. })));
}

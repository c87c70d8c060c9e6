//! A sparse encoder without weights, for tests: every word is its own term.

use crate::error::InferenceError;
use crate::fake::{fnv1a, words};
use crate::sparse::{SparseEncoder, SparseSpec, SparseVector};

/// Terms of the fake's vocabulary.
const N_TERMS: usize = 1 << 16;

/// Deterministic bag of hashed words, split as [`crate::FakeBiEncoder`] does. A word's weight is 1, and
/// a quarter more for each time it comes again.
#[derive(Debug, Clone)]
pub struct FakeSparseEncoder {
    spec: SparseSpec,
}

impl Default for FakeSparseEncoder {
    fn default() -> Self {
        let spec = SparseSpec {
            name: "fake-sparse".into(),
            n_terms: N_TERMS,
            max_tokens: 256,
            max_query_tokens: 256,
            document_terms: 96,
            query_terms: 32,
            fingerprint: SparseSpec::fingerprint_of("fake", 96),
        };
        Self { spec }
    }
}

impl FakeSparseEncoder {
    fn encode(&self, text: &str, n_terms: usize) -> SparseVector {
        let mut weights = vec![0.0; N_TERMS];
        for word in words(text) {
            let weight: &mut f32 = &mut weights[fnv1a(word.as_bytes()) as usize % N_TERMS];
            *weight += if *weight == 0.0 { 1.0 } else { 0.25 };
        }
        SparseVector::heaviest((0..).zip(weights), n_terms)
    }
}

impl SparseEncoder for FakeSparseEncoder {
    fn sparse_spec(&self) -> &SparseSpec {
        &self.spec
    }

    fn encode_sparse_documents(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<SparseVector>, InferenceError> {
        texts
            .iter()
            .map(|text| {
                if cancel() {
                    Err(InferenceError::Cancelled)
                } else {
                    Ok(self.encode(text, self.spec.document_terms))
                }
            })
            .collect()
    }

    fn encode_sparse_query(&self, text: &str) -> Result<SparseVector, InferenceError> {
        Ok(self.encode(text, self.spec.query_terms))
    }
}

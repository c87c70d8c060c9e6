//! The sparse encoder: text in, weights of words out, most of them for words that the text does not
//! hold but could. SPLADE, arXiv 2107.05720.

use sha2::{Digest, Sha256};

use crate::error::InferenceError;

/// Weights of terms of a vocabulary.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SparseVector {
    /// Term ids, ascending, each once.
    pub terms: Vec<u32>,
    /// Above 0, one a term.
    pub weights: Vec<f32>,
}

impl SparseVector {
    /// The `n` heaviest of `weights`, where they are above 0; ties to the lower term.
    pub(crate) fn heaviest(weights: impl Iterator<Item = (u32, f32)>, n: usize) -> Self {
        let mut found: Vec<(u32, f32)> = weights.filter(|(_, weight)| *weight > 0.0).collect();
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(n);
        found.sort_unstable_by_key(|(term, _)| *term);
        let (terms, weights) = found.into_iter().unzip();
        Self { terms, weights }
    }
}

/// What sparse vectors depend on besides their text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparseSpec {
    /// Name in the model lock.
    pub name: String,
    /// Terms of the vocabulary; at most 65,536.
    pub n_terms: usize,
    /// Documents are cut to this many tokens.
    pub max_tokens: usize,
    /// Queries are cut to this many tokens.
    pub max_query_tokens: usize,
    /// Terms that are kept of a document.
    pub document_terms: usize,
    /// Terms that are kept of a query.
    pub query_terms: usize,
    /// For the compatibility hash: all that changes a document's vector.
    pub fingerprint: String,
}

impl SparseSpec {
    /// Returns the sha256 (hex) over the encoder's own fingerprint and how many terms are kept.
    #[must_use]
    pub fn fingerprint_of(encoder: &str, document_terms: usize) -> String {
        let text = format!("encoder={encoder}\nsparse=1\ndocument_terms={document_terms}\n");
        hex::encode(Sha256::digest(text))
    }
}

/// A model that gives each text weights of terms.
pub trait SparseEncoder: Send + Sync {
    /// What the vectors depend on.
    fn sparse_spec(&self) -> &SparseSpec;

    /// Encodes documents, in input order. Runs on the current rayon pool; `cancel` is polled between
    /// texts.
    ///
    /// # Errors
    ///
    /// `Cancelled`; `Tokenize`; what the model's files lack.
    fn encode_sparse_documents(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<SparseVector>, InferenceError>;

    /// Encodes one query.
    ///
    /// # Errors
    ///
    /// `Tokenize`; what the model's files lack.
    fn encode_sparse_query(&self, text: &str) -> Result<SparseVector, InferenceError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_terms_are_kept_in_order_of_term() {
        let weights = [0.5, 0.0, 2.0, 0.5, -1.0, 3.0].into_iter();
        let vector = SparseVector::heaviest((0..).zip(weights), 3);
        assert_eq!(vector.terms, [0, 2, 5]);
        assert_eq!(vector.weights, [0.5, 2.0, 3.0]);
    }
}

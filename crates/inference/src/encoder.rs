//! The bi-encoder: text in, one unit-length vector out.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::InferenceError;
use crate::normalize::{Normalization, Pretokenize};

/// A model that turns queries and documents into vectors of one space.
pub trait BiEncoder: Send + Sync {
    /// What the vectors depend on.
    fn spec(&self) -> &EncoderSpec;

    /// Encodes documents: `[texts.len()][dim]`, unit length, in input order.
    ///
    /// Runs on the current rayon pool. `cancel` is polled between sequences. A text's vector depends
    /// on that text alone, not on its neighbours.
    ///
    /// # Errors
    ///
    /// `Cancelled`; `Tokenize`.
    fn encode_documents(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<Vec<f32>>, InferenceError>;

    /// Encodes one query: `[dim]`, unit length.
    ///
    /// # Errors
    ///
    /// `Tokenize`.
    fn encode_query(&self, text: &str, kind: QueryKind) -> Result<Vec<f32>, InferenceError>;

    /// Into how many pieces of its vocabulary a text is cut; `None` where that cannot be told. Words that
    /// it was trained on are one piece or two, what it never saw is spelled out.
    fn n_pieces(&self, _text: &str) -> Option<usize> {
        None
    }
}

/// What a query is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// A question or description: gets the model's query prefix.
    NaturalLanguage,
    /// Code ("find similar"): encoded as it stands.
    Code,
}

/// How token states become one vector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// Mean over all tokens, `[CLS]` and `[SEP]` included.
    Mean,
    /// State of the first token.
    Cls,
    /// Not at all: the model was trained for token vectors, or for something else altogether.
    #[default]
    None,
}

/// Everything a vector depends on besides its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncoderSpec {
    /// Name in the model lock.
    pub name: String,
    /// Components of a vector.
    pub dim: usize,
    /// Documents are cut to this many tokens.
    pub max_tokens: usize,
    /// Queries are cut to this many tokens.
    pub max_query_tokens: usize,
    /// How token states become one vector.
    pub pooling: Pooling,
    /// Put before natural-language queries.
    pub query_prefix: String,
    /// Put before documents.
    pub document_prefix: String,
    /// What is done to every text first; prefixes stay as they are.
    pub normalization: Normalization,
    /// For the compatibility hash: see [`EncoderSpec::fingerprint_of`].
    pub fingerprint: String,
}

impl EncoderSpec {
    /// Returns the sha256 (hex) over weights, tokenizer, pooling, document length, prefixes and normalization.
    #[must_use]
    pub fn fingerprint_of(&self, weights_sha256: &str, tokenizer_sha256: &str) -> String {
        let mut text = format!(
            "weights={weights_sha256}\ntokenizer={tokenizer_sha256}\ndim={}\npooling={:?}\n\
             max_tokens={}\nquery_prefix={:?}\ndocument_prefix={:?}\n",
            self.dim, self.pooling, self.max_tokens, self.query_prefix, self.document_prefix
        );
        // Only what is done is named: vectors from before there was a choice stay good.
        if self.normalization.lowercase {
            text.push_str("lowercase\n");
        }
        if self.normalization.pretokenize == Pretokenize::Code {
            text.push_str("pretokenize=code 1\n");
        }
        hex::encode(Sha256::digest(text))
    }
}

/// Scales to unit length; a zero vector stays zero.
pub(crate) fn to_unit_length(vector: &mut [f32]) {
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
}

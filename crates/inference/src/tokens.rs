//! The token encoder: text in, a unit vector for each of its tokens out, from the forward pass that
//! gives the bi-encoder's vector too.
//!
//! A head, one linear map, takes the trunk's states to the space in which tokens are compared
//! (ColBERT, arXiv 2004.12832). `[CLS]`, `[SEP]`, a prefix and tokens without a letter or digit have
//! no vector: in code nearly half of all tokens are brackets and dots, and they answer no question.

use sha2::{Digest, Sha256};

use crate::encoder::{QueryKind, normalize};
use crate::error::InferenceError;
use crate::matmul::{Matrix, MatrixMut, matmul};
use crate::weights::Linear;

/// Changes when other tokens are kept, or kept otherwise.
const RULES_VERSION: u32 = 1;

/// A vector for each token of a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TokenStates {
    /// Components of a vector.
    pub dim: usize,
    /// `[n_tokens, dim]` row-major; from a [`TokenEncoder`] of unit length.
    pub vectors: Vec<f32>,
    /// Vocabulary ids.
    pub token_ids: Vec<u32>,
    /// First byte of each token in the text as it was given, and the first after it.
    pub spans: Vec<(u32, u32)>,
}

impl TokenStates {
    /// Tokens.
    #[must_use]
    pub fn n_tokens(&self) -> usize {
        self.token_ids.len()
    }
}

/// A document, encoded once for both kinds of search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentStates {
    /// The bi-encoder's vector.
    pub pooled: Vec<f32>,
    /// The tokens' vectors.
    pub tokens: TokenStates,
}

/// A query, encoded once for both kinds of search.
pub type QueryStates = DocumentStates;

/// What token vectors depend on besides their text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenSpec {
    /// Name in the model lock.
    pub name: String,
    /// Components of a token's vector.
    pub dim: usize,
    /// Documents are cut to this many tokens.
    pub max_tokens: usize,
    /// Queries are cut to this many tokens.
    pub max_query_tokens: usize,
    /// For the compatibility hash: the bi-encoder's fingerprint, the head's sha256 and which tokens
    /// are kept.
    pub fingerprint: String,
}

impl TokenSpec {
    /// sha256 (hex) over all that changes token vectors.
    #[must_use]
    pub fn fingerprint_of(encoder: &str, head_sha256: &str) -> String {
        let text = format!("encoder={encoder}\nhead={head_sha256}\nrules={RULES_VERSION}\n");
        hex::encode(Sha256::digest(text))
    }
}

/// A model that gives a vector for each token, and the bi-encoder's vector with them.
pub trait TokenEncoder: Send + Sync {
    /// What the vectors depend on.
    fn token_spec(&self) -> &TokenSpec;

    /// Encodes documents, in input order. As [`crate::BiEncoder::encode_documents`]; `pooled` is its
    /// result to the bit. A text without letters and digits has no tokens.
    ///
    /// # Errors
    ///
    /// `Cancelled`; `Tokenize`.
    fn encode_document_tokens(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<DocumentStates>, InferenceError>;

    /// Encodes one query. Its prefix, if the model has one, is in `pooled` but not among the tokens.
    ///
    /// # Errors
    ///
    /// `Tokenize`.
    fn encode_query_tokens(
        &self,
        text: &str,
        kind: QueryKind,
    ) -> Result<QueryStates, InferenceError>;
}

/// A linear map from the trunk's states to token vectors.
pub(crate) struct TokenHead {
    pub map: Linear,
}

impl TokenHead {
    /// Reads the tensor `linear.weight`: `[dim, n_in]`, without bias.
    ///
    /// # Errors
    ///
    /// `Tensor` for another shape, or for a weight that is no number.
    pub(crate) fn parse(bytes: &[u8], n_in: usize, dim: usize) -> Result<Self, InferenceError> {
        let wrong = |detail: String| InferenceError::Tensor {
            tensor: "linear.weight".into(),
            detail,
        };
        let load = || {
            let tensors = candle_core::safetensors::load_buffer(bytes, &candle_core::Device::Cpu)?;
            let tensor = tensors
                .get("linear.weight")
                .ok_or_else(|| candle_core::Error::Msg("not in the file".into()))?;
            let transposed = tensor
                .to_dtype(candle_core::DType::F32)?
                .t()?
                .contiguous()?;
            let shape = transposed.dims().to_vec();
            Ok((shape, transposed.flatten_all()?.to_vec1::<f32>()?))
        };
        let (shape, weight) =
            load().map_err(|error: candle_core::Error| wrong(error.to_string()))?;
        if shape != [n_in, dim] {
            return Err(wrong(format!("maps {shape:?}, wanted [{n_in}, {dim}]")));
        }
        if !weight.iter().all(|x| x.is_finite()) {
            return Err(wrong("a weight is not a finite number".into()));
        }
        let map = Linear {
            weight,
            bias: Vec::new(),
            n_in,
            n_out: dim,
        };
        Ok(Self { map })
    }

    /// Unit vectors of the tokens that are kept, of states `[n, n_in]`.
    pub(crate) fn apply(&self, states: &[f32], tokens: &Tokens, text: &str) -> TokenStates {
        let (n_in, dim) = (self.map.n_in, self.map.n_out);
        let n_rows = states.len() / n_in;
        let mut rows = vec![0.0; n_rows * dim];
        matmul(
            MatrixMut::new(&mut rows, n_rows, dim, dim),
            Matrix::new(states, n_rows, n_in, n_in),
            Matrix::new(&self.map.weight, n_in, dim, dim),
        );
        let mut kept = TokenStates {
            dim,
            ..TokenStates::default()
        };
        for (at, row) in rows.chunks_exact_mut(dim).enumerate() {
            let Some(span) = tokens.span(at, text) else {
                continue;
            };
            normalize(row);
            kept.vectors.extend_from_slice(row);
            kept.token_ids.push(tokens.ids[at]);
            kept.spans.push(span);
        }
        kept
    }
}

/// A text as the tokenizer took it apart.
pub(crate) struct Tokens {
    pub ids: Vec<u32>,
    /// In the text with its prefix.
    pub offsets: Vec<(usize, usize)>,
    pub prefix_bytes: usize,
}

impl Tokens {
    /// The bytes of a token in the text without prefix; `None` when the token is not kept.
    fn span(&self, at: usize, text: &str) -> Option<(u32, u32)> {
        let (start, end) = self.offsets[at];
        let start = start.checked_sub(self.prefix_bytes)?;
        let end = end.checked_sub(self.prefix_bytes)?;
        let says = text.get(start..end)?.contains(char::is_alphanumeric);
        says.then_some((start as u32, end as u32))
    }
}

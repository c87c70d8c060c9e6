//! The token encoder: text in, a unit vector for each of its tokens out, from the forward pass that
//! gives the bi-encoder's vector too.
//!
//! A head, one linear map, takes the encoder's states to the space in which tokens are compared
//! (ColBERT, arXiv 2004.12832). `[CLS]`, `[SEP]`, a prefix and tokens without a letter or digit have
//! no vector: in code nearly half of all tokens are brackets and dots, and they answer no question.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::encoder::{QueryKind, to_unit_length};
use crate::error::InferenceError;
use crate::matmul::{Matrix, MatrixMut, matmul};
use crate::normalize::NormalizedText;
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
    /// Returns tokens.
    #[must_use]
    pub fn n_tokens(&self) -> usize {
        self.token_ids.len()
    }
}

/// A document, encoded once for both kinds of search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentStates {
    /// The bi-encoder's vector; empty where the model has none.
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
    /// Fingerprint of the bi-encoder whose vector [`DocumentStates::pooled`] is; empty where the
    /// model has none.
    pub pooled_as: String,
}

impl TokenSpec {
    /// Returns the sha256 (hex) over all that changes token vectors.
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

/// A linear map from the encoder's states to token vectors.
pub(crate) struct TokenHead {
    pub map: Linear,
}

/// One head file.
pub(crate) struct HeadBytes<'a> {
    pub path: &'a Path,
    pub bytes: &'a [u8],
    /// Components that come out.
    pub dim: usize,
}

impl TokenHead {
    /// Reads the tensor `linear.weight`, `[dim, n_in]`, of each file and makes one map of them, the
    /// first applied first: there is nothing between them but products.
    ///
    /// # Errors
    ///
    /// `Tensor` for another shape, for a bias, or for a weight that is no number.
    pub(crate) fn parse(files: &[HeadBytes<'_>], n_in: usize) -> Result<Self, InferenceError> {
        let mut map: Option<Linear> = None;
        for file in files {
            let n_before = map.as_ref().map_or(n_in, |map| map.n_out);
            let next = parse_map(file, n_before)?;
            map = Some(match map {
                None => next,
                Some(first) => chain(&first, &next),
            });
        }
        let map = map.ok_or(InferenceError::WrongRole {
            name: "a model without heads".into(),
            wanted: "token encoder",
        })?;
        Ok(Self { map })
    }

    /// Unit vectors of the tokens that are kept, of states `[n, n_in]`.
    pub(crate) fn apply(&self, states: &[f32], tokens: &Tokens<'_>) -> TokenStates {
        let (n_in, dim) = (self.map.n_in, self.map.n_out);
        let n_rows = states.len() / n_in;
        if n_rows == 0 {
            return TokenStates {
                dim,
                ..TokenStates::default()
            };
        }
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
            let Some(span) = tokens.span(at) else {
                continue;
            };
            to_unit_length(row);
            kept.vectors.extend_from_slice(row);
            kept.token_ids.push(tokens.ids[at]);
            kept.spans.push(span);
        }
        kept
    }
}

fn parse_map(file: &HeadBytes<'_>, n_in: usize) -> Result<Linear, InferenceError> {
    let wrong = |tensor: &str, detail: String| InferenceError::Tensor {
        path: file.path.into(),
        tensor: tensor.into(),
        detail,
    };
    let load = || {
        let tensors = candle_core::safetensors::load_buffer(file.bytes, &candle_core::Device::Cpu)?;
        let tensor = tensors
            .get("linear.weight")
            .ok_or_else(|| candle_core::Error::Msg("not in the file".into()))?;
        let transposed = tensor
            .to_dtype(candle_core::DType::F32)?
            .t()?
            .contiguous()?;
        let shape = transposed.dims().to_vec();
        let has_bias = tensors.contains_key("linear.bias");
        Ok((shape, transposed.flatten_all()?.to_vec1::<f32>()?, has_bias))
    };
    let (shape, weight, has_bias) =
        load().map_err(|error: candle_core::Error| wrong("linear.weight", error.to_string()))?;
    let n_out = file.dim;
    if shape != [n_in, n_out] {
        let detail = format!("maps {shape:?}, wanted [{n_in}, {n_out}]");
        return Err(wrong("linear.weight", detail));
    }
    if has_bias {
        return Err(wrong("linear.bias", "a head has no bias".into()));
    }
    if !weight.iter().all(|x| x.is_finite()) {
        let detail = "a weight is not a finite number".into();
        return Err(wrong("linear.weight", detail));
    }
    Ok(Linear {
        weight,
        bias: Vec::new(),
        n_in,
        n_out,
    })
}

fn chain(first: &Linear, second: &Linear) -> Linear {
    let (n_in, n_mid, n_out) = (first.n_in, first.n_out, second.n_out);
    let mut weight = vec![0.0; n_in * n_out];
    matmul(
        MatrixMut::new(&mut weight, n_in, n_out, n_out),
        Matrix::new(&first.weight, n_in, n_mid, n_mid),
        Matrix::new(&second.weight, n_mid, n_out, n_out),
    );
    Linear {
        weight,
        bias: Vec::new(),
        n_in,
        n_out,
    }
}

/// A text as the tokenizer took it apart.
pub(crate) struct Tokens<'a> {
    pub ids: Vec<u32>,
    /// In the normalized text with its prefix.
    pub offsets: Vec<(usize, usize)>,
    pub prefix_bytes: usize,
    pub normalized: NormalizedText<'a>,
}

impl Tokens<'_> {
    /// The bytes of a token in the text as it was given; `None` when the token is not kept.
    fn span(&self, at: usize) -> Option<(u32, u32)> {
        let (start, end) = self.offsets[at];
        let start = start.checked_sub(self.prefix_bytes)?;
        let end = end.checked_sub(self.prefix_bytes)?;
        let inside = self.normalized.text.get(start..end)?;
        if inside.contains(char::is_alphanumeric) {
            self.normalized.given(start, end)
        } else {
            None
        }
    }
}

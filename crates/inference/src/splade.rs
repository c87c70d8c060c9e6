//! SPLADE over a BERT with its masked-language head: for every word of the vocabulary the largest
//! logit over the text's tokens, as `ln(1 + max(logit, 0))`.
//!
//! Checkpoints tie the head's last map to the word table; those that have a `decoder` of their own are
//! read as they are. Marks such as `[CLS]` and unused words are no terms.

use std::path::Path;

use crate::bert;
use crate::error::InferenceError;
use crate::kernels::{BiasGelu, LayerNorm, ResidualLayerNorm, run};
use crate::lock::{Architecture, ModelEntry};
use crate::matmul::{Matrix, MatrixMut, matmul};
use crate::sparse::{SparseEncoder, SparseSpec, SparseVector};
use crate::store::ModelStore;
use crate::transformer::{TransformerEncoder, in_parallel};
use crate::weights::{Linear, Weights};

/// Of a document. Measured with 93 on average: the rest is noise.
const DOCUMENT_TERMS: usize = 96;
/// Of a query.
const QUERY_TERMS: usize = 32;
/// Words that are multiplied at once, so that logits stay in the cache.
const TILE: usize = 512;
/// Term ids are kept in 16 bits.
const MAX_TERMS: usize = 1 << 16;

/// A SPLADE model with its tokenizer.
pub struct SpladeEncoder {
    encoder: TransformerEncoder,
    head: LogitHead,
    /// For each word whether it is no term.
    is_mark: Vec<bool>,
    spec: SparseSpec,
}

/// From states to logits.
struct LogitHead {
    transform: Linear,
    norm: LayerNorm,
    /// `[n_words, dim]`
    words: Vec<f32>,
    /// `[n_words]`
    bias: Vec<f32>,
}

/// Loads the sparse encoder of a lock entry from the store.
///
/// # Errors
///
/// `WrongRole` for another kind of model; those of [`crate::load_bi_encoder`].
pub fn load_sparse_encoder(
    store: &ModelStore,
    entry: &ModelEntry,
) -> Result<SpladeEncoder, InferenceError> {
    let dir = store.path(&entry.name)?;
    SpladeEncoder::open(&dir, &store.as_stored(entry))
}

impl SpladeEncoder {
    /// Loads the model of a lock entry from a folder.
    ///
    /// # Errors
    ///
    /// `WrongRole`, `ModelConfig`, `OpenWeights`, `Tensor`, `Tokenize`.
    pub fn open(dir: &Path, entry: &ModelEntry) -> Result<Self, InferenceError> {
        if entry.arch != Architecture::BertMlm {
            return Err(InferenceError::WrongRole {
                name: entry.name.clone(),
                wanted: "sparse encoder",
            });
        }
        let encoder = TransformerEncoder::open(dir, entry)?;
        let n_words = encoder.n_words();
        if n_words > MAX_TERMS {
            return Err(InferenceError::ModelConfig {
                path: dir.join("config.json"),
                detail: format!("vocab_size is {n_words}, more than {MAX_TERMS}"),
            });
        }
        let head = LogitHead::load(&dir.join("model.safetensors"), n_words, entry.dim)?;
        let is_mark = (0..n_words as u32).map(|id| encoder.is_mark(id)).collect();
        let own = encoder.encoder_spec();
        let spec = SparseSpec {
            name: entry.name.clone(),
            n_terms: n_words,
            max_tokens: own.max_tokens,
            max_query_tokens: own.max_query_tokens,
            document_terms: DOCUMENT_TERMS,
            query_terms: QUERY_TERMS,
            fingerprint: SparseSpec::fingerprint_of(&own.fingerprint, DOCUMENT_TERMS),
        };
        Ok(Self {
            encoder,
            head,
            is_mark,
            spec,
        })
    }

    fn encode(
        &self,
        text: &str,
        max_tokens: usize,
        n_terms: usize,
    ) -> Result<SparseVector, InferenceError> {
        let peaks = self
            .encoder
            .with_states(text, max_tokens, |states| self.head.peaks(states))?;
        let terms = (0..).zip(peaks).zip(&self.is_mark);
        let weights = terms.filter(|(_, is_mark)| !**is_mark);
        let weights = weights.map(|((term, peak), _)| (term, peak.max(0.0).ln_1p()));
        Ok(SparseVector::heaviest(weights, n_terms))
    }
}

impl SparseEncoder for SpladeEncoder {
    fn sparse_spec(&self) -> &SparseSpec {
        &self.spec
    }

    fn encode_sparse_documents(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<SparseVector>, InferenceError> {
        in_parallel(texts.len(), cancel, |idx| {
            self.encode(texts[idx], self.spec.max_tokens, self.spec.document_terms)
        })
    }

    fn encode_sparse_query(&self, text: &str) -> Result<SparseVector, InferenceError> {
        self.encode(text, self.spec.max_query_tokens, self.spec.query_terms)
    }
}

impl LogitHead {
    fn load(path: &Path, n_words: usize, dim: usize) -> Result<Self, InferenceError> {
        let weights = Weights::open(path, &bert::NAMING)?.whole();
        let transform = "cls.predictions.transform";
        let own = "cls.predictions.decoder.weight";
        let words = if weights.has(own) {
            weights.tensor(own, &[n_words, dim])?
        } else {
            weights.words(n_words, dim)?
        };
        let bias = if weights.has("cls.predictions.bias") {
            "cls.predictions.bias"
        } else {
            "cls.predictions.decoder.bias"
        };
        Ok(Self {
            transform: weights.linear(&format!("{transform}.dense"), dim, dim, true)?,
            norm: weights.layer_norm(&format!("{transform}.LayerNorm"), dim, 1e-12)?,
            bias: weights.tensor(bias, &[n_words])?,
            words,
        })
    }

    /// The largest logit of each word over the tokens of `states: [n_tokens, dim]`.
    fn peaks(&self, states: &[f32]) -> Vec<f32> {
        let (dim, n_words) = (self.transform.n_in, self.bias.len());
        let n_tokens = states.len() / dim;
        let mut peaks = vec![f32::NEG_INFINITY; n_words];
        if n_tokens == 0 {
            return peaks;
        }
        let mut inner = vec![0.0; states.len()];
        self.transform.apply(states, &mut inner);
        run(BiasGelu {
            rows: &mut inner,
            bias: &self.transform.bias,
            dim,
        });
        run(ResidualLayerNorm {
            rows: &mut inner,
            residual: &[],
            bias: &[],
            norm: &self.norm,
        });
        let mut logits = vec![0.0; n_tokens * TILE];
        for (tile, peaks) in peaks.chunks_mut(TILE).enumerate() {
            let n = peaks.len();
            let words = &self.words[tile * TILE * dim..][..n * dim];
            let logits = &mut logits[..n_tokens * n];
            matmul(
                MatrixMut::new(logits, n_tokens, n, n),
                Matrix::new(&inner, n_tokens, dim, dim),
                Matrix::new(words, n, dim, dim).transposed(),
            );
            for row in logits.chunks_exact(n) {
                for (peak, logit) in peaks.iter_mut().zip(row) {
                    *peak = if *logit > *peak { *logit } else { *peak };
                }
            }
            for (peak, bias) in peaks.iter_mut().zip(&self.bias[tile * TILE..]) {
                *peak += bias;
            }
        }
        peaks
    }
}

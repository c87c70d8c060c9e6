//! A cross-encoder: `[CLS] query [SEP] document [SEP]` through one transformer, so that each reads the
//! other (Nogueira and Cho 2019, arXiv 1901.04085).
//!
//! The score is a weighted product of the two parts' means and, over the query's tokens, the mean of
//! their best cosine among the document's. See `models/cross-encoder` for how its weights are made.

use std::path::Path;
use std::sync::Arc;

use candle_core::{DType, Device, Tensor};
use sha2::{Digest, Sha256};

use crate::adapter::Adapter;
use crate::bundled::cross_encoder_of;
use crate::encoder::to_unit_length;
use crate::error::InferenceError;
use crate::lock::ModelEntry;
use crate::store::ModelStore;
use crate::transformer::{TransformerEncoder, in_parallel};
use whyrank_system::regular;

/// Those of the largest encoder that is known here are a quarter of it.
const MAX_WEIGHTS_BYTES: u64 = 2 << 30;

/// Tokens of a query that are read, marks not counted.
const MAX_QUERY: usize = 32;
/// Tokens of query and document together, their three marks counted: ten such are read for a query.
const MAX_TOKENS: usize = 96;

/// Scores documents for a query, both read together.
pub trait CrossEncoder: Send + Sync {
    /// Which weights: `minilm-l6 1f2e3d4c`.
    fn name(&self) -> &str;

    /// A score for each document, in order; only of the first where `stop` says so between them.
    ///
    /// Runs on the current rayon pool. A score depends on the query and that document alone.
    ///
    /// # Errors
    ///
    /// `Tokenize`.
    fn score(
        &self,
        query: &str,
        documents: &[&str],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<f32>, InferenceError>;
}

/// MiniLM, or another encoder, under trained weights.
pub struct TrainedCrossEncoder {
    encoder: TransformerEncoder,
    head: ScoreHead,
    /// `[CLS]` and `[SEP]`.
    marks: (u32, u32),
    name: String,
}

/// From states to a score.
struct ScoreHead {
    /// `[dim]`, of the product of the means.
    cosine: Vec<f32>,
    /// Of the mean best cosine.
    matched: f32,
}

/// Returns the cross-encoder over the model of a lock entry: with the weights of the file at
/// `weights`, else with those that this program has for the model. `None` where there are neither.
///
/// # Errors
///
/// `File` when there is no such file; `Tensor` when it does not fit the model; those of
/// [`crate::load_bi_encoder`].
pub fn load_cross_encoder(
    store: &ModelStore,
    entry: &ModelEntry,
    weights: Option<&Path>,
) -> Result<Option<TrainedCrossEncoder>, InferenceError> {
    let own = Path::new("cross-encoder");
    let (path, bytes) = match (weights, cross_encoder_of(&entry.name)) {
        (Some(path), _) => {
            let read = regular::read(path, MAX_WEIGHTS_BYTES)
                .map_err(InferenceError::file("read", path))?;
            (path, std::borrow::Cow::Owned(read))
        }
        (None, Some(bytes)) => (own, std::borrow::Cow::Borrowed(bytes)),
        (None, None) => return Ok(None),
    };
    let dir = store.path(&entry.name)?;
    TrainedCrossEncoder::open(&dir, &store.as_stored(entry), path, &bytes).map(Some)
}

impl TrainedCrossEncoder {
    /// Puts weights on the model in a folder; `path` is for messages.
    ///
    /// # Errors
    ///
    /// `Tensor` when they do not fit; those of [`TransformerEncoder::open`].
    pub fn open(
        dir: &Path,
        entry: &ModelEntry,
        path: &Path,
        bytes: &[u8],
    ) -> Result<Self, InferenceError> {
        let wrong = |tensor: &str, detail: String| InferenceError::Tensor {
            path: path.to_owned(),
            tensor: tensor.to_owned(),
            detail,
        };
        let mut tensors = candle_core::safetensors::load_buffer(bytes, &Device::Cpu)
            .map_err(|error| wrong("the file", error.to_string()))?;
        let mut take = |name: &str, dim: usize| {
            let tensor = tensors.remove(name);
            let tensor = tensor.ok_or_else(|| wrong(name, "it is missing".to_owned()))?;
            numbers(&tensor, dim).map_err(|detail| wrong(name, detail))
        };
        let head = ScoreHead {
            cosine: take("score.cosine", entry.dim)?,
            matched: take("score.match", 1)?[0],
        };
        let change = Arc::new(Adapter::of(path, tensors));
        let encoder = TransformerEncoder::open_changed(dir, entry, Some(change))?;
        let mark = |text: &str| {
            let id = encoder.id_of(text);
            id.ok_or_else(|| wrong(text, "the tokenizer has no such mark".to_owned()))
        };
        let marks = (mark("[CLS]")?, mark("[SEP]")?);
        let hash = hex::encode(&Sha256::digest(bytes)[..4]);
        Ok(Self {
            encoder,
            head,
            marks,
            name: format!("{} {hash}", entry.name),
        })
    }

    fn score_one(&self, query: &[u32], document: &str) -> Result<f32, InferenceError> {
        let (start, end) = self.marks;
        let room = MAX_TOKENS - query.len() - 3;
        let document = self.encoder.plain_ids(document, room)?;
        let query = [&[start], query, &[end]].concat();
        let ids = [query.as_slice(), document.as_slice(), &[end]].concat();
        self.encoder
            .with_states_of(&ids, |states| self.head.score(states, query.len()))
    }
}

impl CrossEncoder for TrainedCrossEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn score(
        &self,
        query: &str,
        documents: &[&str],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<f32>, InferenceError> {
        let query = self.encoder.plain_ids(query, MAX_QUERY)?;
        let mut scores = Vec::with_capacity(documents.len());
        // As many at once as there are workers, so that what is done is always a beginning.
        for some in documents.chunks(rayon::current_num_threads().max(1)) {
            if stop() {
                break;
            }
            let work = |idx: usize| self.score_one(&query, some[idx]);
            scores.extend(in_parallel(some.len(), &|| false, work)?);
        }
        Ok(scores)
    }
}

impl ScoreHead {
    /// The score of `states: [n_tokens, dim]`, of which the first `n_query` are the query's.
    fn score(&self, states: &[f32], n_query: usize) -> f32 {
        let dim = self.cosine.len();
        let (query, document) = states.split_at(n_query * dim);
        let (left, right) = (mean(query, dim), mean(document, dim));
        let weighed = left.iter().zip(&right).zip(&self.cosine);
        let cosine: f32 = weighed.map(|((a, b), weight)| a * b * weight).sum();
        let unit = |states: &[f32]| {
            let mut rows = states.to_vec();
            rows.chunks_exact_mut(dim).for_each(to_unit_length);
            rows
        };
        let (query, document) = (unit(query), unit(document));
        let best = |token: &[f32]| {
            let products = document.chunks_exact(dim).map(|other| dot(token, other));
            products.fold(-1.0, f32::max)
        };
        let matched: f32 = query.chunks_exact(dim).map(best).sum();
        cosine + self.matched * matched / n_query as f32
    }
}

fn mean(states: &[f32], dim: usize) -> Vec<f32> {
    let mut mean = vec![0.0; dim];
    for state in states.chunks_exact(dim) {
        mean.iter_mut().zip(state).for_each(|(sum, x)| *sum += x);
    }
    to_unit_length(&mut mean);
    mean
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A tensor's `n` numbers, all of them finite.
fn numbers(tensor: &Tensor, n: usize) -> Result<Vec<f32>, String> {
    let read = || tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1::<f32>();
    let numbers = read().map_err(|error| error.to_string())?;
    if numbers.len() == n && numbers.iter().all(|x| x.is_finite()) {
        Ok(numbers)
    } else {
        Err(format!("{} numbers, not {n} finite ones", numbers.len()))
    }
}

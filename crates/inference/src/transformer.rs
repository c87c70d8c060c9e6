//! A bi-encoder over a transformer: tokenize, forward, pool, normalise.
//!
//! Work is split by sequence, longest first, over the current rayon pool; a product inside a
//! sequence stays on its thread.

use parking_lot::Mutex;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokenizers::Tokenizer;

use crate::adapter::Adapter;
use crate::bundled::read_part;
use crate::config::ModelFiles;
use crate::encoder::{BiEncoder, EncoderSpec, Pooling, QueryKind, to_unit_length};
use crate::encoder_stack::{EncoderStack, Scratch};
use crate::error::InferenceError;
use crate::lock::{Architecture, ModelEntry};
use crate::normalize::NormalizedText;
use crate::store::ModelStore;
use crate::tokens::{DocumentStates, TokenHead, TokenStates, Tokens};
use crate::{bert, modern_bert, nomic_bert};

/// A model of the encoder families with its tokenizer.
pub struct TransformerEncoder {
    spec: EncoderSpec,
    tokenizer: Tokenizer,
    stack: EncoderStack,
    /// Buffers at rest; there are never more than workers.
    scratches: Mutex<Vec<Scratch>>,
}

/// Loads the model of a lock entry from the store. The files' sizes are checked, not their hashes:
/// those are checked when files come in, and by [`ModelStore::verify`].
///
/// # Errors
///
/// `ModelAbsent`, `ModelDamaged`; `ModelConfig`, `OpenWeights`, `Tensor`, `Tokenize` when the files
/// do not make a model; `WrongRole` for one that gives no vector for a whole text.
pub fn load_bi_encoder(
    store: &ModelStore,
    entry: &ModelEntry,
) -> Result<Arc<dyn BiEncoder>, InferenceError> {
    let dir = store.path(&entry.name)?;
    let encoder = TransformerEncoder::open(&dir, &store.as_stored(entry))?;
    match encoder.spec.pooling {
        Pooling::None => Err(InferenceError::WrongRole {
            name: entry.name.clone(),
            wanted: "bi-encoder",
        }),
        Pooling::Mean | Pooling::Cls => Ok(Arc::new(encoder)),
    }
}

impl TransformerEncoder {
    /// Loads the model of a lock entry from a folder.
    ///
    /// # Errors
    ///
    /// `ModelConfig`, `OpenWeights`, `Tensor`, `Tokenize`.
    pub fn open(dir: &Path, entry: &ModelEntry) -> Result<Self, InferenceError> {
        Self::open_changed(dir, entry, None)
    }

    /// The same with a further change of its weights.
    pub(crate) fn open_changed(
        dir: &Path,
        entry: &ModelEntry,
        change: Option<Arc<Adapter>>,
    ) -> Result<Self, InferenceError> {
        let config = dir.join("config.json");
        let weights = dir.join("model.safetensors");
        let adapter = entry
            .adapter
            .as_ref()
            .map(|file| {
                let path = dir.join(&file.name);
                let bytes = read_part(&file.name, &file.sha256, &path)?;
                Adapter::parse(&path, &bytes).map(Arc::new)
            })
            .transpose()?;
        let files = ModelFiles {
            config: &config,
            weights: &weights,
            adapters: adapter.into_iter().chain(change).collect(),
        };
        let max_tokens = entry.max_tokens.max(entry.max_query_tokens);
        let stack = match entry.arch {
            Architecture::Bert => bert::load(&files)?,
            Architecture::NomicBert => nomic_bert::load(&files, max_tokens)?,
            Architecture::ModernBert => modern_bert::load(&files, max_tokens)?,
        };
        if stack.dim != entry.dim {
            let detail = format!("{} components, the lock says {}", stack.dim, entry.dim);
            return Err(InferenceError::ModelConfig {
                path: config,
                detail,
            });
        }
        let tokenizer = load_tokenizer(&dir.join("tokenizer.json"))?;
        Ok(Self {
            spec: spec_of(entry),
            tokenizer,
            stack,
            scratches: Mutex::default(),
        })
    }

    /// Returns the last layer's states of all tokens of a text, marks at its ends included, cut at
    /// the document length, without prefix; not of unit length.
    ///
    /// # Errors
    ///
    /// `Tokenize`.
    pub fn token_states(&self, text: &str) -> Result<TokenStates, InferenceError> {
        let tokens = self.tokens("", text, self.spec.max_tokens)?;
        let vectors = self.with_scratch(|scratch| {
            self.stack.forward(&tokens.ids, scratch)?;
            Ok::<_, InferenceError>(scratch.states.clone())
        })?;
        let spans = tokens.offsets.iter();
        let spans = spans.map(|(start, end)| tokens.normalized.given(*start, *end));
        Ok(TokenStates {
            dim: self.spec.dim,
            vectors,
            spans: spans.map(Option::unwrap_or_default).collect(),
            token_ids: tokens.ids,
        })
    }

    /// Bi-encoder vector and token vectors from one forward pass.
    pub(crate) fn encode_both(
        &self,
        head: &TokenHead,
        prefix: &str,
        text: &str,
        max_tokens: usize,
    ) -> Result<DocumentStates, InferenceError> {
        let tokens = self.tokens(prefix, text, max_tokens)?;
        self.with_scratch(|scratch| {
            self.stack.forward(&tokens.ids, scratch)?;
            Ok(DocumentStates {
                pooled: self.pooled(&scratch.states),
                tokens: head.apply(&scratch.states, &tokens),
            })
        })
    }

    /// Takes apart a text and the prefix before it.
    fn tokens<'t>(
        &self,
        prefix: &str,
        text: &'t str,
        max_tokens: usize,
    ) -> Result<Tokens<'t>, InferenceError> {
        let normalized = NormalizedText::new(text, self.spec.normalization);
        let whole = format!("{prefix}{}", normalized.text);
        let encoding = self
            .tokenizer
            .encode(whole, true)
            .map_err(|source| InferenceError::Tokenize { source })?;
        Ok(Tokens {
            ids: cut(encoding.get_ids(), max_tokens),
            offsets: cut(encoding.get_offsets(), max_tokens),
            prefix_bytes: prefix.len(),
            normalized,
        })
    }

    /// The first `max_tokens` tokens of a text, without marks.
    pub(crate) fn plain_ids(
        &self,
        text: &str,
        max_tokens: usize,
    ) -> Result<Vec<u32>, InferenceError> {
        let normalized = NormalizedText::new(text, self.spec.normalization);
        let encoded = self.tokenizer.encode_fast(normalized.text.as_ref(), false);
        let encoding = encoded.map_err(|source| InferenceError::Tokenize { source })?;
        let ids = encoding.get_ids();
        Ok(ids[..ids.len().min(max_tokens)].to_vec())
    }

    /// Works on the last layer's states of tokens: `[n_tokens, dim]`.
    pub(crate) fn with_states_of<T>(
        &self,
        ids: &[u32],
        work: impl FnOnce(&[f32]) -> T,
    ) -> Result<T, InferenceError> {
        self.with_scratch(|scratch| {
            self.stack.forward(ids, scratch)?;
            Ok(work(&scratch.states))
        })
    }

    /// The token of that text.
    pub(crate) fn id_of(&self, token: &str) -> Option<u32> {
        self.tokenizer.token_to_id(token)
    }

    fn pooled(&self, states: &[f32]) -> Vec<f32> {
        let mut vector = pool(states, self.spec.dim, self.spec.pooling);
        to_unit_length(&mut vector);
        vector
    }

    fn token_ids(
        &self,
        prefix: &str,
        text: &str,
        max_tokens: usize,
    ) -> Result<Vec<u32>, InferenceError> {
        let normalized = NormalizedText::new(text, self.spec.normalization);
        let encoding = self
            .tokenizer
            .encode_fast(format!("{prefix}{}", normalized.text), true)
            .map_err(|source| InferenceError::Tokenize { source })?;
        Ok(cut(encoding.get_ids(), max_tokens))
    }

    fn encode_ids(&self, ids: &[u32]) -> Result<Vec<f32>, InferenceError> {
        self.with_scratch(|scratch| {
            self.stack.forward(ids, scratch)?;
            Ok(self.pooled(&scratch.states))
        })
    }

    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let taken = self.scratches.lock().pop();
        let mut scratch = taken.unwrap_or_default();
        let result = work(&mut scratch);
        self.scratches.lock().push(scratch);
        result
    }
}

impl BiEncoder for TransformerEncoder {
    fn spec(&self) -> &EncoderSpec {
        &self.spec
    }

    fn encode_documents(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<Vec<f32>>, InferenceError> {
        let ids = in_parallel(texts.len(), cancel, |idx| {
            let prefix = &self.spec.document_prefix;
            self.token_ids(prefix, texts[idx], self.spec.max_tokens)
        })?;
        // Longest first: the last sequences to finish are short, so the workers end together.
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|&idx| std::cmp::Reverse(ids[idx].len()));
        let sorted = in_parallel(order.len(), cancel, |rank| {
            self.encode_ids(&ids[order[rank]])
        })?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for (idx, vector) in order.into_iter().zip(sorted) {
            vectors[idx] = vector;
        }
        Ok(vectors)
    }

    fn encode_query(&self, text: &str, kind: QueryKind) -> Result<Vec<f32>, InferenceError> {
        let prefix = match kind {
            QueryKind::NaturalLanguage => self.spec.query_prefix.as_str(),
            QueryKind::Code => "",
        };
        let ids = self.token_ids(prefix, text, self.spec.max_query_tokens)?;
        self.encode_ids(&ids)
    }

    fn n_pieces(&self, text: &str) -> Option<usize> {
        let normalized = NormalizedText::new(text, self.spec.normalization);
        let encoding = self.tokenizer.encode(normalized.text.as_ref(), false);
        encoding.ok().map(|encoding| encoding.len())
    }
}

pub(crate) fn spec_of(entry: &ModelEntry) -> EncoderSpec {
    let sha256 = |name| entry.file(name).map_or("", |file| file.sha256.as_str());
    let mut spec = EncoderSpec {
        name: entry.name.clone(),
        dim: entry.dim,
        max_tokens: entry.max_tokens,
        max_query_tokens: entry.max_query_tokens,
        pooling: entry.pooling,
        query_prefix: entry.query_prefix.clone(),
        document_prefix: entry.document_prefix.clone(),
        normalization: entry.normalization,
        fingerprint: String::new(),
    };
    let weights = match &entry.adapter {
        Some(adapter) => format!("{}+{}", sha256("model.safetensors"), adapter.sha256),
        None => sha256("model.safetensors").to_owned(),
    };
    spec.fingerprint = spec.fingerprint_of(&weights, sha256("tokenizer.json"));
    spec
}

/// Loads a tokenizer without the padding and truncation it was saved with.
fn load_tokenizer(path: &Path) -> Result<Tokenizer, InferenceError> {
    let tokenize_error = |source| InferenceError::Tokenize { source };
    let mut tokenizer = Tokenizer::from_file(path).map_err(tokenize_error)?;
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(tokenize_error)?;
    Ok(tokenizer)
}

/// The first `max - 1` and the last: cuts the text and keeps `[SEP]`.
fn cut<T: Clone>(tokens: &[T], max: usize) -> Vec<T> {
    match tokens {
        [head @ .., last] if tokens.len() > max => head[..max - 1]
            .iter()
            .chain(std::iter::once(last))
            .cloned()
            .collect(),
        _ => tokens.to_vec(),
    }
}

fn pool(states: &[f32], dim: usize, pooling: Pooling) -> Vec<f32> {
    match pooling {
        Pooling::None => Vec::new(),
        _ if states.is_empty() => vec![0.0; dim],
        Pooling::Cls => states[..dim].to_vec(),
        Pooling::Mean => {
            let mut mean = vec![0.0; dim];
            for state in states.chunks_exact(dim) {
                for (sum, x) in mean.iter_mut().zip(state) {
                    *sum += x;
                }
            }
            let n_tokens = (states.len() / dim) as f32;
            mean.iter_mut().for_each(|x| *x /= n_tokens);
            mean
        }
    }
}

/// `work(0..n)` in order of results, on the current pool and the calling thread.
///
/// The caller takes part and alone calls `cancel`, before each of its items, so `cancel` need not
/// be `Sync` and a pool of one thread (the caller) does not wait for itself. Items are taken one by
/// one in order. An error ends the run.
pub(crate) fn in_parallel<T: Send>(
    n_items: usize,
    cancel: &dyn Fn() -> bool,
    work: impl Fn(usize) -> Result<T, InferenceError> + Sync,
) -> Result<Vec<T>, InferenceError> {
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let done: Mutex<Vec<(usize, Result<T, InferenceError>)>> = Mutex::default();
    let take = || {
        let idx = next.fetch_add(1, Ordering::Relaxed);
        (idx < n_items && !stopped.load(Ordering::Relaxed)).then_some(idx)
    };
    let finish = |idx| {
        let result = work(idx);
        if result.is_err() {
            stopped.store(true, Ordering::Relaxed);
        }
        done.lock().push((idx, result));
    };
    let n_helpers = rayon::current_num_threads()
        .saturating_sub(1)
        .min(n_items.saturating_sub(1));
    let is_cancelled = rayon::in_place_scope(|scope| {
        for _ in 0..n_helpers {
            scope.spawn(|_| {
                while let Some(idx) = take() {
                    finish(idx);
                }
            });
        }
        while let Some(idx) = take() {
            if cancel() {
                stopped.store(true, Ordering::Relaxed);
                return true;
            }
            finish(idx);
        }
        false
    });
    if is_cancelled {
        return Err(InferenceError::Cancelled);
    }
    let mut done = done.into_inner();
    done.sort_by_key(|(idx, _)| *idx);
    done.into_iter().map(|(_, result)| result).collect()
}

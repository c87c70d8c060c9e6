//! A token head on a transformer: both encoders over one set of weights.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bundled::read_part;
use crate::encoder::{BiEncoder, EncoderSpec, Pooling, QueryKind};
use crate::error::InferenceError;
use crate::lock::{HeadFile, ModelEntry};
use crate::store::ModelStore;
use crate::tokens::{DocumentStates, HeadBytes, QueryStates, TokenEncoder, TokenHead, TokenSpec};
use crate::transformer::{TransformerEncoder, in_parallel, spec_of};

/// The two encoders of a model. They share its weights.
pub struct Encoders {
    /// One vector a text, or why the model gives none.
    pub bi: Result<Arc<dyn BiEncoder>, String>,
    /// A vector for each token, or why the model gives none.
    pub tokens: Result<Arc<dyn TokenEncoder>, String>,
}

/// Loads the model of a lock entry from the store; see [`crate::load_bi_encoder`]. A head that cannot
/// be used does not keep the bi-encoder from loading.
///
/// # Errors
///
/// Those of [`crate::load_bi_encoder`]; `WrongRole` for a model that gives no vectors at all.
pub fn load_encoders(store: &ModelStore, entry: &ModelEntry) -> Result<Encoders, InferenceError> {
    let dir = store.path(&entry.name)?;
    let entry = store.as_stored(entry);
    let encoder = Arc::new(TransformerEncoder::open(&dir, &entry)?);
    let tokens = if entry.token_heads.is_empty() {
        Err(no_head(&entry))
    } else {
        TokenHeadEncoder::open(Arc::clone(&encoder), &dir, &entry.token_heads)
            .map(|with_head| Arc::new(with_head) as Arc<dyn TokenEncoder>)
            .map_err(|error| error.to_string())
    };
    let bi: Result<Arc<dyn BiEncoder>, String> = match entry.pooling {
        Pooling::None => Err(no_pooling(&entry)),
        Pooling::Mean | Pooling::Cls => Ok(encoder),
    };
    Ok(Encoders { bi, tokens })
}

/// What the vectors of a model depend on.
pub struct EncoderSpecs {
    /// Of one vector a text, or why the model gives none.
    pub bi: Result<EncoderSpec, String>,
    /// Of a vector for each token, or why the model gives none.
    pub tokens: Result<TokenSpec, String>,
}

/// Says what [`load_encoders`] would give, by the lock entry alone: listings ask how many chunks have
/// vectors, and loading weights takes a tenth of a second and 50 MB. `entry` as the store has it
/// ([`ModelStore::as_stored`]).
#[must_use]
pub fn specs_of(entry: &ModelEntry) -> EncoderSpecs {
    let own = spec_of(entry);
    let tokens = entry.token_heads.last().ok_or_else(|| no_head(entry));
    let tokens = tokens.map(|last| token_spec_of(&own, last.dim, &entry.token_heads));
    let bi = match entry.pooling {
        Pooling::None => Err(no_pooling(entry)),
        Pooling::Mean | Pooling::Cls => Ok(own),
    };
    EncoderSpecs { bi, tokens }
}

fn no_head(entry: &ModelEntry) -> String {
    format!("{} has no token head", entry.name)
}

fn no_pooling(entry: &ModelEntry) -> String {
    format!(
        "{} gives token vectors and no vector for a whole text; choose another `model` and this \
         one as `token-model`",
        entry.name
    )
}

fn token_spec_of(own: &EncoderSpec, dim: usize, heads: &[HeadFile]) -> TokenSpec {
    let hashes: Vec<&str> = heads.iter().map(|head| head.sha256.as_str()).collect();
    TokenSpec {
        name: own.name.clone(),
        dim,
        max_tokens: own.max_tokens,
        max_query_tokens: own.max_query_tokens,
        fingerprint: TokenSpec::fingerprint_of(&own.fingerprint, &hashes.join(" ")),
        pooled_as: match own.pooling {
            Pooling::None => String::new(),
            Pooling::Mean | Pooling::Cls => own.fingerprint.clone(),
        },
    }
}

/// A [`TokenEncoder`] over a transformer that others may hold as well.
pub struct TokenHeadEncoder {
    encoder: Arc<TransformerEncoder>,
    head: TokenHead,
    spec: TokenSpec,
}

impl TokenHeadEncoder {
    /// Puts heads on a transformer, the first applied first. A head lies among the model's files in
    /// `dir`, or is part of this program.
    ///
    /// # Errors
    ///
    /// `File` when there is no such head; `WrongFile` when it is not the pinned one; `Tensor` when it
    /// does not fit the transformer or the head before it.
    pub fn open(
        encoder: Arc<TransformerEncoder>,
        dir: &Path,
        heads: &[HeadFile],
    ) -> Result<Self, InferenceError> {
        let paths: Vec<PathBuf> = heads.iter().map(|head| dir.join(&head.name)).collect();
        let contents = heads.iter().zip(&paths);
        let contents = contents
            .map(|(head, path)| read_part(&head.name, &head.sha256, path))
            .collect::<Result<Vec<_>, _>>()?;
        let of_head = |idx: usize| HeadBytes {
            path: &paths[idx],
            bytes: &contents[idx],
            dim: heads[idx].dim,
        };
        let files: Vec<HeadBytes<'_>> = (0..heads.len()).map(of_head).collect();
        let own = encoder.spec();
        let head = TokenHead::parse(&files, own.dim)?;
        let spec = token_spec_of(own, head.map.n_out, heads);
        Ok(Self {
            encoder,
            head,
            spec,
        })
    }
}

impl TokenEncoder for TokenHeadEncoder {
    fn token_spec(&self) -> &TokenSpec {
        &self.spec
    }

    fn encode_document_tokens(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<DocumentStates>, InferenceError> {
        let prefix = &self.encoder.spec().document_prefix;
        // Longest first, as the bi-encoder does: bytes tell length well enough.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&idx| std::cmp::Reverse(texts[idx].len()));
        let sorted = in_parallel(order.len(), cancel, |rank| {
            let text = texts[order[rank]];
            self.encoder
                .encode_both(&self.head, prefix, text, self.spec.max_tokens)
        })?;
        let mut documents = vec![DocumentStates::default(); texts.len()];
        for (idx, document) in order.into_iter().zip(sorted) {
            documents[idx] = document;
        }
        Ok(documents)
    }

    fn encode_query_tokens(
        &self,
        text: &str,
        kind: QueryKind,
    ) -> Result<QueryStates, InferenceError> {
        let prefix = match kind {
            QueryKind::NaturalLanguage => self.encoder.spec().query_prefix.as_str(),
            QueryKind::Code => "",
        };
        self.encoder
            .encode_both(&self.head, prefix, text, self.spec.max_query_tokens)
    }
}

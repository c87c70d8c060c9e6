//! Where token scores come from: a query is encoded once, and asked for often.

use crate::query::{ParsedQuery, QueryShape};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::cell::OnceCell;
use std::ops::Range;
use std::time::Instant;
use whyrank_index::TokenCells;
use whyrank_inference::QueryKind;

/// Token vectors of the view's chunks, and the encoder that they were made with.
pub trait TokenIndex: Sync {
    /// Encodes a query.
    ///
    /// # Errors
    /// In words, why the query cannot be encoded.
    fn encode(&self, text: &str, kind: QueryKind) -> Result<Box<dyn EncodedQuery + '_>, String>;
}

/// An encoded query.
pub trait EncodedQuery {
    /// Its tokens, in order; matches refer to them by index.
    fn tokens(&self) -> &[QueryToken];

    /// The query as the vector that the bi-encoder of that fingerprint would make of it, where it came
    /// in the same pass: unit length.
    fn pooled(&self, _encoder: &str) -> Option<&[f32]> {
        None
    }

    /// MaxSim of chunks, in the order given, until the deadline.
    ///
    /// # Errors
    /// In words, why the vectors cannot be read.
    fn rescore(&self, chunks: &[u32], deadline: Instant) -> Result<RescoredChunks, String>;

    /// The best of all allowed chunks by MaxSim, best first, at most `limit`.
    ///
    /// # Errors
    /// In words, why the vectors cannot be searched.
    fn wide(
        &self,
        allowed: &RoaringBitmap,
        limit: usize,
        deadline: Instant,
    ) -> Result<Vec<(u32, f32)>, String>;

    /// For each token of the query its best match in a chunk; the scores sum to the chunk's MaxSim.
    /// What begins in a `hidden` range, in bytes from the chunk's first, is passed over. Empty for a
    /// chunk without token vectors, or of which nothing is left.
    fn align(&self, chunk: u32, hidden: &[Range<u32>]) -> Vec<TokenMatch>;

    /// Every token of the query against every token of a chunk; `None` for a chunk without token vectors.
    fn cells(&self, _chunk: u32) -> Option<TokenCells> {
        None
    }
}

/// A token of the query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct QueryToken {
    /// What it represents in the query.
    pub text: String,
    /// It goes on with the word of the token before.
    pub continues: bool,
}

/// Scores of a finished prefix of what was asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RescoredChunks {
    /// One for each chunk that was reached; `None` for one without token vectors.
    pub scores: Vec<Option<f32>>,
    /// Document tokens that were compared.
    pub n_tokens: u64,
}

/// A query token's best match in a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenMatch {
    /// Index of the query token.
    pub query_token: u32,
    /// What it adds to MaxSim.
    pub score: f32,
    /// First byte of the document's token, counted from the chunk's first.
    pub byte_start: u32,
    /// Bytes of it; 0 for a match in the name that the encoder reads before the text.
    pub byte_len: u32,
}

/// An encoded query, or why there is none.
type Encoded<'a> = Result<Box<dyn EncodedQuery + 'a>, String>;

/// The query's tokens, encoded when they are first needed.
pub(crate) struct LazyTokens<'a> {
    source: Result<&'a dyn TokenIndex, String>,
    text: String,
    kind: QueryKind,
    encoded: OnceCell<(Encoded<'a>, f64)>,
}

impl<'a> LazyTokens<'a> {
    pub(crate) fn new(source: Result<&'a dyn TokenIndex, String>, query: &ParsedQuery) -> Self {
        Self {
            source,
            text: query.encoded(),
            kind: kind_of(query.shape),
            encoded: OnceCell::new(),
        }
    }

    /// Why there can be no token scores; `None` as long as nothing stands against them.
    pub(crate) fn missing(&self) -> Option<String> {
        self.source.as_ref().err().cloned()
    }

    pub(crate) fn encoded(&self) -> Result<&(dyn EncodedQuery + 'a), String> {
        let (encoded, _) = self.encoded.get_or_init(|| {
            let started = Instant::now();
            let encoded = match &self.source {
                Ok(source) => source.encode(&self.text, self.kind),
                Err(reason) => Err(reason.clone()),
            };
            (encoded, started.elapsed().as_secs_f64() * 1e3)
        });
        match encoded {
            Ok(encoded) => Ok(encoded.as_ref()),
            Err(reason) => Err(reason.clone()),
        }
    }

    /// Milliseconds that encoding took; 0 when nothing was encoded.
    pub(crate) fn encode_ms(&self) -> f64 {
        self.encoded
            .get()
            .map_or(0.0, |(_, elapsed_ms)| *elapsed_ms)
    }
}

/// How a query of this shape is encoded.
pub(crate) fn kind_of(shape: QueryShape) -> QueryKind {
    match shape {
        QueryShape::NaturalLanguage | QueryShape::Issue => QueryKind::NaturalLanguage,
        QueryShape::Identifier | QueryShape::Path | QueryShape::ErrorString => QueryKind::Code,
    }
}

//! Token scores from the index.

use super::{EncodedQuery, QueryToken, RescoredChunks, TokenIndex, TokenMatch};
use roaring::RoaringBitmap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;
use whyrank_index::{TokenCells, TokenReader, split_chunks};
use whyrank_inference::{QueryKind, QueryStates, TokenEncoder, TokenStates};

/// The token vectors of the repositories that are asked, and the encoder that queries them.
pub struct IndexTokens {
    /// It made the vectors.
    pub encoder: Arc<dyn TokenEncoder>,
    /// They are read here: for each repository where its chunks begin in the pool (0 for a single one),
    /// in that order, and its vectors, if it has any.
    pub readers: Vec<(u32, Option<Arc<TokenReader>>)>,
}

impl IndexTokens {
    /// The number in its repository of a chunk, and which that is.
    fn locate(&self, chunk: u32) -> (usize, u32) {
        let after = self.readers.partition_point(|(start, _)| *start <= chunk);
        let at = after.saturating_sub(1);
        (at, chunk - self.readers[at].0)
    }
}

impl TokenIndex for IndexTokens {
    fn encode(&self, text: &str, kind: QueryKind) -> Result<Box<dyn EncodedQuery + '_>, String> {
        let states = self.encoder.encode_query_tokens(text, kind);
        let states = states.map_err(|error| error.to_string())?;
        Ok(Box::new(IndexQuery {
            tokens: query_tokens(text, &states.tokens),
            index: self,
            pooled_as: &self.encoder.token_spec().pooled_as,
            states,
        }))
    }
}

struct IndexQuery<'a> {
    index: &'a IndexTokens,
    states: QueryStates,
    tokens: Vec<QueryToken>,
    /// Fingerprint of the bi-encoder whose vector came with the tokens.
    pooled_as: &'a str,
}

impl IndexQuery<'_> {
    fn states(&self) -> Result<&TokenStates, String> {
        match self.states.tokens.n_tokens() {
            0 => Err("the query has no word to compare".to_owned()),
            _ => Ok(&self.states.tokens),
        }
    }
}

impl EncodedQuery for IndexQuery<'_> {
    fn tokens(&self) -> &[QueryToken] {
        &self.tokens
    }

    fn pooled(&self, encoder: &str) -> Option<&[f32]> {
        (self.pooled_as == encoder).then_some(&self.states.pooled)
    }

    fn rescore(&self, chunks: &[u32], deadline: Instant) -> Result<RescoredChunks, String> {
        let states = self.states()?;
        let mut of_readers: Vec<Vec<(usize, u32)>> = vec![Vec::new(); self.index.readers.len()];
        for (at, chunk) in chunks.iter().enumerate() {
            let (of, chunk) = self.index.locate(*chunk);
            of_readers[of].push((at, chunk));
        }
        let mut all = RescoredChunks {
            scores: vec![None; chunks.len()],
            n_tokens: 0,
        };
        let mut n_done = chunks.len();
        for (asked, (_, reader)) in of_readers.iter().zip(&self.index.readers) {
            let Some(reader) = reader.as_ref().filter(|_| !asked.is_empty()) else {
                continue;
            };
            let own: Vec<u32> = asked.iter().map(|(_, chunk)| *chunk).collect();
            let rescored = reader.rescore(states, &own, deadline);
            let rescored = rescored.map_err(|error| error.to_string())?;
            all.n_tokens += rescored.n_tokens;
            // What counts is the prefix that all have finished.
            let left = asked.get(rescored.n_done);
            n_done = left.map_or(n_done, |(at, _)| n_done.min(*at));
            let scored = asked.iter().zip(&rescored.scores);
            for ((at, _), score) in scored.take(rescored.n_done) {
                all.scores[*at] = *score;
            }
        }
        all.scores.truncate(n_done);
        Ok(all)
    }

    fn wide(
        &self,
        allowed: &RoaringBitmap,
        limit: usize,
        deadline: Instant,
    ) -> Result<Vec<(u32, f32)>, String> {
        let states = self.states()?;
        let readers = &self.index.readers;
        let allowed = split_chunks(allowed, readers.iter().map(|(start, _)| *start));
        let mut hits = Vec::new();
        for (allowed, (start, reader)) in allowed.iter().zip(readers) {
            let Some(reader) = reader.as_ref().filter(|_| !allowed.is_empty()) else {
                continue;
            };
            let found = reader.wide(states, allowed, limit, deadline);
            let found = found.map_err(|error| error.to_string())?;
            hits.extend(
                found
                    .hits
                    .iter()
                    .map(|(chunk, score)| (start + chunk, *score)),
            );
        }
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        hits.truncate(limit);
        Ok(hits)
    }

    fn align(&self, chunk: u32, hidden: &[Range<u32>]) -> Vec<TokenMatch> {
        let (of, chunk) = self.index.locate(chunk);
        let Some(reader) = &self.index.readers[of].1 else {
            return Vec::new();
        };
        let matches = self.states().and_then(|states| {
            let matches = reader.align(states, chunk, hidden);
            matches.map_err(|error| error.to_string())
        });
        let matches = matches.unwrap_or_default().into_iter();
        let found = matches.map(|found| TokenMatch {
            query_token: found.query_token,
            score: found.score,
            byte_start: found.byte_start,
            byte_len: found.byte_len,
        });
        found.collect()
    }

    fn cells(&self, chunk: u32) -> Option<TokenCells> {
        let (of, chunk) = self.index.locate(chunk);
        let reader = self.index.readers[of].1.as_ref()?;
        reader.cells(self.states().ok()?, chunk).ok()?
    }
}

/// What each token represents in the query; pieces of one word go on from each other.
fn query_tokens(text: &str, states: &TokenStates) -> Vec<QueryToken> {
    let mut last_end = None;
    let spans = states.spans.iter();
    let tokens = spans.map(|(start, end)| {
        let continues = last_end.replace(*end) == Some(*start);
        QueryToken {
            text: text
                .get(*start as usize..*end as usize)
                .unwrap_or_default()
                .to_owned(),
            continues,
        }
    });
    tokens.collect()
}

//! Token scores from the index.

use super::{EncodedQuery, QueryToken, RescoredChunks, TokenIndex, TokenMatch};
use roaring::RoaringBitmap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;
use whyrank_index::TokenReader;
use whyrank_inference::{QueryKind, QueryStates, TokenEncoder, TokenStates};

/// The token vectors of an index, and the encoder that queries them.
pub struct IndexTokens {
    /// It made the vectors.
    pub encoder: Arc<dyn TokenEncoder>,
    /// They are read here.
    pub reader: Arc<TokenReader>,
}

impl TokenIndex for IndexTokens {
    fn encode(&self, text: &str, kind: QueryKind) -> Result<Box<dyn EncodedQuery + '_>, String> {
        let states = self.encoder.encode_query_tokens(text, kind);
        let states = states.map_err(|error| error.to_string())?;
        Ok(Box::new(IndexQuery {
            tokens: query_tokens(text, &states.tokens),
            reader: &self.reader,
            pooled_as: &self.encoder.token_spec().pooled_as,
            states,
        }))
    }
}

struct IndexQuery<'a> {
    reader: &'a TokenReader,
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
        let rescored = self.reader.rescore(self.states()?, chunks, deadline);
        let mut rescored = rescored.map_err(|error| error.to_string())?;
        rescored.scores.truncate(rescored.n_done);
        Ok(RescoredChunks {
            scores: rescored.scores,
            n_tokens: rescored.n_tokens,
        })
    }

    fn wide(
        &self,
        allowed: &RoaringBitmap,
        limit: usize,
        deadline: Instant,
    ) -> Result<Vec<(u32, f32)>, String> {
        let found = self.reader.wide(self.states()?, allowed, limit, deadline);
        Ok(found.map_err(|error| error.to_string())?.hits)
    }

    fn align(&self, chunk: u32, hidden: &[Range<u32>]) -> Vec<TokenMatch> {
        let matches = self.states().and_then(|states| {
            let matches = self.reader.align(states, chunk, hidden);
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
}

/// What each token stands for in the query; pieces of one word go on from each other.
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

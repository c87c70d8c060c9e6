//! `fts` and `doc-section`: BM25 over code, and over prose.

use super::{CHANNEL_DEPTH, RankedChunk, number};
use crate::fuse::Fused;
use crate::query::ParsedQuery;
use crate::search_index::SearchIndex;
use crate::terms::Channel;
use roaring::RoaringBitmap;
use std::cell::OnceCell;
use std::collections::HashMap;
use whyrank_index::{ChunkRef, LexicalScores, Pool, Result};

/// The query's BM25 over the whole view, worked out when it is first needed.
pub(crate) struct Bm25<'a> {
    stores: &'a Pool<'a>,
    index: &'a SearchIndex,
    tokens: &'a [(String, f32)],
    scores: OnceCell<LexicalScores>,
}

impl<'a> Bm25<'a> {
    pub(crate) fn new(
        stores: &'a Pool<'a>,
        index: &'a SearchIndex,
        query: &'a ParsedQuery,
    ) -> Self {
        Self {
            stores,
            index,
            tokens: &query.tokens,
            scores: OnceCell::new(),
        }
    }

    fn best(&self, allowed: &RoaringBitmap, limit: usize) -> Result<Vec<(ChunkRef, f32)>> {
        if allowed.is_empty() {
            return Ok(Vec::new());
        }
        let view = &self.index.view;
        if self.scores.get().is_none() {
            let scores = self.stores.bm25(self.tokens)?;
            drop(self.scores.set(scores));
        }
        let scores = self.scores.get();
        Ok(scores.map_or_else(Vec::new, |scores| scores.best(view, allowed, limit)))
    }

    fn ranked(&self, of_kind: &RoaringBitmap, allowed: &RoaringBitmap) -> Result<Vec<RankedChunk>> {
        let found = self.best(&(of_kind & allowed), CHANNEL_DEPTH)?.into_iter();
        Ok(number(
            found.map(|(place, score)| (place, f64::from(score))),
        ))
    }

    /// What a chunk would score that is made of the query's words alone; 0 before anything is scored.
    pub(crate) fn most(&self) -> f64 {
        self.scores
            .get()
            .map_or(0.0, |scores| f64::from(scores.most))
    }

    /// What was left out, in words.
    pub(crate) fn cut(&self) -> Option<String> {
        let n_left_out = self.scores.get()?.n_left_out;
        (n_left_out > 0).then(|| {
            let n_all = self.tokens.len();
            format!("full text cut: {n_left_out} of {n_all} words of the query are not looked up")
        })
    }

    pub(crate) fn fts(&self, allowed: &RoaringBitmap) -> Result<Vec<RankedChunk>> {
        self.ranked(&self.index.code, allowed)
    }

    pub(crate) fn doc_section(&self, allowed: &RoaringBitmap) -> Result<Vec<RankedChunk>> {
        self.ranked(&self.index.prose, allowed)
    }
}

/// Gives chunks of `cut` that other channels found the BM25 that their full list had no place for.
///
/// A list ends at [`CHANNEL_DEPTH`], wherever its scores stand then: for a word that is everywhere, the
/// first chunk left out matches nearly as well as the best, and without its score it would count as
/// one that does not match at all. It gets no rank.
pub(crate) fn score_below(bm25: &Bm25<'_>, cut: &RoaringBitmap, fused: &mut [Fused]) -> Result<()> {
    let is_listed = |row: &Fused| {
        let mut channels = row.channels.iter().map(|rank| rank.channel);
        channels.any(|channel| matches!(channel, Channel::Fts | Channel::DocSection))
    };
    let id = |row: &Fused| bm25.index.view.chunk_id(row.place);
    let unlisted = fused.iter().filter(|row| !is_listed(row)).map(id);
    let unlisted = cut & unlisted.collect::<RoaringBitmap>();
    let found = bm25.best(&unlisted, unlisted.len() as usize)?;
    let scores: HashMap<ChunkRef, f32> = found.into_iter().collect();
    for row in fused {
        row.bm25_below = scores.get(&row.place).map(|score| f64::from(*score));
    }
    Ok(())
}

//! `fts` and `doc-section`: BM25 over code, and over prose.

use super::{CHANNEL_DEPTH, RankedChunk, number};
use crate::fuse::Fused;
use crate::query::ParsedQuery;
use crate::search_index::SearchIndex;
use crate::terms::Channel;
use roaring::RoaringBitmap;
use std::collections::HashMap;
use std::sync::Arc;
use whyrank_index::{Reader, Result};

pub(crate) fn fts(
    reader: &Reader,
    index: &SearchIndex,
    query: &ParsedQuery,
    allowed: &RoaringBitmap,
) -> Result<Vec<RankedChunk>> {
    bm25(
        reader,
        index,
        query,
        Arc::new(index.code.as_ref() & allowed),
    )
}

pub(crate) fn doc_section(
    reader: &Reader,
    index: &SearchIndex,
    query: &ParsedQuery,
    allowed: &RoaringBitmap,
) -> Result<Vec<RankedChunk>> {
    bm25(
        reader,
        index,
        query,
        Arc::new(index.prose.as_ref() & allowed),
    )
}

fn bm25(
    reader: &Reader,
    index: &SearchIndex,
    query: &ParsedQuery,
    visible: Arc<RoaringBitmap>,
) -> Result<Vec<RankedChunk>> {
    if visible.is_empty() {
        return Ok(Vec::new());
    }
    let found = reader
        .lexical()
        .search(&query.tokens, &visible, CHANNEL_DEPTH)?;
    let located = found
        .into_iter()
        .filter_map(|hit| Some((index.view.locate(hit.chunk)?, f64::from(hit.score))));
    Ok(number(located))
}

/// Gives chunks of `cut` that other channels found the BM25 that their full list had no place for.
///
/// A list ends at [`CHANNEL_DEPTH`], wherever its scores stand then: for a word that is everywhere, the
/// first chunk left out matches nearly as well as the best, and without its score it would count as
/// one that does not match at all. It gets no rank.
pub(crate) fn score_below(
    reader: &Reader,
    index: &SearchIndex,
    query: &ParsedQuery,
    cut: &RoaringBitmap,
    fused: &mut [Fused],
) -> Result<()> {
    let is_listed = |row: &Fused| {
        let mut channels = row.channels.iter().map(|rank| rank.channel);
        channels.any(|channel| matches!(channel, Channel::Fts | Channel::DocSection))
    };
    let id = |row: &Fused| index.view.chunk_id(row.place);
    let unlisted = fused.iter().filter(|row| !is_listed(row)).map(id);
    let unlisted = Arc::new(cut & unlisted.collect::<RoaringBitmap>());
    let limit = unlisted.len() as usize;
    let found = reader.lexical().search(&query.tokens, &unlisted, limit)?;
    let scores: HashMap<u32, f32> = found.iter().map(|hit| (hit.chunk, hit.score)).collect();
    for row in fused {
        row.bm25_below = scores.get(&id(row)).map(|score| f64::from(*score));
    }
    Ok(())
}

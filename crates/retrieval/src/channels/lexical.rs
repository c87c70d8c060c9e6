//! `fts` and `doc-section`: BM25 over code, and over prose.

use super::{CHANNEL_DEPTH, RankedChunk, number};
use crate::query::ParsedQuery;
use crate::search_index::SearchIndex;
use roaring::RoaringBitmap;
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

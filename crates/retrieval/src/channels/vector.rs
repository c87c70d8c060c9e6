//! `vector`: bi-encoder similarity.

use super::{RankedChunk, number};
use crate::search_index::SearchIndex;
use whyrank_index::ScoredChunk;

/// Places of the chunks nearest to the query's vector, with their cosine.
pub(crate) fn vector(index: &SearchIndex, found: &[ScoredChunk]) -> Vec<RankedChunk> {
    let located = found
        .iter()
        .filter_map(|hit| Some((index.view.locate(hit.chunk)?, f64::from(hit.score))));
    number(located)
}

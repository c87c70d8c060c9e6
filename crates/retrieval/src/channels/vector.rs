//! `vector` and `splade`: what the encoder's store finds, by cosine or by sum of products.

use super::{RankedChunk, number};
use crate::search_index::SearchIndex;
use whyrank_index::ScoredChunk;

/// Places of the chunks found, with their score.
pub(crate) fn vector(index: &SearchIndex, found: &[ScoredChunk]) -> Vec<RankedChunk> {
    let located = found
        .iter()
        .filter_map(|hit| Some((index.view.locate(hit.chunk)?, f64::from(hit.score))));
    number(located)
}

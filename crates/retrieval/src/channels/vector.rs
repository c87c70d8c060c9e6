//! `vector`: bi-encoder similarity.

use super::{CHANNEL_DEPTH, RankedChunk, number};
use crate::error::Result;
use crate::search_index::SearchIndex;
use roaring::RoaringBitmap;
use whyrank_index::Reader;
use whyrank_inference::EncoderSpec;

/// `encoded` is the query's vector, of unit length.
pub(crate) fn vector(
    reader: &Reader,
    index: &SearchIndex,
    spec: &EncoderSpec,
    encoded: &[f32],
    allowed: &RoaringBitmap,
) -> Result<Vec<RankedChunk>> {
    let found = reader.nearest(spec, encoded, allowed, CHANNEL_DEPTH)?;
    let located = found
        .into_iter()
        .filter_map(|hit| Some((index.view.locate(hit.chunk)?, f64::from(hit.score))));
    Ok(number(located))
}

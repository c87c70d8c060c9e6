//! `vector`: bi-encoder similarity.

use super::{CHANNEL_DEPTH, RankedChunk, number};
use crate::error::Result;
use crate::query::ParsedQuery;
use crate::search_index::SearchIndex;
use crate::trace::QueryShape;
use roaring::RoaringBitmap;
use whyrank_index::Reader;
use whyrank_inference::{BiEncoder, QueryKind};

pub(crate) fn vector(
    reader: &Reader,
    index: &SearchIndex,
    encoder: &dyn BiEncoder,
    query: &ParsedQuery,
    allowed: &RoaringBitmap,
) -> Result<Vec<RankedChunk>> {
    let kind = match query.shape {
        QueryShape::NaturalLanguage => QueryKind::NaturalLanguage,
        QueryShape::Identifier | QueryShape::Path | QueryShape::ErrorString => QueryKind::Code,
    };
    let encoded = encoder.encode_query(&query.text, kind)?;
    let found = reader.nearest(encoder.spec(), &encoded, allowed, CHANNEL_DEPTH)?;
    let located = found
        .into_iter()
        .filter_map(|hit| Some((index.view.locate(hit.chunk)?, f64::from(hit.score))));
    Ok(number(located))
}

//! Channels: each gives a ranked list of chunks, with raw scores that only the trace shows; they are
//! gathered one after another, and the walk over the graph starts from what the others found.
//!
//! Compares no list with another: that is fusion's.

mod gather;
mod graph;
mod lexical;
mod path;
mod record;
mod symbol_name;

pub(crate) use gather::{
    Gathered, add_static_cosines, add_ways, gather, score_beyond_depth, walk_graph,
};
pub(crate) use graph::{GraphWalk, graph};
pub(crate) use lexical::{Bm25, score_below};
pub(crate) use path::{has_file, path, score_files as path_cover};
pub use record::{ChannelRun, ChannelWeight};
pub(crate) use symbol_name::{ends_with_parts, is_named, symbol_name};

use crate::search_index::SearchIndex;
use roaring::RoaringBitmap;
use whyrank_index::{ChunkRef, ScoredChunk};

/// Hits that a channel gives to fusion at most.
pub(crate) const CHANNEL_DEPTH: usize = 200;

/// A place in a ranked list. Several chunks share a rank where the evidence is their file's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedChunk {
    /// Where.
    pub place: ChunkRef,
    /// From 1.
    pub rank: u32,
    /// The channel's own score, for the trace.
    pub raw_score: f64,
}

/// Whether the filters let a chunk of a file through.
fn is_allowed(index: &SearchIndex, file: u32, allowed: &RoaringBitmap) -> bool {
    let file = &index.view.files[file as usize];
    allowed.range_cardinality(file.first_chunk..file.first_chunk + file.n_chunks) > 0
}

/// The `limit` best of what a store found, by falling score, ties by place: ids tell in which order
/// contents came into the store, and must decide nothing.
pub(crate) fn best_places(
    index: &SearchIndex,
    found: impl IntoIterator<Item = (u32, f32)>,
    limit: usize,
) -> Vec<RankedChunk> {
    let found = found.into_iter();
    let located = found.filter_map(|(chunk, score)| Some((index.view.locate(chunk)?, score)));
    let mut located: Vec<(ChunkRef, f32)> = located.collect();
    located.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    located.truncate(limit);
    let scored = located.into_iter();
    number(scored.map(|(place, score)| (place, f64::from(score))))
}

/// `vector`: what the encoder's store finds, by cosine.
pub(crate) fn vector(index: &SearchIndex, found: &[ScoredChunk]) -> Vec<RankedChunk> {
    let found = found.iter().map(|hit| (hit.chunk, hit.score));
    best_places(index, found, CHANNEL_DEPTH)
}

/// Numbers a list that is sorted best first.
pub(crate) fn number(list: impl IntoIterator<Item = (ChunkRef, f64)>) -> Vec<RankedChunk> {
    let numbered = list.into_iter().enumerate();
    numbered
        .map(|(idx, (place, raw_score))| RankedChunk {
            place,
            rank: idx as u32 + 1,
            raw_score,
        })
        .collect()
}

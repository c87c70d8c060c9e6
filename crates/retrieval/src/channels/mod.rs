//! The channels: each gives a ranked list of chunks, with raw scores that only the trace shows.

mod graph;
mod lexical;
mod path;
mod symbol_name;
mod vector;

pub(crate) use graph::{Walk, graph};
pub(crate) use lexical::{doc_section, fts, score_below};
pub(crate) use path::path;
pub(crate) use symbol_name::{ends_with_parts, symbol_name};
pub(crate) use vector::vector;

use whyrank_index::ChunkRef;

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

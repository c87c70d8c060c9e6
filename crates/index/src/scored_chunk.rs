//! Chunks of a store as a channel scores them.

/// A chunk and its score in a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredChunk {
    /// Chunk id.
    pub chunk: u32,
    /// The channel's own score.
    pub score: f32,
}

/// The first `limit` of a list that is sorted by falling score, and what scores as the last of them:
/// chunks of one text do, and who knows their places decides between them.
pub(crate) fn with_ties(mut found: Vec<ScoredChunk>, limit: usize) -> Vec<ScoredChunk> {
    if let Some(last) = limit.checked_sub(1).and_then(|last| found.get(last)) {
        let last = last.score;
        found.truncate(found.partition_point(|hit| hit.score >= last));
    }
    found
}

//! How long work is watched and steered.

/// Watches a job, holds it while it is paused, and ends it when it is cancelled.
pub trait JobControl: Sync {
    /// A stage moved on: `done` of `total` units (`total` 0 while unknown), `current` at work.
    fn progress(&self, stage: Stage, done: usize, total: usize, current: Option<&str>);

    /// Blocks while paused; true when the job is to end.
    fn should_stop(&self) -> bool;

    /// A lane begins to encode so many texts: what asks whether it should stop may wait for its turn.
    fn encodes(&self, _n_texts: usize) {}

    /// Lane 1 is live: what was indexed can be searched.
    fn searchable(&self) {}
}

/// A stage of indexing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Listing files.
    Scan,
    /// Parsing files, writing catalog and lexical store.
    Parse,
    /// Resolving imports, ranking.
    Graph,
    /// Working out what every use means.
    Uses,
    /// Encoding chunks.
    Vectors,
    /// Encoding chunks that have a vector but no token vectors.
    Tokens,
}

impl Stage {
    /// Returns the name as progress shows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Parse => "parse",
            Self::Graph => "graph",
            Self::Uses => "symbol graph",
            Self::Vectors => "vectors",
            Self::Tokens => "token vectors",
        }
    }
}

/// Control that watches nothing and never stops.
pub struct Unattended;

impl JobControl for Unattended {
    fn progress(&self, _: Stage, _: usize, _: usize, _: Option<&str>) {}
    fn should_stop(&self) -> bool {
        false
    }
}

//! Jobs and events, and errors as they are sent.

use super::error::EngineErrorDto;
use super::{
    JobId, JobStage, MemoEncoding, ModelProgress, PreciseProgress, RepoId, RerankProgress, TreeLook,
};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A lane of indexing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// Scan, parse, lexical, graph.
    Lexical,
    /// Vectors.
    Vector,
}

/// A job's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum JobState {
    Running,
    Paused,
    Done,
    Cancelled,
    Failed,
}

/// Progress of an indexing job. At most ten a second for each job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct JobProgress {
    /// The job's id.
    pub job_id: JobId,
    /// The repository's id.
    pub repo: RepoId,
    /// Lane at work.
    pub lane: Lane,
    /// Stage at work.
    pub stage: JobStage,
    /// Units done in this stage (files; chunks in lane 2).
    pub done: u32,
    /// Units in all; 0 while unknown.
    pub total: u32,
    /// Units a second over the last few seconds.
    pub rate: f64,
    /// Seconds left; `None` while unknown.
    pub eta_s: Option<f64>,
    /// File at work.
    pub current: Option<String>,
    /// State.
    pub state: JobState,
    /// Error in words when failed.
    pub error: Option<EngineErrorDto>,
}

/// What changed, for anyone who listens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum EngineEvent {
    /// A job moved on.
    Progress(JobProgress),
    /// A repository's summary changed: ask again.
    RepoChanged {
        /// The repository's id.
        repo: RepoId,
    },
    /// A repository's files were looked at.
    Looked(TreeLook),
    /// A model's state changed: ask again.
    ModelsChanged,
    /// A model download moved on.
    ModelProgress(ModelProgress),
    /// An indexer of a compiler moved on.
    Precise(PreciseProgress),
    /// A reranking moved on.
    Rerank(RerankProgress),
    /// Something was recorded in memory, here or by another process: ask again.
    MemoryChanged,
    /// Vectors of memos were made.
    MemoEncoding(MemoEncoding),
}

/// How to index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct IndexOptions {
    /// Build from nothing instead of updating.
    pub rebuild: bool,
    /// Stop after lane 1: text and static vectors, none of a model.
    pub skip_vectors: bool,
    /// Give up after ten seconds while another process writes the index, for a command that a
    /// person waits for; else the job waits for its turn.
    pub impatient: bool,
    /// A commit to index, vectors and all, in place of the working tree.
    pub as_of: Option<String>,
}

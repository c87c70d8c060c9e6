//! Answers that bring several questions together: context for a task, an investigation.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{Hit, Memo, QueryId, RepoId, SymbolLine};

/// Asks for what a task needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct ContextRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// The task in words.
    pub task: String,
    /// Only these paths; globs.
    pub paths: Vec<String>,
    /// Files at most; 0 for 10.
    pub limit: u32,
    /// Lines of code at most, in whole definitions; 0 for parts of the best of each file, and for an
    /// issue as many whole ones as the reader has room for.
    pub lines: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A use of something by something else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct NeighbourPlace {
    /// The other definition.
    pub symbol: SymbolLine,
    /// `calls`, `reads`, … as seen from the user.
    pub kind: String,
    /// File of the use.
    pub path: String,
    /// Line of the use.
    pub line: u32,
}

/// A line of code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct CodeLine {
    /// Line, from 1.
    pub line: u32,
    /// Its text.
    pub text: String,
}

/// A test file to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TestFile {
    /// The file.
    pub path: String,
    /// Line of its nearest test.
    pub line: u32,
    /// Its nearest tests; three at most.
    pub names: Vec<String>,
    /// All of its tests that reach the code.
    pub n_tests: u32,
}

/// A file that a task needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ContextPiece {
    /// The hit that brought it.
    pub hit: Hit,
    /// Further hits in its file.
    pub also: Vec<Hit>,
    /// The lines to read: head and body, documentation left out.
    pub lines: Vec<CodeLine>,
    /// Definitions that use it, by importance, code only; five at most.
    pub used_by: Vec<NeighbourPlace>,
    /// All of those.
    pub n_used_by: u32,
    /// Definitions that it uses, by importance; five at most.
    pub uses: Vec<NeighbourPlace>,
}

impl ContextPiece {
    /// A hit without anything around it.
    pub(crate) fn of(hit: Hit) -> Self {
        Self {
            hit,
            also: Vec::new(),
            lines: Vec::new(),
            used_by: Vec::new(),
            n_used_by: 0,
            uses: Vec::new(),
        }
    }
}

/// What a task needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ContextResponse {
    /// For `explain`, of the search behind it.
    pub query_id: QueryId,
    /// Most needed first.
    pub pieces: Vec<ContextPiece>,
    /// Pieces are whole definitions, several a file where they are needed; one without lines was left out
    /// for want of room.
    pub whole: bool,
    /// Tests that reach that code, most needed first; four files at most.
    pub tests: Vec<TestFile>,
    /// Memos about that code or the task, at most three.
    pub memos: Vec<Memo>,
    /// What of memory could not be read, in words.
    pub memory_gap: Option<String>,
    /// Degradations in words.
    pub notes: Vec<String>,
}

/// Asks a broad question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct InvestigateRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// The question.
    pub query: String,
    /// Only these paths; globs.
    pub paths: Vec<String>,
    /// Without neighbours in the graph.
    pub alone: bool,
    /// Hits at most; 0 for 15.
    pub limit: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A hit with what surrounds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct InvestigatedHit {
    /// The hit; `channels` says what found it.
    pub hit: Hit,
    /// Who uses it, by importance, code only; three at most.
    pub used_by: Vec<NeighbourPlace>,
    /// What it uses, by importance; three at most.
    pub uses: Vec<NeighbourPlace>,
}

/// A broad answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct InvestigateResponse {
    /// For `explain`.
    pub query_id: QueryId,
    /// By rank, several of a file where they are the best.
    pub hits: Vec<InvestigatedHit>,
    /// Definitions that several hits depend on or are used by, and that no channel found; by how many.
    pub between: Vec<NeighbourPlace>,
    /// Candidates before the cut.
    pub n_candidates: u32,
    /// Degradations in words.
    pub notes: Vec<String>,
}

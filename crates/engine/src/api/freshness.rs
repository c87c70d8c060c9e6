//! Whether an answer is of the files as they are.

use super::RepoId;
use serde::{Deserialize, Serialize};
use specta::Type;

/// What a look at a repository's files came to, for a window that shows answers long after they were given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TreeLook {
    /// The repository.
    pub repo: RepoId,
    /// How far the index is behind its files.
    pub found: Freshness,
    /// The state of the index that was compared: answers of another one are old. Empty without an index.
    pub index_state: String,
    /// When the look began, in milliseconds since the epoch; 0 for never.
    pub looked_at: f64,
    /// Milliseconds that it took, without what was waited for.
    pub took_ms: f64,
    /// A newer look is under way: `found` is what the last one came to.
    pub is_looking: bool,
}

/// How far the index is behind the working tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Freshness {
    /// Files whose content differs from the index, new and deleted ones among them; a hundred at most.
    pub behind: Vec<String>,
    /// All of them.
    pub n_behind: u32,
    /// HEAD names another commit or branch than the one that was indexed.
    pub head_moved: bool,
    /// Files that a first build has so far, and that it will have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<(u32, u32)>,
    /// What is being done about it, or why it is not known; empty where the index is current.
    pub note: String,
}

impl Freshness {
    /// Tells whether the index shows the files as they are.
    pub fn is_current(&self) -> bool {
        self.note.is_empty()
    }
}

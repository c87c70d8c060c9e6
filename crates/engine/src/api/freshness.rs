//! Whether an answer is of the files as they are.

use serde::{Deserialize, Serialize};

/// How far the index is behind the working tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

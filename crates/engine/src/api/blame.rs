//! Where lines of a file come from, and where they stand at a forge.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A commit that brought lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct BlameCommit {
    /// Its full id.
    pub sha: String,
    /// The author's name.
    pub author: String,
    /// When it was committed, in milliseconds since the epoch.
    pub at: f64,
    /// The first line of its message.
    pub summary: String,
}

/// Lines that one commit brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct BlameRange {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Index of the commit; `None` where no commit has them yet.
    pub commit: Option<u32>,
}

/// The lines of a file with the commits that brought them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct FileBlame {
    /// Path in the repository.
    pub path: String,
    /// By position; lines that were not reached in time are in none.
    pub ranges: Vec<BlameRange>,
    /// The commits, newest first.
    pub commits: Vec<BlameCommit>,
    /// Why some lines are in no range; `None` when all are.
    pub stopped: Option<String>,
}

/// A link to lines at the forge, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Permalink {
    /// The link.
    pub url: Option<String>,
    /// Why there is none, in words.
    pub missing: Option<String>,
}

//! A look at files that are not indexed yet.

use serde::{Deserialize, Serialize};

/// Lines that hold words of a query, found without an index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnindexedGrep {
    /// Lines, one a file, best first.
    pub lines: Vec<UnindexedLine>,
    /// Files that were read in the time there was.
    pub n_read: u32,
    /// Files that git tracks.
    pub n_files: u32,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnindexedLine {
    /// Path in the repository.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Its text without indentation.
    pub text: String,
}

//! Knowledge of files that spares reading them.

use std::path::Path;

/// Knowledge of a file that nobody read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing.
    Unknown,
    /// No line of it matches.
    WithoutMatch {
        /// Its size.
        size_bytes: u64,
    },
    /// Lines may match, and none holds a secret.
    WithoutSecrets,
}

/// An index that knows files as they are now. In doubt it knows nothing.
pub trait FileIndex: Sync {
    /// Returns what is known of a file; `path` is as the search names it, relative to its folder.
    fn look(&self, path: &Path) -> Verdict;
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIndex;

impl FileIndex for NoIndex {
    fn look(&self, _path: &Path) -> Verdict {
        Verdict::Unknown
    }
}

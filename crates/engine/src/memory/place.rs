//! Where the memory of a repository or a folder lies.

use crate::registry::Registered;
use std::path::PathBuf;
use whyrank_source::Repository;

/// Where memos belong: a repository, or a folder outside git.
pub(super) struct Place {
    pub(super) root: PathBuf,
    pub(super) repository: Option<Repository>,
    pub(super) registered: Option<Registered>,
    /// The folder of all memories.
    pub(super) folder: PathBuf,
    /// The name of its own memory there.
    pub(super) own: String,
    /// The memory that it uses.
    pub(super) file: PathBuf,
}

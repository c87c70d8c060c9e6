//! Indexes that were made here: where they lie, and the list of them.

use crate::api::RepoId;
use crate::error::{EngineError, Result};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The list of indexes beside them.
pub(super) const LIST: &str = "indexes.json";

/// How the name of an index ends that is being written.
pub(super) const UNFINISHED: &str = "new";

/// Where the indexes of a working tree lie.
pub(super) fn folder_of(data_dir: &Path, repo: &RepoId) -> PathBuf {
    data_dir.join("precise").join(repo.as_str())
}

/// Deletes what was made for a working tree.
pub(crate) fn delete(data_dir: &Path, repo: &RepoId) -> Result<()> {
    let folder = folder_of(data_dir, repo);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(EngineError::io(&folder, &error))
        }
        _ => Ok(()),
    }
}

/// An index that was made here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MadeIndex {
    /// The indexer's name.
    pub(super) indexer: String,
    /// Its file name.
    pub(super) file: String,
    /// The folder that its paths start in; empty for the root.
    pub(super) folder: String,
}

/// The indexes that were made for a working tree, in the order in which they were.
pub(super) fn made_indexes(folder: &Path) -> Vec<MadeIndex> {
    let text = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

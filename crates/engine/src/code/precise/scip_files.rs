//! SCIP indexes as they lie on disk, and as they were read.

use crate::api::ScipImport;
use crate::registry::Registered;
use parking_lot::Mutex;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use whyrank_external::Budget;
use whyrank_external::scip::IndexReader;
use whyrank_graph::ScipOverlay;

/// Where indexers leave their index.
pub(crate) const USUAL: &str = "index.scip";

/// A larger file is not read.
const MAX_BYTES: u64 = 2 << 30;

/// An index as it lies on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScipFile {
    pub(super) path: PathBuf,
    size_bytes: u64,
    pub(super) mtime_ns: i64,
    /// The folder that its paths start in, where an indexer was started there; else they tell.
    pub(super) folder: Option<String>,
    /// The repository itself brought it.
    pub(super) is_brought: bool,
}

impl ScipFile {
    /// Finds the file at a path, where there is one.
    pub(super) fn at(path: PathBuf, folder: Option<String>) -> Option<Self> {
        let meta = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(Self {
            path,
            size_bytes: meta.len(),
            mtime_ns: since.as_nanos() as i64,
            folder,
            is_brought: false,
        })
    }

    /// Its name for people: from the root where it lies below, and its file name where it is ours.
    pub(super) fn shown(&self, repo: &Registered) -> String {
        let below = match self.folder {
            Some(_) => self.path.file_name().map(Path::new),
            None => self.path.strip_prefix(&repo.root).ok(),
        };
        let shown = below.unwrap_or(&self.path);
        shown.to_string_lossy().replace('\\', "/")
    }

    /// Adds its documents to what was read so far.
    pub(super) fn read(&self, reader: &mut IndexReader, budget: &mut Budget<'_>) {
        if self.size_bytes > MAX_BYTES {
            let limit = MAX_BYTES >> 30;
            return reader.problem(format!("not read: larger than {limit} GB"));
        }
        let folder = self.folder.as_deref().unwrap_or_default();
        match whyrank_system::regular::open(&self.path) {
            Ok(file) => {
                budget.allow(self.size_bytes);
                reader.read(folder, &mut BufReader::new(file), budget);
            }
            Err(error) => reader.problem(format!("cannot be read: {error}")),
        }
    }
}

/// An index laid over a view.
pub(crate) struct ScipRead {
    pub(crate) precise: ScipOverlay,
    pub(crate) import: ScipImport,
}

/// What was read last, and from what.
pub(crate) type ScipCache = Mutex<Option<(Vec<ScipFile>, Arc<ScipRead>)>>;

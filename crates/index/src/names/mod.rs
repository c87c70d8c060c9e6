//! Names of definitions, for all contents of a store: mapped, so that a process that asks opens them and
//! reads what the question touches.
//!
//! Derived from the catalog, content by content, in *segments* (`segment.rs`) that are written once. What a
//! view shows and no segment has is the caller's to read from the catalog: contents of the last edits, and
//! all of a small repository. Files may be deleted at any time; the next writer makes them anew.

mod definitions;
mod file_names;
mod outline;
mod segment;
mod view_names;
mod write;

pub(crate) use definitions::MappedDefinitions;
pub use file_names::{FileNames, NamedSymbol};
pub use outline::{ModuleHead, Outline, opens_again};
pub use view_names::ViewNames;

use parking_lot::Mutex;
use segment::{FORMAT, Segment};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whyrank_source::BlobId;

/// From when on names are kept in segments, and how large those are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamesLimits {
    /// Definitions of a view from which they are kept: fewer are read faster than found.
    pub least_in_view: u64,
    /// Definitions that no segment has from which another one is written.
    pub least_new: u64,
    /// Definitions of a segment: what is in memory while one is written.
    pub most_in_segment: usize,
}

impl Default for NamesLimits {
    fn default() -> Self {
        Self {
            least_in_view: 20_000,
            least_new: 5_000,
            most_in_segment: 400_000,
        }
    }
}

const ENDING: &str = ".bin";

fn file_name(number: u32) -> String {
    format!("names-{FORMAT}-{number}{ENDING}")
}

/// The number of a segment of this format.
fn number_of(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let rest = name.strip_prefix(&format!("names-{FORMAT}-"))?;
    rest.strip_suffix(ENDING)?.parse().ok()
}

/// Whether a file holds names, of whatever format.
pub(crate) fn is_names_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("names-")
}

/// Whether a file of names is whole; of another format it counts as not.
pub(crate) fn is_whole(path: &Path) -> bool {
    Segment::open(path).is_ok_and(|segment| segment.check().is_ok())
}

/// The segments in a folder, the newest first.
fn segment_files(folder: &Path) -> Vec<(u32, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut files: Vec<(u32, PathBuf)> = paths
        .filter_map(|path| Some((number_of(&path)?, path)))
        .collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    files
}

/// Enough of a content's id to tell it from another.
pub(crate) fn blob_start(blob: BlobId) -> u64 {
    u64::from_le_bytes(blob.0.first_chunk().copied().unwrap_or_default())
}

/// Segments that are open, for the views of a process.
#[derive(Debug, Default)]
pub(crate) struct OpenSegments {
    by_path: Mutex<HashMap<PathBuf, Arc<Segment>>>,
}

impl OpenSegments {
    /// The segments of a folder, the newest first. What cannot be opened is as good as not there, and is
    /// taken away where it is damaged.
    fn of(&self, folder: &Path) -> Vec<Arc<Segment>> {
        let mut known = self.by_path.lock();
        let files = segment_files(folder);
        known.retain(|path, _| files.iter().any(|(_, file)| file == path));
        let mut open = Vec::with_capacity(files.len());
        for (_, path) in files {
            if let Some(segment) = known.get(&path) {
                open.push(Arc::clone(segment));
                continue;
            }
            match Segment::open(&path) {
                Ok(segment) => {
                    let segment = Arc::new(segment);
                    known.insert(path, Arc::clone(&segment));
                    open.push(segment);
                }
                Err(error) => remove_damaged(&path, &error),
            }
        }
        open
    }
}

/// Takes a damaged file away: the catalog has what it had, and the next writer makes it anew.
fn remove_damaged(path: &Path, error: &crate::IndexError) {
    use crate::IndexError::{Damaged, Record};
    if matches!(error, Damaged { .. } | Record(_)) {
        // Another process may have been faster.
        let _ = std::fs::remove_file(path);
    }
}

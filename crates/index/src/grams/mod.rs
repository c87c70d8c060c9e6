//! Grams of texts, for all contents of a store: what a search for a pattern need not read.
//!
//! Derived from the catalog, content by content, in *segments* (`segment.rs`) that are written once, as names
//! are. A content is in one where its text is the file, byte for byte: nothing was struck out of it, and it was
//! of no other encoding. All others are to be read, and so is what no segment has, or a damaged one had: grams
//! make a search faster and nothing else. Files may be deleted at any time; the next writer makes them anew.

mod listed;
mod rice;
mod segment;
mod view_grams;
mod write;

pub use listed::ListedFiles;
pub use view_grams::ViewGrams;

use segment::{FORMAT, Segment};
use std::path::{Path, PathBuf};

/// From when on grams are kept in segments, and how large those are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GramLimits {
    /// Bytes of text of a view from which they are kept: less is read faster than looked up.
    pub least_in_view: u64,
    /// Bytes of text that no segment has from which another one is written.
    pub least_new: u64,
    /// Bytes of text of a segment. Writing one holds about twice as many at most.
    pub most_in_segment: u64,
}

impl Default for GramLimits {
    fn default() -> Self {
        Self {
            least_in_view: 1 << 20,
            least_new: 256 << 10,
            most_in_segment: 64 << 20,
        }
    }
}

const ENDING: &str = ".bin";

fn file_name(number: u32) -> String {
    format!("grams-{FORMAT}-{number}{ENDING}")
}

/// The number of a segment of this format.
fn number_of(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let rest = name.strip_prefix(&format!("grams-{FORMAT}-"))?;
    rest.strip_suffix(ENDING)?.parse().ok()
}

/// Says that a file holds grams, of whatever format.
pub(crate) fn is_grams_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("grams-")
}

/// Says that a file of grams is whole; of another format it counts as not.
pub(crate) fn is_whole(path: &Path) -> bool {
    Segment::open(path).is_ok_and(|segment| segment.check().is_ok())
}

/// The segments of a folder, the newest first. What is damaged is taken away.
fn open_all(folder: &Path) -> Vec<(u32, Segment)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut files: Vec<(u32, PathBuf)> = paths
        .filter_map(|path| Some((number_of(&path)?, path)))
        .collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    let open = files
        .into_iter()
        .filter_map(|(number, path)| match Segment::open(&path) {
            Ok(segment) => Some((number, segment)),
            Err(error) => {
                remove_damaged(&path, &error);
                None
            }
        });
    open.collect()
}

/// Takes a damaged file away: the catalog has what it was made of, and the next writer makes it anew.
fn remove_damaged(path: &Path, error: &crate::IndexError) {
    use crate::IndexError::{Damaged, Record};
    if matches!(error, Damaged { .. } | Record(_)) {
        // Another process may have been faster.
        let _ = std::fs::remove_file(path);
    }
}

//! The files of symbol graphs in a generation: how they are called, which belong to a view, and what says
//! that these rules made them.

use crate::catalog::ViewKey;
use crate::layout::DERIVED;
use crate::mapped_sections::MappedSections;
use crate::view::ViewFile;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whyrank_graph::{RULES, Sections};

/// Layout of the file; what it means is [`RULES`].
const FORMAT: u32 = 3;

/// What the files are called by.
pub(crate) const USES: &str = "uses";

/// What a kept graph is stamped with.
pub(crate) fn format() -> String {
    format!("{FORMAT}-{RULES}")
}

/// Returns the file of a view's graph.
pub(crate) fn kept_path(generation: &Path, key: &ViewKey, version: u64) -> PathBuf {
    let name = format!("{}.{version}.bin", key.topic(USES));
    generation.join(DERIVED).join(name)
}

/// Opens a kept graph; `None` where it cannot be read, or other rules made it.
pub(crate) fn open(path: &Path) -> Option<Arc<dyn Sections>> {
    let (file, stamp) = MappedSections::read(path).ok()?;
    let file: Arc<dyn Sections> = Arc::new(file);
    (stamp == format()).then_some(file)
}

/// The newest graph that is kept of a view, with its version.
pub(crate) fn newest(generation: &Path, key: &ViewKey) -> Option<(u64, PathBuf)> {
    kept_files(generation, key).into_iter().max()
}

/// The graph that was written last, of whatever view.
pub(crate) fn newest_of_all(generation: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(generation.join(DERIVED)).ok()?;
    let start = format!("{USES}-");
    let kept = entries.flatten().filter_map(|entry| {
        let name = entry.file_name();
        let name = name.to_str()?;
        let is_graph = name.starts_with(&start) && name.ends_with(".bin");
        let written = entry.metadata().ok()?.modified().ok()?;
        is_graph.then(|| (written, entry.path()))
    });
    kept.max().map(|(_, path)| path)
}

/// The graphs that are kept of a view, with their versions.
fn kept_files(generation: &Path, key: &ViewKey) -> Vec<(u64, PathBuf)> {
    let entries = std::fs::read_dir(generation.join(DERIVED));
    let paths = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let start = format!("{}.", key.topic(USES));
    let version = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix(&start)?
            .strip_suffix(".bin")?
            .parse()
            .ok()
    };
    paths
        .filter_map(|path| Some((version(&path)?, path)))
        .collect()
}

/// Removes the graphs of a view but for one version.
pub(crate) fn remove_others(generation: &Path, key: &ViewKey, version: u64) {
    for (other, path) in kept_files(generation, key) {
        if other != version {
            // A reader that has it open goes on with it.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes what a killed process left of a graph in the making: there is one writer, and it is here.
pub(crate) fn remove_unfinished(generation: &Path, key: &ViewKey) {
    let start = format!("{}.", key.topic(USES));
    let entries = std::fs::read_dir(generation.join(DERIVED));
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(&start) && name.ends_with(".tmp") {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// A number for a file's content, other than 0.
pub(crate) fn content(file: &ViewFile) -> u64 {
    let head = file.blob.0.first_chunk().copied().unwrap_or_default();
    u64::from_le_bytes(head).max(1)
}

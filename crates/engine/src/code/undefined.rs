//! Names that nothing defines: where they are used, and where they may be defined unread.

use crate::api::{RefHit, UnreadFile};
use crate::code::use_hits::{ref_hits, sort_hits};
use crate::error::Result;
use crate::views::LiveView;
use std::path::Path;
use whyrank_graph::{Confidence, SymbolId, SymbolTable};
use whyrank_index::ViewKey;
use whyrank_retrieval::reference_name;
use whyrank_source::SkipReason;
use whyrank_syntax::{Language, ReferenceKind, detect};
use whyrank_system::regular;

/// Files that could not be parsed wholly which are read for a name that is not known.
const MOST_BROKEN_READ: usize = 300;
/// Files that are too large for the index which are read for it, and how large they may be.
const MOST_LARGE_READ: usize = 10;
const MOST_LARGE_BYTES: u64 = 16 << 20;
/// Those of them that are named.
const MOST_NAMED: usize = 5;

/// Uses of a name that nothing defines: a definition that went leaves them behind. By the name alone.
/// O(files that hold it).
pub(super) fn undefined_uses(
    view: &LiveView,
    table: &SymbolTable,
    symbol: &str,
    kinds: &[&str],
) -> Result<Vec<RefHit>> {
    let mut parts = symbol.rsplit(['.', ':', '#', '/', '\\']);
    let name = parts.next().unwrap_or_default().trim();
    let is_it = |id: &SymbolId| view.symbol(*id).name == name;
    if name.is_empty() || table.definitions(name).iter().any(is_it) {
        return Ok(Vec::new());
    }
    let is_wanted = |kind| is_kind(kind, kinds);
    let found = view.uses_named(name, Confidence::NameOnly, &is_wanted)?;
    let mut hits = ref_hits(view, found)?;
    sort_hits(&mut hits);
    Ok(hits)
}

pub(super) fn is_kind(kind: ReferenceKind, kinds: &[&str]) -> bool {
    kinds.is_empty() || kinds.contains(&reference_name(kind))
}

/// Files that hold a name and were not read whole: it may be defined there. Of those that were parsed in part
/// only where `is_unknown`: where nothing has the name, not even in other letters.
pub(super) fn unread(
    view: &LiveView,
    root: &Path,
    symbol: &str,
    is_unknown: bool,
) -> Vec<UnreadFile> {
    let mut parts = symbol.rsplit(|char| !is_part_of_name(char));
    let Some(name) = parts.find(|part| !part.is_empty()) else {
        return Vec::new();
    };
    let left_out = too_large(view, root, name);
    let in_part = is_unknown.then(|| parsed_in_part(view, name));
    let files = left_out.into_iter().chain(in_part.into_iter().flatten());
    files.take(MOST_NAMED).collect()
}

fn is_part_of_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '$'
}

fn holds(text: &str, name: &str) -> bool {
    let mut words = text.split(|char| !is_part_of_name(char));
    words.any(|word| word == name)
}

fn parsed_in_part(view: &LiveView, name: &str) -> Vec<UnreadFile> {
    let files = (0u32..).zip(&view.files);
    let broken = files.filter(|(_, file)| file.error.is_some());
    broken
        .take(MOST_BROKEN_READ)
        .filter(|(file, _)| view.text(*file).is_ok_and(|text| holds(&text, name)))
        .map(|(_, file)| UnreadFile {
            path: file.path.clone(),
            is_left_out: false,
        })
        .take(MOST_NAMED)
        .collect()
}

/// Source texts of the working tree that are too large for the index, in a language with definitions.
fn too_large(view: &LiveView, root: &Path, name: &str) -> Vec<UnreadFile> {
    let is_worktree = view.pool.is_none() && matches!(view.key, ViewKey::Worktree(_));
    if !is_worktree {
        return Vec::new();
    }
    let is_source = |path: &str| detect(path, &[]).is_some_and(Language::is_code);
    let skipped = view.reader.skipped(&view.key).unwrap_or_default();
    let large = skipped
        .into_iter()
        .filter(|file| matches!(file.reason, SkipReason::TooLarge { .. }) && is_source(&file.path));
    let text = |path: &str| {
        let bytes = regular::read(&root.join(path), MOST_LARGE_BYTES).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    large
        .take(MOST_LARGE_READ)
        .filter(|file| text(&file.path).is_some_and(|text| holds(&text, name)))
        .map(|file| UnreadFile {
            path: file.path,
            is_left_out: true,
        })
        .collect()
}

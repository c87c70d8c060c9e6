//! What changed between two states of a repository: git's trees and the files decide, no index is asked.
//!
//! Both sides of each file are parsed here. What cannot be read is named, and the rest is told.

pub(super) use super::pairs::FileSide;

use super::comparison::Comparison;
use super::pairs::Pairs;
use super::renames::{NewFile, renames};
use crate::error::Result;
use crate::registry::Registered;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use whyrank_source::{
    BlobId, DeltaSide, EntryKind, FileDelta, FileFilter, LineChange, Repository, SkipReason,
    blob_id, changed_lines, shown,
};
use whyrank_syntax::{FileFacts, Symbol, SymbolKind, analyze, detect};

/// Files whose contents are in memory at a time.
const BATCH_FILES: usize = 64;
/// Larger contents are no text that anybody reads.
const MAX_BLOB_BYTES: u64 = 64 << 20;

/// What changed.
pub(super) struct Changes {
    /// What it is compared with, in words.
    pub(super) base: String,
    /// What to know of the comparison.
    pub(super) notes: Vec<String>,
    /// The new state is that of the working tree.
    pub(super) is_worktree: bool,
    /// By path.
    pub(super) files: Vec<ChangedFile>,
    /// What a file says that is not there.
    pub(super) nothing: FileFacts,
}

/// A file that differs.
pub(super) struct ChangedFile {
    /// Where it is; of one that went, where it was.
    pub(super) path: String,
    /// Where it lay before, if elsewhere.
    pub(super) from: Option<String>,
    /// Whether it is there now.
    pub(super) is_there: bool,
    /// What it held, where it was there and could be read.
    pub(super) old: Option<FileSide>,
    /// What it holds.
    pub(super) new: Option<FileSide>,
    /// Where both sides differ; of a new file all of it.
    pub(super) lines: Vec<LineChange>,
    pub(super) pairs: Pairs,
    /// Why one of its contents could not be read.
    pub(super) unread: Option<String>,
}

impl ChangedFile {
    pub(super) fn symbols(&self) -> &[Symbol] {
        self.new.as_ref().map_or(&[], |new| &new.facts.symbols)
    }

    /// Which definition of the old state one was; `None` for a new one.
    pub(super) fn was_at(&self, symbol: u32) -> Option<u32> {
        *self.pairs.old.get(symbol as usize)?
    }

    /// What a definition was.
    pub(super) fn was(&self, symbol: u32) -> Option<&Symbol> {
        let at = self.was_at(symbol)?;
        self.old.as_ref()?.facts.symbols.get(at as usize)
    }

    /// The innermost definitions that changed lines lie in; of a type its members rather than itself.
    pub(super) fn definitions(&self) -> BTreeSet<u32> {
        let symbols = self.symbols();
        let lines: HashSet<u32> = self.lines.iter().flat_map(lines_of).collect();
        let found = lines
            .into_iter()
            .filter_map(|line| innermost_at(symbols, line));
        found.collect()
    }

    /// Whether a change is one of a definition: lines that went before or after it are not, where it is as
    /// long as it was.
    pub(super) fn is_touched(&self, symbol: u32) -> bool {
        let span = self.symbols()[symbol as usize].span;
        let (first, last) = (span.start_line, span.end_line);
        let is_inside = |change: &LineChange| match change.n_lines {
            0 => first <= change.start && change.start < last,
            n => change.start <= last && change.start + n > first,
        };
        let was = self.was(symbol).map(|old| old.span);
        let is_as_long = was.is_some_and(|was| was.end_line - was.start_line == last - first);
        self.lines.iter().any(is_inside) || !is_as_long
    }

    /// Definitions of the old state whose name the file does not have now.
    pub(super) fn gone(&self) -> impl Iterator<Item = (u32, &Symbol)> {
        let now: HashSet<&str> = self
            .symbols()
            .iter()
            .map(|one| one.qualified.as_str())
            .collect();
        let is_known = self.new.is_some() || !self.is_there;
        let old = self.old.iter().filter(move |_| is_known);
        let old = old.flat_map(|old| (0u32..).zip(&old.facts.symbols));
        old.filter(move |(_, symbol)| !now.contains(symbol.qualified.as_str()))
    }

    /// Whether it holds definitions of code.
    pub(super) fn has_definitions(&self) -> bool {
        let mut symbols = self.symbols().iter();
        symbols.any(|symbol| symbol.kind != SymbolKind::Section)
    }
}

/// The lines of the new text that a change touches; around a gap, both neighbours.
fn lines_of(change: &LineChange) -> impl Iterator<Item = u32> + use<> {
    match change.n_lines {
        0 => change.start..=change.start + 1,
        n => change.start..=change.start + n - 1,
    }
}

impl Changes {
    /// Compares the two states that a reference means.
    ///
    /// # Errors
    /// `unknown-revision`; `source` where git's trees cannot be read.
    pub(super) fn of(repo: &Registered, reference: &str) -> Result<Self> {
        let (reader, comparison, deltas) = Reader::of(repo, reference)?;
        let mut files = Vec::with_capacity(deltas.len());
        for batch in deltas.chunks(BATCH_FILES) {
            let read: Vec<_> = batch.iter().map(|one| reader.read(one)).collect();
            let parsed = batch.par_iter().zip(read);
            let parsed = parsed.map(|(delta, (old, new))| reader.parsed(delta, old, new));
            files.extend(parsed.collect::<Vec<_>>());
        }
        Ok(Self {
            base: comparison.base,
            notes: comparison.notes,
            is_worktree: comparison.to.is_none(),
            files,
            nothing: FileFacts::default(),
        })
    }
}

/// The sentence that stands in the place of a text.
fn not_shown(reason: &SkipReason) -> &'static str {
    match reason {
        SkipReason::Secret => "not shown: it may hold secrets",
        SkipReason::Minified => "not shown: minified or machine-made",
        SkipReason::TooLarge { .. } => "not shown: too large",
        _ => "not shown: it is no text",
    }
}

/// One file that differs, as text.
pub(super) struct Texts {
    /// Its path; of one that went, the old one.
    pub(super) path: String,
    /// Its path before, if another.
    pub(super) from: Option<String>,
    /// Old and new, empty where it was not there; or why they are not shown.
    pub(super) texts: std::result::Result<(String, String), String>,
}

impl Changes {
    /// Reads both sides of one file, its secrets struck out; none where it is the same on both.
    ///
    /// # Errors
    /// As [`Changes::of`].
    pub(super) fn texts_of(
        repo: &Registered,
        reference: &str,
        path: &str,
    ) -> Result<Option<Texts>> {
        let (reader, _, deltas) = Reader::of(repo, reference)?;
        let is_it = |one: &&Moved| one.delta.path == path || one.old_path() == path;
        let asked = deltas.iter().find(is_it);
        Ok(asked.map(|moved| Texts {
            path: moved.delta.path.clone(),
            from: moved.from.clone(),
            texts: reader.texts(moved),
        }))
    }
}

/// A difference, with the place from which the file came.
struct Moved {
    delta: FileDelta,
    from: Option<String>,
}

impl Moved {
    /// Where the old side lay.
    fn old_path(&self) -> &str {
        self.from.as_deref().unwrap_or(&self.delta.path)
    }
}

struct Reader {
    repository: Repository,
    filter: FileFilter,
    /// Nothing that git knows of is elsewhere.
    is_whole: bool,
}

/// What a side holds: no bytes where it is no text, and why not where it cannot be read.
type Held = std::result::Result<Option<Vec<u8>>, String>;
/// The same; nothing where it was not there.
type Bytes = Option<Held>;

impl Reader {
    /// Opens both states that a reference means, with the files that differ.
    fn of(repo: &Registered, reference: &str) -> Result<(Self, Comparison, Vec<Moved>)> {
        let repository = Repository::discover(&repo.root)?;
        let comparison = Comparison::of(&repository, reference)?;
        let deltas = repository.deltas(comparison.from, comparison.to)?;
        let reader = Self {
            filter: repository.filter(),
            is_whole: repository.incompleteness().is_none(),
            repository,
        };
        let deltas = reader.joined(deltas);
        Ok((reader, comparison, deltas))
    }

    fn read(&self, moved: &Moved) -> (Bytes, Bytes) {
        let side = |side: Option<DeltaSide>, path: &str| Some(self.bytes(side?, path));
        let delta = &moved.delta;
        (
            side(delta.old, moved.old_path()),
            side(delta.new, &delta.path),
        )
    }

    fn bytes(&self, side: DeltaSide, path: &str) -> Held {
        match (side.kind, side.blob) {
            (EntryKind::Link | EntryKind::Submodule, _) => Ok(None),
            (EntryKind::Unreadable, _) => Err("it cannot be read".to_owned()),
            (EntryKind::File, Some(blob)) => self.blob(blob),
            (EntryKind::File, None) => {
                let read = self.repository.read_worktree(path);
                read.map(Some).map_err(|error| error.to_string())
            }
        }
    }

    fn blob(&self, blob: BlobId) -> Held {
        let read = self.repository.read_blob_within(blob, MAX_BLOB_BYTES);
        read.map_err(|_| {
            let content = &blob.to_string()[..10];
            if self.is_whole {
                format!("git has no content {content}: see `git fsck`")
            } else {
                format!(
                    "content {content} is not in this clone: `git cat-file blob {blob}` fetches it"
                )
            }
        })
    }

    fn parsed(&self, moved: &Moved, old: Bytes, new: Bytes) -> ChangedFile {
        let delta = &moved.delta;
        let why_not = |bytes: &Bytes| bytes.as_ref().and_then(|held| held.as_ref().err().cloned());
        let unread = why_not(&old).or_else(|| why_not(&new));
        let held = |bytes: Bytes| bytes.and_then(|held| held.ok().flatten());
        let (old, new) = (held(old), held(new));
        let old_side = old.and_then(|bytes| self.side(moved.old_path(), &bytes));
        let new_side = new.and_then(|bytes| self.side(&delta.path, &bytes));
        let (lines, pairs) = match (&old_side, &new_side) {
            (Some(old), Some(new)) => (
                changed_lines(old.text.as_bytes(), new.text.as_bytes()),
                Pairs::of(old, new),
            ),
            (None, Some(new)) if delta.old.is_none() => (vec![whole(&new.text)], Pairs::default()),
            _ => (Vec::new(), Pairs::default()),
        };
        ChangedFile {
            path: delta.path.clone(),
            from: moved.from.clone(),
            is_there: delta.new.is_some(),
            old: old_side,
            new: new_side,
            lines,
            pairs,
            unread,
        }
    }

    /// Both sides as they are shown, or why one is not.
    fn texts(&self, moved: &Moved) -> std::result::Result<(String, String), String> {
        let (old, new) = self.read(moved);
        let text = |path: &str, bytes: Bytes| match bytes.transpose()?.flatten() {
            None => Ok(String::new()),
            Some(bytes) => match shown(path, &bytes, &self.filter) {
                Ok(text) => Ok(text.into_owned()),
                Err(reason) => Err(not_shown(&reason).to_owned()),
            },
        };
        Ok((text(moved.old_path(), old)?, text(&moved.delta.path, new)?))
    }

    /// A side, parsed, where a listing would take it in; none of binaries, secrets and what is too large.
    fn side(&self, path: &str, bytes: &[u8]) -> Option<FileSide> {
        let text = shown(path, bytes, &self.filter).ok()?.into_owned();
        let language = detect(path, text.as_bytes())?;
        Some(FileSide {
            blob: blob_id(bytes),
            language,
            facts: analyze(&text, language),
            text,
        })
    }

    /// Joins what went with what came of it under another path.
    fn joined(&self, deltas: Vec<FileDelta>) -> Vec<Moved> {
        let is_file =
            |side: Option<DeltaSide>| side.is_some_and(|side| side.kind == EntryKind::File);
        let gone: Vec<(usize, BlobId)> = deltas
            .iter()
            .enumerate()
            .filter(|(_, one)| is_file(one.old) && one.new.is_none())
            .filter_map(|(at, one)| Some((at, one.old?.blob?)))
            .collect();
        let places = if gone.is_empty() {
            BTreeMap::new()
        } else {
            self.places(&deltas, &gone)
        };
        let went: HashSet<usize> = places.values().map(|at| gone[*at].0).collect();
        let from: BTreeMap<usize, FileDelta> = places
            .into_iter()
            .map(|(new, at)| (new as usize, deltas[gone[at].0].clone()))
            .collect();
        let all = deltas.into_iter().enumerate();
        let left = all.filter(|(at, _)| !went.contains(at));
        let joined = left.map(|(at, mut delta)| {
            let from = from.get(&at);
            if let Some(from) = from {
                delta.old = from.old;
            }
            Moved {
                delta,
                from: from.map(|from| from.path.clone()),
            }
        });
        joined.collect()
    }

    /// For each new file that lay at a path that went, the place of that in `gone`.
    fn places(&self, deltas: &[FileDelta], gone: &[(usize, BlobId)]) -> BTreeMap<u32, usize> {
        let new = (0u32..).zip(deltas).filter(|(_, one)| {
            let is_file = one.new.is_some_and(|new| new.kind == EntryKind::File);
            one.old.is_none() && is_file
        });
        // What cannot be read is like nothing.
        let read = |delta: &FileDelta| {
            let held = delta.new.and_then(|new| self.bytes(new, &delta.path).ok());
            held.flatten().unwrap_or_default()
        };
        let new: Vec<NewFile<'_>> = new
            .map(|(file, one)| NewFile {
                file,
                path: &one.path,
                blob: one
                    .new
                    .and_then(|new| new.blob)
                    .unwrap_or_else(|| blob_id(&read(one))),
            })
            .collect();
        let olds: Vec<(&str, BlobId)> = gone
            .iter()
            .map(|(at, blob)| (deltas[*at].path.as_str(), *blob))
            .collect();
        let text = |path: &str, bytes: &[u8]| {
            let text = shown(path, bytes, &self.filter);
            text.map(std::borrow::Cow::into_owned).unwrap_or_default()
        };
        let old_text = |at: usize| {
            let (path, blob) = olds[at];
            let bytes = self.blob(blob).ok().flatten();
            text(path, &bytes.unwrap_or_default())
        };
        let new_text = |file: u32| {
            let delta = &deltas[file as usize];
            text(&delta.path, &read(delta))
        };
        renames(&olds, &new, &old_text, &new_text)
    }
}

/// All lines of a new text.
fn whole(text: &str) -> LineChange {
    LineChange {
        start: 1,
        n_lines: (text.lines().count() as u32).max(1),
        n_removed: 0,
    }
}

/// Whether a path is a file or lies in a folder; all do where none is named.
pub(super) fn is_below(path: &str, folder: Option<&str>) -> bool {
    let folder = folder.unwrap_or_default().trim_matches('/');
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The innermost definition around a line that counts as one by itself.
pub(crate) fn innermost_at(symbols: &[Symbol], line: u32) -> Option<u32> {
    let holds = |symbol: &Symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&line);
    let around = (0u32..).zip(symbols).filter(|(_, symbol)| holds(symbol));
    let mut at = around.map(|(symbol, _)| symbol).last();
    // A field is covered with its type, a local name with its function.
    while let Some(symbol) = at.map(|at| &symbols[at as usize]) {
        let stands = match symbol.kind {
            SymbolKind::Field
            | SymbolKind::EnumMember
            | SymbolKind::Property
            | SymbolKind::Impl
            | SymbolKind::Module
            | SymbolKind::Namespace
            | SymbolKind::Section => false,
            SymbolKind::Variable | SymbolKind::Constant => symbol.parent.is_none(),
            _ => true,
        };
        if stands {
            break;
        }
        at = symbol.parent;
    }
    at
}

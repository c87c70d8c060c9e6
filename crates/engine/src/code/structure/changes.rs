//! What changed between a revision and a view: git's trees and the files decide, never the index alone.

use super::renames::{NewFile, renames};
use crate::code::graph::GraphSession;
use crate::error::{EngineError, Result};
use crate::registry::Registered;
use std::collections::BTreeMap;
use whyrank_source::{
    BlobId, CommitId, FileChanges, Head, LineChange, Repository, changed_lines, shown,
};
use whyrank_syntax::{FileFacts, Language, Symbol, analyze, detect};

/// What changed since a revision.
pub(super) struct Changes {
    pub(super) base: String,
    /// Changed lines of the view's files, by file.
    pub(super) lines: BTreeMap<u32, Vec<LineChange>>,
    /// What changed files held before, where they were there.
    pub(super) old: BTreeMap<u32, BlobId>,
    /// Where files of the view lay before, if elsewhere.
    pub(super) moved: BTreeMap<u32, String>,
    /// Files that went, and what they held.
    pub(super) gone: Vec<(String, BlobId)>,
    /// Changed files that the index leaves out: binary, minified, too large.
    pub(super) left_out: Vec<String>,
}

impl Changes {
    /// Whether a folder or file that the index does not have held what changed.
    pub(super) fn has_left(&self, path: &str) -> bool {
        let gone = self.gone.iter().map(|(path, _)| path);
        gone.chain(self.moved.values())
            .chain(&self.left_out)
            .any(|one| is_below(one, Some(path)))
    }
}

/// Compares a view with where its line of history left a revision.
pub(super) fn changes(
    session: &GraphSession,
    repo: &Registered,
    revision: &str,
    as_of: Option<&str>,
) -> Result<Changes> {
    let repository = Repository::discover(&repo.root)?;
    if matches!(repository.head()?, Head::Unborn { .. }) {
        return Err(EngineError::new(
            "unknown-revision",
            "the repository has no commit yet",
            "give a path to look at all below it",
        ));
    }
    let named = repository.resolve(revision)?;
    let tip = repository.resolve(as_of.unwrap_or("HEAD"))?;
    let left = repository.merge_base(named, tip).unwrap_or(named);
    let short = |commit: CommitId| commit.to_string()[..10].to_owned();
    let base = if left == named {
        format!("{revision} ({})", short(named))
    } else {
        format!("{revision} (left at {})", short(left))
    };
    let old = repository.blobs_of(left)?;
    let candidates = candidates(session, &old);
    // The index alone does not tell: what it leaves out has not gone.
    let seen = match as_of {
        None => repository.worktree_changes(left, &candidates)?,
        Some(_) => compare_trees(&candidates, &old, &repository.blobs_of(tip)?),
    };
    changed(session, &repository, &old, &seen, base)
}

/// Files of a commit that the view does not have as they were.
fn candidates<'a>(session: &GraphSession, old: &'a BTreeMap<String, BlobId>) -> Vec<&'a str> {
    let view = session.view.snapshot();
    let is_same = |path: &str, blob: BlobId| {
        let file = view.file(path);
        file.is_some_and(|file| view.files[file as usize].blob == blob)
    };
    let others = old.iter().filter(|(path, blob)| !is_same(path, **blob));
    others.map(|(path, _)| path.as_str()).collect()
}

fn compare_trees(
    paths: &[&str],
    old: &BTreeMap<String, BlobId>,
    new: &BTreeMap<String, BlobId>,
) -> FileChanges {
    let mut changes = FileChanges::default();
    for path in paths {
        match new.get(*path) {
            None => drop(changes.gone.insert((*path).to_owned())),
            Some(blob) if old.get(*path) != Some(blob) => {
                changes.changed.insert((*path).to_owned());
            }
            Some(_) => {}
        }
    }
    changes
}

fn changed(
    session: &GraphSession,
    repository: &Repository,
    old: &BTreeMap<String, BlobId>,
    seen: &FileChanges,
    base: String,
) -> Result<Changes> {
    let view = session.view.snapshot();
    let is_left_out = |path: &&String| view.file(path).is_none();
    let gone: Vec<(&str, BlobId)> = seen
        .gone
        .iter()
        .filter(is_left_out)
        .filter_map(|path| Some((path.as_str(), *old.get(path)?)))
        .collect();
    let moved = moved(session, repository, old, &gone)?;
    let mut found = BTreeMap::new();
    let mut befores = BTreeMap::new();
    for (file, entry) in (0u32..).zip(&view.files) {
        let from = moved.get(&file).map(|from| gone[*from].1);
        let Some(before) = old.get(&entry.path).copied().or(from) else {
            let whole = LineChange {
                start: 1,
                n_lines: entry.n_lines.max(1),
                n_removed: 0,
            };
            found.insert(file, vec![whole]);
            continue;
        };
        let was_there = old.contains_key(&entry.path);
        let is_seen = seen.changed.contains(&entry.path) || seen.gone.contains(&entry.path);
        if before == entry.blob || (was_there && !is_seen) {
            continue;
        }
        let new = session.view.reader.text(entry.content_id)?;
        let lines = changed_lines(&repository.read_blob(before)?, new.as_bytes());
        if !lines.is_empty() {
            found.insert(file, lines);
            befores.insert(file, before);
        }
    }
    let from = |from: usize| gone[from].0.to_owned();
    let places = moved.iter().map(|(file, at)| (*file, from(*at))).collect();
    let stay_gone = (0..gone.len()).filter(|at| !moved.values().any(|from| from == at));
    Ok(Changes {
        base,
        lines: found,
        old: befores,
        gone: stay_gone.map(|at| (from(at), gone[at].1)).collect(),
        moved: places,
        left_out: seen.changed.iter().filter(is_left_out).cloned().collect(),
    })
}

/// Which of the files that went each new file was.
fn moved(
    session: &GraphSession,
    repository: &Repository,
    old: &BTreeMap<String, BlobId>,
    gone: &[(&str, BlobId)],
) -> Result<BTreeMap<u32, usize>> {
    let view = session.view.snapshot();
    let new = (0u32..).zip(&view.files);
    let new: Vec<NewFile<'_>> = new
        .filter(|(_, entry)| !old.contains_key(&entry.path))
        .map(|(file, entry)| NewFile {
            file,
            path: &entry.path,
            blob: entry.blob,
        })
        .collect();
    let old_text = |blob| Ok(String::from_utf8_lossy(&repository.read_blob(blob)?).into_owned());
    let new_text = |file: u32| {
        let content = view.files[file as usize].content_id;
        Ok(session.view.reader.text(content)?)
    };
    renames(gone, &new, &old_text, &new_text)
}

/// What the changed files held before.
pub(super) struct Before {
    /// Of files that are still there, by file.
    pub(super) changed: BTreeMap<u32, FileFacts>,
    /// Of files that went.
    pub(super) gone: Vec<GoneFile>,
    /// What a file says that was not there.
    pub(super) nothing: FileFacts,
}

/// A file that went.
pub(super) struct GoneFile {
    pub(super) path: String,
    pub(super) language: Language,
    pub(super) facts: FileFacts,
}

impl Before {
    pub(super) fn read(
        session: &GraphSession,
        repo: &Registered,
        changes: &Changes,
    ) -> Result<Self> {
        let repository = Repository::discover(&repo.root)?;
        let filter = repository.filter();
        let files = &session.view.files;
        let mut changed = BTreeMap::new();
        for (file, blob) in &changes.old {
            let bytes = repository.read_blob(*blob)?;
            let entry = &files[*file as usize];
            if let Ok(text) = shown(&entry.path, &bytes, &filter) {
                changed.insert(*file, analyze(&text, entry.language));
            }
        }
        let mut gone = Vec::new();
        for (path, blob) in &changes.gone {
            let bytes = repository.read_blob(*blob)?;
            // What no listing would take in had no definitions that anyone knew.
            let text = shown(path, &bytes, &filter);
            let (Some(language), Ok(text)) = (detect(path, &bytes), text) else {
                continue;
            };
            gone.push(GoneFile {
                path: path.clone(),
                language,
                facts: analyze(&text, language),
            });
        }
        Ok(Self {
            changed,
            gone,
            nothing: FileFacts::default(),
        })
    }

    pub(super) fn of(&self, file: u32, symbol: &Symbol) -> Option<&Symbol> {
        let same = |old: &&Symbol| old.qualified == symbol.qualified && old.kind == symbol.kind;
        self.changed.get(&file)?.symbols.iter().find(same)
    }
}

/// Whether a path is a file or lies in a folder; all do where none is named.
pub(super) fn is_below(path: &str, folder: Option<&str>) -> bool {
    let folder = folder.unwrap_or_default().trim_matches('/');
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

//! Which files differ between two states of a repository, as git's own diff names them.
//!
//! Trees and the working tree decide, never an index of ours. No blob is read, so that a clone which
//! lacks some names the same files as a whole one.

use crate::commit::MODE_LINK;
use crate::repository::{path_text, sha1_bytes};
use crate::rules::Rules;
use crate::{BlobId, CommitId, Repository, SourceError};
use git2::{Delta, Diff, DiffFile, DiffOptions, FileMode, IndexEntryExtendedFlag, Oid, Tree};
use std::path::Path;

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file.
    File,
    /// A symbolic link.
    Link,
    /// Another repository.
    Submodule,
    /// What cannot be read here, or under this name.
    Unreadable,
}

const MODE_COMMIT: i32 = 0o160_000;

/// One side of what differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaSide {
    /// What lies there.
    pub kind: EntryKind,
    /// Its content; `None` in the working tree.
    pub blob: Option<BlobId>,
}

/// A path at which two states differ: in content, in kind or in mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDelta {
    /// From the root, `/` between parts; what is no text is shown as one.
    pub path: String,
    /// What was there; `None` where nothing was.
    pub old: Option<DeltaSide>,
    /// What is there; `None` where it went.
    pub new: Option<DeltaSide>,
}

impl Repository {
    /// Lists where two commits differ, by path. `from`: `None` for a state without files; `to`: `None` for
    /// the working tree, whose untracked files count where git would add them.
    ///
    /// Line ends and filters of git's own do not count, nor what a sparse checkout leaves out. What the
    /// user hides by `.whyrankignore` is in no answer.
    ///
    /// # Errors
    ///
    /// `ListTree` when a commit or one of its trees cannot be read.
    pub fn deltas(
        &self,
        from: Option<CommitId>,
        to: Option<CommitId>,
    ) -> Result<Vec<FileDelta>, SourceError> {
        let rules = Rules::of(self);
        let found = self.diff(from, to, &rules);
        let commit = from.or(to).unwrap_or(CommitId([0; 20]));
        found.map_err(|source| SourceError::ListTree { commit, source })
    }

    fn diff(
        &self,
        from: Option<CommitId>,
        to: Option<CommitId>,
        rules: &Rules,
    ) -> Result<Vec<FileDelta>, git2::Error> {
        let git = self.git();
        let tree = |commit: Option<CommitId>| -> Result<Option<Tree<'_>>, git2::Error> {
            let Some(commit) = commit else {
                return Ok(None);
            };
            git.find_commit(Oid::from_bytes(&commit.0)?)?
                .tree()
                .map(Some)
        };
        let old = tree(from)?;
        let mut options = DiffOptions::new();
        options.skip_binary_check(true).include_typechange(true);
        let mut found = Vec::new();
        if to.is_some() {
            let diff =
                git.diff_tree_to_tree(old.as_ref(), tree(to)?.as_ref(), Some(&mut options))?;
            add(&diff, true, &mut found);
            found.retain(|one| !rules.hides(&one.path, false));
        } else {
            options
                .include_untracked(true)
                .recurse_untracked_dirs(true)
                .include_unreadable(true);
            // What an earlier question read may be older than the file.
            let mut index = git.index()?;
            index.read(false)?;
            let mut diff = git.diff_tree_to_workdir_with_index(old.as_ref(), Some(&mut options));
            if diff.is_err() {
                // A submodule that is broken is no reason to say nothing of the rest.
                options.ignore_submodules(true);
                diff = git.diff_tree_to_workdir_with_index(old.as_ref(), Some(&mut options));
            }
            add(&diff?, false, &mut found);
            let is_merged = !index.has_conflicts();
            for one in found.iter_mut().filter(|_| !is_merged) {
                if index.conflict_get(Path::new(&one.path)).is_ok() {
                    (one.old, one.new) = self.sides_in_conflict(old.as_ref(), &one.path);
                }
            }
            let is_elsewhere = |path: &str| {
                let entry = index.get_path(Path::new(path), 0);
                let flags = entry.map(|entry| entry.flags_extended).unwrap_or_default();
                IndexEntryExtendedFlag::from_bits_truncate(flags).is_skip_worktree()
            };
            found.retain(|one| match (one.old, one.new) {
                (None, None) => false,
                (_, None) => !rules.hides(&one.path, false) && !is_elsewhere(&one.path),
                (None, Some(_)) => rules.lets_in(&one.path, false),
                _ => !rules.hides(&one.path, false),
            });
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found.dedup_by(|a, b| a.path == b.path);
        Ok(found)
    }

    /// Both sides of a path that a merge left to be settled: git's diff has three states of it, and no mode.
    fn sides_in_conflict(
        &self,
        old: Option<&Tree<'_>>,
        path: &str,
    ) -> (Option<DeltaSide>, Option<DeltaSide>) {
        let entry = old.and_then(|tree| tree.get_path(Path::new(path)).ok());
        let old = entry.map(|entry| DeltaSide {
            kind: match entry.filemode() {
                MODE_LINK => EntryKind::Link,
                MODE_COMMIT => EntryKind::Submodule,
                _ => EntryKind::File,
            },
            blob: Some(BlobId(sha1_bytes(entry.id()))),
        });
        let there = std::fs::symlink_metadata(self.root().join(path)).ok();
        let new = there.map(|there| DeltaSide {
            kind: match there.file_type() {
                of if of.is_symlink() => EntryKind::Link,
                of if of.is_dir() => EntryKind::Submodule,
                _ => EntryKind::File,
            },
            blob: None,
        });
        (old, new)
    }

    /// Whether history or contents are missing here that others have: a shallow or a partial clone, in
    /// words; `None` of a whole one.
    pub fn incompleteness(&self) -> Option<&'static str> {
        let git = self.git();
        if git.is_shallow() {
            return Some("shallow");
        }
        let config = git.config().and_then(|mut config| config.snapshot());
        let is_promised = config.is_ok_and(|config| {
            let mut entries = config.entries(Some("remote\\..*\\.(promisor|partialclonefilter)"));
            entries
                .as_mut()
                .is_ok_and(|entries| entries.next().is_some())
        });
        is_promised.then_some("partial")
    }

    /// The first parent of a commit, and how many it has.
    ///
    /// # Errors
    ///
    /// `ReadCommit`.
    pub fn parents(&self, commit: CommitId) -> Result<(Option<CommitId>, usize), SourceError> {
        let git = self.git();
        let found = Oid::from_bytes(&commit.0).and_then(|oid| git.find_commit(oid));
        let found = found.map_err(|source| SourceError::ReadCommit { commit, source })?;
        let first = found.parent_ids().next();
        let first = first.map(|oid| CommitId(sha1_bytes(oid)));
        Ok((first, found.parent_count()))
    }
}

fn add(diff: &Diff<'_>, has_blobs: bool, found: &mut Vec<FileDelta>) {
    for delta in diff.deltas() {
        let (old, new) = (delta.old_file(), delta.new_file());
        let (is_old, is_new) = match delta.status() {
            Delta::Unmodified | Delta::Ignored => continue,
            Delta::Added | Delta::Untracked => (false, true),
            Delta::Deleted => (true, false),
            Delta::Unreadable => (old.exists(), true),
            _ => (true, true),
        };
        let bytes = if is_new {
            new.path_bytes()
        } else {
            old.path_bytes()
        };
        let Some(bytes) = bytes.or_else(|| old.path_bytes()) else {
            continue;
        };
        // A repository of its own that nobody added.
        if bytes.ends_with(b"/") {
            continue;
        }
        let (path, is_text) = match path_text(bytes) {
            Ok(path) => (path, true),
            Err(shown) => (shown, false),
        };
        let is_readable = is_text && delta.status() != Delta::Unreadable;
        let of = |file: &DiffFile<'_>, has_blob: bool, is_readable: bool| DeltaSide {
            kind: if is_readable {
                kind(file.mode())
            } else {
                EntryKind::Unreadable
            },
            blob: has_blob.then(|| BlobId(sha1_bytes(file.id()))),
        };
        found.push(FileDelta {
            path,
            old: is_old.then(|| of(&old, true, is_text)),
            new: is_new.then(|| of(&new, has_blobs, is_readable)),
        });
    }
}

fn kind(mode: FileMode) -> EntryKind {
    match mode {
        FileMode::Link => EntryKind::Link,
        FileMode::Commit => EntryKind::Submodule,
        FileMode::Unreadable => EntryKind::Unreadable,
        _ => EntryKind::File,
    }
}

//! What differs between a commit and later texts: blobs by path, and lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::repository::{commit_id, path_text, sha1_bytes};
use crate::{BlobId, CommitId, Repository, SourceError};
use git2::{Delta, DiffOptions, IndexEntryExtendedFlag, Oid, Patch};

/// Lines that a text has instead of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineChange {
    /// First changed line of the new text, from 1; where lines only went, the line before the gap
    /// (0 at the top).
    pub start: u32,
    /// Changed lines of the new text; 0 where lines only went.
    pub n_lines: u32,
    /// Lines of the old text that went.
    pub n_removed: u32,
}

/// What became of a commit's files, as git sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChanges {
    /// Files of another content, or no regular files any more.
    pub changed: BTreeSet<String>,
    /// Files that are gone.
    pub gone: BTreeSet<String>,
}

impl Repository {
    /// Compares some of a commit's files with the working tree by git's own rules: line ends and
    /// filters do not count, nor does what a sparse checkout leaves out.
    ///
    /// # Errors
    ///
    /// `ListTree`.
    pub fn worktree_changes(
        &self,
        commit: CommitId,
        paths: &[&str],
    ) -> Result<FileChanges, SourceError> {
        if paths.is_empty() {
            Ok(FileChanges::default())
        } else {
            self.diff_worktree(commit, paths)
                .map_err(|source| SourceError::ListTree { commit, source })
        }
    }

    fn diff_worktree(&self, commit: CommitId, paths: &[&str]) -> Result<FileChanges, git2::Error> {
        let git = self.git();
        let tree = git.find_commit(Oid::from_bytes(&commit.0)?)?.tree()?;
        let mut options = DiffOptions::new();
        options.disable_pathspec_match(true).ignore_submodules(true);
        options.skip_binary_check(true).include_typechange(true);
        for path in paths {
            options.pathspec(path);
        }
        // What an earlier question read may be older than the file.
        let mut index = git.index()?;
        index.read(false)?;
        let is_elsewhere = |path: &str| {
            let entry = index.get_path(Path::new(path), 0);
            let flags = entry.map(|entry| entry.flags_extended).unwrap_or_default();
            IndexEntryExtendedFlag::from_bits_truncate(flags).is_skip_worktree()
        };
        let diff = git.diff_tree_to_workdir_with_index(Some(&tree), Some(&mut options))?;
        let mut changes = FileChanges::default();
        for delta in diff.deltas() {
            let path = delta.old_file().path_bytes().map(<[u8]>::to_vec);
            let Some(path) = path.and_then(|path| path_text(&path).ok()) else {
                continue;
            };
            match delta.status() {
                Delta::Deleted if is_elsewhere(&path) => {}
                Delta::Deleted => drop(changes.gone.insert(path)),
                Delta::Modified | Delta::Typechange | Delta::Conflicted | Delta::Unreadable => {
                    changes.changed.insert(path);
                }
                _ => {}
            }
        }
        Ok(changes)
    }

    /// Lists a commit's files with their blobs, by path; what `.whyrankignore` names is left out.
    ///
    /// No blob is read.
    ///
    /// # Errors
    ///
    /// `ListTree`.
    pub fn blobs_of(&self, commit: CommitId) -> Result<BTreeMap<String, BlobId>, SourceError> {
        let blobs = self
            .collect_blobs(commit, &mut Vec::new())
            .map_err(|source| SourceError::ListTree { commit, source })?;
        let blobs = blobs.into_iter();
        Ok(blobs
            .map(|(path, oid)| (path, BlobId(sha1_bytes(oid))))
            .collect())
    }

    /// Finds the newest commit that both commits stand on; `None` where they share no history.
    pub fn merge_base(&self, left: CommitId, right: CommitId) -> Option<CommitId> {
        let git = self.git();
        let (left, right) = (
            Oid::from_bytes(&left.0).ok()?,
            Oid::from_bytes(&right.0).ok()?,
        );
        git.merge_base(left, right).ok().map(commit_id)
    }
}

/// Finds the lines in which two texts differ, by position; line ends do not count.
///
/// A text that git takes for binary is changed as a whole.
pub fn changed_lines(old: &[u8], new: &[u8]) -> Vec<LineChange> {
    let mut options = DiffOptions::new();
    options.context_lines(0).ignore_whitespace_eol(true);
    let whole = || {
        let n_lines = new.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
        vec![LineChange {
            start: 1,
            n_lines,
            n_removed: 1,
        }]
    };
    let Ok(patch) = Patch::from_buffers(old, None, new, None, Some(&mut options)) else {
        return whole();
    };
    if patch.delta().flags().is_binary() {
        return whole();
    }
    let hunks = (0..patch.num_hunks()).filter_map(|at| patch.hunk(at).ok());
    hunks
        .map(|(hunk, _)| LineChange {
            start: hunk.new_start(),
            n_lines: hunk.new_lines(),
            n_removed: hunk.old_lines(),
        })
        .collect()
}

/// Returns the difference of two texts as hunks with three lines around each; empty where there is
/// none.
pub fn unified_diff(old: &str, new: &str) -> String {
    let mut options = DiffOptions::new();
    options.context_lines(3);
    let patch = Patch::from_buffers(
        old.as_bytes(),
        None,
        new.as_bytes(),
        None,
        Some(&mut options),
    );
    let Ok(mut patch) = patch else {
        return String::new();
    };
    let Ok(text) = patch.to_buf() else {
        return String::new();
    };
    let text = String::from_utf8_lossy(&text).into_owned();
    // Two unnamed buffers have a head that says nothing.
    match text.find("@@") {
        Some(start) => text[start..].to_owned(),
        None => String::new(),
    }
}

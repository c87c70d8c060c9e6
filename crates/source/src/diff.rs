//! What differs between a commit and later texts: blobs by path, and lines.

use std::collections::BTreeMap;

use crate::repository::{commit_id, sha1_bytes};
use crate::{BlobId, CommitId, Repository, SourceError};
use git2::{DiffOptions, Oid, Patch};

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

/// Lines of two texts that differ, with three of both around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// First line of the old text, from 1; 0 where that is empty.
    pub old_start: u32,
    /// First line of the new text, from 1; 0 where that is empty.
    pub new_start: u32,
    /// In the order of a patch.
    pub lines: Vec<DiffLine>,
}

/// A line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// Its number in the old text; none of a line that came.
    pub old: Option<u32>,
    /// Its number in the new text; none of a line that went.
    pub new: Option<u32>,
    /// Without its end.
    pub text: String,
}

impl Repository {
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

/// Compares two texts line by line, as far as `max_lines` lines of hunks go. The second value says whether
/// that is all.
pub fn hunks(old: &str, new: &str, max_lines: usize) -> (Vec<Hunk>, bool) {
    let mut options = DiffOptions::new();
    options.context_lines(3).force_text(true);
    let (left, right) = (old.as_bytes(), new.as_bytes());
    let Ok(patch) = Patch::from_buffers(left, None, right, None, Some(&mut options)) else {
        return (Vec::new(), false);
    };
    let mut read = Vec::new();
    let mut n_left = max_lines;
    for hunk_at in 0..patch.num_hunks() {
        let Ok((hunk, n_lines)) = patch.hunk(hunk_at) else {
            return (read, false);
        };
        let (old_start, new_start) = (hunk.old_start(), hunk.new_start());
        let taken = n_lines.min(n_left);
        let lines = (0..taken).filter_map(|line| patch.line_in_hunk(hunk_at, line).ok());
        // A note that a text does not end with a line end is no line of it.
        let lines = lines.filter(|line| matches!(line.origin(), ' ' | '+' | '-'));
        let lines = lines.map(|line| DiffLine {
            old: line.old_lineno(),
            new: line.new_lineno(),
            text: String::from_utf8_lossy(line.content())
                .trim_end_matches(['\n', '\r'])
                .to_owned(),
        });
        read.push(Hunk {
            old_start,
            new_start,
            lines: lines.collect(),
        });
        n_left -= taken;
        if taken < n_lines {
            return (read, false);
        }
    }
    (read, true)
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

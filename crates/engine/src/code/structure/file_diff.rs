//! Differences between a working tree and its last commit, and the lines in which one file differs. Git and
//! the files are asked, no index.

use super::changes::{Changes, Texts};
use super::comparison::short;
use crate::Engine;
use crate::api::{
    ChangeState, DiffHunk, FileDiff, FileDiffRequest, HunkLine, LineKind, MainBranch, RepoId,
};
use crate::error::{EngineError, Result};
use whyrank_source::{DiffLine, Head, Repository, hunks};

/// Lines of one file's hunks that anybody reads.
const MAX_LINES: usize = 5_000;

impl Engine {
    /// Tells which paths are staged, unstaged or in conflict, what is under way, and which branch the
    /// current one left.
    ///
    /// # Errors
    /// `source` where git cannot compare them.
    pub fn change_state(&self, repo: &RepoId) -> Result<ChangeState> {
        let repo = self.state.registry.get(repo)?;
        let repository = Repository::discover(&repo.root)?;
        let state = repository.tree_state()?;
        let (branch, head) = match repository.head()? {
            Head::Unborn { branch } => (Some(branch), None),
            Head::Branch { branch, commit } => (Some(branch), Some(short(commit))),
            Head::Detached { commit } => (None, Some(short(commit))),
        };
        let main = repository.trunk().map(|trunk| MainBranch {
            name: trunk.name,
            base: trunk.base.to_string(),
            n_ahead: trunk.n_ahead,
        });
        Ok(ChangeState {
            branch,
            head,
            under_way: state.under_way.map(str::to_owned),
            staged: state.staged,
            unstaged: state.unstaged,
            untracked: state.untracked,
            conflicted: state.conflicted,
            n_left_out: state.n_left_out,
            main,
        })
    }

    /// Compares one file between the two states that a reference means, line by line.
    ///
    /// # Errors
    /// `unknown-revision`; `bad-argument` for a file that is the same on both sides.
    pub fn file_diff(&self, request: &FileDiffRequest) -> Result<FileDiff> {
        let repo = self.state.registry.get(&request.repo)?;
        let texts = Changes::texts_of(&repo, &request.reference, &request.path)?;
        let Some(Texts { path, from, texts }) = texts else {
            return Err(EngineError::new(
                "bad-argument",
                format!("{} does not differ", request.path),
                "ask for the review again: the file may have been changed back",
            ));
        };
        let (hunks, note) = match texts {
            Err(why) => (Vec::new(), why),
            Ok((old, new)) => match hunks(&old, &new, MAX_LINES) {
                (hunks, true) => (hunks, String::new()),
                (hunks, false) => (
                    hunks,
                    format!("the first {MAX_LINES} lines of the difference"),
                ),
            },
        };
        let hunks = hunks.into_iter().map(|hunk| DiffHunk {
            old_start: hunk.old_start,
            new_start: hunk.new_start,
            lines: hunk.lines.into_iter().map(hunk_line).collect(),
        });
        Ok(FileDiff {
            path,
            from,
            hunks: hunks.collect(),
            note,
        })
    }
}

fn hunk_line(line: DiffLine) -> HunkLine {
    let kind = match (line.old, line.new) {
        (None, _) => LineKind::Added,
        (_, None) => LineKind::Removed,
        _ => LineKind::Context,
    };
    HunkLine {
        kind,
        old: line.old,
        new: line.new,
        text: line.text,
    }
}

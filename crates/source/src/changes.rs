//! Which files the newest commits changed together.

use crate::repository::{commit_id, path_text};
use crate::{CommitId, Repository, SourceError};
use git2::{DiffOptions, Oid, Sort};

/// Bytes of a message that are kept.
const MAX_MESSAGE: usize = 400;

/// What the newest commits of a history changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentChanges {
    /// Paths of each commit that counts, newest first; sorted.
    pub commits: Vec<Vec<String>>,
    /// What each of them said, cut at 400 bytes.
    pub messages: Vec<String>,
    /// Commits looked at, those that do not count included.
    pub n_looked_at: u32,
}

impl Repository {
    /// Reads what each of the newest `max_commits` commits up to `from` changed against its parent.
    ///
    /// Merges do not count, nor do commits of more than `max_files` files: moves and sweeping edits
    /// say nothing about what belongs together. Renames are a removal and an addition. Where history
    /// ends early (a shallow clone), so does the list.
    ///
    /// # Errors
    ///
    /// `ReadCommit` when `from` cannot be read.
    pub fn recent_changes(
        &self,
        from: CommitId,
        max_commits: usize,
        max_files: usize,
    ) -> Result<RecentChanges, SourceError> {
        let git = self.git();
        let failed = |source| SourceError::ReadCommit {
            commit: from,
            source,
        };
        let start = Oid::from_bytes(&from.0).map_err(failed)?;
        git.find_commit(start).map_err(failed)?;
        let mut walk = git.revwalk().map_err(failed)?;
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)
            .map_err(failed)?;
        walk.push(start).map_err(failed)?;
        let mut changes = RecentChanges::default();
        for oid in walk.take(max_commits).map_while(Result::ok) {
            let Ok((paths, message)) = changed_paths(&git, oid) else {
                tracing::debug!(commit = %commit_id(oid), "a commit's changes cannot be read");
                break;
            };
            changes.n_looked_at += 1;
            if (1..=max_files).contains(&paths.len()) {
                changes.commits.push(paths);
                changes.messages.push(message);
            }
        }
        Ok(changes)
    }
}

/// The paths that differ from the parent, sorted, none for a merge; and the message.
fn changed_paths(git: &git2::Repository, oid: Oid) -> Result<(Vec<String>, String), git2::Error> {
    let commit = git.find_commit(oid)?;
    let bytes = commit.message_bytes();
    let message = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_MESSAGE)]).into_owned();
    let before = match commit.parent_count() {
        0 => None,
        1 => Some(commit.parent(0)?.tree()?),
        _ => return Ok((Vec::new(), message)),
    };
    let mut options = DiffOptions::new();
    options.skip_binary_check(true).ignore_submodules(true);
    let diff = git.diff_tree_to_tree(before.as_ref(), Some(&commit.tree()?), Some(&mut options))?;
    let mut paths: Vec<String> = diff
        .deltas()
        .filter_map(|delta| {
            let file = [delta.new_file(), delta.old_file()];
            let bytes = file.iter().find_map(git2::DiffFile::path_bytes)?;
            path_text(bytes).ok()
        })
        .collect();
    paths.sort();
    paths.dedup();
    Ok((paths, message))
}

//! What files held in the past.

use crate::{BlobId, Repository, SourceError};
use git2::Oid;
use std::path::Path;

use crate::repository::{commit_id, sha1_bytes};

/// Commits that are walked back at most.
const MAX_COMMITS: usize = 20_000;

impl Repository {
    /// Counts the commits that HEAD has and another commit has not; none where one cannot be read.
    pub fn commits_since(&self, commit: &str) -> u32 {
        let git = self.git();
        let count = || -> Result<usize, git2::Error> {
            let head = git.head()?.peel_to_commit()?.id();
            let since = git.revparse_single(commit)?.peel_to_commit()?.id();
            Ok(git.graph_ahead_behind(head, since)?.0)
        };
        count().unwrap_or_default() as u32
    }

    /// Returns the contents that files had at a moment (seconds since the epoch), as far as commits
    /// tell.
    ///
    /// Taken from the newest commit not after it, along the first parents of HEAD; `None` for a file
    /// that was not there, and for all of them where no commit is that old. O(commits since then).
    ///
    /// # Errors
    ///
    /// `ReadHead`, `ReadCommit`.
    pub fn blobs_at(
        &self,
        time_s: i64,
        paths: &[&str],
    ) -> Result<Vec<Option<BlobId>>, SourceError> {
        let git = self.git();
        let read_head = |source| SourceError::ReadHead {
            path: self.root().to_path_buf(),
            source,
        };
        let mut next = match git.head() {
            Ok(head) => Some(head.peel_to_commit().map_err(read_head)?),
            Err(error) if error.code() == git2::ErrorCode::UnbornBranch => None,
            Err(source) => return Err(read_head(source)),
        };
        let mut n_left = MAX_COMMITS;
        while let Some(commit) = next.take_if(|commit| commit.time().seconds() > time_s) {
            n_left -= 1;
            next = commit.parent(0).ok().filter(|_| n_left > 0);
        }
        let Some(commit) = next else {
            return Ok(vec![None; paths.len()]);
        };
        let tree = commit.tree().map_err(|source| SourceError::ReadCommit {
            commit: commit_id(commit.id()),
            source,
        })?;
        let blob = |path: &&str| -> Option<Oid> { Some(tree.get_path(Path::new(path)).ok()?.id()) };
        let blobs = paths.iter().map(blob);
        Ok(blobs
            .map(|id| id.map(|id| BlobId(sha1_bytes(id))))
            .collect())
    }
}

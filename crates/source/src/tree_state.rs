//! The state of a working tree beside its commit: staged and unstaged paths, a merge under way, the
//! branch that it left.

use git2::{BranchType, Oid, RepositoryState, Status, StatusOptions};

use crate::repository::commit_id;
use crate::{CommitId, Repository, SourceError};

/// Paths of one kind that are listed.
const MOST_PATHS: usize = 500;

/// Names of branches that others are merged into.
const TRUNKS: [&str; 5] = ["main", "master", "trunk", "develop", "dev"];

/// The state of a working tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeState {
    /// The operation that waits for its end: `merge`, `rebase`, `cherry-pick`, `revert`, `bisect`.
    pub under_way: Option<&'static str>,
    /// Paths with a change that the next commit takes.
    pub staged: Vec<String>,
    /// Paths with a change that it does not take.
    pub unstaged: Vec<String>,
    /// Paths that git does not know.
    pub untracked: Vec<String>,
    /// Paths that both sides of a merge changed.
    pub conflicted: Vec<String>,
    /// Paths beyond the first five hundred of a kind.
    pub n_left_out: u32,
}

/// The branch that another one left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trunk {
    /// Its name, with the remote where only that has it.
    pub name: String,
    /// The newest commit that both have.
    pub base: CommitId,
    /// Commits since.
    pub n_ahead: u32,
}

impl Repository {
    /// Reads which paths differ from the last commit, staged and not, and what is under way.
    ///
    /// Nothing is written and no filter is run. O(files of the working tree).
    ///
    /// # Errors
    ///
    /// `TreeState`.
    pub fn tree_state(&self) -> Result<TreeState, SourceError> {
        let git = self.git();
        let mut options = StatusOptions::new();
        options
            .include_untracked(true)
            .recurse_untracked_dirs(true)
            .exclude_submodules(true)
            .update_index(false);
        let read = git.statuses(Some(&mut options));
        let statuses = read.map_err(|source| SourceError::TreeState { source })?;
        let mut state = TreeState {
            under_way: under_way(git.state()),
            ..TreeState::default()
        };
        for entry in statuses.iter() {
            let path = String::from_utf8_lossy(entry.path_bytes()).into_owned();
            state.add(path, entry.status());
        }
        Ok(state)
    }

    /// Finds the branch that the current one left, by its usual names, here before at `origin`.
    /// `None` on a branch of such a name, on no branch, or where both share no history.
    pub fn trunk(&self) -> Option<Trunk> {
        let git = self.git();
        let head = git.head().ok()?;
        let own = head.shorthand().ok()?.to_owned();
        let tip = head.peel_to_commit().ok()?.id();
        let (name, other) = TRUNKS
            .iter()
            .filter(|name| **name != own)
            .find_map(|name| branch_of(&git, name))
            .filter(|_| !TRUNKS.contains(&own.as_str()))?;
        let base = git.merge_base(tip, other).ok()?;
        let (n_ahead, _) = git.graph_ahead_behind(tip, base).ok()?;
        Some(Trunk {
            name,
            base: commit_id(base),
            n_ahead: u32::try_from(n_ahead).unwrap_or(u32::MAX),
        })
    }
}

impl TreeState {
    fn add(&mut self, path: String, status: Status) {
        let staged = Status::INDEX_NEW
            | Status::INDEX_MODIFIED
            | Status::INDEX_DELETED
            | Status::INDEX_RENAMED
            | Status::INDEX_TYPECHANGE;
        let unstaged =
            Status::WT_MODIFIED | Status::WT_DELETED | Status::WT_RENAMED | Status::WT_TYPECHANGE;
        let kinds = [
            (Status::CONFLICTED, &mut self.conflicted),
            (staged, &mut self.staged),
            (unstaged, &mut self.unstaged),
            (Status::WT_NEW, &mut self.untracked),
        ];
        for (of_kind, paths) in kinds {
            match status.intersects(of_kind) {
                true if paths.len() < MOST_PATHS => paths.push(path.clone()),
                true => self.n_left_out += 1,
                false => {}
            }
        }
    }
}

fn branch_of(git: &git2::Repository, name: &str) -> Option<(String, Oid)> {
    let remote = format!("origin/{name}");
    let kinds = [(name, BranchType::Local), (&*remote, BranchType::Remote)];
    kinds.into_iter().find_map(|(name, kind)| {
        let branch = git.find_branch(name, kind).ok()?;
        let commit = branch.get().peel_to_commit().ok()?;
        Some((name.to_owned(), commit.id()))
    })
}

fn under_way(state: RepositoryState) -> Option<&'static str> {
    match state {
        RepositoryState::Clean => None,
        RepositoryState::Merge => Some("merge"),
        RepositoryState::Revert | RepositoryState::RevertSequence => Some("revert"),
        RepositoryState::CherryPick | RepositoryState::CherryPickSequence => Some("cherry-pick"),
        RepositoryState::Bisect => Some("bisect"),
        RepositoryState::Rebase
        | RepositoryState::RebaseInteractive
        | RepositoryState::RebaseMerge => Some("rebase"),
        RepositoryState::ApplyMailbox | RepositoryState::ApplyMailboxOrRebase => {
            Some("patch series")
        }
    }
}

//! What can go wrong with a repository, one variant for each act that failed.

use crate::{BlobId, CommitId};
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

/// An act on a repository that failed.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// No repository at the path or above it.
    #[error("{} is not in a git repository; {}", .path.display(), self.hint())]
    NotARepository {
        /// The path asked for.
        path: PathBuf,
    },
    /// A repository without a working tree.
    #[error("{} is a bare repository; {}", .path.display(), self.hint())]
    Bare {
        /// The repository.
        path: PathBuf,
    },
    /// The repository belongs to another user of the machine.
    #[error("the repository {} belongs to another user; {}", .path.display(), self.hint())]
    DubiousOwnership {
        /// The working tree.
        path: PathBuf,
    },
    /// A `.git` that leads to the data of another working tree.
    #[error("{}/.git leads to the repository in {}, which does not know this folder; {}", .path.display(), .git_dir.display(), self.hint())]
    LeadsElsewhere {
        /// The working tree.
        path: PathBuf,
        /// Git's folder that its `.git` names.
        git_dir: PathBuf,
    },
    /// Git's data of a working tree, part of which is another's.
    #[error("{} leads to {}, outside of the repository {}; {}", .through.display(), .target.display(), .root.display(), self.hint())]
    ReachesOutside {
        /// The working tree.
        root: PathBuf,
        /// Its link, or its list of other object folders.
        through: PathBuf,
        /// The place that this leads to.
        target: PathBuf,
    },
    /// A pipe, device or socket in the place of one of git's files.
    #[error("{} is not a regular file; {}", .path.display(), self.hint())]
    SpecialFile {
        /// The path of what would be opened.
        path: PathBuf,
    },
    /// A format of git's data that is not known here.
    #[error("the repository of {} uses a format that is not supported: {}; {}", .path.display(), .source.message(), self.hint())]
    UnknownFormat {
        /// The path asked for.
        path: PathBuf,
        /// What git said.
        source: git2::Error,
    },
    /// Git's data is there, but could not be opened.
    #[error("could not open the repository of {}; {}", .path.display(), self.hint())]
    OpenRepository {
        /// The path asked for.
        path: PathBuf,
        /// What git said.
        source: git2::Error,
    },
    /// HEAD could not be read.
    #[error("could not read HEAD of {}; {}", .path.display(), self.hint())]
    ReadHead {
        /// The working tree.
        path: PathBuf,
        /// What git said.
        source: git2::Error,
    },
    /// A revision that names no commit.
    #[error("no commit is called {revision:?}; {}", self.hint())]
    UnknownRevision {
        /// The revision asked for.
        revision: String,
        /// What git said.
        source: git2::Error,
    },
    /// A commit could not be read.
    #[error("could not read commit {commit}; {}", self.hint())]
    ReadCommit {
        /// The commit.
        commit: CommitId,
        /// What git said.
        source: git2::Error,
    },
    /// A commit's files could not be listed.
    #[error("could not list the files of commit {commit}; {}", self.hint())]
    ListTree {
        /// The commit.
        commit: CommitId,
        /// What git said.
        source: git2::Error,
    },
    /// A working tree could not be compared with its commit.
    #[error("could not read the state of the working tree; {}", self.hint())]
    TreeState {
        /// The error that git gave.
        source: git2::Error,
    },
    /// A working tree's files could not be listed.
    #[error("could not list the files below {}; {}", .path.display(), self.hint())]
    ListFolder {
        /// The working tree.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The repository's working trees could not be listed.
    #[error("could not list the working trees of {}; {}", .path.display(), self.hint())]
    ListWorktrees {
        /// The common directory.
        path: PathBuf,
        /// What git said.
        source: git2::Error,
    },
    /// A blob could not be read.
    #[error("could not read blob {blob}; {}", self.hint())]
    ReadBlob {
        /// The blob.
        blob: BlobId,
        /// What git said.
        source: git2::Error,
    },
    /// A file could not be read.
    #[error("could not read {}; {}", .path.display(), self.hint())]
    ReadFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing is there.
    #[error("{} does not exist; {}", .path.display(), self.hint())]
    PathMissing {
        /// The path asked for.
        path: PathBuf,
    },
    /// The path leads out of the working tree, or into git's own data.
    #[error("{path:?} leaves the working tree; {}", self.hint())]
    PathOutside {
        /// The path asked for.
        path: String,
    },
    /// A part of the path is a symbolic link.
    #[error("{path:?} leads through a symbolic link; {}", self.hint())]
    PathLinked {
        /// The path asked for.
        path: String,
    },
    /// The system gave no notifications for a folder.
    #[error("could not watch {}; {}", .path.display(), self.hint())]
    Watch {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: notify::Error,
    },
    /// The system's limit on watched folders is reached.
    #[error("too many folders to watch below {}; {}", .path.display(), self.hint())]
    WatchLimit {
        /// The working tree.
        path: PathBuf,
    },
    /// No thread could be started for the watcher.
    #[error("could not start a thread to watch {}; {}", .path.display(), self.hint())]
    StartWatcher {
        /// The working tree.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The caller asked to stop.
    #[error("the listing was cancelled; {}", self.hint())]
    Cancelled,
}

impl SourceError {
    /// Says what to do about it.
    pub fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::NotARepository { .. } => "run `git init` there or pick another folder",
            Self::Bare { .. } => {
                "pick one of its working trees, or add one with `git worktree add`"
            }
            Self::SpecialFile { .. } => "do not trust this copy; clone the repository again",
            Self::UnknownFormat { .. } => {
                "a clone with sha1 and `--ref-format=files` can be indexed"
            }
            Self::OpenRepository { .. } | Self::ReadHead { .. } | Self::TreeState { .. } => {
                "check it with `git status`"
            }
            Self::UnknownRevision { .. } => "give a branch, a tag or a commit id",
            Self::ReadCommit { .. } | Self::ReadBlob { .. } => "fetch it, or check with `git fsck`",
            Self::ListTree { .. } => "check with `git fsck`",
            Self::ListFolder { .. } => "check that the folder is there and readable",
            Self::ListWorktrees { .. } => "check with `git worktree list`",
            Self::ReadFile { .. } => "check its permissions",
            Self::PathMissing { .. } => "refresh the listing",
            Self::PathOutside { .. } => "give a path relative to its root",
            Self::PathLinked { .. } => "give the path of its target",
            Self::Watch { .. } => "refresh by hand",
            Self::WatchLimit { .. } => {
                "raise the limit with `sysctl fs.inotify.max_user_watches=524288`"
            }
            Self::StartWatcher { .. } => "close other programs",
            Self::Cancelled => "start it again when needed",
            Self::LeadsElsewhere { path, .. } => {
                return format!(
                    "if it is a worktree of it, run `git worktree repair` there; if you trust it, \
                     `git config --global --add safe.directory {}`",
                    path.display()
                )
                .into();
            }
            Self::DubiousOwnership { path, .. } | Self::ReachesOutside { root: path, .. } => {
                return format!(
                    "if you trust it, run `git config --global --add safe.directory {}`",
                    path.display()
                )
                .into();
            }
        };
        hint.into()
    }
}

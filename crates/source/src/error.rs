//! What can go wrong with a repository, one variant for each act that failed.

use crate::{BlobId, CommitId};
use std::io;
use std::path::PathBuf;

/// An act on a repository that failed.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// No repository at the path or above it.
    #[error("{} is not in a git repository; run `git init` there or pick another folder", .path.display())]
    NotARepository {
        /// The path asked for.
        path: PathBuf,
    },
    /// A repository without a working tree.
    #[error("{} is a bare repository; pick one of its working trees, or add one with `git worktree add`", .path.display())]
    Bare {
        /// The repository.
        path: PathBuf,
    },
    /// The repository belongs to another user of the machine.
    #[error("the repository {} belongs to another user; if you trust it, run `git config --global --add safe.directory {}`", .path.display(), .path.display())]
    DubiousOwnership {
        /// The working tree.
        path: PathBuf,
    },
    /// A `.git` that leads to the data of another working tree.
    #[error("{}/.git leads to the repository in {}, which does not know this folder; if it is a worktree of it, run `git worktree repair` there", .path.display(), .git_dir.display())]
    LeadsElsewhere {
        /// The working tree.
        path: PathBuf,
        /// Git's folder that its `.git` names.
        git_dir: PathBuf,
    },
    /// A format of git's data that is not known here.
    #[error("the repository of {} uses a format that is not supported: {}; a clone with sha1 and `--ref-format=files` can be indexed", .path.display(), .source.message())]
    UnknownFormat {
        /// The path asked for.
        path: PathBuf,
        /// What git said.
        source: git2::Error,
    },
    /// Git's data is there, but could not be opened.
    #[error("could not open the repository of {}; check it with `git status`", .path.display())]
    OpenRepository {
        /// The path asked for.
        path: PathBuf,
        /// What git said.
        source: git2::Error,
    },
    /// HEAD could not be read.
    #[error("could not read HEAD of {}; check it with `git status`", .path.display())]
    ReadHead {
        /// The working tree.
        path: PathBuf,
        /// What git said.
        source: git2::Error,
    },
    /// A revision that names no commit.
    #[error("no commit is called {revision:?}; give a branch, a tag or a commit id")]
    UnknownRevision {
        /// The revision asked for.
        revision: String,
        /// What git said.
        source: git2::Error,
    },
    /// A commit could not be read.
    #[error("could not read commit {commit}; fetch it, or check with `git fsck`")]
    ReadCommit {
        /// The commit.
        commit: CommitId,
        /// What git said.
        source: git2::Error,
    },
    /// A commit's files could not be listed.
    #[error("could not list the files of commit {commit}; check with `git fsck`")]
    ListTree {
        /// The commit.
        commit: CommitId,
        /// What git said.
        source: git2::Error,
    },
    /// A working tree's files could not be listed.
    #[error("could not list the files below {}; check that the folder is there and readable", .path.display())]
    ListFolder {
        /// The working tree.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The repository's working trees could not be listed.
    #[error("could not list the working trees of {}; check with `git worktree list`", .path.display())]
    ListWorktrees {
        /// The common directory.
        path: PathBuf,
        /// What git said.
        source: git2::Error,
    },
    /// A blob could not be read.
    #[error("could not read blob {blob}; fetch it, or check with `git fsck`")]
    ReadBlob {
        /// The blob.
        blob: BlobId,
        /// What git said.
        source: git2::Error,
    },
    /// A file could not be read.
    #[error("could not read {}; check its permissions", .path.display())]
    ReadFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing is there.
    #[error("{} does not exist; refresh the listing", .path.display())]
    PathMissing {
        /// The path asked for.
        path: PathBuf,
    },
    /// The path leads out of the working tree, or into git's own data.
    #[error("{path:?} leaves the working tree; give a path relative to its root")]
    PathOutside {
        /// The path asked for.
        path: String,
    },
    /// A part of the path is a symbolic link.
    #[error("{path:?} leads through a symbolic link; give the path of its target")]
    PathLinked {
        /// The path asked for.
        path: String,
    },
    /// The system gave no notifications for a folder.
    #[error("could not watch {}; refresh by hand", .path.display())]
    Watch {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: notify::Error,
    },
    /// The system's limit on watched folders is reached.
    #[error("too many folders to watch below {}; raise the limit with `sysctl fs.inotify.max_user_watches=524288`", .path.display())]
    WatchLimit {
        /// The working tree.
        path: PathBuf,
    },
    /// No thread could be started for the watcher.
    #[error("could not start a thread to watch {}; close other programs", .path.display())]
    StartWatcher {
        /// The working tree.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The caller asked to stop.
    #[error("the listing was cancelled; start it again when needed")]
    Cancelled,
}

//! A repository in a temporary folder.

use git2::{IndexAddOption, IndexEntry, IndexTime, RepositoryInitOptions, Signature, Time};
use std::fs;
use std::ops::ControlFlow;
#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;
use tempfile::TempDir;
use whyrank_source::{CommitId, FileFilter, Listing, Repository, SkipReason};

pub(crate) struct Fixture {
    pub(crate) git: git2::Repository,
    /// The folder above the working tree, with all symbolic links resolved.
    pub(crate) above: PathBuf,
    _folder: TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let above = folder.path().canonicalize().expect("its path");
        let mut options = RepositoryInitOptions::new();
        options.initial_head("main");
        let git = git2::Repository::init_opts(above.join("repo"), &options).expect("a repository");
        Self {
            git,
            above,
            _folder: folder,
        }
    }

    pub(crate) fn with_files(files: &[(&str, &str)]) -> Self {
        let fixture = Self::new();
        for (path, text) in files {
            fixture.write(path, text);
        }
        fixture
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.above.join("repo")
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        fs::write(path, bytes).expect("the file is written");
    }

    pub(crate) fn open(&self) -> Repository {
        Repository::discover(&self.root()).expect("the repository opens")
    }

    /// Commits all files, ignored ones too.
    pub(crate) fn commit(&self, message: &str) -> CommitId {
        let mut index = self.git.index().expect("an index");
        index
            .add_all(["*"], IndexAddOption::FORCE, None)
            .expect("files are staged");
        index.update_all(["*"], None).expect("deletions are staged");
        index.write().expect("the index is written");
        commit_index(&self.git, &mut index, message)
    }

    /// Commits an entry that is not made from a file: a submodule, a link, an odd name.
    pub(crate) fn commit_entry(&self, path: &[u8], mode: u32, id: git2::Oid) -> CommitId {
        let mut index = self.git.index().expect("an index");
        let zero = IndexTime::new(0, 0);
        let entry = IndexEntry {
            ctime: zero,
            mtime: zero,
            dev: 0,
            ino: 0,
            mode,
            uid: 0,
            gid: 0,
            file_size: 0,
            id,
            flags: 0,
            flags_extended: 0,
            path: path.to_vec(),
        };
        index.add(&entry).expect("the entry is staged");
        commit_index(&self.git, &mut index, "entry")
    }

    pub(crate) fn list(&self) -> Listing {
        list(&self.open())
    }
}

pub(crate) fn commit_index(
    git: &git2::Repository,
    index: &mut git2::Index,
    message: &str,
) -> CommitId {
    let tree = git
        .find_tree(index.write_tree().expect("a tree"))
        .expect("the tree is there");
    let ada = Signature::new("Ada", "ada@example.org", &Time::new(1_700_000_000, 0));
    let ada = ada.expect("a signature");
    let parent = git
        .head()
        .ok()
        .map(|head| head.peel_to_commit().expect("a commit"));
    let parents: Vec<_> = parent.iter().collect();
    let oid = git
        .commit(Some("HEAD"), &ada, &ada, message, &tree, &parents)
        .expect("a commit");
    CommitId(oid.as_bytes().try_into().expect("twenty bytes"))
}

pub(crate) fn list(repository: &Repository) -> Listing {
    repository
        .list_worktree(&FileFilter::default(), &(), &mut |_| {
            ControlFlow::Continue(())
        })
        .expect("the working tree is listed")
}

pub(crate) fn paths(listing: &Listing) -> Vec<&str> {
    listing
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect()
}

pub(crate) fn skipped(listing: &Listing) -> Vec<(&str, SkipReason)> {
    listing
        .skipped
        .iter()
        .map(|skipped| (skipped.path.as_str(), skipped.reason.clone()))
        .collect()
}

#[cfg(unix)]
pub(crate) fn link(target: impl AsRef<Path>, path: &Path) {
    std::os::unix::fs::symlink(target, path).expect("the link is made");
}

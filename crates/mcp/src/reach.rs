//! Reach of an agent's calls: what the person registered, the server's own folder, and what the
//! client has open. What it opens is its own: no other client sees it, and it ends with the client.

use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use whyrank_engine::api::{RepoId, RepoName};
use whyrank_engine::{Engine, OpenRepo};

use crate::answer::ToolError;
use crate::roots::UnnamedRepo;

/// The standing of a selector to what calls may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Registered, or in the server's own folder, or nothing at all: the engine says so.
    Anybodys,
    /// In a folder that the client has open.
    Open,
    Beyond,
}

/// The folders that a client has open.
#[derive(Default)]
pub(crate) struct Reach {
    folders: Mutex<Vec<PathBuf>>,
    /// Repositories in them that calls named.
    repos: Mutex<Vec<OpenRepo>>,
}

impl Reach {
    /// Takes over the folders that the client has open, in place of those that it had; returns the
    /// repositories that it has open no longer.
    pub(crate) fn set_folders(&self, folders: &[PathBuf]) -> Vec<OpenRepo> {
        let folders = folders.iter().filter_map(|one| one.canonicalize().ok());
        let folders: Vec<PathBuf> = folders.collect();
        let mut repos = self.repos.lock();
        let is_left = |repo: &mut OpenRepo| !holds(&folders, repo.root());
        let left = repos.extract_if(.., is_left).collect();
        *self.folders.lock() = folders;
        left
    }

    pub(crate) fn standing(
        &self,
        engine: &Engine,
        unnamed: &UnnamedRepo,
        selector: &str,
    ) -> Result<Standing, ToolError> {
        if engine.known_repo(selector)?.is_some() {
            return Ok(Standing::Anybodys);
        }
        if self.repo(selector).is_some() {
            return Ok(Standing::Open);
        }
        if unnamed.is_home(engine, Path::new(selector)) {
            return Ok(Standing::Beyond);
        }
        if selector == unnamed.folder() {
            return Ok(Standing::Anybodys);
        }
        let Ok(asked) = Path::new(selector).canonicalize() else {
            // A name of nothing, or of what another client has open.
            let is_nothing = !selector.contains(['/', '\\']) && !engine.is_open(selector);
            return Ok(if is_nothing {
                Standing::Anybodys
            } else {
                Standing::Beyond
            });
        };
        Ok(if holds(&self.folders.lock(), &asked) {
            Standing::Open
        } else if unnamed.holds(&asked) {
            Standing::Anybodys
        } else {
            Standing::Beyond
        })
    }

    /// Opens the repository that a selector means, by which nobody registers it.
    pub(crate) fn open(&self, engine: &Engine, selector: &str) -> Result<RepoName, ToolError> {
        if let Some(repo) = self.repo(selector) {
            return Ok(repo);
        }
        let repo = engine.open_repo(Path::new(selector))?;
        let name = repo.name().clone();
        let mut repos = self.repos.lock();
        if repos.iter().all(|other| other.name().id != name.id) {
            repos.push(repo);
        }
        Ok(name)
    }

    /// The open repository of an id, a name or a root.
    pub(crate) fn repo(&self, selector: &str) -> Option<RepoName> {
        let repos = self.repos.lock();
        let is_meant = |repo: &&OpenRepo| {
            let name = repo.name();
            name.id == selector || name.name == selector || repo.root() == Path::new(selector)
        };
        repos.iter().find(is_meant).map(|repo| repo.name().clone())
    }

    /// The open repositories.
    pub(crate) fn ids(&self) -> Vec<RepoId> {
        let repos = self.repos.lock();
        repos.iter().map(|repo| repo.name().id.clone()).collect()
    }

    /// Takes what is open, at the end.
    pub(crate) fn into_repos(self) -> Vec<OpenRepo> {
        self.repos.into_inner()
    }
}

/// The error for a selector that calls may not name.
pub(crate) fn out_of_reach(selector: &str) -> ToolError {
    // The person stands in another folder than this process.
    let path = Path::new(selector).canonicalize();
    let path = path.map_or_else(|_| selector.to_owned(), |path| path.display().to_string());
    ToolError::new(
        "out-of-reach",
        format!("{path} is neither registered nor open in this client"),
        format!("the person can allow it: `whyrank repos add {path}`"),
    )
}

fn holds(folders: &[PathBuf], path: &Path) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

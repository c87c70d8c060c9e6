//! Repositories that are open for a while: a client of an agent has them open, the person registered none.

use crate::Engine;
use crate::api::RepoName;
use crate::error::Result;
use std::path::{Path, PathBuf};

/// A repository that calls may ask as long as this lives. Nothing is registered: other processes, lists and
/// names of repositories do not know it. Its index stays, and serves whoever opens or registers it next.
pub struct OpenRepo {
    engine: Engine,
    name: RepoName,
    root: PathBuf,
}

impl OpenRepo {
    /// Returns its id and name.
    pub fn name(&self) -> &RepoName {
        &self.name
    }

    /// Returns the root of its working tree.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Drop for OpenRepo {
    fn drop(&mut self) {
        if self.engine.state.registry.close(&self.name.id) {
            self.engine.unwatch(&self.name.id);
        }
    }
}

impl Engine {
    /// Opens the working tree that a path lies in, for as long as what is returned lives.
    ///
    /// # Errors
    /// `not-a-repository`, `bare-repository`, `path-missing`, `registry-damaged`, `io`.
    pub fn open_repo(&self, path: &Path) -> Result<OpenRepo> {
        let repo = self.state.registry.open(path)?;
        Ok(OpenRepo {
            engine: self.clone(),
            root: repo.root.clone(),
            name: repo.into(),
        })
    }

    /// Says whether an id is that of a repository which is open and not registered.
    pub fn is_open(&self, id: &str) -> bool {
        self.state.registry.is_open(id)
    }
}

//! Registered repositories: one JSON file, replaced by rename.

use crate::error::{EngineError, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use whyrank_index::ViewKey;
use whyrank_source::Repository;

/// A registered working tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Registered {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) root: PathBuf,
    pub(crate) common_dir: PathBuf,
    #[serde(default)]
    pub(crate) watching: bool,
    /// The SCIP file that was named; `None` for the usual place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scip: Option<PathBuf>,
}

impl Registered {
    /// The key of its store: all working trees of a repository share one.
    pub(crate) fn store_key(&self) -> String {
        short_hash(&self.common_dir)
    }

    pub(crate) fn view_key(&self) -> ViewKey {
        ViewKey::Worktree(self.root.to_string_lossy().into_owned())
    }
}

fn short_hash(path: &Path) -> String {
    hex::encode(Sha256::digest(path.to_string_lossy().as_bytes()))[..12].to_owned()
}

/// The list of registered repositories. Other processes may change the file: it is read anew for
/// every question.
pub(crate) struct Registry {
    path: PathBuf,
    /// Held while the file is changed.
    writing: Mutex<()>,
}

impl Registry {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            path: data_dir.join("repositories.json"),
            writing: Mutex::new(()),
        }
    }

    pub(crate) fn all(&self) -> Result<Vec<Registered>> {
        match fs::read_to_string(&self.path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| {
                EngineError::new(
                    "registry-damaged",
                    format!("the list of repositories {} cannot be read: {error}", self.path.display()),
                    "mend or delete that file; indexes are kept and found again when a repository is added",
                )
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(EngineError::io(&self.path, &error)),
        }
    }

    pub(crate) fn get(&self, id: &str) -> Result<Registered> {
        self.all()?
            .into_iter()
            .find(|repo| repo.id == id)
            .ok_or_else(|| {
                EngineError::new(
                    "unknown-repository",
                    format!("no repository `{id}` is registered"),
                    "see `whyrank repos list`, or give the path of one",
                )
            })
    }

    /// Registers the working tree that `path` lies in.
    pub(crate) fn add(&self, path: &Path) -> Result<Registered> {
        let repository = Repository::discover(path)?;
        let root = repository.root().to_owned();
        let repo = Registered {
            id: short_hash(&root),
            name: root.file_name().map_or_else(
                || root.to_string_lossy().into_owned(),
                |name| name.to_string_lossy().into_owned(),
            ),
            common_dir: repository.common_dir().to_owned(),
            root,
            watching: false,
            scip: None,
        };
        self.change(|repos| {
            if let Some(known) = repos.iter_mut().find(|known| known.id == repo.id) {
                known.common_dir.clone_from(&repo.common_dir);
                return known.clone();
            }
            repos.push(repo.clone());
            repos.sort_by(|a, b| (&a.name, &a.root).cmp(&(&b.name, &b.root)));
            repo.clone()
        })
    }

    pub(crate) fn remove(&self, id: &str) -> Result<Registered> {
        let repo = self.get(id)?;
        self.change(|repos| repos.retain(|known| known.id != id))?;
        Ok(repo)
    }

    pub(crate) fn set_watching(&self, id: &str, watching: bool) -> Result<()> {
        self.change(|repos| {
            for repo in repos.iter_mut().filter(|repo| repo.id == id) {
                repo.watching = watching;
            }
        })
    }

    pub(crate) fn set_scip(&self, id: &str, file: Option<PathBuf>) -> Result<()> {
        self.change(|repos| {
            for repo in repos.iter_mut().filter(|repo| repo.id == id) {
                repo.scip.clone_from(&file);
            }
        })
    }

    fn change<T>(&self, edit: impl FnOnce(&mut Vec<Registered>) -> T) -> Result<T> {
        let _writing = self
            .writing
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut repos = self.all()?;
        let before = repos.clone();
        let outcome = edit(&mut repos);
        if repos != before {
            let text = serde_json::to_string_pretty(&repos).expect("plain data serialises");
            replace_file(&self.path, text.as_bytes())?;
        }
        Ok(outcome)
    }
}

/// Writes a file beside its place and renames it there, so that a killed process leaves the old one.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let temporary = path.with_extension(format!("tmp{}", std::process::id()));
        fs::write(&temporary, bytes)?;
        fs::rename(&temporary, path)
    };
    write().map_err(|error| EngineError::io(path, &error))
}

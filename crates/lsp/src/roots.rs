//! The folders that the editor has open, and the repositories that they lie in.
//!
//! Repositories that a person registered are served from any folder. A folder that nobody registered is
//! served while the editor has it open; its index stays for whoever asks next.

use crate::failure::Failure;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use whyrank_engine::api::{IndexOptions, RepoId};
use whyrank_engine::{Engine, OpenRepo};

/// A repository that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServedRepo {
    pub(crate) id: RepoId,
    pub(crate) name: String,
    pub(crate) root: PathBuf,
    /// The root as the editor writes it, which may lead over links.
    pub(crate) written_root: PathBuf,
}

/// The fate of a folder that the editor opened.
pub(crate) enum OpenedFolder {
    /// Its index is brought up to date in the background.
    Indexed,
    /// It has no index yet; one is made in the background.
    New(ServedRepo),
    /// It is served already.
    Known,
}

#[derive(Default)]
struct Opened {
    folders: Vec<PathBuf>,
    served: Vec<ServedRepo>,
    /// Keeps open what is not registered.
    kept: Vec<OpenRepo>,
    /// The repository of a file's folder, as it was found before.
    found: HashMap<PathBuf, Option<ServedRepo>>,
}

/// The folders that the editor has open.
pub(crate) struct Roots {
    engine: Engine,
    home: Option<PathBuf>,
    opened: Mutex<Opened>,
}

impl Roots {
    pub(crate) fn new(engine: Engine, home: Option<PathBuf>) -> Self {
        Self {
            engine,
            home: home.and_then(|home| home.canonicalize().ok()),
            opened: Mutex::default(),
        }
    }

    /// Takes in a folder, and has its repository indexed and followed.
    ///
    /// # Errors
    ///
    /// A folder in no repository; what opening the repository gives.
    pub(crate) fn open(&self, folder: &Path) -> Result<OpenedFolder, Failure> {
        let written = folder;
        let folder = real(written);
        let Some(root) = self.engine.root_around(&folder) else {
            return Err(Failure::request(format!(
                "{} is in no git repository, so Whyrank has nothing to say there; `git init` makes it one",
                folder.display()
            )));
        };
        let mut opened = self.opened.lock();
        opened.found.clear();
        let written_root = written_root(written, &folder, &root);
        if !opened.folders.contains(&folder) {
            opened.folders.push(folder);
        }
        if opened.served.iter().any(|served| served.root == root) {
            return Ok(OpenedFolder::Known);
        }
        let served = self.serve(&root, written_root, &mut opened)?;
        drop(opened);
        let is_indexed = self.engine.are_indexed(std::slice::from_ref(&served.id))?;
        self.follow(&served)?;
        Ok(match is_indexed.first() {
            Some(true) => OpenedFolder::Indexed,
            _ => OpenedFolder::New(served),
        })
    }

    /// Lets go of a folder that the editor closed; repositories that no other folder lies in go with it.
    pub(crate) fn close(&self, folder: &Path) {
        let folder = real(folder);
        let mut opened = self.opened.lock();
        opened.found.clear();
        opened.folders.retain(|open| *open != folder);
        let roots: Vec<PathBuf> = opened
            .folders
            .iter()
            .filter_map(|folder| self.engine.root_around(folder))
            .collect();
        opened.served.retain(|served| roots.contains(&served.root));
        opened
            .kept
            .retain(|kept| roots.iter().any(|root| root == kept.root()));
    }

    /// The repositories that are served.
    pub(crate) fn served(&self) -> Vec<ServedRepo> {
        self.opened.lock().served.clone()
    }

    /// The repository of a file and the file's path in it; `None` for a file that no repository serves.
    pub(crate) fn locate(&self, path: &Path) -> Option<(ServedRepo, String)> {
        let name = path.file_name()?;
        let folder = real(path.parent()?);
        let repo = self.repo_of(&folder)?;
        let inside = folder.join(name);
        let inside = inside.strip_prefix(&repo.root).ok()?;
        let parts = inside.components().map(|part| part.as_os_str().to_str());
        let parts: Option<Vec<&str>> = parts.collect();
        Some((repo, parts?.join("/")))
    }

    fn repo_of(&self, folder: &Path) -> Option<ServedRepo> {
        let mut opened = self.opened.lock();
        if let Some(found) = opened.found.get(folder) {
            return found.clone();
        }
        let found = self.found(folder, &mut opened);
        opened.found.insert(folder.to_owned(), found.clone());
        found
    }

    /// One that is served, or registered, or lies in an open folder: a submodule, say.
    fn found(&self, folder: &Path, opened: &mut Opened) -> Option<ServedRepo> {
        let root = self.engine.root_around(folder)?;
        let served = opened.served.iter().find(|served| served.root == root);
        if let Some(served) = served {
            return Some(served.clone());
        }
        let is_registered = matches!(self.engine.known_repo(root.to_str()?), Ok(Some(_)));
        let is_open = opened.folders.iter().any(|open| root.starts_with(open));
        if !is_registered && !is_open {
            return None;
        }
        let served = self.serve(&root, root.clone(), opened).ok()?;
        if let Err(failure) = self.follow(&served) {
            tracing::warn!(
                repo = served.name,
                message = failure.message,
                "cannot index"
            );
        }
        Some(served)
    }

    /// Makes a repository known, without registering it.
    fn serve(
        &self,
        root: &Path,
        written_root: PathBuf,
        opened: &mut Opened,
    ) -> Result<ServedRepo, Failure> {
        let registered = match root.to_str() {
            Some(root) => self.engine.known_repo(root)?,
            None => None,
        };
        let name = match registered {
            Some(name) => name,
            None => {
                self.check_home(root)?;
                let repo = self.engine.open_repo(root)?;
                let name = repo.name().clone();
                opened.kept.push(repo);
                name
            }
        };
        let served = ServedRepo {
            id: name.id,
            name: name.name,
            root: root.to_owned(),
            written_root,
        };
        opened.served.push(served.clone());
        Ok(served)
    }

    /// A repository around the home folder is indexed for a person alone who said so.
    fn check_home(&self, root: &Path) -> Result<(), Failure> {
        let is_home = self
            .home
            .as_ref()
            .is_some_and(|home| home.starts_with(root));
        match is_home {
            false => Ok(()),
            true => Err(Failure::request(format!(
                "{} holds your home folder and is not indexed unasked; `whyrank repos add` allows it",
                root.display()
            ))),
        }
    }

    /// Brings the index up to date, and follows saves. Nobody waits for the latter: it walks the whole tree.
    fn follow(&self, repo: &ServedRepo) -> Result<(), Failure> {
        self.engine.start_index(&repo.id, IndexOptions::default())?;
        let (engine, repo) = (self.engine.clone(), repo.clone());
        let spawned = std::thread::Builder::new()
            .name("whyrank-follow".to_owned())
            .spawn(move || {
                let watched = engine.watch(&repo.id);
                // What was saved after the files were listed and before they were watched.
                let again = IndexOptions::default();
                let followed = watched.and_then(|()| engine.start_index(&repo.id, again).map(drop));
                if let Err(error) = followed {
                    tracing::warn!(repo = repo.name, %error, "cannot follow saves");
                }
            });
        if let Err(error) = spawned {
            tracing::warn!(%error, "no thread to follow saves");
        }
        Ok(())
    }
}

/// The root of a repository as an editor writes it that wrote a folder of it so.
fn written_root(written: &Path, folder: &Path, root: &Path) -> PathBuf {
    let inside = folder.strip_prefix(root).unwrap_or(Path::new(""));
    let mut above = written;
    for part in inside.components().rev() {
        match above.parent() {
            Some(parent) if above.file_name() == Some(part.as_os_str()) => above = parent,
            _ => return root.to_owned(),
        }
    }
    above.to_owned()
}

/// A file without links in its folder.
pub(crate) fn real_file(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => real(folder).join(name),
        _ => path.to_owned(),
    }
}

/// A folder without links; of one that is not there yet, as far as it is there.
fn real(folder: &Path) -> PathBuf {
    if let Ok(real) = folder.canonicalize() {
        return real;
    }
    match (folder.parent(), folder.file_name()) {
        (Some(parent), Some(name)) => real(parent).join(name),
        _ => folder.to_owned(),
    }
}

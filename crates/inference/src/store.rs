//! The folder where models live: `<dir>/<name>/<key>/<file>`, `<key>` being [`ModelEntry::key`].
//!
//! Files come in through `<dir>/.partial/<name>-<key>/`, are checked there, and go live by one
//! rename of the folder; a killed pull leaves `.partial` to be resumed. The file `verified` beside
//! the model's files says that their hashes were checked; without it they are checked before use.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::InferenceError;
use crate::files::{create_dir, create_parent, hash_problem, size_problem};
use crate::lock::{ModelEntry, ModelFile, ModelLock};
use crate::pins::Pins;
use crate::pull::{PullOptions, PullProgress, PullStage};

mod import;

pub use import::ImportProgress;

const MARKER: &str = "verified";

/// Models on disk, as the lock wants them.
#[derive(Debug, Clone)]
pub struct ModelStore {
    dir: PathBuf,
    lock: ModelLock,
    #[cfg_attr(
        not(feature = "fetch"),
        expect(dead_code, reason = "for the downloader alone")
    )]
    options: PullOptions,
}

/// What a model's folder holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelState {
    /// Nothing.
    Absent,
    /// Every file, as pinned.
    Present {
        /// The folder.
        dir: PathBuf,
    },
    /// Some files are missing, cut or changed; the model is not loaded.
    Damaged {
        /// The folder.
        dir: PathBuf,
        /// What is wrong, by file.
        problems: Vec<FileProblem>,
    },
}

/// A file that is not as pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    /// Its name.
    pub file: String,
    /// In what it differs.
    pub problem: String,
}

impl ModelStore {
    /// Returns a store in `dir` of the models this build knows. The folder need not exist.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self::with_lock(dir, ModelLock::builtin())
    }

    /// Returns a store of the models of another lock.
    #[must_use]
    pub fn with_lock(dir: impl Into<PathBuf>, lock: ModelLock) -> Self {
        Self {
            dir: dir.into(),
            lock,
            options: PullOptions::default(),
        }
    }

    /// Returns the same store, reaching the network in another way.
    #[must_use]
    pub fn with_pull_options(self, options: PullOptions) -> Self {
        Self { options, ..self }
    }

    /// Returns the models it can hold.
    #[must_use]
    pub fn lock(&self) -> &ModelLock {
        &self.lock
    }

    /// Returns where it lies.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Looks at presence and sizes, without reading the files.
    ///
    /// # Errors
    ///
    /// `UnknownModel`.
    pub fn state(&self, name: &str) -> Result<ModelState, InferenceError> {
        Ok(self.examine(self.lock.get(name)?, size_problem))
    }

    /// Hashes every file. What it finds right is marked, so that loading need not hash again.
    ///
    /// # Errors
    ///
    /// `UnknownModel`.
    pub fn verify(&self, name: &str) -> Result<ModelState, InferenceError> {
        let state = self.examine(self.lock.get(name)?, hash_problem);
        match &state {
            ModelState::Present { dir } => mark(dir),
            ModelState::Damaged { dir, .. } => drop(fs::remove_file(dir.join(MARKER))),
            ModelState::Absent => {}
        }
        Ok(state)
    }

    /// Returns the folder of a model that is ready to load; hashes its files if nobody has yet.
    ///
    /// # Errors
    ///
    /// `UnknownModel`, `ModelAbsent`, `ModelDamaged`.
    pub fn path(&self, name: &str) -> Result<PathBuf, InferenceError> {
        let mut state = self.state(name)?;
        if matches!(&state, ModelState::Present { dir } if !dir.join(MARKER).exists()) {
            state = self.verify(name)?;
        }
        match state {
            ModelState::Present { dir } => Ok(dir),
            ModelState::Absent => Err(InferenceError::ModelAbsent {
                name: name.to_owned(),
                fix: self.lock.get(name)?.how_to_get(),
                dir: self.live_dir(self.lock.get(name)?),
            }),
            ModelState::Damaged { dir, problems } => Err(InferenceError::ModelDamaged {
                name: name.to_owned(),
                fix: self.lock.get(name)?.how_to_get(),
                dir,
                problems: problems
                    .iter()
                    .map(|found| format!("{}: {}", found.file, found.problem))
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    /// Returns an entry with the hashes that were recorded when its unpinned files were imported.
    #[must_use]
    pub fn as_stored(&self, entry: &ModelEntry) -> ModelEntry {
        let mut entry = entry.clone();
        let pins = Pins::read(&self.live_dir(&entry));
        for file in &mut entry.files {
            *file = pins.complete(file);
        }
        for head in &mut entry.token_heads {
            let file = entry.files.iter().find(|file| file.name == head.name);
            if let Some(file) = file {
                head.sha256.clone_from(&file.sha256);
            }
        }
        entry
    }

    /// Downloads a model from the first of its sources that answers. Returns its folder.
    ///
    /// What an earlier pull has left is used; a model that is present and right is left alone.
    ///
    /// # Errors
    ///
    /// `UnknownModel`, `Cancelled`, `NoSourceAnswered` with each source's reason, `File`; `NotPinned`
    /// for a model that can only be imported; `FetchDisabled` in a build without the feature `fetch`.
    pub fn pull(
        &self,
        name: &str,
        progress: &mut dyn FnMut(PullProgress),
        cancel: &dyn Fn() -> bool,
    ) -> Result<PathBuf, InferenceError> {
        let entry = self.lock.get(name)?;
        let partial = self.partial_dir(entry);
        create_dir(&partial)?;
        let report = |stage| PullProgress {
            source: String::new(),
            stage,
            done_bytes: 0,
            total_bytes: entry.size_bytes(),
        };
        let _guard = lock_partial(&partial, cancel, &mut || {
            progress(report(PullStage::Waiting))
        })?;
        if let ModelState::Present { dir } = self.verify(name)? {
            drop(fs::remove_dir_all(&partial));
            return Ok(dir);
        }
        let unpinned: Vec<&str> = entry.unpinned().map(|file| file.name.as_str()).collect();
        if !unpinned.is_empty() {
            return Err(InferenceError::NotPinned {
                name: name.to_owned(),
                files: unpinned.join(", "),
                fix: entry.how_to_get(),
            });
        }
        self.fetch(entry, &partial, progress, cancel)?;
        let dir = self.publish(entry, &partial, &Pins::default())?;
        progress(PullProgress {
            done_bytes: entry.size_bytes(),
            ..report(PullStage::Done)
        });
        Ok(dir)
    }

    #[cfg(feature = "fetch")]
    fn fetch(
        &self,
        entry: &ModelEntry,
        partial: &Path,
        progress: &mut dyn FnMut(PullProgress),
        cancel: &dyn Fn() -> bool,
    ) -> Result<(), InferenceError> {
        let fallback = self.live_dir(entry);
        crate::fetch::Pull {
            entry,
            partial,
            options: &self.options,
            progress,
            cancel,
        }
        .run(&fallback)
    }

    #[cfg(not(feature = "fetch"))]
    fn fetch(
        &self,
        entry: &ModelEntry,
        _partial: &Path,
        _progress: &mut dyn FnMut(PullProgress),
        _cancel: &dyn Fn() -> bool,
    ) -> Result<(), InferenceError> {
        Err(InferenceError::FetchDisabled {
            name: entry.name.clone(),
        })
    }

    /// Moves checked files, of `.partial` or below it, to where they are loaded from, in one rename.
    fn publish(
        &self,
        entry: &ModelEntry,
        checked: &Path,
        pins: &Pins,
    ) -> Result<PathBuf, InferenceError> {
        let ready = checked.join("ready");
        create_dir(&ready)?;
        for file in &entry.files {
            let (from, to) = (checked.join(&file.name), ready.join(&file.name));
            create_parent(&to)?;
            fs::rename(&from, to).map_err(InferenceError::file("move", &from))?;
        }
        pins.write(&ready)?;
        mark(&ready);
        let live = self.live_dir(entry);
        if let Some(parent) = live.parent() {
            create_dir(parent)?;
        }
        let old = checked.join("old");
        drop(fs::remove_dir_all(&old));
        if live.exists() {
            fs::rename(&live, &old).map_err(InferenceError::file("move", &live))?;
        }
        if let Err(error) = fs::rename(&ready, &live) {
            // What was there before serves on.
            drop(fs::rename(&old, &live));
            return Err(InferenceError::file("move", &ready)(error));
        }
        drop(fs::remove_dir_all(self.partial_dir(entry)));
        Ok(live)
    }

    fn examine(
        &self,
        entry: &ModelEntry,
        problem_of: fn(&ModelFile, &Path) -> Option<String>,
    ) -> ModelState {
        let dir = self.live_dir(entry);
        if !entry.files.iter().any(|file| dir.join(&file.name).exists()) {
            return ModelState::Absent;
        }
        let pins = Pins::read(&dir);
        let problems: Vec<FileProblem> = entry
            .files
            .iter()
            .filter_map(|file| {
                let stored = pins.complete(file);
                let problem = if stored.is_pinned() {
                    problem_of(&stored, &dir.join(&file.name))?
                } else {
                    "no record of its import".to_owned()
                };
                Some(FileProblem {
                    file: file.name.clone(),
                    problem,
                })
            })
            .collect();
        if problems.is_empty() {
            ModelState::Present { dir }
        } else {
            ModelState::Damaged { dir, problems }
        }
    }

    fn live_dir(&self, entry: &ModelEntry) -> PathBuf {
        self.dir.join(&entry.name).join(entry.key())
    }

    fn partial_dir(&self, entry: &ModelEntry) -> PathBuf {
        self.dir
            .join(".partial")
            .join(format!("{}-{}", entry.name, entry.key()))
    }
}

/// Takes the lock of a partial folder, waiting for its holder.
fn lock_partial(
    partial: &Path,
    cancel: &dyn Fn() -> bool,
    waiting: &mut dyn FnMut(),
) -> Result<File, InferenceError> {
    let mut path = partial.as_os_str().to_owned();
    path.push(".lock");
    let path = PathBuf::from(path);
    let file = File::create(&path).map_err(InferenceError::file("create", &path))?;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(fs::TryLockError::WouldBlock) if cancel() => return Err(InferenceError::Cancelled),
            Err(fs::TryLockError::WouldBlock) => waiting(),
            Err(fs::TryLockError::Error(source)) => {
                return Err(InferenceError::File {
                    act: "lock",
                    path,
                    source,
                });
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    // Anyone who had the lock may have removed the folder.
    create_dir(partial)?;
    Ok(file)
}

/// Best effort: in a folder that cannot be written the hashes are simply checked at every start.
fn mark(dir: &Path) {
    let written = File::create(dir.join(MARKER)).and_then(|mut file| file.write_all(b"sha256\n"));
    if let Err(error) = written {
        tracing::debug!(dir = %dir.display(), %error, "cannot mark the model as verified");
    }
}

#[cfg(test)]
mod tests;

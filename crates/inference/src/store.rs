//! The folder where models live: `<dir>/<name>/<key>/<file>`, `<key>` being [`ModelEntry::key`].
//!
//! Files come in through `<dir>/.partial/<name>-<key>/`, are checked there, and go live by one
//! rename of the folder; a killed pull leaves `.partial` to be resumed. The file `verified` beside
//! the model's files says that their hashes were checked; without it they are checked before use.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::InferenceError;
use crate::lock::{ModelEntry, ModelFile, ModelLock};

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

/// How [`ModelStore::pull`] reaches the network. Nothing of it is read from the environment here;
/// pip is a child process and sees the user's own.
#[derive(Debug, Clone)]
pub struct PullOptions {
    /// Base address of the hub, for `hf:` sources.
    pub hub_url: String,
    /// Proxy for `hf:` sources, as in `https_proxy`.
    pub proxy: Option<String>,
    /// The Python that has pip: program names, the first that starts is taken.
    pub python: Vec<String>,
}

/// One report of a running pull.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullProgress {
    /// The source being tried.
    pub source: String,
    /// What it is doing.
    pub stage: PullStage,
    /// Bytes on disk of what is being fetched.
    pub done_bytes: u64,
    /// Bytes there will be.
    pub total_bytes: u64,
}

/// What a pull is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullStage {
    /// Waiting for another process that pulls the same model.
    Waiting,
    /// Bytes are coming in.
    Downloading,
    /// Files are unpacked and hashed.
    Checking,
    /// The source failed, the next is tried.
    SourceFailed {
        /// Why.
        reason: String,
    },
    /// The model is in the store.
    Done,
}

impl Default for PullOptions {
    fn default() -> Self {
        Self {
            hub_url: "https://huggingface.co".into(),
            proxy: None,
            python: vec!["python3".into(), "python".into()],
        }
    }
}

impl ModelStore {
    /// A store in `dir` of the models this build knows. The folder need not exist.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self::with_lock(dir, ModelLock::builtin())
    }

    /// A store of the models of another lock.
    #[must_use]
    pub fn with_lock(dir: impl Into<PathBuf>, lock: ModelLock) -> Self {
        Self {
            dir: dir.into(),
            lock,
            options: PullOptions::default(),
        }
    }

    /// The same store, reaching the network in another way.
    #[must_use]
    pub fn with_pull_options(self, options: PullOptions) -> Self {
        Self { options, ..self }
    }

    /// The models it can hold.
    #[must_use]
    pub fn lock(&self) -> &ModelLock {
        &self.lock
    }

    /// Where it lies.
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

    /// The folder of a model that is ready to load; hashes its files if nobody has yet.
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
                dir: self.live_dir(self.lock.get(name)?),
            }),
            ModelState::Damaged { dir, problems } => Err(InferenceError::ModelDamaged {
                name: name.to_owned(),
                dir,
                problems: problems
                    .iter()
                    .map(|found| format!("{}: {}", found.file, found.problem))
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    /// Copies a model's files from a folder, if they are the pinned ones. Returns its new folder.
    ///
    /// # Errors
    ///
    /// `UnknownModel`, `WrongFile`, `File`.
    pub fn import(&self, name: &str, from: &Path) -> Result<PathBuf, InferenceError> {
        let entry = self.lock.get(name)?;
        let partial = self.partial_dir(entry);
        create_dir(&partial)?;
        let _guard = lock_partial(&partial, &|| false, &mut || {})?;
        for file in &entry.files {
            copy_checked(file, &from.join(&file.name), &partial)?;
        }
        self.publish(entry)
    }

    /// Downloads a model from the first of its sources that answers. Returns its folder.
    ///
    /// What an earlier pull has left is used; a model that is present and right is left alone.
    ///
    /// # Errors
    ///
    /// `UnknownModel`, `Cancelled`, `NoSourceAnswered` with each source's reason, `File`;
    /// `FetchDisabled` in a build without the feature `fetch`.
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
        self.fetch(entry, &partial, progress, cancel)?;
        let dir = self.publish(entry)?;
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

    /// Moves the checked files of `.partial` to where they are loaded from, in one rename.
    fn publish(&self, entry: &ModelEntry) -> Result<PathBuf, InferenceError> {
        let partial = self.partial_dir(entry);
        let ready = partial.join("ready");
        create_dir(&ready)?;
        for file in &entry.files {
            let from = partial.join(&file.name);
            fs::rename(&from, ready.join(&file.name))
                .map_err(InferenceError::file("move", &from))?;
        }
        mark(&ready);
        let live = self.live_dir(entry);
        if let Some(parent) = live.parent() {
            create_dir(parent)?;
        }
        if live.exists() {
            let old = partial.join("old");
            drop(fs::remove_dir_all(&old));
            fs::rename(&live, &old).map_err(InferenceError::file("move", &live))?;
        }
        fs::rename(&ready, &live).map_err(InferenceError::file("move", &ready))?;
        drop(fs::remove_dir_all(&partial));
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
        let problems: Vec<FileProblem> = entry
            .files
            .iter()
            .filter_map(|file| {
                let problem = problem_of(file, &dir.join(&file.name))?;
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

fn size_problem(file: &ModelFile, path: &Path) -> Option<String> {
    match fs::metadata(path) {
        Err(error) => Some(error.to_string()),
        Ok(metadata) if metadata.len() != file.size_bytes => Some(format!(
            "{} bytes, {} are pinned",
            metadata.len(),
            file.size_bytes
        )),
        Ok(_) => None,
    }
}

/// What distinguishes the file at `path` from the pinned one, by size and sha256.
pub(crate) fn hash_problem(file: &ModelFile, path: &Path) -> Option<String> {
    size_problem(file, path).or_else(|| match sha256_of(path) {
        Err(error) => Some(error.to_string()),
        Ok(sha256) if sha256 != file.sha256 => {
            Some(format!("sha256 is {sha256}, {} is pinned", file.sha256))
        }
        Ok(_) => None,
    })
}

/// sha256 of a file's content, lower-case hex.
pub(crate) fn sha256_of(path: &Path) -> std::io::Result<String> {
    let mut reader = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(hex::encode(hasher.finalize())),
            n_bytes => hasher.update(&buffer[..n_bytes]),
        }
    }
}

fn copy_checked(file: &ModelFile, from: &Path, partial: &Path) -> Result<(), InferenceError> {
    if let Some(problem) = hash_problem(file, from) {
        return Err(InferenceError::WrongFile {
            path: from.into(),
            problem,
        });
    }
    let to = partial.join(&file.name);
    fs::copy(from, &to).map_err(InferenceError::file("copy", from))?;
    match hash_problem(file, &to) {
        Some(problem) => Err(InferenceError::WrongFile { path: to, problem }),
        None => Ok(()),
    }
}

/// Takes the lock of a partial folder, waiting for whoever has it.
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
    // Whoever had the lock may have removed the folder.
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

fn create_dir(dir: &Path) -> Result<(), InferenceError> {
    fs::create_dir_all(dir).map_err(InferenceError::file("create", dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: &[u8] = b"weights";

    fn lock() -> ModelLock {
        let sha256 = hex::encode(Sha256::digest(CONTENT));
        ModelLock::parse(&format!(
            "schema = 1\ndefault = \"m\"\n[model.m]\ntitle = \"M\"\narch = \"bert\"\ndim = 8\n\
             pooling = \"mean\"\nmax_tokens = 8\nmax_query_tokens = 8\nquery_prefix = \"\"\n\
             document_prefix = \"\"\nlicence = \"MIT\"\nupstream = \"u\"\nsources = []\n\
             files = [{{ name = \"w\", size_bytes = 7, sha256 = \"{sha256}\" }}]\n"
        ))
        .unwrap()
    }

    fn store(dir: &Path) -> ModelStore {
        ModelStore::with_lock(dir.join("store"), lock())
    }

    #[test]
    fn an_imported_model_is_present_until_its_bytes_change() {
        let temp = tempfile::tempdir().unwrap();
        let store = store(temp.path());
        assert_eq!(store.state("m").unwrap(), ModelState::Absent);
        assert!(matches!(
            store.path("m"),
            Err(InferenceError::ModelAbsent { .. })
        ));

        fs::write(temp.path().join("w"), CONTENT).unwrap();
        let dir = store.import("m", temp.path()).unwrap();
        assert_eq!(store.path("m").unwrap(), dir);
        assert_eq!(
            store.verify("m").unwrap(),
            ModelState::Present { dir: dir.clone() }
        );

        fs::write(dir.join("w"), b"Weights").unwrap();
        assert!(matches!(
            store.verify("m").unwrap(),
            ModelState::Damaged { .. }
        ));
        assert!(matches!(
            store.path("m"),
            Err(InferenceError::ModelDamaged { .. })
        ));

        store.import("m", temp.path()).unwrap();
        assert_eq!(store.path("m").unwrap(), dir);
    }

    #[test]
    fn import_refuses_other_bytes_and_leaves_no_model() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("w"), b"weightZ").unwrap();
        let store = store(temp.path());
        let error = store.import("m", temp.path()).unwrap_err();
        assert!(matches!(error, InferenceError::WrongFile { .. }), "{error}");
        assert_eq!(store.state("m").unwrap(), ModelState::Absent);
    }

    #[test]
    fn files_put_in_by_hand_are_hashed_before_use() {
        let temp = tempfile::tempdir().unwrap();
        let store = store(temp.path());
        let dir = store.live_dir(store.lock.get("m").unwrap());
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("w"), b"Weights").unwrap();
        assert!(matches!(
            store.state("m").unwrap(),
            ModelState::Present { .. }
        ));
        assert!(matches!(
            store.path("m"),
            Err(InferenceError::ModelDamaged { .. })
        ));
        fs::write(dir.join("w"), CONTENT).unwrap();
        assert_eq!(store.path("m").unwrap(), dir);
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let error = ModelStore::new("/nowhere")
            .state("bge")
            .unwrap_err()
            .to_string();
        assert!(error.contains("coderank-embed, minilm-l6"), "{error}");
    }
}

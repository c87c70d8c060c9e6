//! A small file that is dear: replaced as a whole, by one process at a time, with a copy beside it that is
//! read where the file itself is damaged or gone.
//!
//! Other processes may change it, so it is read again for every question. No change of ours leaves the file
//! away or half written: where it is so, somebody else's hand or the disk did it.

use crate::error::{EngineError, Result};
use crate::paths::MAX_LIST_BYTES;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use whyrank_system::{files, regular};

/// Longer than any other process changes the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// How a list is written as text, and what it is called.
pub(crate) trait Listed: Default + Sized {
    /// As a message names it: `list of repositories`.
    const NAME: &'static str;
    /// What brings it back where neither file nor copy can be read.
    const HINT: &'static str;

    /// Reads the text, checksums too; an error says in words what is wrong.
    fn parse(text: &str) -> std::result::Result<Self, String>;
    fn text(&self) -> String;
}

/// The file, its copy and its lock.
pub(crate) struct KeptList {
    path: PathBuf,
    copy: PathBuf,
    /// Held while the file is changed; it outlives every replacement of the list.
    lock: PathBuf,
    /// Said once a process: the list is read for every question.
    has_said: AtomicBool,
}

impl KeptList {
    pub(crate) fn new(folder: &Path, stem: &str) -> Self {
        Self::with_ending(folder, stem, "json")
    }

    /// A list whose text is a line of JSON for each entry.
    pub(crate) fn of_lines(folder: &Path, stem: &str) -> Self {
        Self::with_ending(folder, stem, "jsonl")
    }

    fn with_ending(folder: &Path, stem: &str, ending: &str) -> Self {
        Self {
            path: folder.join(format!("{stem}.{ending}")),
            copy: folder.join(format!("{stem}.copy.{ending}")),
            lock: folder.join(format!("{stem}.lock")),
            has_said: AtomicBool::new(false),
        }
    }

    /// Reads the list; nothing where none was ever written.
    ///
    /// # Errors
    /// `registry-damaged` and `io` where the copy cannot be read either.
    pub(crate) fn read<L: Listed>(&self) -> Result<L> {
        let (list, problem) = self.read_with_problem()?;
        if let Some(problem) = problem
            && !self.has_said.swap(true, Ordering::Relaxed)
        {
            tracing::warn!("{}: its copy is read", problem.message);
        }
        Ok(list)
    }

    /// Reads the list, and says why its copy was read in its place.
    pub(crate) fn read_with_problem<L: Listed>(&self) -> Result<(L, Option<EngineError>)> {
        let problem = match read_file(&self.path) {
            Ok(Some(list)) => return Ok((list, None)),
            Ok(None) => None,
            Err(error) => Some(error),
        };
        match (read_file(&self.copy), problem) {
            (Ok(Some(list)), problem) => {
                let gone = || damaged::<L>(&self.path, "it is gone");
                Ok((list, Some(problem.unwrap_or_else(gone))))
            }
            (Ok(None) | Err(_), Some(problem)) => Err(problem),
            (Ok(None), None) => Ok((L::default(), None)),
            (Err(error), None) => Err(error),
        }
    }

    /// Changes the list while nobody else does; what is the same is not written, unless it has no copy:
    /// older versions made none.
    ///
    /// # Errors
    /// Those of [`Self::read`]; `busy`, `io`.
    pub(crate) fn change<L: Listed, T>(&self, edit: impl FnOnce(&mut L) -> T) -> Result<T> {
        let lock = files::lock(&self.lock, PATIENCE);
        let lock = lock.map_err(|error| EngineError::io(&self.lock, &error))?;
        let _writing = lock.ok_or_else(|| {
            let message = format!("another process holds {}", self.lock.display());
            EngineError::new("busy", message, "try again once it is done")
        })?;
        let (mut list, problem) = self.read_with_problem::<L>()?;
        let before = list.text();
        let outcome = edit(&mut list);
        let text = list.text();
        if text != before || problem.is_some() || !self.copy.exists() {
            files::replace(&self.path, text.as_bytes())
                .map_err(|error| EngineError::io(&self.path, &error))?;
            if let Err(error) = files::replace(&self.copy, text.as_bytes()) {
                tracing::warn!(%error, "the {} has no copy of today", L::NAME);
                // An old one would bring back what was removed since.
                let _ = std::fs::remove_file(&self.copy);
            }
        }
        Ok(outcome)
    }
}

/// `None` where there is no file.
fn read_file<L: Listed>(path: &Path) -> Result<Option<L>> {
    match regular::read_text(path, MAX_LIST_BYTES) {
        Ok(text) => match L::parse(&text) {
            Ok(list) => Ok(Some(list)),
            Err(detail) => Err(damaged::<L>(path, &detail)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(EngineError::io(path, &error)),
    }
}

fn damaged<L: Listed>(path: &Path, detail: &str) -> EngineError {
    let message = format!(
        "the {} {} cannot be read: {detail}",
        L::NAME,
        path.display()
    );
    EngineError::new("registry-damaged", message, L::HINT)
}

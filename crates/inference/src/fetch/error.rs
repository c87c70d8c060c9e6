//! The error of a download, and the check that each file passes.

use crate::files::hash_problem;
use crate::lock::ModelFile;
use std::fs;
use std::path::{Path, PathBuf};

/// Why a source did not give the files.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("cancelled")]
    Cancelled,
    #[error("no Python with pip: {tried}")]
    NoPython { tried: String },
    #[error("pip failed: {stderr}")]
    Pip { stderr: String },
    #[error("pip left no wheel")]
    NoWheel,
    #[error("the wheel's sha256 is {found}")]
    WrongWheel { found: String },
    #[error("cannot read the wheel")]
    Wheel(#[from] zip::result::ZipError),
    #[error("the address is not usable")]
    Address(#[source] ureq::Error),
    #[error("no answer from {url}")]
    Transport { url: String, source: ureq::Error },
    #[error("{url} answered {status}")]
    Status { url: String, status: u16 },
    #[error("the connection broke {n_attempts} times without a byte in between")]
    Stalled {
        n_attempts: usize,
        source: std::io::Error,
    },
    #[error("{file} is not the pinned file: {problem}")]
    WrongFile { file: String, problem: String },
    #[error("cannot use {path}")]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// Moves a downloaded file to its name if it is the pinned one, and removes it if it is not.
pub(super) fn accept(file: &ModelFile, part: &Path, partial: &Path) -> Result<(), FetchError> {
    if let Some(problem) = hash_problem(file, part) {
        drop(fs::remove_file(part));
        return Err(FetchError::WrongFile {
            file: file.name.clone(),
            problem,
        });
    }
    fs::rename(part, partial.join(&file.name)).map_err(|source| FetchError::File {
        path: part.into(),
        source,
    })
}

//! Files of models: whether one is as pinned, and folders for them.

use crate::error::InferenceError;
use crate::lock::ModelFile;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// What distinguishes the file at `path` from the pinned one, by size.
pub(crate) fn size_problem(file: &ModelFile, path: &Path) -> Option<String> {
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

/// Makes the folder that a file will lie in.
pub(crate) fn create_parent(path: &Path) -> Result<(), InferenceError> {
    path.parent().map_or(Ok(()), create_dir)
}

pub(crate) fn create_dir(dir: &Path) -> Result<(), InferenceError> {
    fs::create_dir_all(dir).map_err(InferenceError::file("create", dir))
}

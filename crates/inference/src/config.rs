//! A model's files, and its `config.json`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::adapter::Adapter;
use crate::error::InferenceError;

/// Paths of the files a loader reads.
pub(crate) struct ModelFiles<'a> {
    pub config: &'a Path,
    pub weights: &'a Path,
    /// Added to the weights, each.
    pub adapters: Vec<Arc<Adapter>>,
}

/// Reads and parses a model's `config.json`.
pub(crate) fn read_config<T: DeserializeOwned>(path: &Path) -> Result<T, InferenceError> {
    let text = std::fs::read(path).map_err(InferenceError::file("read", path))?;
    serde_json::from_slice(&text).map_err(|error| InferenceError::ModelConfig {
        path: PathBuf::from(path),
        detail: error.to_string(),
    })
}

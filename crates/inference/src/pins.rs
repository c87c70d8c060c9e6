//! Hashes of files that the lock does not pin, recorded when they were imported: what is loaded later
//! is what the user brought.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::InferenceError;
use crate::lock::ModelFile;

const FILE: &str = "imported.json";

/// By file name.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Pins(BTreeMap<String, Pin>);

#[derive(Debug, Serialize, Deserialize)]
struct Pin {
    size_bytes: u64,
    sha256: String,
}

impl Pins {
    /// Those of a model's folder; none where the record is missing or damaged.
    pub(crate) fn read(dir: &Path) -> Self {
        let text = fs::read(dir.join(FILE)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Takes note of a file as it is.
    pub(crate) fn record(&mut self, name: &str, size_bytes: u64, sha256: String) {
        let pin = Pin { size_bytes, sha256 };
        self.0.insert(name.to_owned(), pin);
    }

    pub(crate) fn write(&self, dir: &Path) -> Result<(), InferenceError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let path = dir.join(FILE);
        let text = serde_json::to_vec(self).unwrap_or_default();
        fs::write(&path, text).map_err(InferenceError::file("write", &path))
    }

    /// The file with its recorded hash, if the lock has none and there is a record.
    pub(crate) fn complete(&self, file: &ModelFile) -> ModelFile {
        match self.0.get(&file.name).filter(|_| !file.is_pinned()) {
            None => file.clone(),
            Some(pin) => ModelFile {
                name: file.name.clone(),
                size_bytes: pin.size_bytes,
                sha256: pin.sha256.clone(),
            },
        }
    }
}

//! Files of a suite: lines, JSON, names.

use crate::error::{EvalError, Result};
use std::path::Path;

/// Every line that is not empty, with its number.
pub(super) fn read_lines(path: &Path) -> Result<Vec<(usize, serde_json::Value)>> {
    let text = read(path)?;
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("//"));
    lines
        .map(|(number, line)| match serde_json::from_str(line) {
            Ok(value) => Ok((number, value)),
            Err(error) => Err(EvalError::format(
                path,
                Some(number),
                format!("no JSON: {error}"),
            )),
        })
        .collect()
}

pub(super) fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| EvalError::io(path, error))
}

pub(super) fn parse<T: serde::de::DeserializeOwned>(
    path: &Path,
    line: usize,
    value: &serde_json::Value,
) -> Result<T> {
    T::deserialize(value)
        .map_err(|error| EvalError::format(path, Some(line), format!("no task: {error}")))
}

/// Files of a folder, sorted by name.
pub(super) fn files_of(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|error| EvalError::io(folder, error))?;
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json" || extension == "jsonl")
        })
        .collect();
    files.sort();
    Ok(files)
}

/// The suite's name: that of its file or folder.
pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_stem().or_else(|| path.file_name());
    name.map_or_else(
        || "tasks".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

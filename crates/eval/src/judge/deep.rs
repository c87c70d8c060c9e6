//! Recall beyond what an agent is shown.

use super::verdict::clean;
use crate::answer::ReturnedPlace;
use crate::task::{Expected, Task};
use std::collections::BTreeSet;

/// Returns the share of the relevant files or documents that the first `depth` candidates hold; `None`
/// for tasks whose answer is no ranking of files.
pub fn recall_at(task: &Task, candidates: &[ReturnedPlace], depth: usize) -> Option<f64> {
    let found: BTreeSet<String> = candidates
        .iter()
        .take(depth)
        .map(|found| clean(&found.file))
        .collect();
    let (relevant, by_suffix): (BTreeSet<&str>, bool) = match &task.expected {
        Expected::Ranked {
            relevant,
            by_suffix,
            ..
        } => (
            relevant.iter().map(|place| place.file.as_str()).collect(),
            *by_suffix,
        ),
        Expected::Documents { grades } => {
            let relevant = grades.iter().filter(|(_, grade)| **grade > 0);
            (relevant.map(|(id, _)| id.as_str()).collect(), false)
        }
        _ => return None,
    };
    let is_found = |file: &&str| {
        found.contains(*file)
            || (by_suffix && found.iter().any(|path| path.ends_with(&format!("/{file}"))))
    };
    let n = relevant.iter().filter(|file| is_found(file)).count();
    (!relevant.is_empty()).then(|| n as f64 / relevant.len() as f64)
}

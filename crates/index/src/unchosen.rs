//! Vectors of models that are no longer chosen.
//!
//! They stay for a week, so that the way back to a model costs nothing; then the run that ends a lane
//! of the chosen model deletes them.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long vectors are kept that no run has written to.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Deletes what belongs to the chosen one's siblings: entries of a generation that begin with
/// `prefix`, but not with the name of `chosen`, and that were last written a week before `now`. What
/// cannot be deleted now, the next run tries again.
pub(crate) fn shed_unchosen(generation: &Path, prefix: &str, chosen: &Path, now: SystemTime) {
    let Some(chosen) = chosen.file_stem().and_then(|stem| stem.to_str()) else {
        return;
    };
    for entry in fs::read_dir(generation).into_iter().flatten().flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        if !name.starts_with(prefix) || name.starts_with(chosen) || !is_old(&path, now) {
            continue;
        }
        let _ = match path.is_dir() {
            true => fs::remove_dir_all(&path),
            false => fs::remove_file(&path),
        };
    }
}

/// Whether nothing of it was written in the last week.
fn is_old(path: &Path, now: SystemTime) -> bool {
    let written = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let inside = fs::read_dir(path).into_iter().flatten().flatten();
    let newest = inside
        .filter_map(|entry| written(&entry.path()))
        .chain(written(path))
        .max();
    newest.is_some_and(|at| now.duration_since(at).is_ok_and(|age| age > KEPT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_model_left_goes_after_a_week_and_no_sooner() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let files = [
            "vectors-a-t1.db",
            "vectors-a-t1.db-wal",
            "vectors-b-t1.db",
            "tokens-b-t1-p1-f4/table.db",
            "sketch-a-t1/head",
            "sketch-b-t1/head",
            "catalog.db",
        ];
        for name in files {
            let path = at(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, "x").expect("a file");
        }
        let chosen = at("vectors-b-t1.db");
        let written = fs::metadata(&chosen).and_then(|found| found.modified());
        let soon = written.expect("a time") + Duration::from_secs(3_600);
        shed_unchosen(folder.path(), "vectors-", &chosen, soon);
        assert!(files.iter().all(|name| at(name).exists()));

        shed_unchosen(folder.path(), "vectors-", &chosen, soon + KEPT);
        let left = files.map(|name| at(name).exists());
        assert_eq!(left, [false, false, true, true, true, true, true]);
        shed_unchosen(folder.path(), "sketch-", &at("sketch-b-t1"), soon + KEPT);
        assert!(!at("sketch-a-t1").exists() && at("sketch-b-t1/head").exists());
    }
}

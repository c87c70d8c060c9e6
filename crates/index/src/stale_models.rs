//! Vectors of models that are no longer chosen.
//!
//! They stay for a week, so that the way back to a model costs nothing; then the run that ends a lane
//! of the chosen model deletes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long vectors are kept that no run has written to.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Deletes what belongs to the chosen one's siblings: entries of a generation that begin with
/// `prefix`, but not with the name of `chosen`, where nothing of the same model was written in the
/// week before `now`. What cannot be deleted now, the next run tries again.
pub(crate) fn delete_stale(generation: &Path, prefix: &str, chosen: &Path, now: SystemTime) {
    let chosen = stem(chosen);
    let entries = fs::read_dir(generation).into_iter().flatten().flatten();
    let mut others: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    others.retain(|path| stem(path).starts_with(prefix) && !stem(path).starts_with(&chosen));
    // A log that outlives its table would be read into the next one of that name: `.db-wal` goes
    // before `.db`.
    others.sort_unstable_by(|a, b| b.cmp(a));
    let is_old = |model: &str| {
        let of_model = others.iter().filter(|path| stem(path) == model);
        let newest = of_model.filter_map(|path| last_written(path)).max();
        newest.is_some_and(|at| now.duration_since(at).is_ok_and(|age| age > KEPT))
    };
    let old = others.iter().filter(|path| is_old(&stem(path)));
    for path in old.collect::<Vec<_>>() {
        let _ = if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
    }
}

/// What a model's table and its logs have in common.
fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn last_written(path: &Path) -> Option<SystemTime> {
    let written = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let inside = fs::read_dir(path).into_iter().flatten().flatten();
    let inside = inside.filter_map(|entry| written(&entry.path()));
    inside.chain(written(path)).max()
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
        delete_stale(folder.path(), "vectors-", &chosen, soon);
        assert!(files.iter().all(|name| at(name).exists()));

        // A log that was written lately keeps its table.
        let log = fs::File::options()
            .append(true)
            .open(at("vectors-a-t1.db-wal"));
        log.and_then(|log| log.set_modified(soon + KEPT))
            .expect("a time");
        delete_stale(folder.path(), "vectors-", &chosen, soon + KEPT);
        assert!(files.iter().all(|name| at(name).exists()));

        delete_stale(folder.path(), "vectors-", &chosen, soon + 3 * KEPT);
        let left = files.map(|name| at(name).exists());
        assert_eq!(left, [false, false, true, true, true, true, true]);
        delete_stale(folder.path(), "sketch-", &at("sketch-b-t1"), soon + KEPT);
        assert!(!at("sketch-a-t1").exists() && at("sketch-b-t1/head").exists());
    }
}

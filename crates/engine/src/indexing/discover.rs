//! Repositories on this machine that nobody added yet: what the first start offers.

use crate::error::{EngineError, Result};
use crate::paths::{folder_name, home_dir};
use crate::{Engine, api::FoundRepository};
use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// Folders that are looked into: a home with more is seen in part, and answers as soon.
const MAX_FOLDERS: usize = 20_000;
/// Steps below the home folder; deeper ones are rarely a person's own.
const MAX_DEPTH: usize = 6;
/// Those that are offered, the most recently used first.
const MAX_FOUND: usize = 40;
/// What holds copies of other people's code, or no code at all.
const PASSED_OVER: [&str; 9] = [
    "node_modules",
    "target",
    "vendor",
    "venv",
    "snap",
    "go",
    "Library",
    "AppData",
    "Applications",
];

impl Engine {
    /// Lists git repositories below the person's home that are not registered, the most recently used first.
    ///
    /// Follows no links, looks into no hidden folder and into no repository; reads names and times only.
    ///
    /// # Errors
    /// `no-home` when no home folder is known, `registry` when the list of repositories cannot be read.
    pub fn find_repositories(&self) -> Result<Vec<FoundRepository>> {
        let home = home_dir().ok_or_else(EngineError::no_home)?;
        let registered = self.state.registry.all()?;
        let known: HashSet<PathBuf> = registered.into_iter().map(|repo| repo.root).collect();
        let mut found = repositories_below(&home, MAX_FOLDERS);
        found.retain(|one| !known.contains(Path::new(&one.root)));
        found.truncate(MAX_FOUND);
        Ok(found)
    }
}

/// Breadth first, so that a bound cuts what lies deep.
fn repositories_below(home: &Path, max_folders: usize) -> Vec<FoundRepository> {
    let mut found = Vec::new();
    let mut level = vec![home.to_owned()];
    let mut n_seen = 0;
    for _ in 0..=MAX_DEPTH {
        let mut below = Vec::new();
        for folder in level {
            n_seen += 1;
            if n_seen > max_folders {
                break;
            }
            if folder.join(".git").is_dir() {
                found.extend(described(folder));
            } else if let Ok(entries) = fs::read_dir(&folder) {
                below.extend(entries.flatten().filter(is_looked_into).map(|e| e.path()));
            }
        }
        level = below;
    }
    found.sort_by(|a, b| {
        let newer = b.used_at_s.total_cmp(&a.used_at_s);
        newer.then_with(|| a.root.cmp(&b.root))
    });
    found
}

fn is_looked_into(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    !name.starts_with('.')
        && !PASSED_OVER.contains(&name.as_ref())
        && entry.file_type().is_ok_and(|kind| kind.is_dir())
}

/// `None` for a path that is no Unicode, which the window could not hand back.
fn described(root: PathBuf) -> Option<FoundRepository> {
    let git = root.join(".git");
    // Each of them is written by another act: a checkout, a commit, a stage, a fetch.
    let used_at_s = ["HEAD", "logs/HEAD", "index", "FETCH_HEAD"]
        .iter()
        .filter_map(|name| fs::metadata(git.join(name)).ok()?.modified().ok())
        .filter_map(|time| time.duration_since(UNIX_EPOCH).ok())
        .max()
        .map_or(0.0, |since: Duration| since.as_secs_f64().floor());
    Some(FoundRepository {
        name: folder_name(&root),
        root: root.into_os_string().into_string().ok()?,
        used_at_s,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn repository(home: &Path, path: &str, age_s: u64) {
        let git = home.join(path).join(".git");
        fs::create_dir_all(&git).unwrap();
        let head = fs::File::create(git.join("HEAD")).unwrap();
        let then = SystemTime::now() - Duration::from_secs(age_s);
        head.set_modified(then).unwrap();
    }

    fn names(home: &Path, max_folders: usize) -> Vec<String> {
        let found = repositories_below(home, max_folders);
        found.into_iter().map(|one| one.name).collect()
    }

    #[test]
    fn repositories_are_found_the_most_recently_used_first() {
        let home = tempfile::tempdir().unwrap();
        repository(home.path(), "code/old", 9_000);
        repository(home.path(), "code/work/new", 10);
        repository(home.path(), "code/old/inside", 1);
        repository(home.path(), ".cache/hidden", 1);
        repository(home.path(), "app/node_modules/copy", 1);
        assert_eq!(names(home.path(), 100), ["new", "old"]);
    }

    #[test]
    fn a_home_of_too_many_folders_is_seen_in_part() {
        let home = tempfile::tempdir().unwrap();
        repository(home.path(), "near", 10);
        repository(home.path(), "a/b/c/far", 1);
        assert_eq!(names(home.path(), 3), ["near"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        repository(outside.path(), "elsewhere", 1);
        std::os::unix::fs::symlink(outside.path(), home.path().join("link")).unwrap();
        assert!(names(home.path(), 100).is_empty());
    }
}

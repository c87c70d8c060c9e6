//! Coverage reports, profiles and traces beside a repository: where they lie.
//!
//! Links are not followed in the usual places. What is found is not yet read: the person has to have named
//! it ([`crate::code::reports`]), and an answer names each file that it rests on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::error::{EngineError, Result};
use whyrank_index::View;

/// Where test runners leave coverage, from the root of a package.
const USUAL: [&str; 8] = [
    "coverage/lcov.info",
    "lcov.info",
    "coverage.lcov",
    "coverage.xml",
    "coverage/cobertura-coverage.xml",
    "cover.out",
    "coverage.out",
    "coverage/coverage.out",
];
/// Where profiles and traces are looked for, from the root of a package: whatever lies in this folder,
/// and what profilers leave with these endings.
const RUNS: &str = "profiles";
const RUN_ENDINGS: [&str; 4] = ["cpuprofile", "pstats", "pprof", "prof"];
/// Endings of the folder's files.
const IN_RUNS: [&str; 6] = ["json", "jsonl", "gz", "perf", "txt", "pb"];
/// A folder with one of these may be a package with coverage of its own.
const PACKAGES: [&str; 6] = [
    "package.json",
    "pyproject.toml",
    "go.mod",
    "Cargo.toml",
    "composer.json",
    "pubspec.yaml",
];
const MAX_PACKAGES: usize = 200;
/// Files taken from a folder.
const MAX_FILES: usize = 500;
/// Entries looked at in a folder.
const MAX_ENTRIES: usize = 5000;

/// A file as it lies on disk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ExecutionFile {
    /// What was asked for: the file, or the folder that holds it.
    pub(super) of: PathBuf,
    pub(crate) path: PathBuf,
    pub(super) size_bytes: u64,
    pub(super) mtime_ns: i64,
    /// Sought by its name as a profile or trace: it may be something else.
    pub(super) is_sought: bool,
    /// The repository itself brought it.
    pub(super) is_brought: bool,
}

/// Coverage, profiles and traces in the usual places of the repository and its packages.
pub(crate) fn usual_reports(root: &Path, view: &View) -> Vec<ExecutionFile> {
    let mut found = usual_coverage(root, view);
    found.extend(usual_runs(root, view));
    found
}

/// Coverage in the usual places of the repository and its packages.
pub(super) fn usual_coverage(root: &Path, view: &View) -> Vec<ExecutionFile> {
    let places = packages(view)
        .into_iter()
        .flat_map(|folder| USUAL.map(|place| root.join(folder).join(place)));
    let found = places
        .filter(|path| path.symlink_metadata().is_ok_and(|meta| !meta.is_symlink()))
        .flat_map(|path| files_at(&path));
    in_order(found.collect())
}

/// Profiles and traces in the usual places of the repository and its packages.
pub(super) fn usual_runs(root: &Path, view: &View) -> Vec<ExecutionFile> {
    let mut found = Vec::new();
    for folder in packages(view) {
        let folder = root.join(folder);
        found.extend(runs_in(&folder, &|ending| RUN_ENDINGS.contains(&ending)));
        found.extend(runs_in(&folder.join(RUNS), &|ending| {
            RUN_ENDINGS.contains(&ending) || IN_RUNS.contains(&ending)
        }));
    }
    in_order(found)
}

fn in_order(mut found: Vec<ExecutionFile>) -> Vec<ExecutionFile> {
    found.sort();
    found.dedup();
    found
}

/// The folders of packages, the root among them.
fn packages(view: &View) -> BTreeSet<&str> {
    let mut packages = BTreeSet::from([""]);
    for file in &view.files {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        if PACKAGES.contains(&name) && packages.len() < MAX_PACKAGES {
            packages.insert(folder);
        }
    }
    packages
}

/// The files of a folder with such endings, each for itself.
fn runs_in(folder: &Path, is_run: &dyn Fn(&str) -> bool) -> Vec<ExecutionFile> {
    if folder
        .symlink_metadata()
        .is_ok_and(|meta| meta.is_symlink())
    {
        return Vec::new();
    }
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .take(MAX_ENTRIES)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
        .filter(|path| ending(path).is_some_and(is_run))
        .collect();
    paths.sort();
    paths.truncate(MAX_FILES);
    paths
        .into_iter()
        .filter_map(|path| found(&path.clone(), path))
        .map(|file| ExecutionFile {
            is_sought: true,
            ..file
        })
        .collect()
}

fn ending(path: &Path) -> Option<&str> {
    path.extension().and_then(|ending| ending.to_str())
}

/// The files of a question, each a file or a folder of them.
pub(super) fn named_files(root: &Path, named: &[String]) -> Result<Vec<ExecutionFile>> {
    let mut found = Vec::new();
    for name in named {
        let files = files_at(&root.join(name));
        if files.is_empty() {
            return Err(EngineError::bad_argument(
                format!("no coverage file at `{name}`"),
                "give a file from the repository's root, or a folder that holds coverage, profiles \
                 or traces; leave it out for those that `whyrank reports` says are used, or give \
                 `none`",
            ));
        }
        found.extend(files);
    }
    Ok(found)
}

/// A file, or what a folder of coverage holds.
pub(crate) fn files_at(path: &Path) -> Vec<ExecutionFile> {
    let Ok(meta) = path.metadata() else {
        return Vec::new();
    };
    if !meta.is_dir() {
        return found(path, path.to_path_buf()).into_iter().collect();
    }
    let is_report = |path: &PathBuf| {
        ending(path).is_some_and(|ending| {
            let is_coverage = matches!(ending, "info" | "xml" | "out" | "lcov");
            is_coverage || RUN_ENDINGS.contains(&ending) || IN_RUNS.contains(&ending)
        })
    };
    let entries = path.read_dir().into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        // A link in a folder leads anywhere; whoever means its target names that.
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
        .filter(is_report)
        .collect();
    files.sort();
    files.truncate(MAX_FILES);
    let files = files.into_iter();
    files.filter_map(|file| found(path, file)).collect()
}

fn found(of: &Path, path: PathBuf) -> Option<ExecutionFile> {
    let meta = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some(ExecutionFile {
        of: of.to_path_buf(),
        mtime_ns: mtime_ns(&meta),
        size_bytes: meta.len(),
        path,
        is_sought: false,
        is_brought: false,
    })
}

pub(super) fn mtime_ns(meta: &std::fs::Metadata) -> i64 {
    let since = meta.modified().ok();
    let since = since.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos() as i64)
}

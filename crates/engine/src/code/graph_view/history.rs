//! Which files were changed together, from the newest commits of the view's history.

use std::collections::HashMap;
use std::path::Path;
use whyrank_index::View;
use whyrank_source::{RecentChanges, Repository, SourceError};

/// Commits looked at: what was true long ago says little, and a large tree takes milliseconds each.
const MAX_COMMITS: usize = 400;
/// A commit that changed more files than this says nothing about any two of them.
const MAX_FILES: usize = 30;
/// Together once is chance.
const MIN_TOGETHER: u32 = 2;

/// What the newest commits changed, by the files of a view.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// The files of each commit.
    commits: Vec<Vec<u32>>,
    n_looked_at: u32,
    /// Why there is none.
    missing: Option<String>,
}

impl History {
    /// Reads it from git.
    pub(super) fn read(view: &View, root: &Path) -> Self {
        match recent_changes(view, root) {
            Ok(Some(changes)) => Self::new(view, &changes),
            Ok(None) => Self::without("there is no commit yet"),
            Err(error) => Self::without(&error.to_string()),
        }
    }

    fn new(view: &View, changes: &RecentChanges) -> Self {
        let files = |paths: &Vec<String>| -> Vec<u32> {
            let known = paths.iter().filter_map(|path| view.file(path));
            known.collect()
        };
        Self {
            commits: changes.commits.iter().map(files).collect(),
            n_looked_at: changes.n_looked_at,
            missing: None,
        }
    }

    fn without(reason: &str) -> Self {
        Self {
            missing: Some(reason.to_owned()),
            ..Self::default()
        }
    }

    /// Commits that changed a file.
    pub(super) fn n_changes(&self, file: u32) -> u32 {
        let changed = self.commits.iter().filter(|files| files.contains(&file));
        changed.count() as u32
    }

    /// Files that were changed in the same commits as a file, and in how many; most first.
    pub(super) fn together(&self, file: u32, limit: usize) -> Vec<(u32, u32)> {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for files in self.commits.iter().filter(|files| files.contains(&file)) {
            for other in files.iter().filter(|other| **other != file) {
                *counts.entry(*other).or_default() += 1;
            }
        }
        let mut counts: Vec<(u32, u32)> = counts
            .into_iter()
            .filter(|(_, count)| *count >= MIN_TOGETHER)
            .collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        counts.truncate(limit);
        counts
    }

    /// What was looked at, in words.
    pub(super) fn note(&self, file: u32) -> String {
        match &self.missing {
            Some(reason) => format!("no co-change: {reason}"),
            None => format!(
                "co-change from the last {} commits, merges and those of more than {MAX_FILES} files \
                 left out; {} changed this file",
                self.n_looked_at,
                self.n_changes(file)
            ),
        }
    }
}

fn recent_changes(view: &View, root: &Path) -> Result<Option<RecentChanges>, SourceError> {
    let Some(commit) = &view.commit else {
        return Ok(None);
    };
    let repository = Repository::discover(root)?;
    let commit = repository.resolve(commit)?;
    let changes = repository.recent_changes(commit, MAX_COMMITS, MAX_FILES)?;
    Ok(Some(changes))
}

//! Which files get their vectors first: those that answers showed and that were changed lately.

use crate::registry::Registered;
use crate::state::State;
use std::collections::HashSet;
use whyrank_index::ViewKey;
use whyrank_source::{Repository, SourceError};

/// Answers looked at, and hits of each: further down they say little of what was wanted.
const MAX_ANSWERS: u32 = 100;
const MAX_HITS: u32 = 5;
/// Commits looked at: a large tree takes milliseconds each.
const MAX_COMMITS: usize = 100;
/// A commit that changed more files was no work on any one of them.
const MAX_FILES: usize = 30;

/// Paths, those of the newest answers first, then those of the newest commits; each once.
pub(super) fn files_in_use(state: &State, repo: &Registered, key: &ViewKey) -> Vec<String> {
    let mut paths = state.traces.recent_paths(&repo.id, MAX_ANSWERS, MAX_HITS);
    match changed(repo, key) {
        Ok(more) => paths.extend(more),
        Err(error) => tracing::debug!(%error, "what was changed lately is unknown"),
    }
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    paths
}

fn changed(repo: &Registered, key: &ViewKey) -> Result<Vec<String>, SourceError> {
    let repository = Repository::discover(&repo.root)?;
    let commit = match key {
        ViewKey::Commit(commit) => Some(repository.resolve(commit)?),
        ViewKey::Worktree(_) => repository.head_commit()?,
    };
    let Some(commit) = commit else {
        return Ok(Vec::new());
    };
    let changes = repository.recent_changes(commit, MAX_COMMITS, MAX_FILES)?;
    Ok(changes.commits.into_iter().flatten().collect())
}

//! The commits that a search can go back to.

use crate::Engine;
use crate::api::{RepoId, TimelineCommit};
use crate::error::Result;
use whyrank_source::Repository;

impl Engine {
    /// Lists commits of HEAD's line of first parents, newest first, at most `limit`; none before the
    /// first commit.
    ///
    /// # Errors
    /// `unknown-repository`, and what opening the repository gives.
    pub fn recent_commits(&self, repo: &RepoId, limit: u32) -> Result<Vec<TimelineCommit>> {
        let registered = self.state.registry.get(repo)?;
        let repository = Repository::discover(&registered.root)?;
        let line = (0..limit).map_while(|n| repository.resolve(&format!("HEAD~{n}")).ok());
        let commits = line.map(|commit| {
            let info = repository.commit_info(commit)?;
            Ok(TimelineCommit {
                sha: commit.to_string(),
                at: info.time_s as f64 * 1000.0,
                summary: info.summary,
            })
        });
        commits.collect()
    }
}

//! Whether a call's answer is of the files as they are: looked at once a call, said in the first line.

mod check;

pub use check::FreshnessCheck;

use std::sync::Arc;

use serde_json::Value;
use whyrank_engine::api::{IndexOptions, RepoId};

use crate::answer::{ToolAnswer, ToolError, ToolResult};
use crate::output_options::OutputOptions;
use crate::present;
use crate::result_cache::CachedAnswer;
use crate::session::{Call, Readiness};

/// Repositories that are looked at at the same time.
const AT_ONCE: usize = 32;
/// How long an answer waits for the update of files that changed.
const WAIT_MS: u32 = 1_000;

impl Call<'_> {
    /// Sees to it that the index shows a repository's files as they are, and waits for that a second at
    /// most; what is still behind then stands in the answer's first line.
    pub(crate) fn freshen(&self, repo: &RepoId) -> Result<(), ToolError> {
        self.freshen_all(std::slice::from_ref(repo))
    }

    /// The same for several, at once: most of a look is waiting.
    pub(crate) fn freshen_all(&self, repos: &[RepoId]) -> Result<(), ToolError> {
        let check = &self.freshness;
        let readiness = self.session.readiness();
        if check.is_of_commit.get() || readiness == Readiness::Prepared {
            return Ok(());
        }
        let is_known = |repo: &&RepoId| check.found.borrow().iter().any(|(one, _)| one == *repo);
        let new: Vec<&RepoId> = repos.iter().filter(|repo| !is_known(repo)).collect();
        let is_own = readiness == Readiness::OnDemand;
        let options = IndexOptions {
            rebuild: false,
            skip_vectors: is_own,
            impatient: is_own,
            as_of: None,
        };
        let engine = self.engine();
        for some in new.chunks(AT_ONCE) {
            let look = |repo: &RepoId| engine.freshen(repo, WAIT_MS, options.clone());
            let found = std::thread::scope(|scope| {
                let (first, others) = some.split_first()?;
                let others = others.iter().map(|repo| scope.spawn(|| look(repo)));
                let others: Vec<_> = others.collect();
                let mut found = vec![look(first)];
                let others = others.into_iter().filter_map(|other| other.join().ok());
                found.extend(others);
                Some(found)
            });
            for (repo, found) in some.iter().zip(found.unwrap_or_default()) {
                check.found.borrow_mut().push(((*repo).clone(), found?));
            }
        }
        Ok(())
    }

    /// Says whether files changed that the answer does not show.
    pub fn is_behind(&self) -> bool {
        let found = self.freshness.found.borrow();
        found.iter().any(|(_, one)| !one.is_current())
    }

    /// The repository that was asked, and what it has in the files that are named.
    pub(crate) fn contents_of(&self, results: &[ToolResult]) -> Option<(RepoId, u64)> {
        let found = self.freshness.found.borrow();
        let (repo, _) = found.first()?;
        if self.freshness.outdated.borrow().is_some() {
            // What is made of an outdated answer is as old: no contents are these.
            return Some((repo.clone(), 0));
        }
        let digest = self.engine().contents_digest(repo, &paths_of(results));
        Some((repo.clone(), digest.ok()?))
    }

    /// An earlier answer; where files that it names have other contents by now, the first line says so.
    pub(crate) fn kept(&self, handle: &str) -> Result<Arc<CachedAnswer>, ToolError> {
        let kept = self.session.kept().get(handle)?;
        if let Some((repo, before)) = &kept.contents {
            self.freshen(repo)?;
            let now = self
                .engine()
                .contents_digest(repo, &paths_of(&kept.results))?;
            if now != *before {
                *self.freshness.outdated.borrow_mut() = Some(kept.call.clone());
            }
        }
        Ok(kept)
    }

    /// Looks whether files that an answer names were written while it was made.
    fn look_again(&self, answer: &ToolAnswer) {
        let mut found = self.freshness.found.borrow_mut();
        let [(repo, freshness)] = found.as_mut_slice() else {
            return;
        };
        let named = paths_of(&answer.results);
        if freshness.is_current()
            && let Ok(written) = self.engine().written_since(repo, &named)
            && !written.is_empty()
        {
            freshness.n_behind = u32::try_from(written.len()).unwrap_or(u32::MAX);
            freshness.behind = written;
            freshness.note = "ask again".to_owned();
        }
    }
}

/// Puts what is behind into the first line, or into a field of an answer as JSON.
pub(crate) fn note(
    call: &Call<'_>,
    output: OutputOptions,
    outcome: Result<ToolAnswer, ToolError>,
) -> Result<ToolAnswer, ToolError> {
    if let Ok(answer) = &outcome {
        call.look_again(answer);
    }
    let named = outcome
        .as_ref()
        .map_or_else(|_| Vec::new(), |one| paths_of(&one.results));
    let Some(line) = call.freshness.line(&named) else {
        return outcome;
    };
    match outcome {
        Ok(answer) => {
            let behind = call
                .freshness
                .behind()
                .unwrap_or_else(|| Value::from(line.clone()));
            Ok(noted(answer, &line, behind, output))
        }
        Err(error) => Err(ToolError {
            message: format!("{line}\n{}", error.message),
            ..error
        }),
    }
}

/// Each path once, in order.
fn paths_of(results: &[ToolResult]) -> Vec<&str> {
    let mut paths: Vec<&str> = results.iter().map(|one| one.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

fn noted(answer: ToolAnswer, line: &str, behind: Value, output: OutputOptions) -> ToolAnswer {
    let mut structured = answer.structured;
    if let Value::Object(fields) = &mut structured {
        fields.insert("index_behind".to_owned(), behind);
    }
    let text = if output.is_json {
        present::json(&structured, output.budget)
    } else {
        format!("{line}\n{}", answer.text)
    };
    ToolAnswer {
        full: answer.full,
        pool: answer.pool,
        is_noted: !output.is_json,
        ..ToolAnswer::new(text, answer.results, structured)
    }
}

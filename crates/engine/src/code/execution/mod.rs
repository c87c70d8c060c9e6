//! What ran: coverage reports, profiles and traces, laid over the files of a view.

mod files;
mod overlay;
mod read;
mod summary;

use std::path::Path;
use std::sync::Arc;

use crate::Engine;
use crate::api::{DeadCodeRequest, RepoId};
use crate::code::graph_facts::GraphFacts;
use crate::code::reports::{NamedReports, is_run};
use crate::error::{EngineError, Result};
use crate::interest::is_awaited;
use crate::registry::Registered;
use crate::views::LiveView;
pub(crate) use files::{ExecutionFile, files_at, usual_reports};
use files::{named_files, usual_runs};
use overlay::Overlay;
pub(crate) use read::{ExecutionCache, ExecutionRead};
use whyrank_external::Budget;

/// Readings kept with a view: what ran in all, and the runs alone.
const MAX_KEPT: usize = 2;

impl Engine {
    /// What ran, as far as a question takes it in; `None` where nothing tells.
    pub(crate) fn execution_of(
        &self,
        view: &LiveView,
        facts: &GraphFacts,
        request: &DeadCodeRequest,
    ) -> Result<Option<Arc<ExecutionRead>>> {
        let repo = self.state.registry.get(&request.repo)?;
        let found = match request.coverage.as_slice() {
            [] => used(&repo, usual_reports(&repo.root, view.snapshot()), &|_| true),
            [none] if none == "none" => Vec::new(),
            named => named_files(&repo.root, named)?,
        };
        view.execution(&repo, facts, found)
    }

    /// What the profiles and traces saw that answers may read; `None` where there are none.
    pub(crate) fn runs_of(
        &self,
        repo: &RepoId,
        view: &LiveView,
        facts: &GraphFacts,
    ) -> Result<Option<Arc<ExecutionRead>>> {
        // Runs are recorded of one repository.
        if view.pool.is_some() {
            return Ok(None);
        }
        let repo = self.state.registry.get(repo)?;
        let found = used(&repo, usual_runs(&repo.root, view.snapshot()), &is_run);
        view.execution(&repo, facts, found)
    }
}

/// What the person named: of the usual places, and of those elsewhere what is wanted.
fn used(
    repo: &Registered,
    usual: Vec<ExecutionFile>,
    is_wanted: &dyn Fn(&Path) -> bool,
) -> Vec<ExecutionFile> {
    if repo.reports.is_empty() {
        return Vec::new();
    }
    let named = NamedReports::of(repo);
    let is_usual = |file: &ExecutionFile| usual.iter().any(|one| one.path == file.path);
    let mut elsewhere = named.files();
    elsewhere.retain(|file| !is_usual(file) && is_wanted(&file.path));
    let mut found: Vec<ExecutionFile> = usual.into_iter().chain(elsewhere).collect();
    found.retain(|file| named.is_used(&file.path));
    found
}

impl LiveView {
    fn execution(
        &self,
        repo: &Registered,
        facts: &GraphFacts,
        mut found: Vec<ExecutionFile>,
    ) -> Result<Option<Arc<ExecutionRead>>> {
        if found.is_empty() {
            return Ok(None);
        }
        let named = NamedReports::of(repo);
        for file in &mut found {
            file.is_brought = named.is_brought(&file.path);
        }
        let kept = || self.execution.lock();
        if let Some((_, read)) = kept().iter().find(|(of, _)| *of == found) {
            return Ok(Some(Arc::clone(read)));
        }
        // Nothing is held meanwhile: two who ask at once read twice, and nobody waits for a reader.
        let mut budget = Budget::new(&is_awaited);
        let read = Overlay::new(&repo.root, self, facts).all(&found, &mut budget);
        if budget.is_cancelled() {
            return Err(EngineError::left());
        }
        let read = Arc::new(read);
        let mut kept = kept();
        kept.truncate(MAX_KEPT - 1);
        kept.insert(0, (found, Arc::clone(&read)));
        Ok(Some(read))
    }
}

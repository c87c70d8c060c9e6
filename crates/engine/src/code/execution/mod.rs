//! What ran: coverage reports, profiles and traces, laid over the files of a view.

mod files;
mod overlay;
mod summary;

use std::sync::{Arc, Mutex, PoisonError};

use crate::Engine;
use crate::api::{CoverageReport, DeadCodeRequest, RepoId};
use crate::code::symbols::GraphFacts;
use crate::error::Result;
use crate::views::LiveView;
use files::{ExecutionFile, named_files, usual_coverage, usual_runs};
use overlay::Overlay;
use whyrank_graph::ExecutionCoverage;

/// Readings kept with a view: what ran in all, and the runs alone.
const MAX_KEPT: usize = 2;

/// What ran, laid over a view.
#[derive(Default)]
pub(crate) struct ExecutionRead {
    pub(crate) runtime: ExecutionCoverage,
    pub(crate) reports: Vec<CoverageReport>,
}

/// What was read last, and from what.
pub(crate) type ExecutionCache = Mutex<Vec<(Vec<ExecutionFile>, Arc<ExecutionRead>)>>;

impl Engine {
    /// What ran, as far as a question takes it in; `None` where nothing tells.
    pub(crate) fn execution_of(
        &self,
        view: &LiveView,
        facts: &GraphFacts,
        request: &DeadCodeRequest,
    ) -> Result<Option<Arc<ExecutionRead>>> {
        let root = self.state.registry.get(&request.repo)?.root;
        let found = match request.coverage.as_slice() {
            [] => {
                let mut found = usual_coverage(&root, view.snapshot());
                found.extend(usual_runs(&root, view.snapshot()));
                found
            }
            [none] if none == "none" => Vec::new(),
            named => named_files(&root, named)?,
        };
        Ok(view.execution(&root, facts, found))
    }

    /// What profiles and traces in the usual places saw; `None` where there are none.
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
        let root = self.state.registry.get(repo)?.root;
        let found = usual_runs(&root, view.snapshot());
        Ok(view.execution(&root, facts, found))
    }
}

impl LiveView {
    fn execution(
        &self,
        root: &std::path::Path,
        facts: &GraphFacts,
        found: Vec<ExecutionFile>,
    ) -> Option<Arc<ExecutionRead>> {
        if found.is_empty() {
            return None;
        }
        let mut kept = self
            .execution
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((_, read)) = kept.iter().find(|(of, _)| *of == found) {
            return Some(Arc::clone(read));
        }
        let read = Arc::new(Overlay::new(root, self, facts).all(&found));
        kept.truncate(MAX_KEPT - 1);
        kept.insert(0, (found, Arc::clone(&read)));
        Some(read)
    }
}

//! What calls share: the engine, the repository they mean, and how they wait for its index.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use whyrank_engine::Engine;
use whyrank_engine::api::{IndexOptions, JobProgress, JobState, RepoSummary};

use crate::answer::{ToolAnswer, ToolError, ToolResult};
use crate::present;

/// Who sees to it that a repository is indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// The session: it starts indexing in the background and follows saves, and a call waits at
    /// most this many milliseconds for something to search.
    Background {
        /// Milliseconds.
        patience_ms: u32,
    },
    /// The caller, before it calls.
    Prepared,
}

/// An engine with a default repository.
pub struct Session {
    engine: Engine,
    default_repo: String,
    readiness: Readiness,
    followed: Mutex<HashSet<String>>,
}

impl Session {
    /// Calls that name no repository mean `default_repo`, a path, name or id.
    pub fn new(engine: Engine, default_repo: impl Into<String>, readiness: Readiness) -> Self {
        let followed = Mutex::default();
        Self {
            engine,
            default_repo: default_repo.into(),
            readiness,
            followed,
        }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Finds a repository, the default one without a selector; in the background mode its index is
    /// brought up to date and kept so from the first time it is named.
    ///
    /// # Errors
    ///
    /// Whatever the engine says about the selector.
    pub fn repo(&self, selector: Option<&str>) -> Result<RepoSummary, ToolError> {
        let summary = self
            .engine
            .find_repo(selector.unwrap_or(&self.default_repo))?;
        if self.readiness != Readiness::Prepared && self.is_new(&summary.id) {
            self.engine
                .start_index(&summary.id, IndexOptions::default())?;
            if let Err(error) = self.engine.set_watching(&summary.id, true) {
                tracing::warn!(repo = summary.name, %error, "cannot follow saves");
            }
        }
        Ok(summary)
    }

    fn is_new(&self, repo: &str) -> bool {
        // A poisoned set is still a set of names.
        self.followed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(repo.to_owned())
    }
}

/// One call of a tool.
pub struct Call<'a> {
    /// What it shares with other calls.
    pub session: &'a Session,
    /// Told about indexing while the call waits for it.
    pub progress: &'a dyn Fn(&JobProgress),
    /// True once the caller has lost interest.
    pub cancelled: &'a dyn Fn() -> bool,
}

impl<'a> Call<'a> {
    /// A call that nobody watches or cancels.
    pub fn plain(session: &'a Session) -> Self {
        Self {
            session,
            progress: &|_| {},
            cancelled: &|| false,
        }
    }

    /// The engine.
    pub(crate) fn engine(&self) -> &'a Engine {
        &self.session.engine
    }

    /// Runs `answer` on a repository's id once there is something to search in it; until then the
    /// answer is how far indexing has come.
    pub(crate) fn when_searchable(
        &self,
        selector: Option<&str>,
        answer: impl FnOnce(&str) -> Result<ToolAnswer, ToolError>,
    ) -> Result<ToolAnswer, ToolError> {
        let summary = self.session.repo(selector)?;
        let Readiness::Background { patience_ms } = self.session.readiness else {
            return answer(&summary.id);
        };
        if self.engine().wait_searchable(&summary.id, patience_ms)? {
            return answer(&summary.id);
        }
        let jobs = self.engine().jobs();
        match jobs.iter().find(|job| job.repo == summary.id) {
            Some(job) if job.state == JobState::Failed => Err(failure(job)),
            job => Ok(not_yet(&summary, job)),
        }
    }
}

/// Why a job failed, as a tool's error.
pub(crate) fn failure(job: &JobProgress) -> ToolError {
    match &job.error {
        Some(error) => error.clone().into(),
        None => ToolError::new("internal", "indexing failed", "run `whyrank doctor`"),
    }
}

fn not_yet(summary: &RepoSummary, job: Option<&JobProgress>) -> ToolAnswer {
    let progress = job.map_or_else(|| "indexing starts".to_owned(), present::index_progress);
    let text = format!(
        "{} is not searchable yet. {progress}. Ask again in a few seconds, or read files directly meanwhile.",
        summary.name
    );
    let structured = serde_json::json!({"state": "indexing", "job": job});
    ToolAnswer::new(text, Vec::<ToolResult>::new(), structured)
}

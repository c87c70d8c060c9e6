//! Whyrank itself, asked through the tools that agents call. What counts is what a tool answers; what
//! it costs is the text that an agent reads.

mod calls;

use super::Subject;
use super::behind::look_behind;
use crate::checkouts::Checkout;
use crate::process::own_cpu_ms;
use crate::watch::Watch;
use calls::{CallTarget, Pool};
use std::collections::BTreeMap;
use std::time::Duration;
use whyrank_engine::Engine;
use whyrank_engine::api::{
    EngineErrorDto, IndexOptions, JobProgress, JobState, RepoId, RepoSummary,
};
use whyrank_eval::{Answer, Question, RepositoryInfo, SubjectInfo, Task};
use whyrank_mcp::{Readiness, Session};

const POLL: Duration = Duration::from_millis(30);
/// Whyrank in this process.
pub struct WhyrankSubject {
    name: String,
    notes: String,
    no_vectors: bool,
    /// Whether commits that are asked about get all of their vectors.
    encodes_commits: bool,
    /// What is behind an answer is looked at: candidates, times of the stages.
    looks_behind: bool,
    target: CallTarget,
}

impl WhyrankSubject {
    /// Asks `engine`, whose settings are the configuration; `name` tells variants apart.
    pub fn new(name: &str, notes: &str, engine: Engine, no_vectors: bool) -> Self {
        Self {
            name: name.to_owned(),
            notes: notes.to_owned(),
            no_vectors,
            encodes_commits: !no_vectors,
            looks_behind: false,
            target: CallTarget {
                session: Session::new(engine, "", Readiness::Prepared),
                mentions: false,
                repo: RepoId::default(),
                others: BTreeMap::new(),
                pool: None,
            },
        }
    }

    /// Asks all repositories of a suite as one.
    #[must_use]
    pub fn pooled(mut self) -> Self {
        self.target.pool = Some(Pool::default());
        self
    }

    /// Asks for uses together with words in comments, strings and documentation, as the truth of the
    /// original tasks has them.
    #[must_use]
    pub fn with_mentions(mut self) -> Self {
        self.target.mentions = true;
        self
    }

    /// Asks about commits with the vectors that they share with the working tree: as whoever asks gets
    /// it, and without the minutes that the others take.
    #[must_use]
    pub fn with_shared_vectors(self) -> Self {
        Self {
            encodes_commits: false,
            ..self
        }
    }

    /// Keeps of each search its candidates and the times of its stages.
    #[must_use]
    pub fn looking_behind(self) -> Self {
        Self {
            looks_behind: true,
            ..self
        }
    }

    fn engine(&self) -> &Engine {
        self.target.session.engine()
    }

    /// Indexes a checkout; returns the repository's id.
    fn index(
        &self,
        checkout: &Checkout,
        info: Option<&mut RepositoryInfo>,
        watch: &Watch,
    ) -> Result<RepoSummary, String> {
        let root = checkout.root.to_string_lossy();
        let summary = self
            .engine()
            .find_repo(&root)
            .map_err(|error| format!("{}: {error}", checkout.name))?;
        let was_new = summary.indexed_at.is_none();
        let before = own_cpu_ms();
        self.run_lane(&summary.id, true, watch)?;
        if let Some(info) = info {
            info.index_cpu_s = own_cpu_ms()
                .zip(before)
                .filter(|_| was_new)
                .map(|(after, before)| (after - before) / 1e3);
        }
        if !self.no_vectors {
            self.run_lane(&summary.id, false, watch)?;
        }
        self.engine()
            .repo(&summary.id)
            .map_err(|error| error.to_string())
    }

    /// Another version's index is rebuilt: it is the benchmark's own.
    fn run_lane(&self, repo: &RepoId, skip_vectors: bool, watch: &Watch) -> Result<(), String> {
        let options = |rebuild| IndexOptions {
            rebuild,
            skip_vectors,
            impatient: true,
            as_of: None,
        };
        let outcome = self.run_job(repo, options(false), watch);
        let outcome = match outcome {
            Err(error) if error.code == "index-incompatible" => {
                self.run_job(repo, options(true), watch)
            }
            outcome => outcome,
        };
        outcome.map_err(|error| error.message)
    }

    /// Gives the commit that a task is about its vectors; answers would else be those of words alone.
    fn encode_commit(&self, task: &Task, watch: &Watch) -> Result<(), String> {
        let Question::Text {
            as_of: Some(commit),
            ..
        } = &task.question
        else {
            return Ok(());
        };
        if !self.encodes_commits {
            return Ok(());
        }
        let options = IndexOptions {
            as_of: Some(commit.clone()),
            ..IndexOptions::default()
        };
        self.run_job(&self.target.repo, options, watch)
            .map_err(|error| error.message)
    }

    fn run_job(
        &self,
        repo: &RepoId,
        options: IndexOptions,
        watch: &Watch,
    ) -> Result<(), EngineErrorDto> {
        let job = self.engine().start_index(repo, options)?;
        let mut is_cancelled = false;
        let is_running = |progress: &JobProgress| {
            progress.job_id == job && matches!(progress.state, JobState::Running | JobState::Paused)
        };
        while self.engine().jobs().iter().any(is_running) {
            if watch.is_cancelled() && !is_cancelled {
                self.engine().cancel_job(&job)?;
                is_cancelled = true;
            }
            std::thread::sleep(POLL);
        }
        let last = self.engine().wait_job(&job)?;
        let failure = |code: &str, message: &str| EngineErrorDto {
            code: code.to_owned(),
            message: message.to_owned(),
            hint: String::new(),
        };
        match last.state {
            JobState::Failed => Err(last
                .error
                .unwrap_or_else(|| failure("failed", "indexing failed"))),
            JobState::Cancelled => Err(failure("cancelled", "indexing was cancelled")),
            _ => Ok(()),
        }
    }
}

impl Subject for WhyrankSubject {
    fn info(&self) -> SubjectInfo {
        let settings = self.engine().settings().ok();
        let configuration = settings.and_then(|settings| serde_json::to_string(&settings).ok());
        SubjectInfo {
            name: self.name.clone(),
            version: self.engine().info().version,
            notes: self.notes.clone(),
            configuration: configuration.unwrap_or_default(),
        }
    }

    fn prepare(
        &mut self,
        checkout: &Checkout,
        others: &[Checkout],
        info: &mut RepositoryInfo,
        watch: &Watch,
    ) -> Result<(), String> {
        watch.phase(format!("indexing {}", checkout.name));
        let summary = self.index(checkout, Some(info), watch)?;
        info.files = summary.files;
        info.manifest = self
            .engine()
            .health(&summary.id)
            .map(|health| health.compatibility)
            .unwrap_or_default();
        self.target.repo = summary.id;
        self.target.others.clear();
        for other in others {
            let summary = self.index(other, None, watch)?;
            self.target.others.insert(other.name.clone(), summary);
        }
        Ok(())
    }

    fn is_pooled(&self) -> bool {
        self.target.pool.is_some()
    }

    fn gather(&mut self, members: &[(Checkout, Vec<String>)], watch: &Watch) -> Result<(), String> {
        let mut pool = Pool::default();
        for (checkout, scopes) in members {
            watch.phase(format!("indexing {}", checkout.name));
            let summary = self.index(checkout, None, watch)?;
            let below = |scope: &String| format!("{}/{scope}", summary.name);
            pool.paths.extend(scopes.iter().map(below));
            if scopes.is_empty() {
                pool.paths.push(format!("{}/**", summary.name));
            }
            pool.repos.push(summary.id);
        }
        self.target.pool = Some(pool);
        Ok(())
    }

    fn reads_commits(&self) -> bool {
        true
    }

    fn answer(&mut self, task: &Task, watch: &Watch) -> Answer {
        if let Err(error) = self.encode_commit(task, watch) {
            return Answer::failed(error);
        }
        let before = own_cpu_ms();
        let Some(mut answer) = calls::answer(&self.target, task) else {
            return Answer::unsupported();
        };
        answer.cpu_ms = own_cpu_ms()
            .zip(before)
            .map(|(after, before)| after - before);
        let id = answer.query_id.as_deref().filter(|_| self.looks_behind);
        if let Some(Ok(trace)) = id.map(|id| self.engine().explain(&id.into())) {
            look_behind(&mut answer, &trace);
        }
        answer
    }
}

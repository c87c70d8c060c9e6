//! The one API of Whyrank: a module per feature, jobs, settings.
//!
//! Every call blocks until it is done, save [`Engine::start_index`] and [`Engine::pull_model`],
//! which answer with a job; async callers wrap calls in `spawn_blocking`. [`Engine`] is a handle:
//! clones share the same state.

pub mod api;
mod error;

use api::*;
pub use error::{EngineError, Result};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

/// Where the engine keeps things.
#[derive(Clone, Debug)]
pub struct EnginePaths {
    /// Indexes, models, registered repositories.
    pub data_dir: PathBuf,
    /// The settings file.
    pub config_file: PathBuf,
    /// Traces and logs.
    pub state_dir: PathBuf,
}

impl EnginePaths {
    /// The platform's folders, or all below `WHYRANK_HOME` where it is set.
    pub fn from_env() -> Result<Self> { todo!() }
    /// Everything below one folder.
    pub fn below(home: &Path) -> Self { todo!() }
}

/// The engine: a handle that is cheap to clone.
#[derive(Clone)]
pub struct Engine {}

#[expect(unused_variables, reason = "skeleton")]
impl Engine {
    /// Opens the engine; creates its folders when they are missing.
    pub fn open(paths: EnginePaths) -> Result<Self> { todo!() }
    /// Version and folders.
    pub fn info(&self) -> AppInfo { todo!() }
    /// Events from now on.
    pub fn subscribe(&self) -> Receiver<EngineEvent> { todo!() }

    /// Registered repositories, by name.
    pub fn repos(&self) -> Result<Vec<RepoSummary>> { todo!() }
    /// Registers the working tree that `path` lies in (no indexing yet); known ones are returned as they are.
    pub fn add_repo(&self, path: &Path) -> Result<RepoSummary> { todo!() }
    /// Forgets a repository, and deletes its index when asked to and no other working tree uses it.
    pub fn remove_repo(&self, repo: &str, delete_index: bool) -> Result<()> { todo!() }
    /// A repository by id, name or path (a path that is not registered yet is registered).
    pub fn find_repo(&self, selector: &str) -> Result<RepoSummary> { todo!() }
    /// One repository's summary, freshness checked.
    pub fn repo(&self, repo: &str) -> Result<RepoSummary> { todo!() }
    /// Manifest, skipped files, problems.
    pub fn health(&self, repo: &str) -> Result<RepoHealth> { todo!() }
    /// What indexing would take in; writes nothing.
    pub fn scan(&self, path: &Path) -> Result<ScanReport> { todo!() }

    /// Starts indexing; answers with the job's id, or with the running job's for the same repository.
    pub fn start_index(&self, repo: &str, options: IndexOptions) -> Result<String> { todo!() }
    /// Jobs of this process, newest first.
    pub fn jobs(&self) -> Vec<JobProgress> { todo!() }
    /// Waits for a job's end.
    pub fn wait_job(&self, job: &str) -> Result<JobProgress> { todo!() }
    /// Waits until lane 1 of a job is live (or the job ended), at most `timeout_ms`. True when searchable.
    pub fn wait_searchable(&self, repo: &str, timeout_ms: u32) -> Result<bool> { todo!() }
    /// Holds a job after the file at work.
    pub fn pause_job(&self, job: &str) -> Result<()> { todo!() }
    /// Lets a paused job go on.
    pub fn resume_job(&self, job: &str) -> Result<()> { todo!() }
    /// Ends a job; the live index stays.
    pub fn cancel_job(&self, job: &str) -> Result<()> { todo!() }
    /// Follows saves and checkouts, or stops to.
    pub fn set_watching(&self, repo: &str, watching: bool) -> Result<()> { todo!() }

    /// Searches.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse> { todo!() }
    /// The trace of an earlier answer (also of another process).
    pub fn explain(&self, query_id: &str) -> Result<Trace> { todo!() }
    /// Completions: symbols, paths, recent queries.
    pub fn suggest(&self, repo: &str, prefix: &str, limit: u32) -> Result<Vec<Suggestion>> { todo!() }
    /// A file's text with highlighting.
    pub fn preview(&self, repo: &str, path: &str, as_of: Option<&str>) -> Result<FilePreview> { todo!() }

    /// Definitions of a symbol.
    pub fn lookup(&self, request: &LookupRequest) -> Result<LookupResponse> { todo!() }
    /// Uses of a symbol.
    pub fn refs(&self, request: &RefsRequest) -> Result<RefsResponse> { todo!() }
    /// Imports and importers of a file.
    pub fn deps(&self, request: &DepsRequest) -> Result<DepsResponse> { todo!() }
    /// The map of a code base below `path` (empty: all), `depth` folders deep.
    pub fn overview(&self, repo: &str, path: &str, depth: u32) -> Result<Overview> { todo!() }

    /// Models of the lock file.
    pub fn models(&self) -> Result<Vec<ModelSummary>> { todo!() }
    /// Fetches a model; blocks; progress goes to `progress` and to subscribers.
    pub fn pull_model(&self, name: &str, progress: &mut dyn FnMut(&ModelProgress)) -> Result<ModelSummary> { todo!() }
    /// Stops a running fetch; what has arrived is kept for the next try.
    pub fn cancel_pull(&self, name: &str) -> Result<()> { todo!() }
    /// Hashes a model's files again.
    pub fn verify_model(&self, name: &str) -> Result<ModelSummary> { todo!() }

    /// The user's settings.
    pub fn settings(&self) -> Result<Settings> { todo!() }
    /// The settings as they come.
    pub fn default_settings(&self) -> Settings { todo!() }
    /// Checks, saves and applies settings.
    pub fn set_settings(&self, settings: &Settings) -> Result<Settings> { todo!() }

    /// Checks the installation and, given a repository, its index.
    pub fn doctor(&self, repo: Option<&str>) -> Vec<DoctorCheck> { todo!() }
}

//! What all handles of one engine share, and what is opened with it.

mod cross;
mod disk_usage;
mod open;
mod static_lane;
mod token_lane;

use crate::api::{JobId, RepoId, Settings};
use crate::call_log::CallStore;
use crate::code::precise::PreciseRuns;
use crate::error::{EngineError, Result};
use crate::events::Events;
use crate::indexing::freshness::WorktreeRecords;
use crate::indexing::jobs::Jobs;
use crate::indexing::looks::Looks;
use crate::indexing::watching::Watching;
use crate::indexing::writer_turns::WriterTurns;
use crate::memory::Memories;
use crate::models::Pulls;
use crate::paths::EnginePaths;
use crate::registry::Registry;
use crate::search::past::PastReads;
use crate::search::rerank::Rerankers;
use crate::search::telemetry::RefineTook;
use crate::search::traces::TraceStore;
use crate::views::LiveViews;
use crate::workspaces::Workspaces;
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::sync::Arc;
use whyrank_inference::{ModelStore, PullOptions};
use whyrank_system::files;

pub(crate) struct State {
    pub(crate) paths: EnginePaths,
    pub(crate) registry: Registry,
    pub(crate) workspaces: Workspaces,
    pub(crate) live: LiveViews,
    /// Repositories of whose index something was damaged, with the job that makes it again, once it has begun.
    pub(crate) to_mend: Mutex<HashMap<RepoId, Option<JobId>>>,
    pub(crate) memories: Memories,
    pub(crate) jobs: Jobs,
    pub(crate) writer_turns: WriterTurns,
    pub(crate) pulls: Pulls,
    pub(crate) precise_runs: PreciseRuns,
    pub(crate) watching: Watching,
    pub(crate) worktree_records: WorktreeRecords,
    pub(crate) looks: Looks,
    pub(crate) events: Arc<Events>,
    pub(crate) traces: TraceStore,
    pub(crate) refine_took: RefineTook,
    pub(crate) past: PastReads,
    pub(crate) calls: CallStore,
    pub(crate) rerankers: Rerankers,
    settings: RwLock<Settings>,
}

impl State {
    pub(crate) fn open(paths: EnginePaths) -> Result<Self> {
        // What is indexed, remembered and asked is for the user alone.
        for folder in [&paths.data_dir, &paths.state_dir] {
            let made = files::create_private_folder(folder);
            made.map_err(|error| EngineError::io(folder, &error))?;
            files::make_private(folder);
        }
        let settings = crate::settings::load(&paths.config_file)?;
        Ok(Self {
            registry: Registry::new(&paths.data_dir),
            workspaces: Workspaces::new(&paths.data_dir),
            traces: TraceStore::new(&paths.state_dir.join("traces.db")),
            refine_took: RefineTook::default(),
            past: PastReads::default(),
            calls: CallStore::new(&paths.state_dir.join("calls.db")),
            rerankers: Rerankers::default(),
            live: LiveViews::default(),
            to_mend: Mutex::default(),
            memories: Memories::default(),
            jobs: Jobs::default(),
            writer_turns: WriterTurns::default(),
            pulls: Pulls::default(),
            precise_runs: PreciseRuns::default(),
            watching: Watching::default(),
            worktree_records: WorktreeRecords::default(),
            looks: Looks::default(),
            events: Arc::default(),
            settings: RwLock::new(settings),
            paths,
        })
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings.read().clone()
    }

    pub(crate) fn replace_settings(&self, settings: Settings) {
        *self.settings.write() = settings;
    }

    pub(crate) fn model_store(&self) -> ModelStore {
        let store = ModelStore::new(self.paths.models_dir.clone());
        match self.settings().model_hub {
            Some(hub_url) => store.with_pull_options(PullOptions {
                hub_url,
                hub_first: true,
                ..PullOptions::default()
            }),
            None => store,
        }
    }
}

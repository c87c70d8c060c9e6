//! The one API of Whyrank: a module per feature, jobs, settings.
//!
//! Every call blocks until it is done, save [`Engine::start_index`], which answers with a job;
//! async callers wrap calls in `spawn_blocking`. [`Engine`] is a handle: clones share the same state.

pub mod api;
mod call_log;
pub mod choices;
mod clock;
mod code;
mod doctor;
mod editors;
mod error;
mod events;
mod evidence;
mod indexing;
pub mod interest;
mod judged;
mod kept_list;
mod memory;
mod models;
mod names;
mod paths;
mod registry;
mod search;
mod settings;
mod state;
mod state_file;
mod tables;
mod views;
mod workspaces;

use api::{AppInfo, EngineEvent};
pub use code::holds_uses;
pub use error::{EngineError, Result, whole};
pub use indexing::OpenRepo;
pub use memory::{day_words, time_words};
pub use paths::{EnginePaths, home_dir};
pub use search::RgIndex;
use state::State;
/// ripgrep's search: flags, walk and output.
pub use whyrank_grep as rg;
pub use whyrank_memory::Endings;

use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// The largest export of a memory that is taken in: some 500,000 facts.
pub const MAX_EXPORT_BYTES: u64 = 256 << 20;

/// Says which paths fit globs, as searches read them; all fit where there are none.
///
/// # Errors
/// `bad-argument` for a glob that is none.
pub fn path_filter(globs: &[String]) -> Result<impl Fn(&str) -> bool + use<>> {
    let filter = whyrank_retrieval::PathFilter::new(globs)?;
    Ok(move |path: &str| filter.passes(path))
}

/// The engine: a handle that is cheap to clone.
#[derive(Clone)]
pub struct Engine {
    state: Arc<State>,
}

impl Engine {
    /// Opens the engine; creates its folders when they are missing.
    ///
    /// # Errors
    /// `io` when a folder cannot be made, `settings` when the settings file is broken.
    pub fn open(paths: EnginePaths) -> Result<Self> {
        whyrank_system::mapped::guard();
        Ok(Self {
            state: Arc::new(State::open(paths)?),
        })
    }

    /// Returns version and folders.
    pub fn info(&self) -> AppInfo {
        AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data_dir: self.state.paths.data_dir.to_string_lossy().into_owned(),
            config_file: self.state.paths.config_file.to_string_lossy().into_owned(),
        }
    }

    /// Events from now on.
    pub fn subscribe(&self) -> Receiver<EngineEvent> {
        self.state.events.subscribe()
    }
}

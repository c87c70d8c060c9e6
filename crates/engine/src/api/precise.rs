//! Precise indexes: which indexers fit a repository, what they would run, how far a run is.

use super::error::EngineErrorDto;
use super::{RepoId, ScipImport};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Whether an indexer can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum IndexerState {
    /// It is installed.
    Ready,
    /// The run fetches it first.
    Installable,
    /// It has to be installed by hand.
    Missing,
}

/// An indexer that fits a repository, and what a run of it would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct IndexerPlan {
    /// Its name: `scip-typescript`.
    pub id: String,
    /// Languages of the repository that it covers.
    pub languages: Vec<String>,
    /// Files in those languages.
    pub n_files: u32,
    /// Whether it can run.
    pub state: IndexerState,
    /// The program, where it is installed.
    pub program: Option<String>,
    /// Commands in the order in which they would run, each with the folder it runs in.
    pub commands: Vec<IndexerCommand>,
    /// The parts that the repository brings or names and that are run along; `None` where the indexer only reads.
    pub runs_code: Option<String>,
    /// How to install it by hand; empty where that is not needed.
    pub how_to_get: String,
}

impl IndexerPlan {
    /// Returns the consent of a person who was shown this.
    pub fn consent(&self) -> IndexerConsent {
        IndexerConsent {
            id: self.id.clone(),
            commands: self.commands.clone(),
        }
    }
}

/// A command of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct IndexerCommand {
    /// Program and arguments as one would type them.
    pub line: String,
    /// The folder it runs in.
    pub folder: String,
}

/// What a person was shown of an indexer and agreed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct IndexerConsent {
    /// Its name.
    pub id: String,
    /// The commands as they were shown; others are not run.
    pub commands: Vec<IndexerCommand>,
}

/// What precise indexes a repository has and could have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PrecisePlan {
    /// Indexers that fit, those for most files first.
    pub indexers: Vec<IndexerPlan>,
    /// What answers take in today.
    pub current: Option<ScipImport>,
    /// Whether a run is under way in this process.
    pub is_running: bool,
}

/// Where a run of indexers is. At most five a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct PreciseProgress {
    /// The repository's id.
    pub repo: RepoId,
    /// The indexer at work.
    pub indexer: String,
    /// Its state.
    pub state: PreciseState,
    /// The command at work.
    pub command: String,
    /// The last line that it wrote.
    pub line: String,
    /// Seconds since it started.
    pub elapsed_s: f64,
    /// The file with everything that it wrote.
    pub log: String,
    /// Why it failed.
    pub error: Option<EngineErrorDto>,
}

/// How far an indexer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum PreciseState {
    Installing,
    Running,
    Done,
    Failed,
    Cancelled,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct PreciseReport {
    /// Each indexer's last progress.
    pub indexers: Vec<PreciseProgress>,
    /// What answers take in from now on.
    pub current: Option<ScipImport>,
}

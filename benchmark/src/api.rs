//! Plain data for the command line and the window.

use serde::{Deserialize, Serialize};
use specta::Type;
use whyrank_engine::api::RepoId;
use whyrank_eval::{Category, Metric, RunState};

/// A suite that can be run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SuiteChoice {
    /// Name.
    pub name: String,
    /// Its file or folder.
    pub path: String,
    /// Tasks.
    pub n_tasks: u32,
    /// Repositories.
    pub n_repositories: u32,
    /// Kinds of tasks.
    pub categories: Vec<String>,
    /// Languages.
    pub languages: Vec<String>,
    /// What it is.
    pub description: String,
    /// Why it cannot be run.
    pub error: Option<String>,
}

/// A subject that can take part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SubjectChoice {
    /// Name.
    pub name: String,
    /// What it is.
    pub notes: String,
    /// Whether it can run here.
    pub available: bool,
    /// Why not.
    pub why_not: Option<String>,
}

/// What grep would have cost for a session of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SessionCost {
    /// The baseline that was asked.
    pub baseline: String,
    /// Calls of the session that are kept.
    pub n_calls: u32,
    /// Those that grep was asked too, in their order.
    pub calls: Vec<GrepCall>,
}

/// A call that grep was asked too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct GrepCall {
    /// Id of the call.
    pub id: u32,
    /// Places that its answer showed.
    pub n_shown: u32,
    /// Those of them that grep prints too.
    pub n_found: u32,
    /// Tokens of its answer, counted like grep's.
    pub tokens: u32,
    /// Tokens of what grep prints, with what is read around it.
    pub grep_tokens: u32,
}

/// A run to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct RunRequest {
    /// What the user calls it; empty for a title made from suites and subjects.
    pub title: String,
    /// Suites: names of known ones, or paths.
    pub suites: Vec<String>,
    /// Subjects; empty for Whyrank and all baselines.
    pub subjects: Vec<String>,
    /// Kinds of tasks; empty for all.
    pub categories: Vec<String>,
    /// Languages; empty for all.
    pub languages: Vec<String>,
    /// Tasks of each suite and category, 0 for all; of tasks made from a repository, in all, 0 for 50.
    pub limit: u32,
    /// Seed of everything random.
    pub seed: u32,
    /// An indexed repository to make tasks from.
    pub own_repo: Option<RepoId>,
    /// Folders in which checkouts lie already.
    pub folders: Vec<String>,
    /// Whether to leave out the vectors of a model; static ones are made with the text.
    pub no_vectors: bool,
}

impl Default for RunRequest {
    fn default() -> Self {
        Self {
            title: String::new(),
            suites: Vec::new(),
            subjects: Vec::new(),
            categories: Vec::new(),
            languages: Vec::new(),
            limit: 0,
            seed: 1,
            own_repo: None,
            folders: Vec::new(),
            no_vectors: false,
        }
    }
}

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RunProgress {
    /// The run.
    pub id: String,
    /// State.
    pub state: RunState,
    /// What it is at.
    pub phase: String,
    /// Answers there are.
    pub done: u32,
    /// Answers wanted.
    pub wanted: u32,
    /// Answers that failed.
    pub errors: u32,
    /// Seconds to go, once they can be told.
    pub eta_s: Option<f64>,
    /// What was worth saying, newest last.
    pub notes: Vec<String>,
}

/// A line of the table of tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TaskLine {
    /// Suite.
    pub suite: String,
    /// Task.
    pub task: String,
    /// Subject.
    pub subject: String,
    /// Repository.
    pub repo: String,
    /// Language.
    pub language: String,
    /// Kind.
    pub category: Category,
    /// Stratum.
    pub stratum: String,
    /// The question on a line.
    pub question: String,
    /// The metric of `value`.
    pub headline: Metric,
    /// Score.
    pub value: f64,
    /// Tokens.
    pub tokens: u32,
    /// Calls.
    pub calls: u32,
    /// Milliseconds.
    pub wall_ms: f64,
    /// Why there is no answer.
    pub error: Option<String>,
    /// Whether the subject does not do this category.
    pub unsupported: bool,
}

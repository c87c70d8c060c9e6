//! What a run leaves behind: who ran on what, and a line for each answer.

use crate::answer::{Call, ReturnedPlace};
use crate::metric::{Metric, Scores};
use crate::task::{Category, Place};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// Under way, or its process was killed.
    Running,
    /// All tasks answered.
    Complete,
    /// Ended by the user; what was answered is kept.
    Cancelled,
    /// Ended by an error; what was answered is kept.
    Failed,
}

/// The machine of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct Machine {
    /// Operating system and architecture.
    pub system: String,
    /// Processor.
    pub processor: String,
    /// Cores.
    pub cores: u32,
    /// Memory in MiB; 0 where it cannot be told.
    pub memory_mib: u32,
}

/// Something that answers tasks: Whyrank, a baseline, a rival.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct SubjectInfo {
    /// Name in tables.
    pub name: String,
    /// Version.
    pub version: String,
    /// What it is and how it is set up, for the report.
    pub notes: String,
    /// Its configuration as JSON text; empty where it has none.
    pub configuration: String,
}

/// A repository of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct RepositoryInfo {
    /// Key in the tasks.
    pub name: String,
    /// Pinned version or commit.
    pub version: String,
    /// Files indexed by Whyrank; 0 where it did not take part.
    pub files: u32,
    /// CPU seconds that Whyrank's first index took, where it was built in this run.
    pub index_cpu_s: Option<f64>,
    /// Compatibility hash of Whyrank's index.
    pub manifest: String,
    /// Why its tasks were left out.
    pub error: Option<String>,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RunInfo {
    /// Time stamp, unique; name of the folder.
    pub id: String,
    /// What the user called it.
    pub title: String,
    /// When it began, RFC 3339 in UTC.
    pub started: String,
    /// How long it took.
    pub seconds: f64,
    /// State.
    pub state: RunState,
    /// Why it failed.
    pub error: Option<String>,
    /// Seed of everything random.
    pub seed: u32,
    /// Whyrank's version.
    pub version: String,
    /// Commit of the folder that it ran in, `+` for changes on top.
    pub commit: Option<String>,
    /// Machine.
    pub machine: Machine,
    /// Suites.
    pub suites: Vec<String>,
    /// Subjects.
    pub subjects: Vec<SubjectInfo>,
    /// Repositories.
    pub repositories: Vec<RepositoryInfo>,
    /// Answers wanted: tasks times subjects.
    pub n_wanted: u32,
    /// Answers there are.
    pub n_done: u32,
}

/// A line of `raw.jsonl`: one subject's answer to one task, scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TaskResult {
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
    /// Stratum; may be empty.
    pub stratum: String,
    /// The question on a line.
    pub question: String,
    /// The metric that represents the category.
    pub headline: Metric,
    /// Scores; empty where the subject does not do the category.
    pub scores: Scores,
    /// Tokens of what an agent reads.
    pub tokens: u32,
    /// Calls made.
    pub calls: Vec<Call>,
    /// Milliseconds from question to answer.
    pub wall_ms: f64,
    /// CPU milliseconds, where they can be told.
    pub cpu_ms: Option<f64>,
    /// What is right.
    pub expected: Vec<Place>,
    /// The right answer in words, where it is no places.
    pub expected_note: String,
    /// Which of `expected` was found.
    pub met: Vec<bool>,
    /// What was found, best first.
    #[specta(type = Vec<Place>)]
    pub found: Vec<ReturnedPlace>,
    /// Verdict on each of `found`: `right`, `optional`, `wrong`.
    pub verdicts: Vec<crate::Verdict>,
    /// The answer in words, where it is no places.
    pub found_note: String,
    /// What the agent reads.
    pub text: String,
    /// Milliseconds of each stage that ran, where they were looked at.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[specta(type = BTreeMap<String, f64>)]
    pub stages: BTreeMap<String, f64>,
    /// For the engine's `explain`.
    pub query_id: Option<String>,
    /// How sure the subject is that its first place is right, 0 to 1, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Why there is no answer.
    pub error: Option<String>,
    /// Whether the subject does not do this category at all; such lines are left out of means.
    pub unsupported: bool,
}

impl TaskResult {
    /// Returns the score that represents the category.
    pub fn value(&self) -> f64 {
        self.scores.get(&self.headline).copied().unwrap_or(0.0)
    }

    /// Returns tokens per correct answer: tokens / max(recall, 0.01), as the original defines it.
    pub fn tokens_per_correct(&self) -> f64 {
        let recall = self.scores.get(&Metric::Recall).copied();
        let recall = recall.unwrap_or_else(|| self.value());
        f64::from(self.tokens) / recall.max(0.01)
    }
}

//! A suite as it is loaded, and what is wrong with it.

use super::pin::Pin;
use crate::task::Task;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Something wrong with a suite's truth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Defect {
    /// Suite.
    pub suite: String,
    /// The task; none for the whole suite.
    pub task: Option<String>,
    /// What is wrong, in words.
    pub text: String,
}

/// Tasks that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suite {
    /// Name in tables.
    pub name: String,
    /// What it is, in a sentence.
    pub description: String,
    /// Tasks.
    pub tasks: Vec<Task>,
    /// Repositories that the tasks are asked of.
    pub repositories: Vec<Pin>,
    /// Known defects of its truth.
    pub defects: Vec<Defect>,
}

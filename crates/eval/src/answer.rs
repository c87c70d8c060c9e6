//! What a subject answered.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// A place that a subject names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct ReturnedPlace {
    /// Path.
    #[serde(alias = "path")]
    pub file: String,
    /// First line.
    #[serde(default, alias = "start_line")]
    pub line: u32,
    /// Last line, inclusive; 0 where only the first is known.
    #[serde(default)]
    pub end_line: u32,
    /// Name, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Repository, where it is not the task's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// Whether the subject calls it certain, or only possible; none where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certain: Option<bool>,
}

/// A call that a subject made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Call {
    /// Tool, or program.
    pub tool: String,
    /// Its arguments, as JSON or as a command line.
    pub arguments: String,
}

/// A subject's answer to one task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// Places, best first.
    pub found: Vec<ReturnedPlace>,
    /// Imported files.
    pub imports: Vec<String>,
    /// Importing files.
    pub importers: Vec<String>,
    /// Whether the symbol asked about is dead.
    pub dead: Option<bool>,
    /// Names, for questions whose answer is names.
    pub names: Vec<String>,
    /// What an agent reads.
    pub text: String,
    /// Calls made.
    pub calls: Vec<Call>,
    /// Milliseconds from question to answer.
    pub wall_ms: f64,
    /// CPU milliseconds, where they can be told.
    pub cpu_ms: Option<f64>,
    /// More of the ranking than was shown, where it was looked at.
    pub candidates: Vec<ReturnedPlace>,
    /// Milliseconds of each stage that ran, where they were looked at.
    pub stages: BTreeMap<String, f64>,
    /// For the engine's `explain`.
    pub query_id: Option<String>,
    /// How sure the subject is that its first place is right, 0 to 1, where it says so.
    pub confidence: Option<f64>,
    /// Why there is no answer.
    pub error: Option<String>,
    /// Whether the subject does not do this category at all.
    pub unsupported: bool,
}

impl Answer {
    /// Returns an answer of a subject that does not do the task's category.
    pub fn unsupported() -> Self {
        Self {
            unsupported: true,
            ..Self::default()
        }
    }

    /// Returns the places to show: those found, or else the files of a dependency answer.
    pub fn shown(&self) -> Vec<ReturnedPlace> {
        if !self.found.is_empty() {
            return self.found.clone();
        }
        let files = self.imports.iter().chain(&self.importers);
        files
            .map(|file| ReturnedPlace {
                file: file.clone(),
                ..ReturnedPlace::default()
            })
            .collect()
    }

    /// Returns an answer that failed.
    pub fn failed(error: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            ..Self::default()
        }
    }
}

/// Counts the tokens of a text as the benchmark counts them: a token for each 3.5 characters (UTF-16
/// units, as the original counts), rounded up.
pub fn tokens_of(text: &str) -> u32 {
    (text.encode_utf16().count() as f64 / 3.5).ceil() as u32
}

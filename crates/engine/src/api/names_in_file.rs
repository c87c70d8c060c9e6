//! The names of a file, each with what it means.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{RepoId, SymbolLine, UseConfidence};

/// Asks for the names of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct FileNamesRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Path in the repository.
    pub path: String,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A name in a file that means a definition of the repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct NamePlace {
    /// Line, from 1.
    pub line: u32,
    /// First column, from 0, in UTF-16 units.
    pub start: u32,
    /// Column behind the last.
    pub end: u32,
    /// The definitions it means, as indexes into those of the answer; several where overloads share the name, or
    /// nothing tells which one is meant.
    pub targets: Vec<u32>,
    /// Its certainty.
    pub confidence: UseConfidence,
    /// Scope, imports, types or a compiler lead there; else it is a guess.
    pub certain: bool,
    /// It is the name of the definition itself, where that stands.
    pub own: bool,
}

/// The names of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct FileNames {
    /// The file.
    pub path: String,
    /// The definitions that its names mean, each once.
    pub definitions: Vec<SymbolLine>,
    /// The names, by line and column; at most 10,000, and those that a preview shows.
    pub names: Vec<NamePlace>,
    /// Names beyond those.
    pub n_left_out: u32,
    /// That imports are not followed yet, so that names lead nowhere that will; empty where they are.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

//! Judgements of the person: hits that are right or wrong for what was asked.

use super::{HitVerdict, RepoId};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A place that was judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct JudgedPlace {
    /// Path in the repository.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Qualified name of the definition there, where it is one.
    #[serde(default)]
    pub symbol: Option<String>,
}

/// Judges a hit, in place of an earlier judgement of the same place and query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct JudgeRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// The query.
    pub query: String,
    /// The commit that was asked about; `None` for the working tree.
    pub as_of: Option<String>,
    /// The hit.
    pub place: JudgedPlace,
    /// The verdict; `None` takes the judgement back.
    pub verdict: Option<HitVerdict>,
}

/// A hit that was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct JudgedHit {
    /// The repository's id.
    pub repo: RepoId,
    /// The query, secrets hidden.
    pub query: String,
    /// The commit that was asked about; `None` for the working tree.
    #[serde(default)]
    pub as_of: Option<String>,
    /// The place.
    pub place: JudgedPlace,
    /// The verdict.
    pub verdict: HitVerdict,
    /// The time of that, in seconds since the epoch.
    pub at: u32,
}

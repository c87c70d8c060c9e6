//! What nothing needs.

use super::coverage::CoverageReport;

use super::{DeadVerdict, Level, RepoId, SymbolLine, SymbolPlace};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks what nothing needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct DeadCodeRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Only these symbols: each gets an answer. Empty: all of the repository.
    pub symbols: Vec<SymbolPlace>,
    /// Only below this folder or in this file; empty for all.
    pub path: String,
    /// Kinds of definitions (`function`) and verdicts (`dead`, `test-only`, `maybe`, …) to keep; empty
    /// for all but `exported` (the package's surface), `never-ran` (used, but coverage never saw it
    /// run) and `ran` (alive for having run alone).
    pub kinds: Vec<String>,
    /// Also definitions in tests that nothing uses.
    pub tests: bool,
    /// Coverage reports, profiles and traces or folders of them, from the repository's root or absolute; empty for those in
    /// the usual places, `none` for nothing of them.
    pub coverage: Vec<String>,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A definition that nothing may need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct DeadFinding {
    /// The definition.
    pub symbol: SymbolLine,
    /// What was found; `never-ran` and `ran` on request, `used` when asked about by name.
    pub verdict: DeadVerdict,
    /// Why, in words.
    pub reason: String,
    /// How sure that is.
    pub confidence: Level,
    /// Nothing in the checkout, tests included, uses it but imports and itself.
    pub dead: bool,
}

/// What nothing needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct DeadCodeResponse {
    /// By verdict, path and line; for symbols asked about, in the order of the question.
    pub findings: Vec<DeadFinding>,
    /// The answer when a single symbol was asked about; of several definitions of its name, whether all are dead.
    pub dead: Option<bool>,
    /// Definitions of that name that were not judged, where it has more than 24.
    #[serde(default)]
    pub n_left_out: u32,
    /// Definitions looked at.
    pub n_checked: u32,
    /// Coverage that was taken in.
    pub coverage: Vec<CoverageReport>,
    /// Reports that it rests on and that git tracks: what they say is the repository's word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<String>,
    /// Definitions that users of the package can name and nothing in the checkout uses: listed when
    /// `exported-unused` is asked for.
    pub n_exported_unused: u32,
    /// Definitions that are used and never ran, and those that only having run keeps alive.
    pub n_never_ran: u32,
    /// See [`DeadCodeResponse::n_never_ran`].
    pub n_kept_by_run: u32,
    /// Symbols asked about that no definition bears.
    pub unknown: Vec<String>,
    /// Near names for the first of them.
    pub near: Vec<SymbolLine>,
    /// That the symbol graph is not made yet, and how far it is: what is listed goes by the name alone. Empty
    /// where it is made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by_name_only: String,
}

//! Structural search, and recurring roles that are found by structure.

use super::{Level, ReasonCount, RepoId, SymbolLine};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks for code of a shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct AstGrepRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Code with metavariables: `$X.unwrap()`, `foo($$$ARGS)`.
    pub pattern: String,
    /// Language by name; empty for every language in which the pattern is code.
    pub language: String,
    /// Globs or folders to search in, a leading `!` excludes; empty for all.
    pub paths: Vec<String>,
    /// Matches at most; 0 for 200.
    pub limit: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// What a metavariable matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AstBinding {
    /// Name without its signs.
    pub name: String,
    /// The code on one line, cut at 200 characters.
    pub text: String,
}

/// Code of the shape asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AstMatch {
    /// Path in the repository.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The first line's text, trimmed.
    pub text: String,
    /// Qualified name of the definition that it lies in.
    pub enclosing: Option<String>,
    /// Named metavariables in the order of the pattern.
    pub bindings: Vec<AstBinding>,
    /// In a test, example or benchmark.
    pub test: bool,
}

/// Code of a shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AstGrepResponse {
    /// Production code first, then by path and line.
    pub matches: Vec<AstMatch>,
    /// Matches in all, whether or not the limit let them in.
    pub n_matches: u32,
    /// Files that hold one.
    pub n_files: u32,
    /// Files that were looked at.
    pub n_searched: u32,
    /// Languages in which the pattern was sought, most files first.
    pub languages: Vec<String>,
    /// Files that the time limit left out, or that were too large.
    pub n_unfinished: u32,
    /// Why the answer is partial; empty when it is whole.
    pub note: String,
}

/// Asks for design patterns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct PatternsRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// One role (`factory`, `middleware`); empty for all of them.
    pub pattern: String,
    /// Globs or folders to look in, a leading `!` excludes; empty for all.
    pub paths: Vec<String>,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A line that speaks for a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PatternEvidence {
    /// Path in the repository.
    pub path: String,
    /// Line.
    pub line: u32,
    /// What it shows, in a few words.
    pub why: String,
}

/// A definition that plays a role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct PatternFinding {
    /// The role: `factory`, `middleware`.
    pub pattern: String,
    /// The definition.
    pub symbol: SymbolLine,
    /// `high`, `medium`, `low`; a name alone is no finding.
    pub confidence: Level,
    /// Evidence for it, most telling first.
    pub evidence: Vec<PatternEvidence>,
    /// In a test, example or benchmark.
    pub test: bool,
}

/// Design patterns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct PatternsResponse {
    /// Of one role all findings, of all roles the best of each; production code first, then by
    /// confidence.
    pub findings: Vec<PatternFinding>,
    /// How often each role occurs in production code, low confidence left out; most often first.
    pub counts: Vec<ReasonCount>,
    /// Files that were looked at.
    pub n_searched: u32,
    /// Files that time did not reach, the least central ones.
    pub n_unread: u32,
    /// All roles that there are.
    pub known: Vec<String>,
}

//! Exact and regular-expression search: lines that match a pattern, without ranking.

use super::{Facet, RepoId, SearchFilters, SnippetLine};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks for lines that match a pattern.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct GrepRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// The text, or the regular expression.
    pub pattern: String,
    /// Reads the pattern as a regular expression.
    pub regex: bool,
    /// Keeps case apart. Otherwise case counts only for a pattern with a capital letter.
    pub match_case: bool,
    /// Filters.
    pub filters: SearchFilters,
    /// Commit to search; `None` for the working tree.
    pub as_of: Option<String>,
    /// Lines at most; 0 for 1,000.
    pub limit: u32,
}

/// A line that matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GrepLine {
    /// The line and its matches; a long one is cut around the first match.
    pub text: SnippetLine,
    /// UTF-16 units that were cut off at its start.
    pub cut: u32,
    /// The innermost definition around its first match.
    pub inside: Option<EnclosingSymbol>,
}

/// A definition that a line lies in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct EnclosingSymbol {
    /// Qualified name.
    pub name: String,
    /// Its first line.
    pub start_line: u32,
    /// Its last line, inclusive.
    pub end_line: u32,
}

/// A file with lines that match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GrepFile {
    /// Path in the repository.
    pub path: String,
    /// `test`, `docs`, `config`, `generated`, `vendored`.
    pub badges: Vec<String>,
    /// Lines that match, whether or not the limit let them in.
    pub n_lines: u32,
    /// The lines, from the first on.
    pub lines: Vec<GrepLine>,
}

/// What is wrong with a pattern, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PatternProblem {
    /// In words: `unclosed group`.
    pub message: String,
    /// First UTF-16 unit of the pattern that it is about.
    pub start: u32,
    /// One past the last; equal to `start` where it is a place.
    pub end: u32,
}

/// Lines that match a pattern.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct GrepResponse {
    /// Files that hold a match: tests last, then by path.
    pub files: Vec<GrepFile>,
    /// Lines that match, whether or not the limit let them in.
    pub n_lines: u32,
    /// Files that hold one.
    pub n_files: u32,
    /// Files that were searched.
    pub n_searched: u32,
    /// Whether case counted.
    pub case_counts: bool,
    /// Why the answer is partial; `None` when it is whole.
    pub stopped: Option<String>,
    /// What is wrong with the pattern; then nothing was searched.
    pub problem: Option<PatternProblem>,
    /// Lines per language and per folder.
    pub facets: Vec<Facet>,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
}

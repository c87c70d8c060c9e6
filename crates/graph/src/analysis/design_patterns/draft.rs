//! A finding while its evidence is gathered, and what is read for it.

use crate::input::files::{FileInput, SymbolId};

/// A line that speaks for a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternEvidence {
    /// Index of its file.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// What it shows, in a few words.
    pub why: String,
}

/// What the search for design patterns reads.
pub struct DesignPatternInput<'a> {
    /// The files of a view.
    pub files: &'a [FileInput<'a>],
    /// Their texts in the same order; empty for a file that is not to be looked at.
    pub texts: &'a [String],
    /// Whether a file is a test, an example or a benchmark.
    pub is_test: &'a dyn Fn(u32) -> bool,
}

/// A finding in the making: structure and name are counted apart.
pub(super) struct Draft {
    pub(super) symbol: SymbolId,
    pub(super) evidence: Vec<(u32, PatternEvidence)>,
    pub(super) named: bool,
}

//! Reports that lie beside a repository.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A coverage report, profile, trace or SCIP index, told by its name and first bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundReport {
    /// Its path, from the repository's root where it lies below.
    pub path: String,
    /// `lcov`, `cProfile`, `SCIP index`, …
    pub kind: String,
    /// Whether answers read it.
    pub is_used: bool,
    /// Why not, where it was named once.
    pub note: String,
}

/// What was found beside a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundReports {
    /// The first of them, by path.
    pub reports: Vec<FoundReport>,
    /// Further ones, which were not looked at.
    pub n_more: u32,
}

impl FoundReports {
    /// Paths that no answer reads.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let unused = self.reports.iter().filter(|report| !report.is_used);
        unused.map(|report| report.path.as_str())
    }
}

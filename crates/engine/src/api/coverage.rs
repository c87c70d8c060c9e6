//! What a coverage report says of a definition or place.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A coverage report, profile or trace that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CoverageReport {
    /// Its path, from the repository's root where it lies below.
    pub path: String,
    /// `lcov`, `Cobertura`, `Go coverprofile`, `cProfile`, `VizTracer`, `V8 CPU profile`, `pprof`,
    /// `perf script`, `OpenTelemetry`; empty for none.
    pub format: String,
    /// Files of the view that it measured and that have not changed since.
    pub n_files: u32,
    /// What is missing and why: files changed since, paths that mean no or several files, damage.
    pub notes: Vec<String>,
    /// Git tracks it, or a file of it: what it says is the repository's word.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_brought: bool,
}

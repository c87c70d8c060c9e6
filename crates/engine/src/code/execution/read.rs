//! Records of what ran, as they were read.

use super::files::ExecutionFile;
use crate::api::CoverageReport;
use std::sync::{Arc, Mutex};
use whyrank_graph::ExecutionCoverage;

/// What ran, laid over a view.
#[derive(Default)]
pub(crate) struct ExecutionRead {
    pub(crate) runtime: ExecutionCoverage,
    pub(crate) reports: Vec<CoverageReport>,
}

/// What was read last, and from what.
pub(crate) type ExecutionCache = Mutex<Vec<(Vec<ExecutionFile>, Arc<ExecutionRead>)>>;

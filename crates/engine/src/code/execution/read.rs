//! Records of what ran, as they were read.

use super::files::ExecutionFile;
use crate::api::CoverageReport;
use parking_lot::Mutex;
use std::sync::Arc;
use whyrank_graph::ExecutionCoverage;

/// What ran, laid over a view.
#[derive(Default)]
pub(crate) struct ExecutionRead {
    pub(crate) runtime: ExecutionCoverage,
    pub(crate) reports: Vec<CoverageReport>,
}

/// What was read last, and from what.
pub(crate) type ExecutionCache = Mutex<Vec<(Vec<ExecutionFile>, Arc<ExecutionRead>)>>;

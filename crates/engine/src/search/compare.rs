//! Why one hit stands before another.

use crate::Engine;
use crate::api::{HitComparison, QueryId};
use crate::error::{EngineError, Result};

impl Engine {
    /// Holds two hits of an earlier answer against each other, by their ranks.
    ///
    /// # Errors
    /// `unknown-query` as [`Engine::explain`]; `bad-argument` for ranks that the trace has not.
    pub fn compare_hits(&self, query_id: &QueryId, one: u32, other: u32) -> Result<HitComparison> {
        let trace = self.explain(query_id)?;
        whyrank_retrieval::compare(&trace, one, other).ok_or_else(|| {
            EngineError::bad_argument(
                format!(
                    "no two hits of ranks {one} and {other}: the trace has {} rows",
                    trace.rows.len()
                ),
                "name two ranks of the answer",
            )
        })
    }
}

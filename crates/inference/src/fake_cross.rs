//! A cross-encoder without weights, for tests.

use crate::cross::CrossEncoder;
use crate::error::InferenceError;
use crate::fake::words;

/// A cross-encoder without weights: the share of the query's words that the document holds, and up to
/// a hundredth more the shorter the document is.
#[derive(Debug, Clone, Copy, Default)]
pub struct FakeCrossEncoder;

impl CrossEncoder for FakeCrossEncoder {
    fn name(&self) -> &str {
        "fake-cross"
    }

    fn score(
        &self,
        query: &str,
        documents: &[&str],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<f32>, InferenceError> {
        let asked: Vec<String> = words(query).collect();
        let score = |document: &&str| {
            let held: Vec<String> = words(document).collect();
            let n_held = asked.iter().filter(|word| held.contains(*word)).count();
            n_held as f32 / asked.len().max(1) as f32 + 0.01 / (1.0 + held.len() as f32)
        };
        let documents = documents.iter().take_while(|_| !stop());
        Ok(documents.map(score).collect())
    }
}

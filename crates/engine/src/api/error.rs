//! The error of the engine as its callers read it.

use serde::{Deserialize, Serialize};
use specta::Type;

/// An error as callers see it: they read `code`, people read the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct EngineErrorDto {
    /// Stable: `not-a-repository`, `index-missing`, `model-missing`, `bad-argument`, `busy`, …
    pub code: String,
    /// What failed.
    pub message: String,
    /// What to do.
    pub hint: String,
}

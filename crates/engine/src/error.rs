//! The engine's error: callers read `code`, people read `message` and `hint`.

use crate::api::EngineErrorDto;

/// Why the engine could not do what was asked.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}{}", if hint.is_empty() { String::new() } else { format!("; {hint}") })]
pub struct EngineError {
    /// Stable code: `not-a-repository`, `index-missing`, `model-missing`, `bad-argument`, `busy`.
    pub code: &'static str,
    /// What failed.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl EngineError {
    /// Makes an error from its parts.
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into() }
    }
}

impl From<EngineError> for EngineErrorDto {
    fn from(error: EngineError) -> Self {
        Self { code: error.code.to_owned(), message: error.message, hint: error.hint }
    }
}

/// The engine's result.
pub type Result<T> = std::result::Result<T, EngineError>;

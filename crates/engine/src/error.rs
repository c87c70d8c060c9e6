//! The engine's error: callers read `code`, people read `message` and `hint`.

use crate::api::EngineErrorDto;
use std::path::Path;
use whyrank_index::IndexError;
use whyrank_inference::InferenceError;
use whyrank_retrieval::RetrievalError;
use whyrank_source::SourceError;

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
        Self {
            code,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// Takes over an error of a lower crate, whose text ends with its hint.
    pub(crate) fn lower(code: &'static str, error: &impl std::error::Error, hint: &str) -> Self {
        let text = error.to_string();
        let message = text.strip_suffix(hint).unwrap_or(&text);
        Self::new(code, message.trim_end_matches("; "), hint)
    }

    pub(crate) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::new(
            "io",
            format!("cannot access {}: {error}", path.display()),
            "check the permissions and the free space there",
        )
    }

    /// Whoever asked waits no more.
    pub(crate) fn left() -> Self {
        Self::new("cancelled", "the question was taken back", "ask again")
    }

    pub(crate) fn no_home() -> Self {
        Self::new(
            "no-home",
            "no home directory is known",
            "set WHYRANK_HOME to a folder",
        )
    }

    pub(crate) fn bad_argument(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new("bad-argument", message, hint)
    }
}

/// Runs what nobody joins; none where it panics, which has been printed.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).ok()
}

/// Runs a request, and fails where something of an index could not be read meanwhile and the answer could
/// not say so. The next request opens the index again, and what is damaged is repaired first.
///
/// # Errors
/// Those of the request; `index-damaged`.
pub fn whole<T, E: From<EngineError>>(
    request: impl FnOnce() -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let before = whyrank_index::n_lost();
    let answer = request()?;
    if whyrank_index::n_lost() == before {
        return Ok(answer);
    }
    Err(E::from(EngineError::new(
        "index-damaged",
        "a part of the index could not be read, so the answer may be incomplete",
        "ask again: what is damaged is rebuilt first",
    )))
}

impl From<EngineError> for EngineErrorDto {
    fn from(error: EngineError) -> Self {
        Self {
            code: error.code.to_owned(),
            message: error.message,
            hint: error.hint,
        }
    }
}

impl From<SourceError> for EngineError {
    fn from(error: SourceError) -> Self {
        let code = match &error {
            SourceError::NotARepository { .. } => "not-a-repository",
            SourceError::Bare { .. } => "bare-repository",
            SourceError::PathMissing { .. } => "path-missing",
            SourceError::LeadsElsewhere { .. } | SourceError::ReachesOutside { .. } => {
                "repository-leads-elsewhere"
            }
            SourceError::UnknownFormat { .. } => "repository-format-unknown",
            SourceError::UnknownRevision { .. } => "unknown-revision",
            SourceError::Cancelled => "cancelled",
            SourceError::WatchLimit { .. } => "watch-limit",
            _ => "source",
        };
        Self::lower(code, &error, &error.hint())
    }
}

impl From<IndexError> for EngineError {
    fn from(error: IndexError) -> Self {
        let code = match &error {
            IndexError::Source(_) | IndexError::Inference(_) => {
                return match error {
                    IndexError::Source(source) => source.into(),
                    IndexError::Inference(source) => source.into(),
                    _ => unreachable!("matched above"),
                };
            }
            IndexError::Locked { .. } => "busy",
            IndexError::DiskFull { .. } => "disk-full",
            IndexError::Missing | IndexError::SetAside { .. } | IndexError::NoView { .. } => {
                "index-missing"
            }
            IndexError::Incompatible { .. } => "index-incompatible",
            IndexError::Damaged { .. }
            | IndexError::TokensDamaged { .. }
            | IndexError::Record(_) => "index-damaged",
            IndexError::Cancelled => "cancelled",
            IndexError::Io { .. } | IndexError::Sqlite(_) | IndexError::Lexical(_) => "index",
        };
        Self::lower(code, &error, &error.hint())
    }
}

impl From<InferenceError> for EngineError {
    fn from(error: InferenceError) -> Self {
        Self::lower("model", &error, &error.hint())
    }
}

impl From<RetrievalError> for EngineError {
    fn from(error: RetrievalError) -> Self {
        match error {
            RetrievalError::Index(source) => source.into(),
            RetrievalError::Inference(source) => source.into(),
            RetrievalError::BadGlob { .. } => Self::lower("bad-argument", &error, &error.hint()),
        }
    }
}

/// The engine's result.
pub type Result<T> = std::result::Result<T, EngineError>;

use std::path::{Path, PathBuf};
use whyrank_engine::api::EngineErrorDto;

/// What can go wrong with a run as a whole; a task that fails is a result.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Task files.
    #[error(transparent)]
    Eval(#[from] whyrank_eval::EvalError),
    /// The engine.
    #[error("{0}")]
    Engine(#[from] whyrank_engine::EngineError),
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something that the user named is not there or not possible.
    #[error("{message}")]
    Request {
        /// What failed.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The user cancelled it.
    #[error("cancelled")]
    Cancelled,
}

/// A result with [`BenchError`].
pub type Result<T> = std::result::Result<T, BenchError>;

impl BenchError {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn request(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Request {
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// Returns what to do about it; may be empty.
    pub fn hint(&self) -> String {
        match self {
            Self::Eval(_) => {
                "the formats are described in Whyrank's benchmark/README.md, under Tasks".to_owned()
            }
            Self::Engine(error) => error.hint.clone(),
            Self::Io { .. } => "check the path, its permissions and the free space".to_owned(),
            Self::Request { hint, .. } => hint.clone(),
            Self::Cancelled => "what was answered is kept".to_owned(),
        }
    }
}

impl From<BenchError> for EngineErrorDto {
    fn from(error: BenchError) -> Self {
        let hint = error.hint();
        let code = match error {
            BenchError::Engine(error) => return error.into(),
            BenchError::Eval(_) | BenchError::Request { .. } => "bad-argument",
            BenchError::Io { .. } => "io",
            BenchError::Cancelled => "cancelled",
        };
        Self {
            code: code.to_owned(),
            message: error.to_string(),
            hint,
        }
    }
}

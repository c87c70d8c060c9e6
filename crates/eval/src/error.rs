use std::path::PathBuf;

/// What can be wrong with task files and results.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}{}: {message}", line.map(|line| format!(":{line}")).unwrap_or_default())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its line, where one is to blame.
        line: Option<usize>,
        /// What is wrong.
        message: String,
    },
}

/// A result with [`EvalError`].
pub type Result<T> = std::result::Result<T, EvalError>;

impl EvalError {
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn format(
        path: &std::path::Path,
        line: Option<usize>,
        message: impl ToString,
    ) -> Self {
        Self::Format {
            path: path.to_owned(),
            line,
            message: message.to_string(),
        }
    }
}

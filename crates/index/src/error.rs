//! Why an index operation failed: the act, what it was done to, and the source.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// An index error. Messages say what failed, then what to do.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// A folder or file of the index could not be read or written.
    #[error("cannot access {path}: {source}; {}", self.hint())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another process holds the writer's lock.
    #[error("another process is indexing this repository ({}{path}); {}", number(*.process), self.hint())]
    Locked {
        /// Its number, where it could be read.
        process: Option<u32>,
        /// The lock file.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("no space left for the index at {path}; {}", self.hint())]
    DiskFull {
        /// The index folder.
        path: PathBuf,
    },
    /// There is no index yet.
    #[error("this repository has no index yet; {}", self.hint())]
    Missing,
    /// The index was written by another version or with other settings.
    #[error("the index at {path} does not fit this version ({part}: {found} there, {expected} here); {}", self.hint())]
    Incompatible {
        /// The index folder.
        path: PathBuf,
        /// The part of the manifest that differs.
        part: String,
        /// Its value in the index.
        found: String,
        /// Its value here.
        expected: String,
    },
    /// The index was damaged, and is to be rebuilt.
    #[error("the index was damaged ({detail}) and was set aside; {}", self.hint())]
    SetAside {
        /// What was found.
        detail: String,
    },
    /// The index is damaged.
    #[error("the index at {path} is damaged ({detail}); {}", self.hint())]
    Damaged {
        /// The index folder.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The token vectors are damaged. Everything else serves.
    #[error("the token vectors at {path} are damaged ({detail}); {}", self.hint())]
    TokensDamaged {
        /// Their folder.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The catalog or the vector store refused.
    #[error("the index catalog failed: {0}; {hint}", hint = self.hint())]
    Sqlite(rusqlite::Error),
    /// The lexical store refused.
    #[error("the lexical index failed: {0}; {hint}", hint = self.hint())]
    Lexical(tantivy::TantivyError),
    /// A stored record could not be read or written.
    #[error("a record of the index cannot be read ({0}); {hint}", hint = self.hint())]
    Record(#[from] postcard::Error),
    /// The repository could not be read.
    #[error(transparent)]
    Source(#[from] whyrank_source::SourceError),
    /// The encoder failed.
    #[error(transparent)]
    Inference(#[from] whyrank_inference::InferenceError),
    /// The view asked for does not exist.
    #[error("{view} is not indexed; {}", self.hint())]
    NoView {
        /// The view in words.
        view: String,
    },
    /// The job was cancelled.
    #[error("cancelled; {}", self.hint())]
    Cancelled,
}

impl IndexError {
    /// Says what to do about it.
    pub fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Io { .. } => "check the permissions and the free space there",
            Self::Locked { .. } => "wait for it or stop it",
            Self::DiskFull { .. } => {
                "free some space and run it again, what was indexed so far is kept"
            }
            Self::Missing | Self::NoView { .. } => "run `whyrank index`",
            Self::Incompatible {
                found, expected, ..
            } if is_later(found, expected) => {
                "a later version wrote it: update Whyrank, or run `whyrank index --rebuild`"
            }
            Self::Incompatible { .. } => "run `whyrank index --rebuild`",
            Self::SetAside { .. } => "run `whyrank index` to rebuild it",
            Self::Damaged { .. } | Self::Record(..) => "run `whyrank index` to repair it",
            Self::TokensDamaged { .. } => {
                "search continues without them, and `whyrank index` rebuilds them"
            }
            Self::Sqlite(..) | Self::Lexical(..) => {
                "if it happens again, run `whyrank doctor --deep`"
            }
            Self::Cancelled => "the previous index still answers",
            Self::Source(source) => return source.hint(),
            Self::Inference(source) => return source.hint(),
        };
        hint.into()
    }
}

impl IndexError {
    /// Wraps an I/O error with its path; a full disk gets its own variant.
    pub(crate) fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        let path = path.into();
        if source.kind() == std::io::ErrorKind::StorageFull {
            return Self::DiskFull { path };
        }
        Self::Io { path, source }
    }
}

impl IndexError {
    /// Wraps an error of the token vectors in a folder.
    pub(crate) fn tokens(folder: &Path, error: whyrank_late_interaction::Error) -> Self {
        match error {
            whyrank_late_interaction::Error::Io { path, source, .. }
                if source.kind() != std::io::ErrorKind::NotFound =>
            {
                Self::io(path, source)
            }
            other => Self::TokensDamaged {
                path: folder.to_owned(),
                detail: other.to_string(),
            },
        }
    }
}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseCorrupt, DiskFull, NotADatabase};
        match error.sqlite_error_code() {
            Some(DiskFull) => Self::DiskFull {
                path: PathBuf::from("the data folder"),
            },
            Some(DatabaseCorrupt | NotADatabase) => Self::Damaged {
                path: PathBuf::from("the data folder"),
                detail: error.to_string(),
            },
            _ => Self::Sqlite(error),
        }
    }
}

impl From<tantivy::TantivyError> for IndexError {
    fn from(error: tantivy::TantivyError) -> Self {
        match error {
            tantivy::TantivyError::IoError(source)
                if source.kind() == std::io::ErrorKind::StorageFull =>
            {
                Self::DiskFull {
                    path: PathBuf::from("the data folder"),
                }
            }
            other => Self::Lexical(other),
        }
    }
}

/// The crate's result.
pub type Result<T> = std::result::Result<T, IndexError>;

/// `process 4711, `, or nothing.
fn number(process: Option<u32>) -> String {
    process.map_or_else(String::new, |id| format!("process {id}, "))
}

/// Whether a part of a manifest is of a later version; what is no number has no order.
fn is_later(found: &str, expected: &str) -> bool {
    let number = |text: &str| text.parse::<u32>().ok();
    number(found)
        .zip(number(expected))
        .is_some_and(|(found, expected)| found > expected)
}

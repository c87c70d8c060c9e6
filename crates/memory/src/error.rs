//! What can go wrong with memory, one variant for each act that failed.

use std::borrow::Cow;
use std::path::PathBuf;

/// An act on memory that failed.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The file could not be opened.
    #[error("could not open the memory {}: {source}; {}", .path.display(), self.hint())]
    Open {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file or its disk cannot be written.
    #[error("the memory {} is on a read-only disk; {}", .path.display(), self.hint())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// No space is left.
    #[error("no space is left for the memory {}; {}", .path.display(), self.hint())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// Another process is writing.
    #[error("another process writes to the memory {}; {}", .path.display(), self.hint())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Pages of the file are damaged.
    #[error("the memory {} is damaged: {detail}; {}", .path.display(), self.hint())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        detail: String,
    },
    /// A newer version wrote the file.
    #[error("the memory {} was written by a newer version (format {format}); {}", .path.display(), self.hint())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: i64,
    },
    /// Reading or writing failed otherwise.
    #[error("could not use the memory {}: {source}; {}", .path.display(), self.hint())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// No memo has that id.
    #[error("no memo is called `{id}`; {}", self.hint())]
    UnknownMemo {
        /// The id asked for.
        id: String,
    },
    /// Several ids begin like that.
    #[error("`{id}` is a prefix of {n} memos; {}", self.hint())]
    AmbiguousMemo {
        /// What was asked for.
        id: String,
        /// How many there are.
        n: usize,
    },
    /// No version has that id.
    #[error("no version is called `{id}`; {}", self.hint())]
    UnknownVersion {
        /// The id asked for.
        id: String,
    },
    /// A memo without text.
    #[error("the memo is empty; {}", self.hint())]
    Empty,
    /// A memo that is too long.
    #[error("the memo has {n_bytes} bytes, and {limit} are the limit; {}", self.hint())]
    TooLarge {
        /// Bytes of its text.
        n_bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// A field that makes no sense.
    #[error("{what}; {}", self.hint())]
    BadField {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
    /// An anchor outside the repository.
    #[error("the anchor {path:?} leaves the repository; {}", self.hint())]
    AnchorOutside {
        /// The path.
        path: String,
    },
    /// A line of an import that is no fact.
    #[error("line {line} is not a fact of a memory export: {detail}; {}", self.hint())]
    BadLine {
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        detail: String,
    },
    /// The memo is not valid here, so there is nothing to close.
    #[error("memo `{id}` does not hold here: {why}; {}", self.hint())]
    NotValid {
        /// The memo.
        id: String,
        /// Its state.
        why: String,
    },
}

impl MemoryError {
    /// Says what to do about it.
    pub fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Open { .. } => "check the permissions and the free space there",
            Self::ReadOnly { .. } => "nothing was recorded: make it writable and try again",
            Self::DiskFull { .. } => "nothing was recorded: free some and try again",
            Self::Busy { .. } => "nothing was recorded: try again",
            Self::Damaged { .. } => {
                "export what can be read with `whyrank memo export`, then import it into a new one"
            }
            Self::Newer { .. } => "update Whyrank",
            Self::Sqlite { .. } => "try again, or export it",
            Self::UnknownMemo { .. } => "see `whyrank memo list`",
            Self::AmbiguousMemo { .. } => "give a longer one",
            Self::UnknownVersion { .. } => "see `whyrank memo history`",
            Self::Empty => "say what should be remembered",
            Self::TooLarge { .. } => {
                "keep the essence, and anchor it to the code or document that has the rest"
            }
            Self::AnchorOutside { .. } => "give a path relative to its root",
            Self::BadLine { .. } => "nothing was imported",
            Self::BadField { hint, .. } => return hint.clone().into(),
            Self::NotValid { id, .. } => return format!("see `whyrank memo history {id}`").into(),
        };
        hint.into()
    }
}

/// The result of acts on memory.
pub type Result<T> = std::result::Result<T, MemoryError>;

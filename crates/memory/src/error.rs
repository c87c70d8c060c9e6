//! What can go wrong with memory, one variant for each act that failed.

use std::path::PathBuf;

/// An act on memory that failed.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The file could not be opened.
    #[error("could not open the memory {}: {source}; check the permissions and the free space there", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file or its disk cannot be written.
    #[error("the memory {} is on a read-only disk; nothing was recorded: make it writable and try again", .path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// No space is left.
    #[error("no space is left for the memory {}; nothing was recorded: free some and try again", .path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// Another process is writing.
    #[error("another process writes to the memory {}; nothing was recorded: try again", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Pages of the file are damaged.
    #[error("the memory {} is damaged: {detail}; export what can be read with `whyrank memo export`, then import it into a new one", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        detail: String,
    },
    /// A newer version wrote the file.
    #[error("the memory {} was written by a newer version (format {format}); update Whyrank", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: i64,
    },
    /// Reading or writing failed otherwise.
    #[error("could not use the memory {}: {source}; try again, or export it", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// No memo has that id.
    #[error("no memo is called `{id}`; see `whyrank memo list`")]
    UnknownMemo {
        /// The id asked for.
        id: String,
    },
    /// Several ids begin like that.
    #[error("`{id}` is a prefix of {n} memos; give a longer one")]
    AmbiguousMemo {
        /// What was asked for.
        id: String,
        /// How many there are.
        n: usize,
    },
    /// No version has that id.
    #[error("no version is called `{id}`; see `whyrank memo history`")]
    UnknownVersion {
        /// The id asked for.
        id: String,
    },
    /// A memo without text.
    #[error("the memo is empty; say what should be remembered")]
    Empty,
    /// A memo that is too long.
    #[error(
        "the memo has {n_bytes} bytes, and {limit} are the limit; keep the essence, and anchor it to the code or document that has the rest"
    )]
    TooLarge {
        /// Bytes of its text.
        n_bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// A field that makes no sense.
    #[error("{what}; {hint}")]
    BadField {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
    /// An anchor outside the repository.
    #[error("the anchor {path:?} leaves the repository; give a path relative to its root")]
    AnchorOutside {
        /// The path.
        path: String,
    },
    /// A line of an import that is no fact.
    #[error("line {line} is not a fact of a memory export: {detail}; nothing was imported")]
    BadLine {
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        detail: String,
    },
    /// The memo is not valid here, so there is nothing to close.
    #[error("memo `{id}` does not hold here: {why}; see `whyrank memo history {id}`")]
    NotValid {
        /// The memo.
        id: String,
        /// Its state.
        why: String,
    },
}

/// The result of acts on memory.
pub type Result<T> = std::result::Result<T, MemoryError>;

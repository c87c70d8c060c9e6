//! What can go wrong.

use std::io;
use std::path::{Path, PathBuf};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of the engine. Nothing is changed on disk when one is returned.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Vectors of another width than the codec's.
    #[error("vectors have {found} components, the codec has {expected}")]
    Dimension {
        /// Components that the codec takes.
        expected: usize,
        /// Components that were given.
        found: usize,
    },
    /// A dimension that no codec can have.
    #[error("a dimension of {0} is not supported: 1 to {most}", most = crate::MAX_DIM)]
    UnsupportedDimension(usize),
    /// The values do not fill whole rows.
    #[error("{values} values do not make rows of {dim}")]
    Ragged {
        /// Number of values.
        values: usize,
        /// Components of a row.
        dim: usize,
    },
    /// A component is NaN or infinite.
    #[error("component {component} of token {token} is not a finite number")]
    NotFinite {
        /// Row.
        token: usize,
        /// Column.
        component: usize,
    },
    /// Vocabulary ids and vectors differ in number.
    #[error("{vectors} token vectors, but {vocab} vocabulary ids")]
    VocabLength {
        /// Number of vectors.
        vectors: usize,
        /// Number of ids.
        vocab: usize,
    },
    /// A query longer than the engine scores.
    #[error("the query has {tokens} tokens, the most is {most}; cut it", most = crate::MAX_QUERY_TOKENS)]
    QueryTooLong {
        /// Tokens of the query.
        tokens: usize,
    },
    /// Nothing to learn a codec from.
    #[error("a codec cannot be trained without token vectors")]
    NothingToTrain,
    /// A codec of another training than the segment's.
    #[error("{what} was written with codec {found:016x}, this is codec {expected:016x}")]
    OtherCodec {
        /// The file, or "the query".
        what: String,
        /// Fingerprint of the codec in use.
        expected: u64,
        /// Fingerprint that was found.
        found: u64,
    },
    /// A file that is not what it should be: cut short, changed, or of another format.
    #[error("{}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The operating system refused.
    #[error("{what} {}: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// On which file.
        path: PathBuf,
        /// Its reason.
        source: io::Error,
    },
}

impl Error {
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what, path, source }
    }

    pub(crate) fn damaged(path: &Path, why: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            why: why.into(),
        }
    }
}

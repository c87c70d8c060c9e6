//! Why a search failed.

/// A search error.
#[derive(Debug, thiserror::Error)]
pub enum RetrievalError {
    /// A store could not be read.
    #[error(transparent)]
    Index(#[from] whyrank_index::IndexError),
    /// The query could not be encoded.
    #[error(transparent)]
    Inference(#[from] whyrank_inference::InferenceError),
    /// A path filter is no glob.
    #[error(
        "`{glob}` is not a path pattern ({message}); use globs such as `src/**/*.rs`, or `!tests/**` to leave out"
    )]
    BadGlob {
        /// The filter.
        glob: String,
        /// What is wrong with it.
        message: String,
    },
}

/// The crate's result.
pub type Result<T> = std::result::Result<T, RetrievalError>;

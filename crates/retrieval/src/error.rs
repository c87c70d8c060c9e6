//! Why a search failed.

use std::borrow::Cow;
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
    #[error("`{glob}` is not a path pattern ({message}); {}", self.hint())]
    BadGlob {
        /// The filter.
        glob: String,
        /// What is wrong with it.
        message: String,
    },
}

impl RetrievalError {
    /// Says what to do about it.
    pub fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::BadGlob { .. } => "use globs such as `src/**/*.rs`, or `!tests/**` to leave out",
            Self::Index(source) => return source.hint(),
            Self::Inference(source) => return source.hint(),
        };
        hint.into()
    }
}

/// The crate's result.
pub type Result<T> = std::result::Result<T, RetrievalError>;

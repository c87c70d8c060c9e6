//! The error that every ranker reports alike.

use whyrank_retrieval::NoAnswer;

/// Why a backend gave nothing, as a message.
pub(crate) fn failed(message: impl Into<String>) -> NoAnswer {
    NoAnswer::Failed(message.into())
}

//! Errors: of one request, and of the whole server.

use lsp_server::{ErrorCode, ProtocolError};
use whyrank_engine::EngineError;

/// Why a request has no answer, as the client is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: i32,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code: code as i32,
            message: message.into(),
        }
    }

    /// The question makes sense and cannot be answered now.
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::RequestFailed, message)
    }

    /// The client took it back.
    pub(crate) fn cancelled() -> Self {
        Self::new(ErrorCode::RequestCanceled, "the request was cancelled")
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error.code {
            "cancelled" => Self::cancelled(),
            "bad-argument" => Self::new(ErrorCode::InvalidParams, error.to_string()),
            _ => Self::request(error.to_string()),
        }
    }
}

/// Why the server could not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The first messages were not the protocol's.
    #[error("the client does not speak the language server protocol: {0}")]
    Protocol(#[from] ProtocolError),
    /// The parameters of `initialize` are broken.
    #[error("the client's `initialize` cannot be read: {0}")]
    Initialize(serde_json::Error),
    /// The engine cannot be opened.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A pipe broke, or held what is no frame.
    #[error("standard input cannot be read on: {0}")]
    Pipe(#[from] std::io::Error),
}

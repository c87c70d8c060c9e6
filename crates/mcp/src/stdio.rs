//! The server on standard input and output, and what every transport serves.

use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::lines::Lines;
use crate::server::Server;

/// The handler that transports get: the server, unless the build is for the conformance suite.
#[cfg(not(feature = "conformance-fixtures"))]
pub(crate) type Served = Server;
/// The same with fixtures.
#[cfg(feature = "conformance-fixtures")]
pub(crate) type Served = crate::conformance::Conformance;

/// The sessions of a transport, which a fixture of the suite closes streams of.
pub(crate) type Sessions =
    std::sync::Arc<rmcp::transport::streamable_http_server::session::local::LocalSessionManager>;

/// What a transport serves.
#[cfg(not(feature = "conformance-fixtures"))]
pub(crate) fn served(server: Server, _sessions: &Sessions) -> Served {
    server
}

/// The same with the conformance suite's fixtures around it.
#[cfg(feature = "conformance-fixtures")]
pub(crate) fn served(server: Server, sessions: &Sessions) -> Served {
    crate::conformance::Conformance::new(server, sessions.clone())
}

/// Serves standard input and output until the input ends. Calls under way are answered first.
///
/// # Errors
///
/// When the first message is not the protocol's.
pub async fn serve_stdio(server: Server) -> Result<(), String> {
    let warming = server.clone();
    tokio::spawn(async move { warming.warm_up().await });
    let (read, write) = rmcp::transport::stdio_pipes();
    serve_lines(server, read, write).await
}

/// Serves lines until they end: what [`serve_stdio`] does with standard input and output.
///
/// # Errors
///
/// When the first message is not the protocol's.
pub async fn serve_lines(
    server: Server,
    read: impl AsyncRead + Unpin + Send + 'static,
    write: impl AsyncWrite + Unpin + Send + 'static,
) -> Result<(), String> {
    let served = served(server, &Sessions::default());
    let running = match served.serve(Lines::new(read, write)).await {
        Ok(running) => running,
        // A client that only looks whether the program starts closes without a word.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    running
        .waiting()
        .await
        .map(drop)
        .map_err(|error| error.to_string())
}

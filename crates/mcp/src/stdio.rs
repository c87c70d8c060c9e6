//! The server on standard input and output.

use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::lines::Lines;
use crate::server::Server;

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
    let running = match server.serve(Lines::new(read, write)).await {
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

//! The server on standard input and output.

use crate::failure::ServeError;
use crate::mode::Mode;
use crate::server::{Ending, serve};
use lsp_server::Connection;
use std::time::Duration;
use whyrank_engine::{Engine, EngineError};

/// The time that the threads of the pipes may take to end; a client that neither reads nor closes keeps them.
const PATIENCE: Duration = Duration::from_secs(1);

/// Serves standard input and output until the client ends. Standard output carries the protocol and nothing
/// else.
///
/// # Errors
///
/// As [`serve`].
pub fn serve_stdio(
    mode: Mode,
    open: impl FnOnce() -> Result<Engine, EngineError>,
) -> Result<Ending, ServeError> {
    let (connection, threads) = Connection::stdio();
    let ending = serve(connection, mode, open);
    let (ended, end) = crossbeam_channel::bounded(1);
    let joined = std::thread::Builder::new().spawn(move || drop(ended.send(threads.join())));
    if joined.is_ok()
        && let Ok(Err(error)) = end.recv_timeout(PATIENCE)
    {
        // A frame that is none ends the input like a client that goes away, which is no fault of it.
        if error.kind() == std::io::ErrorKind::InvalidData {
            return Err(ServeError::Pipe(error));
        }
        tracing::debug!(%error, "a pipe ended with an error");
    }
    ending
}

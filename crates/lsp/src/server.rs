//! The server: the handshake, then one message after the other.

use crate::ask::Ask;
use crate::capabilities::initialize_result;
use crate::client::{BYE, Client, Outbox};
use crate::encoding::Encoding;
use crate::failure::{Failure, ServeError};
use crate::index_progress;
use crate::methods::{self, diagnostics};
use crate::mode::Mode;
use crate::notifications::{hear, open_folder};
use crate::roots::Roots;
use crate::shared::{Options, Shared};
use crate::uri::{mend, path_of};
use crate::workers::{Pending, Workers, response};
use crossbeam_channel::unbounded;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{Cancel, Exit, Notification as _};
use lsp_types::request::{Request as _, Shutdown};
use lsp_types::{CancelParams, InitializeParams, NumberOrString, Uri};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use whyrank_engine::interest::answer_while;
use whyrank_engine::{Engine, EngineError, home_dir, whole};

/// The time that the last words may take to a client that ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// The way in which the client ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It said that it would.
    Announced,
    /// It went away, or said `exit` alone.
    Unannounced,
}

/// Serves a client until it ends.
///
/// # Errors
///
/// A client that does not speak the protocol; what opening the engine gives, which the client is told.
pub fn serve(
    connection: Connection,
    mode: Mode,
    open: impl FnOnce() -> Result<Engine, EngineError>,
) -> Result<Ending, ServeError> {
    let (id, params) = match connection.initialize_start() {
        Ok(begun) => begun,
        // One that only looks whether the program starts closes without a word.
        Err(error) if error.channel_is_disconnected() => return Ok(Ending::Unannounced),
        Err(error) => return Err(error.into()),
    };
    let (engine, params) = match begun(params, open) {
        Ok(begun) => begun,
        Err(error) => {
            let failure = Failure::request(error.to_string());
            drop(connection.sender.send(response(id, Err(failure)).into()));
            return Err(error);
        }
    };
    let encoding = Encoding::negotiated(&params.capabilities);
    connection.initialize_finish(id, initialize_result(mode, encoding))?;
    let (outbox, farewell) = forwarded(&connection)?;
    let client = Arc::new(Client::new(outbox, &params.capabilities));
    index_progress::follow(&client, engine.subscribe());
    let shared = Arc::new(Shared {
        roots: Roots::new(engine.clone(), home_dir()),
        engine,
        mode,
        options: options(&params),
        encoding,
        client,
        documents: crate::documents::Documents::default(),
        last_locals: crate::last_locals::LastLocals::default(),
    });
    let server = Server {
        shared,
        pending: Pending::default(),
        workers: Workers::start()?,
    };
    for folder in folders(&params) {
        open_folder(&server.shared, &folder);
    }
    let ending = server.run(&connection);
    server.pending.leave();
    drop(server);
    // What is still to be said is said, unless nobody reads it.
    let _ = farewell.recv_timeout(FAREWELL);
    Ok(ending)
}

fn begun(
    mut params: Value,
    open: impl FnOnce() -> Result<Engine, EngineError>,
) -> Result<(Engine, InitializeParams), ServeError> {
    mend(&mut params);
    let params = serde_json::from_value(params).map_err(ServeError::Initialize)?;
    Ok((open()?, params))
}

/// An outbox that never makes its users wait, and what is closed once all of it is sent.
fn forwarded(
    connection: &Connection,
) -> std::io::Result<(Outbox, crossbeam_channel::Receiver<()>)> {
    let (outbox, messages) = unbounded::<Message>();
    let (said, farewell) = unbounded::<()>();
    let sender = connection.sender.clone();
    std::thread::Builder::new()
        .name("whyrank-lsp-out".to_owned())
        .spawn(move || {
            let _said = said;
            for message in messages {
                let is_bye = matches!(&message, Message::Notification(last) if last.method == BYE);
                if is_bye || sender.send(message).is_err() {
                    return;
                }
            }
        })?;
    Ok((outbox, farewell))
}

fn options(params: &InitializeParams) -> Options {
    let options = params.initialization_options.clone();
    let options = options.filter(|options| !options.is_null());
    let read = options.map_or(Ok(Options::default()), serde_json::from_value);
    read.unwrap_or_else(|error| {
        tracing::warn!(%error, "initializationOptions cannot be read; docs/editors.md lists them");
        Options::default()
    })
}

/// The folders that the client opens, in any of the ways in which clients name them.
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let several = params.workspace_folders.as_deref().unwrap_or_default();
    let folders: Vec<PathBuf> = several
        .iter()
        .filter_map(|folder| path_of(&folder.uri))
        .collect();
    if !folders.is_empty() {
        return folders;
    }
    #[expect(deprecated, reason = "older clients name one root so")]
    let (uri, path) = (&params.root_uri, &params.root_path);
    let of_uri = uri.as_ref().and_then(path_of);
    of_uri
        .or_else(|| path.as_ref().map(PathBuf::from))
        .into_iter()
        .collect()
}

struct Server {
    shared: Arc<Shared>,
    pending: Pending,
    workers: Workers,
}

impl Server {
    fn run(&self, connection: &Connection) -> Ending {
        let mut is_shut_down = false;
        for message in &connection.receiver {
            match message {
                Message::Request(request) if request.method == Shutdown::METHOD => {
                    is_shut_down = true;
                    self.shared
                        .client
                        .respond(response(request.id, Ok(Value::Null)));
                }
                Message::Request(request) if is_shut_down => {
                    let failure =
                        Failure::new(ErrorCode::InvalidRequest, "the server is shut down");
                    self.shared
                        .client
                        .respond(response(request.id, Err(failure)));
                }
                Message::Request(request) => self.answer(request),
                Message::Notification(told) if told.method == Exit::METHOD => break,
                Message::Notification(told) => self.hear(told),
                // To progress that was begun; nothing hangs on it.
                Message::Response(_) => {}
            }
        }
        match is_shut_down {
            true => Ending::Announced,
            false => Ending::Unannounced,
        }
    }

    fn answer(&self, request: Request) {
        let Request {
            id,
            method,
            mut params,
        } = request;
        let client = &self.shared.client;
        if !methods::is_known(&method) || !self.shared.mode.offers(&method) {
            let failure = Failure::new(
                ErrorCode::MethodNotFound,
                format!("{method} is not offered; docs/editors.md lists what is"),
            );
            client.respond(response(id, Err(failure)));
            return;
        }
        mend(&mut params);
        let is_left = self.pending.begin(id.clone());
        let (shared, pending) = (Arc::clone(&self.shared), self.pending.clone());
        let documents = shared.documents.now();
        self.workers.give(move || {
            let waits = Rc::new(move || !is_left.load(Ordering::Relaxed));
            if !waits() {
                return;
            }
            let ask = Ask::new(&shared, documents);
            let outcome = answer_while(waits, || worked_out(&ask, &method, params));
            if let Some(response) = pending.end(id, outcome) {
                shared.client.respond(response);
            }
        });
    }

    fn hear(&self, told: Notification) {
        if told.method == Cancel::METHOD {
            if let Some(response) = self.cancelled(told) {
                self.shared.client.respond(response);
            }
            return;
        }
        let Some(uri) = hear(&self.shared, told) else {
            return;
        };
        if self.shared.options.diagnostics {
            self.diagnose(uri);
        }
    }

    fn cancelled(&self, told: Notification) -> Option<Response> {
        let params: CancelParams = serde_json::from_value(told.params).ok()?;
        let id = match params.id {
            NumberOrString::Number(number) => RequestId::from(number),
            NumberOrString::String(text) => RequestId::from(text),
        };
        self.pending.cancel(&id)
    }

    fn diagnose(&self, uri: Uri) {
        let shared = Arc::clone(&self.shared);
        let documents = shared.documents.now();
        self.workers.give(move || {
            let ask = Ask::new(&shared, documents);
            if let Err(failure) = diagnostics::tell(&ask, &uri) {
                tracing::warn!(message = failure.message, "no diagnostics");
            }
        });
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.client.end();
    }
}

/// An answer that rests on what the index could read; a fault of the program ends one request and not the
/// server.
fn worked_out(ask: &Ask<'_>, method: &str, params: Value) -> Result<Value, Failure> {
    let answered = catch_unwind(AssertUnwindSafe(|| {
        whole(|| methods::answer(ask, method, params))
    }));
    answered.unwrap_or_else(|_| {
        Err(Failure::new(
            ErrorCode::InternalError,
            format!("{method} stopped by an error inside Whyrank; its log says where"),
        ))
    })
}

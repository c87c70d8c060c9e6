//! The server over HTTP, for this machine alone: loopback, known hosts and origins, a bearer token.
//!
//! `/mcp` offers the standard profile, `/mcp/core` and `/mcp/full` the others: which tools there are
//! follows from the address and never from who asks. `/metrics`, where it is switched on, tells figures.

mod connections;

use std::convert::Infallible;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, Uri, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use whyrank_system::files;

use crate::answer::ToolError;
use crate::metrics;
use crate::server::Server;
use crate::tool::Profile;
use connections::{Connections, Visitor};

/// The port when none is named; the next ones are tried where it is taken.
pub const DEFAULT_PORT: u16 = 8717;
const N_PORTS: u16 = 20;
/// Where figures are told, if they are.
const METRICS: &str = "/metrics";
/// The names of this machine for who means it: a name that leads here from elsewhere is none of them.
const HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
const ORIGINS: [&str; 2] = ["localhost", "127.0.0.1"];
/// No call of a tool is longer.
const MAX_BODY: usize = 1 << 20;
/// Bytes of a token before they are written as hex.
const TOKEN_BYTES: usize = 32;

/// What clients get before they are sent away.
#[derive(Clone, Copy, Debug)]
pub struct HttpLimits {
    /// Connections at a time of who has shown the token.
    pub n_connections: usize,
    /// For a request's head, and for showing the token.
    pub head: Duration,
    /// For its body.
    pub body: Duration,
    /// Whether `/metrics` tells what the last answers took.
    pub with_metrics: bool,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            // More agents do not sit at one machine.
            n_connections: 128,
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            with_metrics: false,
        }
    }
}

/// After a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(200);

type Body = BoxBody<Bytes, Infallible>;
type Mcp<H> = StreamableHttpService<H, LocalSessionManager>;
type Service<H> = (Profile, &'static [&'static str], Mcp<H>);

/// A server that listens; dropping it ends it.
pub struct HttpServer {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: tokio::task::JoinHandle<()>,
}

impl HttpServer {
    /// Listens on the loopback address: on `port`, or on the first free one from [`DEFAULT_PORT`] on.
    ///
    /// # Errors
    ///
    /// `port-taken` when it cannot.
    pub async fn start(
        server: Server,
        port: Option<u16>,
        token: String,
    ) -> Result<Self, ToolError> {
        Self::start_within(server, port, token, HttpLimits::default()).await
    }

    /// Returns the same, within other limits.
    ///
    /// # Errors
    ///
    /// Those of [`Self::start`].
    pub async fn start_within(
        server: Server,
        port: Option<u16>,
        token: String,
        limits: HttpLimits,
    ) -> Result<Self, ToolError> {
        Self::start_wrapped(server, port, token, limits, |server, _| server).await
    }

    /// Returns the same with what `wrap` puts around the server, which gets the sessions of the transport.
    ///
    /// # Errors
    ///
    /// Those of [`Self::start`].
    pub async fn start_wrapped<H: ServerHandler + Clone>(
        server: Server,
        port: Option<u16>,
        token: String,
        limits: HttpLimits,
        wrap: impl Fn(Server, Arc<LocalSessionManager>) -> H + Clone + Send + Sync + 'static,
    ) -> Result<Self, ToolError> {
        let listener = listen(port).await?;
        let address = listener
            .local_addr()
            .map_err(|error| no_port(port, &error))?;
        let (stop, stopped) = watch::channel(false);
        let ending = CancellationToken::new();
        let routes = Arc::new(Routes::new(&server, &token, &ending, limits, wrap));
        tokio::spawn(async move { server.warm_up().await });
        let serving = tokio::spawn(accept(listener, routes, stopped, ending));
        Ok(Self {
            address,
            stop,
            serving,
        })
    }

    /// Returns where it listens.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Returns its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Ends it: no new calls, those under way are answered for a moment.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        if let Err(error) = self.serving.await {
            tracing::warn!(%error, "the server did not end in order");
        }
    }
}

async fn listen(port: Option<u16>) -> Result<TcpListener, ToolError> {
    let ports = match port {
        Some(port) => port..=port,
        None => DEFAULT_PORT..=DEFAULT_PORT + N_PORTS,
    };
    let mut failed = None;
    for port in ports {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) => failed = Some(error),
        }
    }
    let failed = failed.unwrap_or_else(|| std::io::Error::other("no port was tried"));
    Err(no_port(port, &failed))
}

fn no_port(port: Option<u16>, error: &std::io::Error) -> ToolError {
    ToolError::new(
        "port-taken",
        format!(
            "cannot listen on port {}: {error}",
            port.unwrap_or(DEFAULT_PORT)
        ),
        "name another with --port",
    )
}

async fn accept<H: ServerHandler + Clone>(
    listener: TcpListener,
    routes: Arc<Routes<H>>,
    mut stopped: watch::Receiver<bool>,
    ending: CancellationToken,
) {
    let graceful = GracefulShutdown::new();
    let limits = routes.limits;
    let connections = Arc::new(Connections::new(limits.n_connections));
    loop {
        let arrival = async {
            let room = connections.room_at_door().await;
            (room, listener.accept().await)
        };
        let (room, stream) = tokio::select! {
            (room, accepted) = arrival => match accepted {
                Ok((stream, _)) => (room, stream),
                Err(error) => {
                    // Without a pause, a process that may open no more files does nothing else.
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            },
            // An error says that the handle is gone: the end, too.
            _ = stopped.changed() => break,
        };
        let visitor = connections.visitor(room);
        let (routes, guest) = (Arc::clone(&routes), Arc::clone(&visitor));
        let connections = Arc::clone(&connections);
        let service = service_fn(move |request| {
            let (routes, guest) = (Arc::clone(&routes), Arc::clone(&guest));
            let connections = Arc::clone(&connections);
            async move { Ok::<_, Infallible>(routes.answer(request, &connections, &guest).await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            tokio::select! {
                served = connection => if let Err(error) = served {
                    tracing::debug!(%error, "a connection broke off");
                },
                () = visitor.sent_away(limits.head) => {}
            }
        });
    }
    ending.cancel();
    let patience = tokio::time::sleep(std::time::Duration::from_secs(2));
    tokio::select! {
        () = graceful.shutdown() => {}
        () = patience => {}
    }
}

/// One service for each profile, and the token that all of them ask for.
struct Routes<H> {
    limits: HttpLimits,
    expected: String,
    services: [Service<H>; 3],
    server: Server,
}

impl<H: ServerHandler + Clone> Routes<H> {
    fn new(
        server: &Server,
        token: &str,
        ending: &CancellationToken,
        limits: HttpLimits,
        wrap: impl Fn(Server, Arc<LocalSessionManager>) -> H + Clone + Send + Sync + 'static,
    ) -> Self {
        let service = |profile: Profile| {
            let sessions = Arc::<LocalSessionManager>::default();
            let server = server.for_http(profile);
            let (wrap, of_client) = (wrap.clone(), Arc::clone(&sessions));
            let client = move || Ok(wrap(server.for_client(), Arc::clone(&of_client)));
            let config = StreamableHttpServerConfig::default()
                .with_cancellation_token(ending.child_token())
                .with_max_request_body_bytes(MAX_BODY)
                // `is_meant_here` asks for all addresses.
                .disable_allowed_hosts();
            StreamableHttpService::new(client, sessions, config)
        };
        Self {
            limits,
            server: server.clone(),
            expected: format!("Bearer {token}"),
            services: [
                (Profile::Core, &["/mcp/core"], service(Profile::Core)),
                (
                    Profile::Standard,
                    &["/mcp", "/mcp/", "/mcp/standard"],
                    service(Profile::Standard),
                ),
                (Profile::Full, &["/mcp/full"], service(Profile::Full)),
            ],
        }
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        connections: &Connections,
        visitor: &Visitor,
    ) -> Response<Body> {
        let path = request.uri().path();
        let found = self
            .services
            .iter()
            .find(|(_, paths, _)| paths.contains(&path));
        let is_metrics = self.limits.with_metrics && path == METRICS;
        if let Some(refused) = self.refused(&request, found.is_some() || is_metrics) {
            return last_of_connection(refused);
        }
        if !connections.let_in(visitor) {
            let full = "too many connections; end some of them";
            return last_of_connection(refusal(StatusCode::SERVICE_UNAVAILABLE, full));
        }
        let Some((_, _, service)) = found else {
            return self.metrics().await;
        };
        let (head, body) = request.into_parts();
        let body = Limited::new(body, MAX_BODY).collect();
        let request = match tokio::time::timeout(self.limits.body, body).await {
            Ok(Ok(body)) => Request::from_parts(head, Full::new(body.to_bytes())),
            Ok(Err(_)) => return refusal(StatusCode::PAYLOAD_TOO_LARGE, "the call is too long"),
            Err(_) => return refusal(StatusCode::REQUEST_TIMEOUT, "the call came too slowly"),
        };
        let service = TowerToHyperService::new(service.clone());
        match hyper::service::Service::call(&service, request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}

impl<H> Routes<H> {
    /// Why a request is not let in: for another machine or from another page, to no address of ours, or
    /// without the token.
    fn refused(&self, request: &Request<Incoming>, is_known: bool) -> Option<Response<Body>> {
        if !is_meant_here(request.uri(), request.headers()) {
            let text = "ask localhost or 127.0.0.1, from this machine";
            return Some(refusal(StatusCode::FORBIDDEN, text));
        }
        if !is_known {
            let text = "no such address; ask /mcp, /mcp/core or /mcp/full";
            return Some(refusal(StatusCode::NOT_FOUND, text));
        }
        let given = request.headers().get(header::AUTHORIZATION);
        if given.is_some_and(|given| same(given.as_bytes(), self.expected.as_bytes())) {
            return None;
        }
        let mut refused = refusal(
            StatusCode::UNAUTHORIZED,
            "send the header Authorization: Bearer TOKEN; `whyrank mcp --http` says where the token lies",
        );
        let challenge = HeaderValue::from_static("Bearer realm=\"whyrank\"");
        refused
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, challenge);
        Some(refused)
    }

    /// What the last answers took, of this process and others.
    async fn metrics(&self) -> Response<Body> {
        let stats = match self.server.stage_stats().await {
            Ok(stats) => stats,
            Err(error) => return refusal(StatusCode::SERVICE_UNAVAILABLE, &error.message),
        };
        let text = metrics::openmetrics(&stats);
        let mut response = Response::new(Full::new(Bytes::from(text)).boxed());
        let kind = HeaderValue::from_static(metrics::CONTENT_TYPE);
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}

/// Says whether a request names this machine and comes from a page of it, if from any: a name that somebody
/// else's server gives out may lead here.
fn is_meant_here(uri: &Uri, headers: &HeaderMap) -> bool {
    let is_one_of = |authority: &Authority, names: &[&str]| {
        let is_plain = !authority.as_str().contains('@');
        is_plain
            && names
                .iter()
                .any(|name| authority.host().eq_ignore_ascii_case(name))
    };
    let text = |name| {
        headers
            .get(name)
            .map(|value: &HeaderValue| value.to_str().unwrap_or_default())
    };
    let host = text(header::HOST).and_then(|host| host.parse().ok());
    let is_host = host.is_some_and(|host| is_one_of(&host, &HOSTS));
    let is_target = uri.authority().is_none_or(|named| is_one_of(named, &HOSTS));
    let is_origin = text(header::ORIGIN).is_none_or(|origin| {
        let rest = origin.strip_prefix("http://").unwrap_or_default();
        rest.parse()
            .is_ok_and(|authority| is_one_of(&authority, &ORIGINS))
    });
    is_host && is_target && is_origin
}

/// Compares in a time that does not tell how much of it is right.
fn same(given: &[u8], expected: &[u8]) -> bool {
    let differing = given
        .iter()
        .zip(expected)
        .fold(0, |all, (given, expected)| all | (given ^ expected));
    given.len() == expected.len() && differing == 0
}

/// Whoever is not let in asks no second time on the same connection.
fn last_of_connection(mut response: Response<Body>) -> Response<Body> {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}

fn refusal(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(format!("{text}\n"))).boxed());
    *response.status_mut() = status;
    response
}

/// Returns the token in a file that only the user reads; made when it is not there.
///
/// # Errors
///
/// `io` when it can be neither read nor made.
pub fn http_token(path: &Path) -> Result<String, ToolError> {
    match fs::read_to_string(path) {
        Ok(text) if text.trim().len() >= TOKEN_BYTES => Ok(text.trim().to_owned()),
        _ => rotate_http_token(path),
    }
}

/// Returns a new token in the file; anyone who knows the old one is let in no longer once the server
/// restarts.
///
/// # Errors
///
/// `io` when it cannot be written.
pub fn rotate_http_token(path: &Path) -> Result<String, ToolError> {
    let failed = |error: &dyn std::fmt::Display| {
        ToolError::new(
            "io",
            format!("cannot write the token to {}: {error}", path.display()),
            "check the permissions there",
        )
    };
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| failed(&error))?;
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    // The new file gets the rights of the old one.
    files::make_private(path);
    files::replace(path, format!("{token}\n").as_bytes()).map_err(|error| failed(&error))?;
    Ok(token)
}

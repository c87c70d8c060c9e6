//! The server over HTTP, spoken to by hand: who is let in, both revisions of the protocol, both ends.

use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use whyrank_engine::api::{CallsRequest, IndexOptions};
use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::{
    HttpLimits, HttpServer, Profile, Readiness, Server, Session, http_token, rotate_http_token,
};

type Header = (&'static str, &'static str);

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

struct Running {
    home: tempfile::TempDir,
    server: HttpServer,
}

async fn running() -> Running {
    running_within(HttpLimits::default()).await
}

async fn running_within(limits: HttpLimits) -> Running {
    let home = tempfile::tempdir().expect("a folder");
    let paths = EnginePaths::below(home.path());
    let server = Server::new(Profile::Standard, move || {
        let engine = Engine::open(paths.clone())?;
        Ok(Session::new(engine, "nowhere", Readiness::Prepared))
    });
    let server = HttpServer::start_within(server, Some(0), TOKEN.to_owned(), limits);
    Running {
        server: server.await.expect("it listens"),
        home,
    }
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    /// The JSON of a body, also of one in a stream of events.
    fn json(&self) -> Value {
        let lines = self.body.lines();
        let mut texts = lines.map(|line| line.strip_prefix("data: ").unwrap_or(line));
        let text = texts.find(|text| text.starts_with('{')).unwrap_or_default();
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Running {
    async fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut request = format!("POST {path} HTTP/1.1\r\nConnection: close\r\n");
        if headers.iter().all(|(name, _)| *name != "Host") {
            request.push_str("Host: localhost\r\n");
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n",
        );
        request.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.raw(request.as_bytes()).await
    }

    async fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.server.port()))
            .await
            .expect("it listens");
        // A server that has seen enough may close before all is sent.
        let _ = stream.write_all(request).await;
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes).await;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head
            .split_whitespace()
            .nth(1)
            .and_then(|status| status.parse().ok());
        Reply {
            status: status.unwrap_or(0),
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }
}

fn authorized() -> (&'static str, &'static str) {
    ("Authorization", "Bearer 0123456789abcdef0123456789abcdef")
}

fn hello(name: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": name, "version": "7"}}})
    .to_string()
}

fn listing() -> String {
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "stateless", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}}}})
    .to_string()
}

const STATELESS: [(&str, &str); 2] = [
    ("MCP-Protocol-Version", "2026-07-28"),
    ("Mcp-Method", "tools/list"),
];

#[tokio::test]
async fn only_who_has_the_token_and_comes_from_here_is_let_in() {
    let running = running().await;
    let cases: &[(&str, &[Header], u16)] = &[
        ("/mcp", &[], 401),
        ("/mcp", &[("Authorization", "Bearer wrong")], 401),
        (
            "/mcp",
            &[("Authorization", "Basic 0123456789abcdef0123456789abcdef")],
            401,
        ),
        ("/", &[authorized()], 404),
        ("/mcp/other", &[authorized()], 404),
        ("/mcp", &[authorized(), ("Host", "evil.example")], 403),
        (
            "/mcp",
            &[authorized(), ("Origin", "https://evil.example")],
            403,
        ),
        (
            "/mcp",
            &[authorized(), ("Origin", "http://a@localhost")],
            403,
        ),
        (
            "/mcp",
            &[authorized(), ("Host", "localhost.evil.example")],
            403,
        ),
        ("/mcp", &[authorized(), ("Host", "[::1]:8717")], 200),
        (
            "/mcp",
            &[authorized(), ("Origin", "http://localhost:3000")],
            200,
        ),
        ("/mcp", &[authorized()], 200),
    ];
    for (path, headers, expected) in cases {
        let reply = running.post(path, headers, &hello("one")).await;
        assert_eq!(
            reply.status, *expected,
            "{path} {headers:?}: {}",
            reply.body
        );
    }
    let refused = running.post("/mcp", &[], "{}").await;
    assert!(
        refused.head.contains("www-authenticate: bearer"),
        "{}",
        refused.head
    );
}

#[tokio::test]
async fn both_revisions_are_served_and_the_address_names_the_profile() {
    let running = running().await;
    let reply = running.post("/mcp", &[authorized()], &hello("old")).await;
    assert_eq!(reply.json()["result"]["protocolVersion"], "2025-11-25");
    assert!(reply.head.contains("mcp-session-id"), "{}", reply.head);

    let mut counts = Vec::new();
    for path in ["/mcp/core", "/mcp", "/mcp/full"] {
        let headers = [authorized(), STATELESS[0], STATELESS[1]];
        let reply = running.post(path, &headers, &listing()).await;
        let result = reply.json()["result"].clone();
        assert_eq!(result["resultType"], "complete", "{}", reply.body);
        counts.push(result["tools"].as_array().expect("tools").len());
    }
    assert_eq!(counts[0], 6);
    assert!(counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
}

#[tokio::test]
async fn what_is_no_protocol_is_refused() {
    let running = running().await;
    let huge = "x".repeat((1 << 20) + 1);
    for body in ["", "{", "[]", "{\"jsonrpc\": \"2.0\"}"] {
        let reply = running.post("/mcp", &[authorized()], body).await;
        assert!(
            (400..500).contains(&reply.status),
            "{body}: {}",
            reply.status
        );
    }
    let reply = running.post("/mcp", &[authorized()], &huge).await;
    assert_eq!(reply.status, 413);
    let reply = running.raw(b"nonsense\r\n\r\n").await;
    assert_eq!(reply.status, 400);
    // A client that dies in the middle of a request does no harm.
    let mut dying = TcpStream::connect(("127.0.0.1", running.server.port()))
        .await
        .expect("it listens");
    dying
        .write_all(b"POST /mcp HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
        .await
        .expect("sent");
    drop(dying);
    assert_eq!(
        running
            .post("/mcp", &[authorized()], &hello("two"))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn calls_are_kept_with_their_client_and_without_secrets() {
    let running = running().await;
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "search", "arguments": {"query": "where is ghp_3k8xW7bR2mT5vY8cP4nH6dJ1gLfSeUuaZ3kQ", "token": "hush"},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "stateless", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}}});
    let headers = [
        authorized(),
        STATELESS[0],
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "search"),
    ];
    let reply = running.post("/mcp", &headers, &call.to_string()).await;
    assert_eq!(reply.json()["result"]["isError"], true, "{}", reply.body);
    let engine = Engine::open(EnginePaths::below(running.home.path())).expect("an engine");
    let log = engine.calls(&CallsRequest::default()).expect("a log");
    let call = &log.calls[0];
    assert_eq!(
        (call.client.as_str(), call.transport.as_str()),
        ("stateless", "http")
    );
    assert!(call.error.is_some());
    assert_eq!(call.repo, None, "no repository was found");
    assert!(
        !call.args.contains("ghp_") && !call.args.contains("hush"),
        "{}",
        call.args
    );
    assert_eq!(engine.heard_clients().expect("a list")[0].name, "stateless");
    running.server.stop().await;
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let running = running().await;
    let second = Server::new(Profile::Core, || unreachable!("nobody calls"));
    let error = HttpServer::start(second, Some(running.server.port()), TOKEN.to_owned()).await;
    let error = error.err().expect("the port is taken");
    assert_eq!(error.code, "port-taken");
    assert!(error.hint.contains("--port"), "{}", error.hint);
}

#[test]
fn the_token_is_for_the_user_alone_and_can_be_changed() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("state/http-token");
    let token = http_token(&path).expect("made");
    assert_eq!(token.len(), 64);
    assert_eq!(http_token(&path).expect("read"), token);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&path)
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_ne!(rotate_http_token(&path).expect("made"), token);
}

#[tokio::test]
async fn who_comes_too_slowly_is_sent_away() {
    let limits = HttpLimits {
        head: Duration::from_millis(200),
        body: Duration::from_millis(200),
        ..HttpLimits::default()
    };
    let running = running_within(limits).await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\n";
    let slow_head = running.raw(head.as_bytes());
    let slow_head = tokio::time::timeout(Duration::from_secs(20), slow_head).await;
    assert!(
        matches!(slow_head.expect("it ends").status, 0 | 408),
        "an unfinished head"
    );
    let (name, value) = authorized();
    let body = format!("{head}{name}: {value}\r\nContent-Length: 50\r\n\r\n{{");
    let slow_body = running.raw(body.as_bytes());
    let slow_body = tokio::time::timeout(Duration::from_secs(20), slow_body).await;
    assert_eq!(
        slow_body.expect("it ends").status,
        408,
        "an unfinished body"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_without_the_token_keeps_out_who_has_it() {
    let running = running().await;
    let address = ("127.0.0.1", running.server.port());
    let mut idle = Vec::new();
    for _ in 0..300 {
        idle.push(TcpStream::connect(address).await.expect("it listens"));
    }
    let (headers, body) = ([authorized()], hello("one"));
    let asked = running.post("/mcp", &headers, &body);
    let reply = tokio::time::timeout(Duration::from_secs(10), asked).await;
    assert_eq!(reply.expect("an answer").status, 200);
    let (mut first, mut byte) = (idle.swap_remove(0), [0]);
    let left = tokio::time::timeout(Duration::from_secs(10), first.read(&mut byte)).await;
    assert!(matches!(left.expect("it was sent away"), Ok(0) | Err(_)));
}

#[tokio::test]
async fn places_are_for_who_has_the_token_and_one_refusal_ends_a_connection() {
    let limits = HttpLimits {
        n_connections: 1,
        ..HttpLimits::default()
    };
    let running = running_within(limits).await;
    let address = ("127.0.0.1", running.server.port());
    let (name, value) = authorized();
    let mut inside = TcpStream::connect(address).await.expect("it listens");
    let request = format!("GET /mcp HTTP/1.1\r\nHost: localhost\r\n{name}: {value}\r\n\r\n");
    inside
        .write_all(request.as_bytes())
        .await
        .expect("it is open");
    let mut start = [0; 12];
    inside.read_exact(&mut start).await.expect("an answer");
    assert!(!start.ends_with(b"401"));
    let without = b"GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n";
    // Its end is read: the connection is closed though nobody asked for that.
    assert_eq!(running.raw(without).await.status, 401);
    let full = running.post("/mcp", &[authorized()], &hello("two")).await;
    assert_eq!(full.status, 503);
    drop(inside);
}

#[tokio::test]
async fn figures_are_served_where_asked_for_and_only_with_the_token() {
    let get = |token: &str| {
        format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{token}\r\n")
    };
    let (name, value) = authorized();
    let with_token = get(&format!("{name}: {value}\r\n"));
    let silent = running().await;
    assert_eq!(silent.raw(with_token.as_bytes()).await.status, 404);
    let limits = HttpLimits {
        with_metrics: true,
        ..HttpLimits::default()
    };
    let telling = running_within(limits).await;
    assert_eq!(telling.raw(get("").as_bytes()).await.status, 401);
    for (name, value) in [
        ("Host", "evil.example"),
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
    ] {
        let request = match name {
            "Host" => with_token.replace("localhost", value),
            _ => with_token.replacen("Host", &format!("{name}: {value}\r\nHost"), 1),
        };
        assert_eq!(telling.raw(request.as_bytes()).await.status, 403, "{name}");
    }
    let told = telling.raw(with_token.as_bytes()).await;
    assert_eq!(told.status, 200, "{}", told.body);
    assert!(
        told.head.contains("application/openmetrics-text"),
        "{}",
        told.head
    );
    assert!(
        told.body.contains("whyrank_recent_answers 0"),
        "{}",
        told.body
    );
    assert!(told.body.ends_with("# EOF\n"), "{}", told.body);
}

/// Two repositories that nobody registered, each with an index from when somebody had.
struct Street {
    folder: tempfile::TempDir,
    engine: Engine,
    running: Running,
}

impl Street {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let home = tempfile::tempdir().expect("a folder");
        let engine = Engine::open(EnginePaths::below(home.path())).expect("an engine");
        for name in ["own", "private"] {
            let root = folder.path().join(name);
            git2::Repository::init(&root).expect("a repository");
            std::fs::write(
                root.join("a.py"),
                format!("def {name}_fn():\n    return 1\n"),
            )
            .expect("a file");
            let repo = engine.add_repo(&root).expect("added").id;
            let options = IndexOptions {
                skip_vectors: true,
                ..IndexOptions::default()
            };
            let job = engine.start_index(&repo, options).expect("a job");
            engine.wait_job(&job).expect("its end");
            engine.remove_repo(&repo, false).expect("removed");
        }
        let (served, own) = (engine.clone(), folder.path().join("own"));
        let server = Server::new(Profile::Standard, move || {
            let own = own.to_string_lossy().into_owned();
            let session = Session::new(served.clone(), own, Readiness::OnDemand);
            Ok(session.for_agents())
        });
        let server = HttpServer::start(server, Some(0), TOKEN.to_owned()).await;
        let server = server.expect("it listens");
        Self {
            folder,
            engine,
            running: Running { home, server },
        }
    }

    fn private(&self) -> String {
        let root = self.folder.path().join("private").canonicalize();
        root.expect("it is there").to_string_lossy().into_owned()
    }

    async fn client(&self, capabilities: Value) -> String {
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": capabilities,
            "clientInfo": {"name": "one", "version": "1"}}});
        let reply = self
            .running
            .post("/mcp/full", &[authorized()], &hello.to_string())
            .await;
        let mut lines = reply.head.lines();
        let session = lines.find_map(|line| line.strip_prefix("mcp-session-id: "));
        let session = session.expect("a session").to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.send(&session, &ready).await;
        session
    }

    async fn send(&self, session: &str, message: &Value) -> Reply {
        let headers = [authorized(), ("Mcp-Session-Id", session)];
        self.running
            .post("/mcp/full", &headers, &message.to_string())
            .await
    }

    /// Calls a tool as a client that has folders open; the text of its answer.
    async fn call(&self, session: &str, open: &[&str], tool: &str, args: Value) -> String {
        let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
            "params": {"name": tool, "arguments": args}});
        let (body, (name, value)) = (call.to_string(), authorized());
        let request = format!(
            "POST /mcp/full HTTP/1.1\r\nHost: localhost\r\n{name}: {value}\r\nMcp-Session-Id: {session}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let address = ("127.0.0.1", self.running.server.port());
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let (mut text, mut n_heard) = (String::new(), 0);
        loop {
            let mut bytes = [0; 4096];
            let n_bytes = stream.read(&mut bytes).await.expect("more");
            text.push_str(&String::from_utf8_lossy(&bytes[..n_bytes]));
            let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
            let events = events.filter_map(|event| serde_json::from_str::<Value>(event).ok());
            for event in events.skip(n_heard).collect::<Vec<_>>() {
                n_heard += 1;
                if event["method"] == "roots/list" {
                    let roots = open
                        .iter()
                        .map(|root| json!({"uri": format!("file://{root}")}));
                    let roots: Vec<Value> = roots.collect();
                    let answer =
                        json!({"jsonrpc": "2.0", "id": event["id"], "result": {"roots": roots}});
                    self.send(session, &answer).await;
                } else if event["id"] == 7 {
                    let text = event["result"]["content"][0]["text"].as_str();
                    return text.expect("a text").to_owned();
                }
            }
            assert!(n_bytes > 0, "no answer in {text}");
        }
    }
}

const REFUSED: &str = "neither registered nor open";

#[tokio::test(flavor = "multi_thread")]
async fn what_one_client_has_open_no_other_sees_and_it_ends_with_it() {
    let street = Street::new().await;
    let private = street.private();
    let one = street.client(json!({"roots": {}})).await;
    let others = [
        street.client(json!({})).await,
        street.client(json!({"roots": {}})).await,
    ];
    let asked = |repo: &str| json!({"symbol": "private_fn", "repo": repo});
    let open = [private.as_str()];
    let found = street.call(&one, &open, "lookup", asked(&private)).await;
    assert!(found.contains("a.py:1"), "{found}");
    let named = street
        .call(
            &one,
            &open,
            "search",
            json!({"query": "private_fn", "repo": "private"}),
        )
        .await;
    assert!(named.contains("a.py"), "{named}");
    let listed = street
        .call(&one, &open, "list_repos", json!({"format": "json"}))
        .await;
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    let mut repos = listed["repos"].as_array().expect("a list").iter();
    let id = repos
        .find(|repo| repo["name"] == "private")
        .expect("listed")["id"]
        .clone();
    let id = id.as_str().expect("an id").to_owned();
    assert!(street.engine.is_open(&id), "{listed}");
    for other in &others {
        for repo in [
            private.as_str(),
            &id,
            &format!("{id}+{id}"),
            &format!("own,{private}"),
        ] {
            let refused = street
                .call(
                    other,
                    &[],
                    "search",
                    json!({"query": "private_fn", "repo": repo}),
                )
                .await;
            assert!(!refused.contains("a.py:"), "{repo}: {refused}");
        }
        let refused = street.call(other, &[], "lookup", asked(&private)).await;
        assert!(refused.contains(REFUSED), "{refused}");
        let explained = street.call(other, &[], "explain", json!({})).await;
        assert!(explained.contains(REFUSED), "{explained}");
        let listed = street.call(other, &[], "list_repos", json!({})).await;
        assert!(!listed.contains("private"), "{listed}");
    }
    let registered = street.engine.repos().expect("a list");
    assert!(registered.iter().all(|repo| repo.name != "private"));
    let (name, value) = authorized();
    let end = format!(
        "DELETE /mcp/full HTTP/1.1\r\nHost: localhost\r\n{name}: {value}\r\nMcp-Session-Id: {one}\r\n\
         Connection: close\r\n\r\n"
    );
    street.running.raw(end.as_bytes()).await;
    let ended = async {
        while street.engine.is_open(&id) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let ended = tokio::time::timeout(Duration::from_secs(20), ended).await;
    ended.expect("it ends with the client");
    street
        .engine
        .add_repo(private.as_ref())
        .expect("the person keeps it");
    let kept = street
        .call(&others[0], &[], "lookup", asked(&private))
        .await;
    assert!(kept.contains("a.py:1"), "{kept}");
}

#[tokio::test]
async fn a_call_is_kept_with_the_one_repository_that_it_asked() {
    let home = tempfile::tempdir().expect("a folder");
    let paths = EnginePaths::below(&home.path().join("home"));
    let root = home.path().join("shop");
    git2::Repository::init(&root).expect("a repository");
    std::fs::write(root.join("app.py"), "def main():\n    return 1\n").expect("a file");
    let engine = Engine::open(paths.clone()).expect("an engine");
    let repo = engine.add_repo(&root).expect("registered").id;
    let job = engine.start_index(&repo, IndexOptions::default());
    engine.wait_job(&job.expect("a job")).expect("indexed");
    let server = Server::new(Profile::Standard, move || {
        let engine = Engine::open(paths.clone())?;
        Ok(Session::new(engine, "nowhere", Readiness::Prepared))
    });
    let server = HttpServer::start_within(server, Some(0), TOKEN.to_owned(), HttpLimits::default());
    let running = Running {
        server: server.await.expect("it listens"),
        home,
    };
    // By another name of the argument, by a list of one, and of none at all.
    for arguments in [
        json!({"symbol": "main", "workspace": "shop"}),
        json!({"symbol": "main", "repo": ["shop"]}),
        json!({"symbol": "main"}),
    ] {
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "lookup", "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "stateless", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {}}}});
        let headers = [
            authorized(),
            STATELESS[0],
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "lookup"),
        ];
        running.post("/mcp", &headers, &call.to_string()).await;
    }
    let log = engine.calls(&CallsRequest::default()).expect("a log");
    let asked: Vec<Option<&str>> = log.calls.iter().map(|call| call.repo.as_deref()).collect();
    assert_eq!(asked, [None, Some(repo.as_str()), Some(repo.as_str())]);
    running.server.stop().await;
}

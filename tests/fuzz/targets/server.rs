//! The MCP server: lines that a client sends, and arguments of calls.

use super::repository::Folder;
use super::{Seed, choice, choosing};
use serde_json::{Map, Value};
use std::io::Cursor;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use whyrank_engine::api::IndexOptions;
use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::{
    Call, Profile, Readiness, Server, Session, ToolError, call_tool, reading_tools, serve_lines,
};

const HELLO: &[u8] = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

/// Lines after the handshake, to a server without an engine.
pub(super) fn frames(bytes: &[u8]) {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        let built = Builder::new_current_thread().enable_all().build();
        built.expect("a runtime")
    });
    let server = Server::new(Profile::Full, || {
        Err(ToolError::new(
            "none",
            "there is no engine",
            "none is needed",
        ))
    });
    let lines = Cursor::new([HELLO, bytes].concat());
    let served = async {
        drop(serve_lines(server, lines, tokio::io::sink()).await);
    };
    let ended = RUNTIME.block_on(async { timeout(Duration::from_secs(10), served).await });
    assert!(
        ended.is_ok(),
        "a server that does not end when its client has"
    );
}

/// Arguments of a tool that reads, on a small repository.
pub(super) fn calls(bytes: &[u8]) {
    static SESSION: LazyLock<(Folder, Folder, Session)> = LazyLock::new(session);
    let tools = tools();
    let (at, bytes) = choice(bytes, tools.len());
    let args: Map<String, Value> = match serde_json::from_slice(bytes) {
        Ok(args) => args,
        Err(_) => return,
    };
    drop(call_tool(tools[at], &Call::plain(&SESSION.2), args));
}

/// The same arguments for every tool.
pub(super) fn seeds(files: Vec<Seed>) -> Vec<Vec<u8>> {
    choosing(files, |_| (0..tools().len()).collect())
}

fn tools() -> Vec<&'static str> {
    reading_tools(Profile::Full).collect()
}

fn session() -> (Folder, Folder, Session) {
    let (home, tree) = (Folder::new(), Folder::with_repository());
    let engine = Engine::open(EnginePaths::below(home.path())).expect("an engine");
    let repo = engine.add_repo(tree.path()).expect("a repository");
    let options = IndexOptions {
        skip_vectors: true,
        ..IndexOptions::default()
    };
    let job = engine.start_index(&repo.id, options).expect("a job");
    engine.wait_job(&job).expect("its end");
    let session = Session::new(engine, tree.path().to_string_lossy(), Readiness::Prepared);
    (home, tree, session.for_agents())
}

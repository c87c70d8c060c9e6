//! The log of what agents asked.

use whyrank_engine::api::{CallRecord, CallsRequest, ClientHello};
use whyrank_engine::{Engine, EnginePaths};

fn call(client: &str, tool: &str, text: &str) -> CallRecord {
    CallRecord {
        client: ClientHello {
            name: client.to_owned(),
            version: "1.2".to_owned(),
            transport: "stdio".to_owned(),
        },
        session: "s1".to_owned(),
        tool: tool.to_owned(),
        args: "{\"query\":\"x\"}".to_owned(),
        repo: Some("0123456789ab".into()),
        ms: 3.5,
        tokens: 12,
        hits: 2,
        query_id: Some("q1".into()),
        error: None,
        text: text.to_owned(),
    }
}

fn engine(home: &tempfile::TempDir) -> Engine {
    Engine::open(EnginePaths::below(home.path())).expect("an engine")
}

#[test]
fn calls_of_all_processes_are_in_one_log() {
    let home = tempfile::tempdir().expect("a folder");
    let (one, two) = (engine(&home), engine(&home));
    one.record_call(&call("claude-code", "search", "a.rs:1"));
    two.record_call(&call("cursor", "refs", "b.rs:2"));
    let all = one.calls(&CallsRequest::default()).expect("a log");
    let tools: Vec<&str> = all.calls.iter().map(|call| call.tool.as_str()).collect();
    assert_eq!(tools, ["refs", "search"]);
    assert_eq!(
        (all.total.calls, all.total.tokens, all.clients.len()),
        (2, 24.0, 2)
    );
    let detail = two.call_detail(all.calls[1].id).expect("kept");
    assert_eq!(detail.text, "a.rs:1");
    let only = CallsRequest {
        client: "CLAUDE".to_owned(),
        ..CallsRequest::default()
    };
    assert_eq!(one.calls(&only).expect("a log").calls.len(), 1);
    one.clear_calls().expect("cleared");
    assert!(
        two.calls(&CallsRequest::default())
            .expect("a log")
            .calls
            .is_empty()
    );
}

#[test]
fn the_last_call_is_one_row_with_its_repository_and_older_files_have_none() {
    let home = tempfile::tempdir().expect("a folder");
    let paths = EnginePaths::below(home.path());
    std::fs::create_dir_all(&paths.state_dir).expect("a folder");
    let older = rusqlite::Connection::open(paths.state_dir.join("calls.db")).expect("a file");
    let made = older.execute_batch(
        "CREATE TABLE call(
           id INTEGER PRIMARY KEY AUTOINCREMENT, at_ms REAL NOT NULL, client TEXT NOT NULL,
           version TEXT NOT NULL, transport TEXT NOT NULL, session TEXT NOT NULL,
           tool TEXT NOT NULL, args TEXT NOT NULL, ms REAL NOT NULL, tokens INTEGER NOT NULL,
           hits INTEGER NOT NULL, query_id TEXT, error TEXT, text BLOB);
         INSERT INTO call VALUES(7, 1.0, 'codex', '1', 'stdio', 's0', 'refs', '{}', 1.0, 2, 3, NULL, NULL, NULL);",
    );
    made.expect("as older versions made it");
    drop(older);
    let (one, two) = (engine(&home), engine(&home));
    let old = one.last_call().expect("a log").expect("a call");
    assert_eq!((old.id, old.tool.as_str(), old.repo), (7, "refs", None));
    two.record_call(&call("claude-code", "search", "a.rs:1"));
    let new = one.last_call().expect("a log").expect("a call");
    assert_eq!(new.tool, "search");
    assert_eq!(new.repo.as_deref(), Some("0123456789ab"));
    one.clear_calls().expect("cleared");
    assert_eq!(two.last_call().expect("a log"), None);
}

#[test]
fn the_log_is_bounded_and_old_answers_go_first() {
    let home = tempfile::tempdir().expect("a folder");
    let engine = engine(&home);
    for _ in 0..640 {
        engine.record_call(&call("c", "search", &"long ".repeat(40_000)));
    }
    let log = engine.calls(&CallsRequest::default()).expect("a log");
    assert_eq!((log.calls.len(), log.total.calls), (100, 640));
    let newest = engine.call_detail(log.calls[0].id).expect("kept");
    assert!(newest.text.len() <= 96 << 10 && !newest.text.is_empty());
    let oldest = engine.call_detail(1).expect("its line is kept");
    assert_eq!(oldest.text, "");
    assert_eq!(
        engine.call_detail(9_999).expect_err("never was").code,
        "unknown-call"
    );
}

#[test]
fn a_client_is_heard_once_with_its_last_version() {
    let home = tempfile::tempdir().expect("a folder");
    let engine = engine(&home);
    for version in ["1", "2"] {
        engine.note_client(&ClientHello {
            name: "codex".to_owned(),
            version: version.to_owned(),
            transport: "stdio".to_owned(),
        });
    }
    let heard = engine.heard_clients().expect("a list");
    assert_eq!(heard.len(), 1);
    assert_eq!(
        (heard[0].name.as_str(), heard[0].version.as_str()),
        ("codex", "2")
    );
}

#[test]
fn a_log_that_is_off_keeps_nothing_in_any_process_and_forgets_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let (window, server) = (engine(&home), engine(&home));
    server.record_call(&call("codex", "search", "a.rs:1"));
    window.keep_calls(false).expect("switched off");
    server.record_call(&call("codex", "refs", "b.rs:2"));
    let log = server.calls(&CallsRequest::default()).expect("a log");
    assert_eq!((log.is_on, log.total.calls), (false, 1));
    window.keep_calls(true).expect("switched on");
    server.record_call(&call("codex", "deps", "c.rs:3"));
    let log = server.calls(&CallsRequest::default()).expect("a log");
    assert_eq!((log.is_on, log.total.calls), (true, 2));
}

#[test]
fn an_export_has_a_line_a_call_and_a_session_can_be_asked_for() {
    let home = tempfile::tempdir().expect("a folder");
    let engine = engine(&home);
    engine.record_call(&call("codex", "search", "a.rs:1"));
    let mut other = call("cursor", "refs", "");
    other.session = "s2".to_owned();
    other.args = "{\"symbol\": \"cut".to_owned();
    engine.record_call(&other);
    let mut bytes = Vec::new();
    assert_eq!(engine.write_calls(&mut bytes).expect("written"), 2);
    let text = String::from_utf8(bytes).expect("text");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["args"]["query"], "x");
    assert_eq!(lines[0]["text"], "a.rs:1");
    assert_eq!(lines[1]["args"], "{\"symbol\": \"cut");
    assert_eq!(lines[1].get("text"), None);
    let of_one = CallsRequest {
        session: "s2".to_owned(),
        ..CallsRequest::default()
    };
    let log = engine.calls(&of_one).expect("a log");
    assert_eq!((log.total.calls, log.sessions.len()), (1, 1));
    assert_eq!(log.sessions[0].name, "cursor s2");
    let session = log.sessions[0]
        .session
        .as_ref()
        .map(|one| (one.client.as_str(), one.id.as_str()));
    assert_eq!(session, Some(("cursor", "s2")));
}

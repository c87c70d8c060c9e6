//! What goes into the log of calls: who asked what, and what it cost. Secrets are hidden here.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Map, Value};
use whyrank_agents::{redact_text, redact_value};
use whyrank_engine::Engine;
use whyrank_engine::api::{CallRecord, ClientHello, QueryId, RepoId};

use crate::answer::{ToolAnswer, ToolError};
use crate::tokens::estimate_tokens;

/// How tests of our own say hello; they are no clients.
const TESTERS: &str = "whyrank-";

/// A call before it is made.
pub(crate) struct LoggedCall {
    pub(crate) client: ClientHello,
    pub(crate) session: String,
    pub(crate) tool: String,
    pub(crate) args: Map<String, Value>,
    /// The one repository that it is asked of, once that is known.
    pub(crate) repo: Option<RepoId>,
}

/// Notes a client that has connected.
pub(crate) fn hear(engine: &Engine, client: &ClientHello) {
    if !client.name.is_empty() && !client.name.starts_with(TESTERS) {
        engine.note_client(client);
    }
}

/// Keeps a call with its outcome.
pub(crate) fn keep(
    engine: &Engine,
    asked: LoggedCall,
    outcome: &Result<ToolAnswer, ToolError>,
    took: Duration,
) {
    if asked.client.name.starts_with(TESTERS) {
        return;
    }
    let (text, hits, query_id, error) = match outcome {
        Ok(answer) => {
            let query_id = answer.structured.get("query_id").and_then(Value::as_str);
            (answer.text.clone(), answer.results.len(), query_id, None)
        }
        Err(error) => (error.to_string(), 0, None, Some(error.code.clone())),
    };
    engine.record_call(&CallRecord {
        client: asked.client,
        session: asked.session,
        tool: asked.tool,
        args: redact_value(&Value::Object(asked.args)).to_string(),
        repo: asked.repo,
        ms: (took.as_secs_f64() * 1e5).round() / 100.0,
        tokens: estimate_tokens(&text),
        hits: u32::try_from(hits).unwrap_or(u32::MAX),
        query_id: query_id.map(QueryId::from),
        error,
        text: redact_text(&text),
    });
}

/// A short name that no other run of these days has.
pub(crate) fn run_name() -> String {
    static N_SERVERS: AtomicU32 = AtomicU32::new(0);
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    let n = N_SERVERS.fetch_add(1, Ordering::Relaxed);
    format!("{:x}-{:x}-{n}", seconds & 0xff_ffff, std::process::id())
}

//! The log of what agents asked: every process adds to one file, and nothing of it leaves the machine.
//!
//! Bounded: the newest 5,000 calls, the answers of the newest 500. A call that cannot be kept costs a
//! line in the log, never an answer. Whether calls are kept at all stands in the same file, so that
//! every running server obeys at once.

mod session;

use crate::Engine;
use crate::api::{
    CallDetail, CallLine, CallLog, CallRecord, CallSessionName, CallTotals, CallsRequest,
    ClientHello, HeardClient, QueryId, RepoId,
};
use crate::error::{EngineError, Result};
use crate::state_file::StateFile;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

const MAX_CALLS: i64 = 5_000;
const MAX_TEXTS: i64 = 500;
/// Longer ones are cut: arguments that an agent wrote, and answers.
const MAX_ARGS: usize = 4 << 10;
const MAX_TEXT: usize = 96 << 10;
const MAX_NAME: usize = 80;
const DEFAULT_LIMIT: u32 = 100;
const MAX_LIMIT: u32 = 1_000;
const MAX_SESSIONS: usize = 20;
const DAY_MS: f64 = 86_400_000.0;
/// Old calls are cleared away after this many new ones.
const CLEAR_EVERY: i64 = 64;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS call(
  id INTEGER PRIMARY KEY AUTOINCREMENT, at_ms REAL NOT NULL, client TEXT NOT NULL,
  version TEXT NOT NULL, transport TEXT NOT NULL, session TEXT NOT NULL,
  tool TEXT NOT NULL, args TEXT NOT NULL, ms REAL NOT NULL, tokens INTEGER NOT NULL,
  hits INTEGER NOT NULL, query_id TEXT, error TEXT, text BLOB);
CREATE TABLE IF NOT EXISTS client(
  name TEXT PRIMARY KEY, version TEXT NOT NULL, transport TEXT NOT NULL,
  at_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS switch(is_off INTEGER NOT NULL);
";
const ADDED: &[(&str, &str, &str)] = &[("call", "repo", "TEXT")];
/// The columns that [`line`] reads.
const COLUMNS: &str = "id, at_ms, client, version, transport, session, tool, args, ms, tokens, hits, \
                       query_id, error, repo";

pub(crate) struct CallStore {
    file: StateFile,
}

impl CallStore {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            file: StateFile::new(path, TABLES).with_columns(ADDED),
        }
    }

    fn hear(&self, hello: &ClientHello, now_ms: f64) -> rusqlite::Result<()> {
        self.file.with(|connection| {
            connection.execute(
                "INSERT INTO client(name, version, transport, at_ms) VALUES(?1, ?2, ?3, ?4)
                 ON CONFLICT(name) DO UPDATE SET version = ?2, transport = ?3, at_ms = ?4",
                params![
                    cut(&hello.name, MAX_NAME),
                    cut(&hello.version, MAX_NAME),
                    hello.transport,
                    now_ms
                ],
            )?;
            connection.execute(
                "DELETE FROM client WHERE name NOT IN
                 (SELECT name FROM client ORDER BY at_ms DESC LIMIT 200)",
                [],
            )?;
            Ok(())
        })
    }

    fn keep(&self, call: &CallRecord, now_ms: f64) -> rusqlite::Result<()> {
        self.file.with(|connection| {
            if !is_on(connection)? {
                return Ok(());
            }
            let mut insert = connection.prepare_cached(
                "INSERT INTO call(at_ms, client, version, transport, session, tool, args, ms,
                 tokens, hits, query_id, error, text, repo)
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            )?;
            insert.execute(params![
                now_ms,
                cut(&call.client.name, MAX_NAME),
                cut(&call.client.version, MAX_NAME),
                call.client.transport,
                call.session,
                cut(&call.tool, MAX_NAME),
                cut(&call.args, MAX_ARGS),
                call.ms,
                call.tokens,
                call.hits,
                call.query_id.as_deref(),
                call.error,
                lz4_flex::compress_prepend_size(cut(&call.text, MAX_TEXT).as_bytes()),
                call.repo.as_deref(),
            ])?;
            let id = connection.last_insert_rowid();
            if id % CLEAR_EVERY == 0 {
                connection.execute("DELETE FROM call WHERE id <= ?1", [id - MAX_CALLS])?;
                connection.execute(
                    "UPDATE call SET text = NULL WHERE id <= ?1 AND text IS NOT NULL",
                    [id - MAX_TEXTS],
                )?;
            }
            Ok(())
        })
    }

    /// A call's answer, where it is kept.
    fn text(&self, id: u32) -> rusqlite::Result<Option<String>> {
        let packed: Option<Option<Vec<u8>>> = self.file.with(|connection| {
            let mut select = connection.prepare_cached("SELECT text FROM call WHERE id = ?1")?;
            select.query_row([id], |row| row.get(0)).optional()
        })?;
        let bytes = packed.flatten();
        let bytes = bytes.and_then(|text| lz4_flex::decompress_size_prepended(&text).ok());
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
    }
}

fn is_on(connection: &Connection) -> rusqlite::Result<bool> {
    let mut select = connection.prepare_cached("SELECT count(*) FROM switch WHERE is_off")?;
    select.query_row([], |row| Ok(row.get::<_, u32>(0)? == 0))
}

/// At most this many bytes, whole characters.
fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

impl Engine {
    /// Notes that a client has connected to a server of ours.
    pub fn note_client(&self, hello: &ClientHello) {
        if let Err(error) = self.state.calls.hear(hello, now_ms()) {
            tracing::warn!(%error, "the client was not noted");
        }
    }

    /// Keeps a call in the log.
    pub fn record_call(&self, call: &CallRecord) {
        if let Err(error) = self.state.calls.keep(call, now_ms()) {
            tracing::warn!(%error, "the call was not kept");
        }
    }

    /// Returns the newest calls with totals.
    ///
    /// # Errors
    /// `calls` when the log cannot be read.
    pub fn calls(&self, request: &CallsRequest) -> Result<CallLog> {
        let limit = match request.limit {
            0 => DEFAULT_LIMIT,
            limit => limit.min(MAX_LIMIT),
        };
        let before = match request.before {
            0 => u32::MAX,
            before => before,
        };
        let (all, is_on) = self
            .state
            .calls
            .file
            .with(|connection| {
                let mut select = connection.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM call
                     WHERE (?1 = '' OR instr(lower(client), lower(?1)) > 0)
                     AND (?2 = '' OR tool = ?2) AND (?3 = '' OR session = ?3)
                     ORDER BY id DESC",
                ))?;
                let asked = [&request.client, &request.tool, &request.session];
                let rows = select.query_map(asked, line)?;
                let all = rows.collect::<rusqlite::Result<Vec<CallLine>>>()?;
                Ok((all, is_on(connection)?))
            })
            .map_err(|error| unreadable(&error))?;
        let log = log_of(all, before, limit as usize, now_ms());
        Ok(CallLog { is_on, ..log })
    }

    /// Returns the newest call: one row is read, so that it may be asked for every few seconds.
    ///
    /// # Errors
    /// `calls` when the log cannot be read.
    pub fn last_call(&self) -> Result<Option<CallLine>> {
        let newest = self.state.calls.file.with(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM call ORDER BY id DESC LIMIT 1");
            connection
                .prepare_cached(&sql)?
                .query_row([], line)
                .optional()
        });
        newest.map_err(|error| unreadable(&error))
    }

    /// Switches the log of calls on or off, for every server that runs. What is kept stays.
    ///
    /// # Errors
    /// `calls` when it cannot be written.
    pub fn keep_calls(&self, on: bool) -> Result<()> {
        let switched = self.state.calls.file.with(|connection| {
            connection.execute_batch("DELETE FROM switch;")?;
            connection.execute("INSERT INTO switch VALUES(?1)", [!on])
        });
        switched.map(drop).map_err(|error| unreadable(&error))
    }

    /// Writes every call that is kept as a line of JSON, oldest first, with its answer where that is
    /// kept; how many there are. Arguments are an object where they are whole, else their text.
    ///
    /// # Errors
    /// `calls` when the log cannot be read, `write-failed`.
    pub fn write_calls(&self, into: &mut dyn Write) -> Result<u32> {
        let ids = self.state.calls.file.with(|connection| {
            let mut select = connection.prepare_cached("SELECT id FROM call ORDER BY id")?;
            let ids = select.query_map([], |row| row.get(0))?;
            ids.collect::<rusqlite::Result<Vec<u32>>>()
        });
        let mut n_written = 0;
        for id in ids.map_err(|error| unreadable(&error))? {
            // Another process may have cleared it away meanwhile.
            let Ok(detail) = self.call_detail(id) else {
                continue;
            };
            let exported = exported(&detail);
            writeln!(into, "{exported}").map_err(|error| {
                EngineError::new(
                    "write-failed",
                    format!("the calls cannot be written: {error}"),
                    "choose another file",
                )
            })?;
            n_written += 1;
        }
        Ok(n_written)
    }

    /// Returns a call with the answer that the agent saw.
    ///
    /// # Errors
    /// `unknown-call` when it is not kept; `calls`.
    pub fn call_detail(&self, id: u32) -> Result<CallDetail> {
        let found = self.state.calls.file.with(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM call WHERE id = ?1");
            connection.query_row(&sql, [id], line).optional()
        });
        let found = found.map_err(|error| unreadable(&error))?;
        let line = found.ok_or_else(|| {
            EngineError::new(
                "unknown-call",
                format!("the log has no call {id}"),
                format!("the newest {MAX_CALLS} are; `whyrank agents log` lists them"),
            )
        })?;
        let text = self
            .state
            .calls
            .text(id)
            .map_err(|error| unreadable(&error))?;
        Ok(CallDetail {
            line,
            text: text.unwrap_or_default(),
        })
    }

    /// Returns clients that have been heard, the last one first.
    ///
    /// # Errors
    /// `calls` when the log cannot be read.
    pub fn heard_clients(&self) -> Result<Vec<HeardClient>> {
        let heard = self.state.calls.file.with(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT name, version, transport, at_ms FROM client ORDER BY at_ms DESC",
            )?;
            let rows = select.query_map([], |row| {
                Ok(HeardClient {
                    name: row.get(0)?,
                    version: row.get(1)?,
                    transport: row.get(2)?,
                    at: row.get::<_, f64>(3)? / 1e3,
                })
            })?;
            rows.collect()
        });
        heard.map_err(|error| unreadable(&error))
    }

    /// Empties the log of calls.
    ///
    /// # Errors
    /// `calls` when it cannot be written.
    pub fn clear_calls(&self) -> Result<()> {
        let cleared =
            self.state.calls.file.with(|connection| {
                connection.execute_batch("DELETE FROM call; DELETE FROM client;")
            });
        cleared.map_err(|error| unreadable(&error))
    }
}

fn line(row: &Row<'_>) -> rusqlite::Result<CallLine> {
    Ok(CallLine {
        id: row.get(0)?,
        at_ms: row.get(1)?,
        client: row.get(2)?,
        client_version: row.get(3)?,
        transport: row.get(4)?,
        session: row.get(5)?,
        tool: row.get(6)?,
        args: row.get(7)?,
        ms: row.get(8)?,
        tokens: row.get(9)?,
        hits: row.get(10)?,
        query_id: row.get::<_, Option<String>>(11)?.map(QueryId::from),
        error: row.get(12)?,
        repo: row.get::<_, Option<String>>(13)?.map(RepoId::from),
    })
}

fn exported(detail: &CallDetail) -> serde_json::Value {
    let mut line = serde_json::to_value(&detail.line).unwrap_or_default();
    if let Ok(args @ serde_json::Value::Object(_)) = serde_json::from_str(&detail.line.args) {
        line["args"] = args;
    }
    if !detail.text.is_empty() {
        line["text"] = detail.text.clone().into();
    }
    line
}

fn unreadable(error: &rusqlite::Error) -> EngineError {
    EngineError::new(
        "calls",
        format!("the log of calls cannot be read: {error}"),
        "delete calls.db in the state folder; it is recreated",
    )
}

/// Totals over calls, newest first.
fn log_of(all: Vec<CallLine>, before: u32, limit: usize, now_ms: f64) -> CallLog {
    let mut by_client: BTreeMap<&str, Vec<&CallLine>> = BTreeMap::new();
    let mut by_session: BTreeMap<&str, Vec<&CallLine>> = BTreeMap::new();
    for call in &all {
        by_client.entry(&call.client).or_default().push(call);
        by_session.entry(&call.session).or_default().push(call);
    }
    let newest_first = |mut totals: Vec<CallTotals>| {
        totals.sort_by(|a, b| b.last_ms.total_cmp(&a.last_ms));
        totals
    };
    let clients = by_client
        .iter()
        .map(|(name, calls)| totals(name, calls))
        .collect();
    let sessions = by_session
        .iter()
        .map(|(session, calls)| {
            let client = calls[0].client.clone();
            let name = format!("{client} {session}");
            let id = (*session).to_owned();
            CallTotals {
                session: Some(CallSessionName { client, id }),
                ..totals(&name, calls)
            }
        })
        .collect();
    let mut sessions = newest_first(sessions);
    sessions.truncate(MAX_SESSIONS);
    let today: Vec<&CallLine> = all
        .iter()
        .filter(|call| call.at_ms > now_ms - DAY_MS)
        .collect();
    CallLog {
        is_on: true,
        total: totals("", &all.iter().collect::<Vec<_>>()),
        day: totals("", &today),
        clients: newest_first(clients),
        sessions,
        calls: all
            .iter()
            .filter(|call| call.id < before)
            .take(limit)
            .cloned()
            .collect(),
    }
}

fn totals(name: &str, calls: &[&CallLine]) -> CallTotals {
    let mut ms: Vec<f64> = calls.iter().map(|call| call.ms).collect();
    ms.sort_by(f64::total_cmp);
    // The nearest rank.
    let percentile = |share: f64| {
        let rank = (share * ms.len() as f64).ceil() as usize;
        ms.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    };
    CallTotals {
        name: name.to_owned(),
        session: None,
        calls: calls.len() as u32,
        failed: calls.iter().filter(|call| call.error.is_some()).count() as u32,
        tokens: calls.iter().map(|call| f64::from(call.tokens)).sum(),
        p50_ms: percentile(0.5),
        p95_ms: percentile(0.95),
        last_ms: calls.iter().map(|call| call.at_ms).fold(0.0, f64::max),
    }
}

fn now_ms() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: u32, session: &str, ms: f64) -> CallLine {
        CallLine {
            id,
            at_ms: f64::from(id),
            client: "c".to_owned(),
            client_version: String::new(),
            transport: "stdio".to_owned(),
            session: session.to_owned(),
            tool: "search".to_owned(),
            args: String::new(),
            ms,
            tokens: 10,
            hits: 1,
            query_id: None,
            error: None,
            repo: None,
        }
    }

    #[test]
    fn totals_are_over_all_and_the_list_is_a_page() {
        let all: Vec<CallLine> = (1..=20)
            .rev()
            .map(|id| call(id, if id > 10 { "b" } else { "a" }, f64::from(id)))
            .collect();
        let log = log_of(all, 16, 3, 21.0);
        let ids: Vec<u32> = log.calls.iter().map(|call| call.id).collect();
        assert_eq!(ids, [15, 14, 13]);
        assert_eq!((log.total.calls, log.total.tokens), (20, 200.0));
        assert_eq!((log.total.p50_ms, log.total.p95_ms), (10.0, 19.0));
        let names: Vec<&str> = log.sessions.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["c b", "c a"]);
        assert_eq!(log.day.calls, 20);
    }
}

//! Traces of the last answers, for `explain`, also of another process.

use crate::Engine;
use crate::api::{QueryId, RepoId};
use crate::error::{EngineError, Result};
use crate::search::telemetry::{Measures, N_ANSWERS};
use crate::state_file::StateFile;
use rusqlite::{OptionalExtension, params};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use whyrank_retrieval::{StageTiming, Trace};
use whyrank_source::without_secrets_in;

/// Traces kept.
const MAX_TRACES: i64 = 500;
/// Shorter parts of a secret tell nothing, and are words of others.
const MIN_PART: usize = 8;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS trace(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, query_id TEXT NOT NULL UNIQUE,
  repo TEXT NOT NULL, query TEXT NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS measure(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, json TEXT NOT NULL);
";

/// A ring of traces in one SQLite file, opened at first need. A trace that cannot be kept costs an
/// explanation, never an answer.
pub(crate) struct TraceStore {
    file: StateFile,
}

impl TraceStore {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            file: StateFile::new(path, TABLES),
        }
    }

    /// Keeps what an answer rests on and what it took; an earlier trace of the same id is replaced.
    ///
    /// The last stage of the trace, `keep`, is this itself; its time is added when all but the end of
    /// the transaction is over.
    pub(crate) fn keep(&self, trace: &mut Trace, now_s: i64) {
        let began = Instant::now();
        let outcome = self.file.with(|connection| {
            let keeping = connection.unchecked_transaction()?;
            let json = serde_json::to_string(trace).expect("plain data serialises");
            let query = without_secrets_in(&trace.query);
            let json = without(json, &trace.query, &query);
            keeping.execute("DELETE FROM trace WHERE query_id = ?1", [&trace.query_id])?;
            keeping.execute(
                "DELETE FROM trace WHERE seq <= (SELECT max(seq) FROM trace) - ?1",
                [MAX_TRACES - 1],
            )?;
            keeping.execute(
                "DELETE FROM measure WHERE seq <= (SELECT max(seq) FROM measure) - ?1",
                [N_ANSWERS - 1],
            )?;
            trace.timings.push(StageTiming::since("keep", began));
            let measures = serde_json::to_string(&Measures::of(trace)).expect("plain data");
            keeping.execute("INSERT INTO measure(json) VALUES(?1)", [measures])?;
            let last = serde_json::to_string(trace.timings.last().expect("pushed above"));
            keeping.execute(
                "INSERT INTO trace(query_id, repo, query, at, json)
                 VALUES(?1, ?2, ?3, ?4, json_insert(?5, '$.timings[#]', json(?6)))",
                params![
                    trace.query_id,
                    trace.repo,
                    query,
                    now_s,
                    json,
                    last.expect("plain data")
                ],
            )?;
            keeping.commit()
        });
        if let Err(error) = outcome {
            tracing::warn!(%error, "the trace was not kept");
        }
    }

    /// The newest, at most `limit`. What cannot be read is left out.
    pub(crate) fn measures(&self, limit: u32) -> Result<Vec<Measures>> {
        let rows = self.file.with(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT json FROM measure ORDER BY seq DESC LIMIT ?1")?;
            let rows = statement.query_map([limit], |row| row.get::<_, String>(0))?;
            rows.collect::<rusqlite::Result<Vec<String>>>()
        });
        let rows = rows.map_err(|error| unreadable(&error))?;
        let parsed = rows
            .iter()
            .filter_map(|json| serde_json::from_str(json).ok());
        Ok(parsed.collect())
    }

    pub(crate) fn get(&self, query_id: &QueryId) -> rusqlite::Result<Option<Trace>> {
        let json: Option<String> = self.file.with(|connection| {
            let sql = if &**query_id == "last" {
                "SELECT json FROM trace WHERE ?1 = 'last' ORDER BY seq DESC LIMIT 1"
            } else {
                "SELECT json FROM trace WHERE query_id = ?1"
            };
            connection
                .query_row(sql, [query_id.as_str()], |row| row.get(0))
                .optional()
        })?;
        Ok(json.and_then(|json| Trace::read(&json).ok()))
    }

    /// Hands over traces with the second in which they were kept, newest first, until `each` has enough;
    /// those of one repository, or of all. What is no trace any more is passed over.
    pub(crate) fn each(
        &self,
        repo: &RepoId,
        each: &mut dyn FnMut(i64, Trace) -> ControlFlow<()>,
    ) -> Result<()> {
        let read = self.file.with(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT at, json FROM trace WHERE repo = ?1 OR ?1 = '' ORDER BY seq DESC",
            )?;
            let mut rows = statement.query([repo.as_str()])?;
            while let Some(row) = rows.next()? {
                let (at, json): (i64, String) = (row.get(0)?, row.get(1)?);
                let trace = Trace::read(&json).ok();
                if trace.is_some_and(|trace| each(at, trace).is_break()) {
                    break;
                }
            }
            Ok(())
        });
        read.map_err(|error| unreadable(&error))
    }

    /// The last queries in a repository that start with a prefix, newest first, each once.
    pub(crate) fn recent_queries(&self, repo: &RepoId, prefix: &str, limit: u32) -> Vec<String> {
        let pattern = format!("{}%", prefix.replace('%', ""));
        self.file
            .with(|connection| {
                let mut statement = connection.prepare_cached(
                    "SELECT query FROM trace WHERE repo = ?1 AND query LIKE ?2
                 GROUP BY query ORDER BY max(seq) DESC LIMIT ?3",
                )?;
                let rows = statement
                    .query_map(params![repo.as_str(), pattern, limit], |row| row.get(0))?;
                rows.collect()
            })
            .unwrap_or_default()
    }

    /// Paths of the first `n_hits` of the last `n_answers` in a repository, newest answer first; a
    /// path comes as often as it was found.
    pub(crate) fn recent_paths(&self, repo: &RepoId, n_answers: u32, n_hits: u32) -> Vec<String> {
        self.file
            .with(|connection| {
                let mut statement = connection.prepare_cached(
                    "SELECT json_extract(hit.value, '$.path')
                     FROM (SELECT seq, json FROM trace WHERE repo = ?1 ORDER BY seq DESC LIMIT ?2) answer,
                       json_each(answer.json, '$.rows') hit
                     WHERE hit.key < ?3 ORDER BY answer.seq DESC, hit.key",
                )?;
                let rows =
                    statement.query_map(params![repo.as_str(), n_answers, n_hits], |row| row.get(0))?;
                rows.collect()
            })
            .unwrap_or_default()
    }
}

/// A record without what was struck out of its question, nor the words of that.
fn without(record: String, asked: &str, struck: &str) -> String {
    let pairs = asked.bytes().zip(struck.bytes());
    let is_struck: Vec<bool> = pairs.map(|(asked, struck)| asked != struck).collect();
    let mut words: Vec<String> = Vec::new();
    let mut was_struck = false;
    for (at, character) in asked.char_indices().filter(|(at, _)| is_struck[*at]) {
        match words.last_mut().filter(|_| was_struck && is_struck[at - 1]) {
            Some(word) => word.push(character),
            None => words.push(character.into()),
        }
        was_struck = true;
    }
    let parts = words.clone().into_iter().flat_map(|word| {
        let parts = word.split(|character: char| !character.is_alphanumeric());
        parts.map(str::to_owned).collect::<Vec<_>>()
    });
    words.extend(
        parts
            .filter(|part| part.len() >= MIN_PART)
            .collect::<Vec<_>>(),
    );
    words.iter().fold(record, |record, word| {
        let record = record.replace(word, &"*".repeat(word.len()));
        record.replace(&word.to_lowercase(), &"*".repeat(word.len()))
    })
}

fn unreadable(error: &rusqlite::Error) -> EngineError {
    EngineError::new(
        "traces",
        format!("the traces cannot be read: {error}"),
        "search again",
    )
}

impl Engine {
    /// Returns the trace of an earlier answer, also of another process; `last` for the newest.
    ///
    /// # Errors
    /// `unknown-query` when it is none of the last 500.
    pub fn explain(&self, query_id: &QueryId) -> Result<Trace> {
        let found = self.state.traces.get(query_id);
        let found = found.map_err(|error| unreadable(&error))?;
        found.ok_or_else(|| {
            EngineError::new(
                "unknown-query",
                format!("no trace of `{query_id}` is stored"),
                format!(
                    "the last {MAX_TRACES} answers can be explained; search again to get a new id"
                ),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(id: &str, repo: &str, paths: &[&str]) -> Trace {
        let row = |path: &&str| {
            serde_json::json!({"rank": 1, "path": path, "start_line": 1, "end_line": 2,
                "symbol": null, "channels": [], "evidence": [], "fused": 0.1, "score": 0.1,
                "shown": true})
        };
        let rows: Vec<_> = paths.iter().map(row).collect();
        let trace = serde_json::json!({"query_id": id, "query": "q", "repo": repo,
            "view": "working tree", "shape": "natural-language", "shape_reason": "", "rrf_k": 60.0,
            "weights": [], "channels": [], "rows": rows, "timings": [],
            "coverage": {"lexical": 1.0, "vector": 0.0, "vector_note": null, "n_skipped": 0},
            "manifest": "m", "notes": []});
        serde_json::from_value(trace).expect("it is a trace")
    }

    #[test]
    fn a_secret_in_a_question_is_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("traces.db");
        let store = TraceStore::new(&path);
        let secret = "ghp_3k8xW7bR2mT5vY8cP4nH6dJ1gLfSeUuaZ3kQ";
        let mut asked = trace("1", "r", &["a.rs"]);
        asked.query = format!("who uses {secret} here");
        asked.shape_reason = format!("the word {}", secret.to_lowercase());
        store.keep(&mut asked, 1);
        let kept = store.recent_queries(&RepoId::from("r".to_owned()), "who", 1);
        assert_eq!(kept, [format!("who uses {} here", "*".repeat(40))]);
        drop(store);
        for entry in std::fs::read_dir(folder.path())
            .expect("the folder")
            .flatten()
        {
            let bytes = std::fs::read(entry.path())
                .expect("a file")
                .to_ascii_lowercase();
            let is_secret = |part: &[u8]| part == b"3k8xw7br2mt5vy8c";
            assert!(!bytes.windows(16).any(is_secret), "{:?}", entry.path());
        }
    }

    #[test]
    fn paths_come_from_the_newest_answers_of_their_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = TraceStore::new(&folder.path().join("traces.db"));
        store.keep(&mut trace("1", "r", &["old.rs", "x.rs"]), 1);
        store.keep(&mut trace("2", "other", &["not.rs"]), 2);
        store.keep(&mut trace("3", "r", &["a.rs", "b.rs", "c.rs"]), 3);
        let repo = RepoId::from("r".to_owned());
        assert_eq!(
            store.recent_paths(&repo, 9, 2),
            ["a.rs", "b.rs", "old.rs", "x.rs"]
        );
        assert_eq!(store.recent_paths(&repo, 1, 9), ["a.rs", "b.rs", "c.rs"]);
    }
}

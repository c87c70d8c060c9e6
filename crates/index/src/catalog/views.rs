//! Views: replaced as a whole, and read.

use super::{Catalog, ListedFile, NewGraph, NewView, ViewFileRow, ViewKey, ViewRow};
use crate::error::Result;
use rusqlite::{OptionalExtension, params};
use std::collections::HashMap;
use whyrank_source::{BlobId, SkipReason, SkippedFile};

impl Catalog {
    pub(crate) fn view(&self, key: &ViewKey) -> Result<Option<ViewRow>> {
        let (kind, key) = key.columns();
        let sql = "SELECT view_id, title, commit_id, fingerprint, version, updated_at,
                          n_expected
                   FROM view WHERE kind = ?1 AND key = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let row = statement.query_row([kind, key], |row| {
            Ok(ViewRow {
                view_id: row.get(0)?,
                title: row.get(1)?,
                commit: row.get(2)?,
                fingerprint: row.get(3)?,
                version: row.get::<_, i64>(4)? as u64,
                updated_at: row.get(5)?,
                n_expected: row.get(6)?,
            })
        });
        Ok(row.optional()?)
    }

    /// Title and time of every view, newest first, with what it is of.
    pub(crate) fn views(&self) -> Result<Vec<(ViewKey, String)>> {
        let mut statement = self
            .connection
            .prepare("SELECT kind, key, title FROM view ORDER BY updated_at DESC, view_id DESC")?;
        let rows = statement.query_map([], |row| {
            let (kind, key): (String, String) = (row.get(0)?, row.get(1)?);
            let key = if kind == "commit" {
                ViewKey::Commit(key)
            } else {
                ViewKey::Worktree(key)
            };
            Ok((key, row.get(2)?))
        })?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    pub(crate) fn view_files(&self, view_id: i64) -> Result<Vec<ViewFileRow>> {
        let sql = "SELECT path, content_id, language, first_chunk, n_lines, size_bytes, mtime_ns,
                          blob, error, n_chunks, n_symbols
                   FROM view_file JOIN content USING(content_id)
                   WHERE view_id = ?1 ORDER BY path";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([view_id], |row| {
            Ok(ViewFileRow {
                path: row.get(0)?,
                content_id: row.get(1)?,
                language: row.get(2)?,
                first_chunk: row.get(3)?,
                n_lines: row.get(4)?,
                size_bytes: row.get::<_, i64>(5)? as u64,
                mtime_ns: row.get(6)?,
                blob: BlobId(row.get(7)?),
                error: row.get(8)?,
                n_chunks: row.get(9)?,
                n_symbols: row.get(10)?,
            })
        })?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// The files of a view with sizes and times, by path.
    pub(crate) fn listed_files(&self, view_id: i64) -> Result<Vec<ListedFile>> {
        let sql = "SELECT path, content_id, blob, size_bytes, mtime_ns
                   FROM view_file JOIN content USING(content_id)
                   WHERE view_id = ?1 ORDER BY path";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([view_id], |row| {
            Ok(ListedFile {
                path: row.get(0)?,
                content_id: row.get(1)?,
                blob: BlobId(row.get(2)?),
                size_bytes: row.get::<_, i64>(3)? as u64,
                mtime_ns: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// The contents of a view with their numbers of definitions, once for each path.
    pub(crate) fn view_contents(&self, view_id: i64) -> Result<Vec<(i64, BlobId, u32)>> {
        let sql = "SELECT content_id, blob, n_symbols
                   FROM view_file JOIN content USING(content_id) WHERE view_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([view_id], |row| {
            Ok((row.get(0)?, BlobId(row.get(1)?), row.get(2)?))
        })?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    pub(crate) fn view_skips(&self, view_id: i64) -> Result<Vec<SkippedFile>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT path, reason FROM view_skip WHERE view_id = ?1 ORDER BY path",
        )?;
        let rows = statement.query_map([view_id], |row| {
            let (path, reason): (String, String) = (row.get(0)?, row.get(1)?);
            let unknown = SkipReason::Unreadable {
                message: "reason lost".to_owned(),
            };
            Ok(SkippedFile {
                path,
                reason: serde_json::from_str(&reason).unwrap_or(unknown),
            })
        })?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// The last bytes of a view's graph, which say who made it; reads little of it.
    pub(crate) fn view_graph_end(&self, view_id: i64, n_bytes: usize) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT substr(graph, -?2) FROM view WHERE view_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row(params![view_id, n_bytes as i64], |row| row.get(0))?)
    }

    pub(crate) fn view_graph(&self, view_id: i64) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT graph FROM view WHERE view_id = ?1";
        Ok(self
            .connection
            .query_row(sql, [view_id], |row| row.get(0))?)
    }

    /// Replaces a view in one transaction: this is the moment at which readers see it.
    pub(crate) fn flip_view(&mut self, view: &NewView<'_>) -> Result<()> {
        let transaction = self.connection.transaction()?;
        let (kind, key) = view.key.columns();
        transaction.execute(
            "INSERT INTO view(kind, key, title) VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![kind, key, view.title],
        )?;
        let view_id: i64 = transaction.query_row(
            "SELECT view_id FROM view WHERE kind = ?1 AND key = ?2",
            [kind, key],
            |row| row.get(0),
        )?;
        replace_files(&transaction, view_id, view)?;
        transaction.execute(
            "UPDATE view SET title = ?2, commit_id = ?3, fingerprint = ?4, updated_at = ?5,
                    n_expected = ?6, version = version + 1 WHERE view_id = ?1",
            params![
                view_id,
                view.title,
                view.commit,
                view.fingerprint,
                view.updated_at,
                view.n_expected,
            ],
        )?;
        let graph = match view.graph {
            NewGraph::None => Some(&[][..]),
            NewGraph::Made(graph) => Some(graph),
            NewGraph::Kept => None,
        };
        if let Some(graph) = graph {
            let sql = "UPDATE view SET graph = ?2 WHERE view_id = ?1";
            transaction.execute(sql, params![view_id, graph])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Records that a view was looked at and found unchanged.
    pub(crate) fn touch_view(
        &self,
        view_id: i64,
        fingerprint: &str,
        updated_at: i64,
    ) -> Result<()> {
        self.connection.execute(
            "UPDATE view SET fingerprint = ?2, updated_at = ?3 WHERE view_id = ?1",
            params![view_id, fingerprint, updated_at],
        )?;
        Ok(())
    }

    pub(crate) fn delete_view(&mut self, key: &ViewKey) -> Result<()> {
        let Some(view) = self.view(key)? else {
            return Ok(());
        };
        let transaction = self.connection.transaction()?;
        for table in ["view_file", "view_skip", "view"] {
            transaction.execute(
                &format!("DELETE FROM {table} WHERE view_id = ?1"),
                [view.view_id],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }
}

/// Writes the rows of a view that are other than before: most edits change one of many thousands.
fn replace_files(
    transaction: &rusqlite::Transaction<'_>,
    view_id: i64,
    view: &NewView<'_>,
) -> Result<()> {
    let mut before = stored_files(transaction, view_id)?;
    let mut write = transaction
        .prepare_cached("INSERT OR REPLACE INTO view_file VALUES(?1, ?2, ?3, ?4, ?5)")?;
    for file in view.files {
        let size = file.size_bytes as i64;
        let row = (file.content_id, size, file.mtime_ns);
        if before.remove(file.path) != Some(row) {
            write.execute(params![view_id, file.path, row.0, row.1, row.2])?;
        }
    }
    let mut remove =
        transaction.prepare_cached("DELETE FROM view_file WHERE view_id = ?1 AND path = ?2")?;
    for path in before.keys() {
        remove.execute(params![view_id, path])?;
    }
    transaction.execute("DELETE FROM view_skip WHERE view_id = ?1", [view_id])?;
    let mut statement = transaction.prepare_cached("INSERT INTO view_skip VALUES(?1, ?2, ?3)")?;
    for skipped in view.skipped {
        let reason = serde_json::to_string(&skipped.reason).expect("plain data serialises");
        statement.execute(params![view_id, skipped.path, reason])?;
    }
    Ok(())
}

/// Content, size and time of each file of a view, by path.
fn stored_files(
    transaction: &rusqlite::Transaction<'_>,
    view_id: i64,
) -> Result<HashMap<String, (i64, i64, i64)>> {
    let sql = "SELECT path, content_id, size_bytes, mtime_ns FROM view_file WHERE view_id = ?1";
    let mut statement = transaction.prepare_cached(sql)?;
    let rows = statement.query_map([view_id], |row| {
        Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?)))
    })?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

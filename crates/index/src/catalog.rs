//! The catalog: one SQLite file with the facts of every content and the files of every view.
//!
//! Content is written first (`live = 0`), then the lexical store is committed, then one
//! transaction marks the content live and publishes the view. What a killed process left between
//! those steps is not live, and the next writer clears it away.

use crate::error::{IndexError, Result};
use roaring::RoaringBitmap;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use std::path::Path;
use whyrank_source::{BlobId, SkipReason, SkippedFile};
use whyrank_sqlite::Sums;
use whyrank_syntax::{Chunk, Import, Local, Reference, Symbol};

/// Ids that contents and chunks had before they were removed are not given out again: vectors, readers of
/// an older view and kept graphs go by them.
const ISSUED: &str = "
CREATE TABLE IF NOT EXISTS issued(
  one INTEGER PRIMARY KEY CHECK(one = 1), content INTEGER NOT NULL, chunk INTEGER NOT NULL);
";

/// The symbol graph of a view: derived, so that a store may lack it.
pub(crate) const KEPT_GRAPHS: &str = "
CREATE TABLE IF NOT EXISTS view_uses(
  view_id INTEGER PRIMARY KEY, version INTEGER NOT NULL, format TEXT NOT NULL,
  digest BLOB NOT NULL, data BLOB NOT NULL);
";

const SCHEMA: &str = "
CREATE TABLE content(
  content_id INTEGER PRIMARY KEY, blob BLOB NOT NULL, language TEXT NOT NULL,
  first_chunk INTEGER NOT NULL, n_chunks INTEGER NOT NULL,
  n_lines INTEGER NOT NULL, n_symbols INTEGER NOT NULL, error TEXT,
  live INTEGER NOT NULL DEFAULT 0, UNIQUE(blob, language));
CREATE TABLE content_data(
  content_id INTEGER PRIMARY KEY, text BLOB NOT NULL, outline BLOB NOT NULL, links BLOB NOT NULL);
CREATE TABLE view(
  view_id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, title TEXT NOT NULL,
  commit_id TEXT, fingerprint TEXT NOT NULL DEFAULT '', version INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL DEFAULT 0, n_expected INTEGER NOT NULL DEFAULT 0, graph BLOB,
  UNIQUE(kind, key));
CREATE TABLE view_file(
  view_id INTEGER NOT NULL, path TEXT NOT NULL, content_id INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  PRIMARY KEY(view_id, path)) WITHOUT ROWID;
CREATE TABLE view_skip(
  view_id INTEGER NOT NULL, path TEXT NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY(view_id, path)) WITHOUT ROWID;
";
/// What a view is of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ViewKey {
    /// A working tree, by the path of its root.
    Worktree(String),
    /// A commit, by its full id.
    Commit(String),
}

impl ViewKey {
    fn columns(&self) -> (&'static str, &str) {
        match self {
            Self::Worktree(root) => ("worktree", root),
            Self::Commit(id) => ("commit", id),
        }
    }
}

/// Definitions and chunks of a content: what every search needs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Outline {
    /// Definitions.
    pub symbols: Vec<Symbol>,
    /// Chunks; chunk `i` has the id `first_chunk + i`.
    pub chunks: Vec<Chunk>,
}

/// References and imports of a content: what the graph needs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Links {
    /// Uses of names.
    pub references: Vec<Reference>,
    /// Import statements.
    pub imports: Vec<Import>,
    /// Local names that say what they hold.
    pub locals: Vec<Local>,
}

/// A content about to be written.
pub(crate) struct NewContent<'a> {
    pub(crate) blob: BlobId,
    pub(crate) language: &'a str,
    pub(crate) text: &'a str,
    pub(crate) outline: &'a Outline,
    pub(crate) links: &'a Links,
    pub(crate) error: Option<&'a str>,
}

/// A content's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContentRow {
    pub(crate) content_id: i64,
    pub(crate) first_chunk: u32,
}

/// A view's row.
#[derive(Clone, Debug)]
pub(crate) struct ViewRow {
    pub(crate) view_id: i64,
    pub(crate) title: String,
    pub(crate) commit: Option<String>,
    pub(crate) fingerprint: String,
    pub(crate) version: u64,
    pub(crate) updated_at: i64,
    /// Files that the view has when it is whole; more than it has while it is being built.
    pub(crate) n_expected: u32,
}

/// A file of a view with its content's figures.
#[derive(Clone, Debug)]
pub(crate) struct ViewFileRow {
    pub(crate) path: String,
    pub(crate) content_id: i64,
    pub(crate) language: String,
    pub(crate) first_chunk: u32,
    pub(crate) n_lines: u32,
    pub(crate) size_bytes: u64,
    pub(crate) mtime_ns: i64,
    pub(crate) blob: BlobId,
    pub(crate) error: Option<String>,
}

/// A file of a view about to be written.
pub(crate) struct NewViewFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) content_id: i64,
    pub(crate) size_bytes: u64,
    pub(crate) mtime_ns: i64,
}

/// Everything about a view that publishing replaces.
pub(crate) struct NewView<'a> {
    pub(crate) key: &'a ViewKey,
    pub(crate) title: &'a str,
    pub(crate) commit: Option<&'a str>,
    pub(crate) fingerprint: &'a str,
    pub(crate) updated_at: i64,
    pub(crate) n_expected: u32,
    pub(crate) files: &'a [NewViewFile<'a>],
    pub(crate) skipped: &'a [SkippedFile],
    pub(crate) graph: &'a [u8],
}

pub(crate) struct Catalog {
    pub(crate) connection: Connection,
}

impl Catalog {
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let connection = whyrank_sqlite::open(path, Sums::Required)?;
        configure(&connection)?;
        connection.execute_batch(SCHEMA)?;
        connection.execute_batch(KEPT_GRAPHS)?;
        Ok(Self { connection })
    }

    pub(crate) fn open_writer(path: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = whyrank_sqlite::open_with_flags(path, flags, Sums::Required)?;
        configure(&connection)?;
        Ok(Self { connection })
    }

    /// Opens for reading; fails when the file is no catalog.
    pub(crate) fn open_reader(path: &Path) -> Result<Self> {
        // Read-write flags, since a reader of a WAL database must be able to write its shared memory.
        let catalog = Self::open_writer(path)?;
        catalog
            .connection
            .query_row("SELECT count(*) FROM view", [], |_| Ok(()))?;
        Ok(catalog)
    }

    // --- contents

    /// A content's id, also of one that this writer has not made live yet.
    pub(crate) fn content(&self, blob: BlobId, language: &str) -> Result<Option<i64>> {
        let sql = "SELECT content_id FROM content WHERE blob = ?1 AND language = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement
            .query_row(params![blob.0, language], |row| row.get(0))
            .optional()?)
    }

    pub(crate) fn insert_contents(
        &mut self,
        contents: &[NewContent<'_>],
    ) -> Result<Vec<ContentRow>> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(ISSUED)?;
        let mut next = next_ids(&transaction)?;
        let mut rows = Vec::with_capacity(contents.len());
        for content in contents {
            insert_content(&transaction, content, next)?;
            rows.push(next);
            next.content_id += 1;
            next.first_chunk += content.outline.chunks.len() as u32;
        }
        transaction.commit()?;
        Ok(rows)
    }

    /// Contents that a killed writer left behind.
    pub(crate) fn unfinished_contents(&self) -> Result<Vec<i64>> {
        let mut statement = self
            .connection
            .prepare("SELECT content_id FROM content WHERE live = 0")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    pub(crate) fn delete_contents(&mut self, contents: &[i64]) -> Result<()> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(ISSUED)?;
        let next = next_ids(&transaction)?;
        transaction.execute(
            "INSERT OR REPLACE INTO issued VALUES(1, ?1, ?2)",
            params![next.content_id, next.first_chunk],
        )?;
        for content in contents {
            transaction.execute("DELETE FROM content WHERE content_id = ?1", [content])?;
            transaction.execute("DELETE FROM content_data WHERE content_id = ?1", [content])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Makes all written contents live. Call only after the lexical store has them.
    pub(crate) fn mark_live(&self) -> Result<()> {
        self.connection
            .execute("UPDATE content SET live = 1 WHERE live = 0", [])?;
        Ok(())
    }

    /// Contents that no view shows, and chunks in all and among them.
    pub(crate) fn orphans(&self) -> Result<(Vec<i64>, u64, u64)> {
        let sql = "SELECT content_id, n_chunks FROM content
                   WHERE content_id NOT IN (SELECT content_id FROM view_file)";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows: Vec<(i64, u32)> = rows.collect::<std::result::Result<_, _>>()?;
        let n_all: i64 = self.connection.query_row(
            "SELECT coalesce(sum(n_chunks), 0) FROM content",
            [],
            |row| row.get(0),
        )?;
        let n_orphaned = rows.iter().map(|(_, n)| u64::from(*n)).sum();
        Ok((
            rows.into_iter().map(|(id, _)| id).collect(),
            n_all as u64,
            n_orphaned,
        ))
    }

    /// Chunks of all contents.
    pub(crate) fn chunk_ids(&self) -> Result<RoaringBitmap> {
        self.chunks_by("SELECT first_chunk, n_chunks FROM content")
    }

    /// Chunks of the contents that the lexical store has for certain.
    pub(crate) fn live_chunk_ids(&self) -> Result<RoaringBitmap> {
        self.chunks_by("SELECT first_chunk, n_chunks FROM content WHERE live = 1")
    }

    fn chunks_by(&self, sql: &str) -> Result<RoaringBitmap> {
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut chunks = RoaringBitmap::new();
        while let Some(row) = rows.next()? {
            let (first, n): (u32, u32) = (row.get(0)?, row.get(1)?);
            chunks.insert_range(first..first + n);
        }
        Ok(chunks)
    }

    pub(crate) fn text(&self, content_id: i64) -> Result<String> {
        let blob = self.data_column(content_id, "text")?;
        decompress(&blob)
    }

    /// The text of the only content whose git id begins with these digits.
    pub(crate) fn text_of_blob(&self, digits: &str) -> Result<Option<String>> {
        let sql = "SELECT content_id FROM content WHERE lower(hex(blob)) LIKE ?1 LIMIT 2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([format!("{digits}%")], |row| row.get(0))?;
        let found: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
        match found.as_slice() {
            [content_id] => self.text(*content_id).map(Some),
            _ => Ok(None),
        }
    }

    pub(crate) fn outline(&self, content_id: i64) -> Result<Outline> {
        Ok(postcard::from_bytes(
            &self.data_column(content_id, "outline")?,
        )?)
    }

    /// The outline as stored; decoding is the caller's (in parallel, for many).
    pub(crate) fn outline_bytes(&self, content_id: i64) -> Result<Vec<u8>> {
        self.data_column(content_id, "outline")
    }

    pub(crate) fn links(&self, content_id: i64) -> Result<Links> {
        Self::unpack_links(&self.links_bytes(content_id)?)
    }

    /// The links as stored; decoding is the caller's (in parallel, for many).
    pub(crate) fn links_bytes(&self, content_id: i64) -> Result<Vec<u8>> {
        self.data_column(content_id, "links")
    }

    pub(crate) fn unpack_links(blob: &[u8]) -> Result<Links> {
        let bytes = lz4_flex::decompress_size_prepended(blob).map_err(damaged_record)?;
        Ok(postcard::from_bytes(&bytes)?)
    }

    fn data_column(&self, content_id: i64, column: &str) -> Result<Vec<u8>> {
        let sql = format!("SELECT {column} FROM content_data WHERE content_id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([content_id], |row| row.get(0))?)
    }

    // --- views

    /// Reads at one moment: what another process commits meanwhile is not seen.
    pub(crate) fn snapshot<T>(&self, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        if !self.connection.is_autocommit() {
            return read(self);
        }
        let moment = self.connection.unchecked_transaction()?;
        let outcome = read(self);
        moment.finish()?;
        outcome
    }

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
                          blob, error
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
            })
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
                    graph = ?6, n_expected = ?7, version = version + 1 WHERE view_id = ?1",
            params![
                view_id,
                view.title,
                view.commit,
                view.fingerprint,
                view.updated_at,
                view.graph,
                view.n_expected,
            ],
        )?;
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
        transaction.execute_batch(KEPT_GRAPHS)?;
        for table in ["view_file", "view_skip", "view_uses", "view"] {
            transaction.execute(
                &format!("DELETE FROM {table} WHERE view_id = ?1"),
                [view.view_id],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Folds the write-ahead log into the file, so that the store's size is what it holds.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        self.connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }
}

fn configure(connection: &Connection) -> Result<()> {
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -8000;",
    )?;
    Ok(())
}

/// What the next content gets.
fn next_ids(transaction: &rusqlite::Transaction<'_>) -> Result<ContentRow> {
    let sql = "SELECT max(coalesce((SELECT content FROM issued), 1),
                          coalesce((SELECT max(content_id) + 1 FROM content), 1)),
                      max(coalesce((SELECT chunk FROM issued), 1),
                          coalesce((SELECT max(first_chunk + n_chunks) FROM content), 1))";
    let next = transaction.query_row(sql, [], |row| {
        Ok(ContentRow {
            content_id: row.get(0)?,
            first_chunk: row.get(1)?,
        })
    })?;
    Ok(next)
}

fn insert_content(
    transaction: &rusqlite::Transaction<'_>,
    content: &NewContent<'_>,
    ContentRow {
        content_id,
        first_chunk,
    }: ContentRow,
) -> Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO content(content_id, blob, language, first_chunk, n_chunks, n_lines, n_symbols,
           error)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    statement.execute(params![
        content_id,
        content.blob.0,
        content.language,
        first_chunk,
        content.outline.chunks.len() as u32,
        content.text.lines().count() as u32,
        content.outline.symbols.len() as u32,
        content.error,
    ])?;
    let links = lz4_flex::compress_prepend_size(&postcard::to_stdvec(content.links)?);
    let mut statement =
        transaction.prepare_cached("INSERT INTO content_data VALUES(?1, ?2, ?3, ?4)")?;
    statement.execute(params![
        content_id,
        lz4_flex::compress_prepend_size(content.text.as_bytes()),
        postcard::to_stdvec(content.outline)?,
        links,
    ])?;
    Ok(())
}

fn replace_files(
    transaction: &rusqlite::Transaction<'_>,
    view_id: i64,
    view: &NewView<'_>,
) -> Result<()> {
    transaction.execute("DELETE FROM view_file WHERE view_id = ?1", [view_id])?;
    transaction.execute("DELETE FROM view_skip WHERE view_id = ?1", [view_id])?;
    let mut statement =
        transaction.prepare_cached("INSERT INTO view_file VALUES(?1, ?2, ?3, ?4, ?5)")?;
    for file in view.files {
        let size = file.size_bytes as i64;
        statement.execute(params![
            view_id,
            file.path,
            file.content_id,
            size,
            file.mtime_ns
        ])?;
    }
    let mut statement = transaction.prepare_cached("INSERT INTO view_skip VALUES(?1, ?2, ?3)")?;
    for skipped in view.skipped {
        let reason = serde_json::to_string(&skipped.reason).expect("plain data serialises");
        statement.execute(params![view_id, skipped.path, reason])?;
    }
    Ok(())
}

fn decompress(blob: &[u8]) -> Result<String> {
    let bytes = lz4_flex::decompress_size_prepended(blob).map_err(damaged_record)?;
    String::from_utf8(bytes).map_err(|error| IndexError::Damaged {
        path: "catalog.db".into(),
        detail: error.to_string(),
    })
}

fn damaged_record(error: lz4_flex::block::DecompressError) -> IndexError {
    IndexError::Damaged {
        path: "catalog.db".into(),
        detail: error.to_string(),
    }
}

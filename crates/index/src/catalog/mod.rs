//! The catalog: one SQLite file with the facts of every content and the files of every view.
//!
//! Content is written first (`live = 0`), then the lexical store is committed, then one
//! transaction marks the content live and publishes the view. What a killed process left between
//! those steps is not live, and the next writer clears it away.

mod contents;
mod rows;
mod views;

pub(crate) use rows::{
    ContentRow, ListedFile, NewContent, NewGraph, NewView, NewViewFile, ViewFileRow, ViewRow,
};
pub use rows::{Links, ViewKey};

use crate::error::Result;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use whyrank_sqlite::Sums;

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

pub(crate) struct Catalog {
    pub(crate) connection: Connection,
}

impl Catalog {
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let connection = whyrank_sqlite::open(path, Sums::Required)?;
        configure(&connection)?;
        connection.execute_batch(SCHEMA)?;
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

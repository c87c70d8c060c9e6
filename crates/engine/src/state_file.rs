//! A SQLite file in the folder of state, opened at first need. What lies there can be lost: it is not
//! synced.

use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use whyrank_system::files;

/// Longer than any other process writes at a time.
const PATIENCE: Duration = Duration::from_millis(500);

pub(crate) struct StateFile {
    path: PathBuf,
    /// Statements that make its tables where they are missing.
    tables: &'static str,
    connection: Mutex<Option<Connection>>,
}

impl StateFile {
    pub(crate) fn new(path: &Path, tables: &'static str) -> Self {
        Self {
            path: path.to_owned(),
            tables,
            connection: Mutex::new(None),
        }
    }

    pub(crate) fn with<T>(
        &self,
        run: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let mut slot = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if slot.is_none() {
            *slot = Some(self.open()?);
        }
        run(slot.as_ref().expect("opened above"))
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        // SQLite gives its further files the rights of this one; what fails here fails there, too.
        let _ = files::create_private(&self.path);
        let connection = Connection::open(&self.path)?;
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;")?;
        connection.execute_batch(self.tables)?;
        Ok(connection)
    }
}

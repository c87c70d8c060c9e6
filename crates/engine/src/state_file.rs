//! A SQLite file in the folder of state, opened at first need. What lies there can be lost: it is not
//! synced, and where the folder takes no writes it lasts as long as its process.

use parking_lot::Mutex;
use rusqlite::{Connection, ErrorCode};
use std::path::{Path, PathBuf};
use std::time::Duration;
use whyrank_system::files;

/// Longer than any other process writes at a time.
const PATIENCE: Duration = Duration::from_millis(500);

pub(crate) struct StateFile {
    path: PathBuf,
    /// Statements that make its tables where they are missing.
    tables: &'static str,
    /// Columns that older versions did not make: table, name and type.
    columns: &'static [(&'static str, &'static str, &'static str)],
    connection: Mutex<Option<Connection>>,
}

impl StateFile {
    pub(crate) fn new(path: &Path, tables: &'static str) -> Self {
        Self {
            path: path.to_owned(),
            tables,
            columns: &[],
            connection: Mutex::new(None),
        }
    }

    /// Adds columns, each a table, a name and a type, to a file that was made without them.
    pub(crate) fn with_columns(
        self,
        columns: &'static [(&'static str, &'static str, &'static str)],
    ) -> Self {
        Self { columns, ..self }
    }

    pub(crate) fn with<T>(
        &self,
        run: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let mut slot = self.connection.lock();
        if slot.is_none() {
            *slot = Some(self.open().or_else(|error| self.open_in_memory(error))?);
        }
        run(slot.as_ref().expect("opened above"))
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        // SQLite gives its further files the rights of this one; what fails here fails there, too.
        let _ = files::create_private(&self.path);
        let connection = Connection::open(&self.path)?;
        whyrank_sqlite::write_ahead(&connection, PATIENCE)?;
        connection.execute_batch("PRAGMA synchronous = OFF;")?;
        self.make_tables(&connection)?;
        Ok(connection)
    }

    fn make_tables(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection.execute_batch(self.tables)?;
        for (table, name, kind) in self.columns {
            let has_it = || {
                let sql = "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2";
                connection.query_row(sql, [table, name], |row| Ok(row.get::<_, u32>(0)? > 0))
            };
            if has_it()? {
                continue;
            }
            let added =
                connection.execute_batch(&format!("ALTER TABLE {table} ADD COLUMN {name} {kind}"));
            // Another process may have been faster.
            if !has_it()? {
                added?;
            }
        }
        Ok(())
    }

    fn open_in_memory(&self, error: rusqlite::Error) -> rusqlite::Result<Connection> {
        let code = error.sqlite_error_code();
        if !matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) {
            return Err(error);
        }
        tracing::debug!(%error, path = %self.path.display(), "kept in memory alone");
        let connection = Connection::open_in_memory()?;
        self.make_tables(&connection)?;
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_kept_as_long_as_its_process() {
        let folder = tempfile::tempdir().expect("a folder");
        // No user may make a file below a file.
        let blocked = folder.path().join("file");
        std::fs::write(&blocked, "").expect("a file");
        let tables = "CREATE TABLE IF NOT EXISTS note(text TEXT)";
        let state = StateFile::new(&blocked.join("notes.db"), tables);
        let kept = state.with(|notes| {
            notes.execute("INSERT INTO note VALUES('one')", [])?;
            notes.query_row("SELECT text FROM note", [], |row| row.get::<_, String>(0))
        });
        assert_eq!(kept.expect("a note"), "one");
    }
}

//! Facts on disk: one SQLite file, rows are added and never changed.
//!
//! `synchronous = FULL` over a write-ahead log: what [`Memory::write`] has returned survives a
//! killed process and a power cut. Triggers refuse every update, and every deletion but a purge's. A fact
//! with a time that there is not is left out, until it is [retired](crate::retire).
//! Each fact has a checksum, and so has each page of a file of format 2. One of format 1 stays as it is:
//! a program of the version that made it, and has it open, would write pages without sums.

use crate::fact::{Fact, digest};
use crate::ledger::Ledger;
use crate::range::LAST_MOMENT_MS;
use crate::retired_facts::{ImpossibleFact, purge_retired};
use crate::{MemoryError, Result};
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, TransactionBehavior, ffi, params};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use whyrank_sqlite::Sums;

/// 1: pages without sums. 2: pages with sums; programs that know only 1 refuse it.
const FORMAT: i64 = 2;
/// A writer waits so long for another one.
const PATIENCE: Duration = Duration::from_secs(5);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS fact(
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    memo TEXT,
    recorded_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    sum TEXT NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS fact_never_changes BEFORE UPDATE ON fact
BEGIN SELECT RAISE(ABORT, 'a fact is never changed'); END;
CREATE INDEX IF NOT EXISTS fact_of_memo ON fact(memo);
CREATE VIEW IF NOT EXISTS memo_rows AS
SELECT v.memo, v.id AS version,
    v.body ->> '$.valid_from.sha' AS valid_from_sha, v.body ->> '$.valid_from.at' AS valid_from_at,
    c.body ->> '$.valid_until.sha' AS valid_until_sha, c.body ->> '$.valid_until.at' AS valid_until_at,
    v.recorded_at, c.recorded_at AS invalidated_at, c.body ->> '$.superseded_by' AS superseded_by,
    v.body ->> '$.kind' AS kind, v.body ->> '$.author.name' AS author, v.body ->> '$.content' AS content
FROM fact v LEFT JOIN fact c
    ON c.type = 'closing' AND c.memo = v.memo AND c.body ->> '$.version' = v.id
WHERE v.type = 'version';
PRAGMA user_version = 2;
";

pub(crate) const FACTS_STAY: &str = "
CREATE TRIGGER IF NOT EXISTS fact_stays BEFORE DELETE ON fact
WHEN old.memo IS NULL OR old.type = 'purge'
    OR NOT EXISTS (SELECT 1 FROM fact WHERE type = 'purge' AND memo = old.memo)
BEGIN SELECT RAISE(ABORT, 'only the facts of a purged memo are deleted'); END;
";

/// An open memory: the file, and all of its facts.
pub struct Memory {
    path: PathBuf,
    pub(crate) connection: Connection,
    is_writable: bool,
    ledger: Ledger,
    last_seq: i64,
    damaged: Vec<String>,
    pub(crate) impossible: Vec<ImpossibleFact>,
}

impl Memory {
    /// Opens a memory; makes the file, and folders above it, where they are missing.
    ///
    /// On a read-only disk it opens for reading; writing is refused then.
    ///
    /// # Errors
    ///
    /// `Open`, `Newer`, `Damaged` where not even the schema can be read. Damaged rows are left out
    /// and listed by [`Memory::damaged`].
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            // What that fails with shows when the file is opened.
            let _ = std::fs::create_dir_all(folder);
        }
        let mut damaged = Vec::new();
        let (connection, is_writable) = match open_for_writing(path) {
            Ok(connection) => (connection, true),
            Err(error) if refuses_writing(&error) => (
                open_for_reading(path).map_err(|error| open_error(path, error))?,
                false,
            ),
            // The facts may be whole all the same, and each has a checksum of its own.
            Err(error) if is_damage(&error) => {
                damaged.push(error.to_string());
                (
                    open_without_sums(path).map_err(|error| open_error(path, error))?,
                    false,
                )
            }
            Err(error) => return Err(open_error(path, error)),
        };
        let format: i64 = connection
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(|error| open_error(path, error))?;
        if format > FORMAT {
            return Err(MemoryError::Newer {
                path: path.to_owned(),
                format,
            });
        }
        let mut memory = Self {
            path: path.to_owned(),
            connection,
            is_writable,
            ledger: Ledger::default(),
            last_seq: 0,
            damaged,
            impossible: Vec::new(),
        };
        if format == FORMAT && whyrank_sqlite::lacks_sums(path) {
            memory.is_writable = false;
            memory.damaged.push("the checksums are gone".to_owned());
        }
        memory.refresh()?;
        Ok(memory)
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns all facts.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Says whether facts can be added.
    pub fn is_writable(&self) -> bool {
        self.is_writable
    }

    /// Returns rows that could not be read, in words.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// Takes in what other processes have added. Cheap when there is nothing.
    ///
    /// # Errors
    ///
    /// `Sqlite`, `Busy`.
    pub fn refresh(&mut self) -> Result<()> {
        let (rows, damage) = read_from(&self.connection, self.last_seq);
        for row in rows {
            self.last_seq = self.last_seq.max(row.seq);
            match row.fact() {
                Ok(fact) => self.take_in(row.seq, fact),
                Err(why) => self.damaged.push(why),
            }
        }
        match damage {
            None => Ok(()),
            Some(error) if is_damage(&error) => self.salvage(&error),
            Some(error) => Err(self.failed(error)),
        }
    }

    /// Takes in a fact, unless it names a time that there is not: nothing could be reckoned with that.
    fn take_in(&mut self, seq: i64, fact: Fact) {
        match ImpossibleFact::of(seq, &fact) {
            None => self.ledger.add(fact),
            Some(found) if !self.impossible.contains(&found) => self.impossible.push(found),
            Some(_) => {}
        }
    }

    /// Reads row by row what a scan could not: also of pages that do not fit their checksum, for a fact
    /// that fits its own is whole.
    fn salvage(&mut self, error: &rusqlite::Error) -> Result<()> {
        let message = error.to_string();
        if !self.damaged.contains(&message) {
            self.damaged.push(message);
        }
        let rows = match open_without_sums(&self.path) {
            Ok(plain) => read_singly(&plain, &self.path),
            Err(_) => read_singly(&self.connection, &self.path),
        };
        for row in rows {
            match row.fact() {
                Ok(fact) => self.take_in(row.seq, fact),
                Err(why) if !self.damaged.contains(&why) => self.damaged.push(why),
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Looks at every page and every row.
    ///
    /// # Errors
    ///
    /// `Damaged` with the first problems found.
    pub fn check(&mut self) -> Result<()> {
        let mut problems = Vec::new();
        let found: rusqlite::Result<Vec<String>> = self
            .connection
            .prepare("PRAGMA integrity_check(20)")
            .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect());
        match found {
            Ok(lines) => problems.extend(lines.into_iter().filter(|line| line != "ok")),
            Err(error) => problems.push(error.to_string()),
        }
        let (rows, damage) = read_from(&self.connection, 0);
        problems.extend(rows.into_iter().filter_map(|row| row.fact().err()));
        problems.extend(damage.map(|error| error.to_string()));
        if problems.is_empty() {
            Ok(())
        } else {
            Err(MemoryError::Damaged {
                path: self.path.clone(),
                detail: problems.join(", "),
            })
        }
    }

    /// Adds the facts that `make` makes of what is known, all or none.
    ///
    /// `make` is given the ledger as it is while nobody else can write, and the moment to record:
    /// `now_ms`, or just after the last fact where the clock has run backwards.
    ///
    /// # Errors
    ///
    /// What `make` gives; `ReadOnly`, `DiskFull`, `Busy`, `Damaged`.
    pub fn write(
        &mut self,
        now_ms: i64,
        make: impl FnOnce(&Ledger, i64) -> Result<Vec<Fact>>,
    ) -> Result<Vec<Fact>> {
        let facts = self.in_transaction(|memory| {
            memory.refresh()?;
            let after_last = memory.ledger.last_recorded_at.saturating_add(1);
            let recorded_at = now_ms.max(after_last).min(LAST_MOMENT_MS);
            let facts = make(&memory.ledger, recorded_at)?;
            memory.insert(&facts)?;
            Ok(facts)
        })?;
        self.refresh()?;
        Ok(facts)
    }

    /// Runs `act` while nobody else can write, and keeps all that it wrote, or nothing where it fails or
    /// panics: a server goes on after a panic, and its lock would keep every other process out.
    pub(crate) fn in_transaction<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if !self.is_writable {
            let path = self.path.clone();
            return Err(if self.damaged.is_empty() {
                MemoryError::ReadOnly { path }
            } else {
                MemoryError::Damaged {
                    path,
                    detail: self.damaged.join(", "),
                }
            });
        }
        self.execute("BEGIN IMMEDIATE")?;
        let outcome = catch_unwind(AssertUnwindSafe(|| -> Result<T> {
            let done = act(self)?;
            self.execute("COMMIT")?;
            Ok(done)
        }));
        if !self.connection.is_autocommit() {
            // A failed rollback leaves nothing written either: the connection's end undoes it.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    pub(crate) fn execute(&self, sql: &str) -> Result<()> {
        let done = self.connection.execute_batch(sql);
        done.map_err(|error| self.failed(error))
    }

    fn insert(&self, facts: &[Fact]) -> Result<()> {
        let insert = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(
                "INSERT INTO fact(id, type, memo, recorded_at, body, sum) VALUES(?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT(id) DO NOTHING",
            )?;
            for fact in facts {
                let body = fact.json();
                statement.execute(params![
                    fact.id(),
                    fact.type_name(),
                    fact.memo(),
                    fact.recorded_at(),
                    body,
                    &digest(&body)[..16],
                ])?;
            }
            for fact in facts {
                if let Fact::Purge(purge) = fact {
                    self.connection.execute(
                        "DELETE FROM fact WHERE memo = ?1 AND type <> 'purge'",
                        [&purge.memo],
                    )?;
                    purge_retired(&self.connection, &purge.memo)?;
                }
            }
            Ok(())
        };
        insert().map_err(|error| self.failed(error))
    }

    /// Overwrites what deleted rows left in the file.
    ///
    /// # Errors
    ///
    /// As [`Memory::write`].
    pub fn scrub(&self) -> Result<()> {
        self.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
    }

    pub(crate) fn failed(&self, error: rusqlite::Error) -> MemoryError {
        let path = self.path.clone();
        match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly) => MemoryError::ReadOnly { path },
            Some(ErrorCode::DiskFull) => MemoryError::DiskFull { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => MemoryError::Busy { path },
            _ if is_damage(&error) => MemoryError::Damaged {
                path,
                detail: error.to_string(),
            },
            _ => MemoryError::Sqlite {
                path,
                source: error,
            },
        }
    }
}

/// Opens a file with sums where its pages have them or where it is new.
fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    if whyrank_sqlite::lacks_sums(path) && flags.contains(OpenFlags::SQLITE_OPEN_READ_WRITE) {
        Connection::open_with_flags(path, flags)
    } else {
        whyrank_sqlite::open_with_flags(path, flags, Sums::IfThere)
    }
}

/// For reading what can be read of a damaged file.
fn open_without_sums(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn open_for_writing(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = connect(path, OpenFlags::default())?;
    if connection.is_readonly(MAIN_DB)? {
        return Err(rusqlite::Error::SqliteFailure(
            ffi::Error::new(ffi::SQLITE_READONLY),
            None,
        ));
    }
    whyrank_sqlite::write_ahead(&connection, PATIENCE)?;
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;")?;
    let format: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if format == 0 {
        let schema = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        schema.execute_batch(SCHEMA)?;
        schema.execute_batch(FACTS_STAY)?;
        schema.commit()?;
    }
    // Whether the disk takes writes shows only when one is tried.
    connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK;")?;
    Ok(connection)
}

/// Where there is no file and none can be made, there are no memos.
fn open_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    if matches!(path.try_exists(), Ok(false)) {
        let nothing = Connection::open_in_memory()?;
        nothing.execute_batch(SCHEMA)?;
        nothing.execute_batch(FACTS_STAY)?;
        Ok(nothing)
    } else {
        connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
    }
}

fn refuses_writing(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied)
    )
}

fn open_error(path: &Path, error: rusqlite::Error) -> MemoryError {
    if is_damage(&error) {
        return MemoryError::Damaged {
            path: path.to_owned(),
            detail: error.to_string(),
        };
    }
    MemoryError::Open {
        path: path.to_owned(),
        source: error,
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    ) || matches!(
        error,
        rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::Utf8Error(..)
    )
}

pub(crate) struct FactRow {
    pub(crate) seq: i64,
    id: String,
    body: String,
    sum: String,
}

impl FactRow {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            seq: row.get(0)?,
            id: row.get(1)?,
            body: row.get(2)?,
            sum: row.get(3)?,
        })
    }

    pub(crate) fn fact(&self) -> std::result::Result<Fact, String> {
        if digest(&self.body)[..16] != self.sum {
            return Err(format!(
                "fact {} ({}) differs from its checksum",
                self.seq, self.id
            ));
        }
        serde_json::from_str(&self.body)
            .map_err(|error| format!("fact {} ({}) cannot be read: {error}", self.seq, self.id))
    }
}

/// All rows after one, and what the scan ended with.
pub(crate) fn read_from(
    connection: &Connection,
    seq: i64,
) -> (Vec<FactRow>, Option<rusqlite::Error>) {
    let mut rows = Vec::new();
    let mut read = || -> rusqlite::Result<()> {
        let mut statement = connection
            .prepare_cached("SELECT seq, id, body, sum FROM fact WHERE seq > ?1 ORDER BY seq")?;
        let mut found = statement.query([seq])?;
        while let Some(row) = found.next()? {
            rows.push(FactRow::read(row)?);
        }
        Ok(())
    };
    let damage = read().err();
    (rows, damage)
}

/// No fact takes fewer bytes: an id and a checksum alone are more.
const MIN_FACT_BYTES: u64 = 64;

/// Rows that can be read on their own, whatever lies between them. Where the last number is lost or made
/// up by the damage, the size of the file at `path` says how many there can be.
fn read_singly(connection: &Connection, path: &Path) -> Vec<FactRow> {
    let sql = "SELECT seq, id, body, sum FROM fact WHERE seq = ?1";
    let Ok(mut statement) = connection.prepare(sql) else {
        return Vec::new();
    };
    let last = |sql: &str| {
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .ok()
    };
    let log = PathBuf::from(format!("{}-wal", path.display()));
    let n_bytes: u64 = [path, &log]
        .iter()
        .filter_map(|file| Some(std::fs::metadata(file).ok()?.len()))
        .sum();
    let most = i64::try_from(n_bytes / MIN_FACT_BYTES).unwrap_or(i64::MAX);
    let last = last("SELECT seq FROM sqlite_sequence WHERE name = 'fact'")
        .or_else(|| last("SELECT max(seq) FROM fact"))
        .map_or(most, |last| last.min(most));
    (1..=last)
        .filter_map(|seq| statement.query_row([seq], FactRow::read).ok())
        .collect()
}

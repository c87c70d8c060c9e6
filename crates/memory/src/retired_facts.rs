//! The facts that are set aside, and why.

use crate::fact::Fact;
use rusqlite::Connection;

pub(super) const TABLE: &str = "
CREATE TABLE IF NOT EXISTS retired(
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    memo TEXT,
    recorded_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    sum TEXT NOT NULL,
    reason TEXT NOT NULL,
    retired_at INTEGER NOT NULL
) STRICT;
";

/// A fact that names a time that there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpossibleFact {
    /// Its row.
    pub seq: i64,
    /// Its id.
    pub id: String,
    /// Which time, in words.
    pub why: String,
}

impl ImpossibleFact {
    pub(crate) fn of(seq: i64, fact: &Fact) -> Option<Self> {
        let why = fact.impossible_time()?;
        let id = fact.id();
        Some(Self { seq, id, why })
    }
}

/// Deletes what was set aside of a memo that is deleted for good.
pub(crate) fn purge_retired(connection: &Connection, memo: &str) -> rusqlite::Result<()> {
    connection.execute_batch(TABLE)?;
    connection.execute("DELETE FROM retired WHERE memo = ?1", [memo])?;
    Ok(())
}

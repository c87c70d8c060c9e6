//! Facts with times that there are not, set aside.
//!
//! Facts never change, so such a one cannot be mended. It is left out of the ledger as soon as it is
//! read; retiring moves its row, as it is, into a table beside, with the reason. Nothing is lost.

use crate::Result;
use crate::fact::Fact;
use crate::store::{FACTS_STAY, Memory, read_from};
use rusqlite::{Connection, params};

const TABLE: &str = "
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

impl Memory {
    /// Returns the facts that are left out for a time that there is not.
    pub fn impossible(&self) -> &[ImpossibleFact] {
        &self.impossible
    }

    /// Sets the facts aside that are left out for a time that there is not; returns them.
    ///
    /// # Errors
    ///
    /// As [`Memory::write`].
    pub fn retire_impossible(&mut self, now_ms: i64) -> Result<Vec<ImpossibleFact>> {
        let retired = self.in_transaction(|memory| {
            let (rows, damage) = read_from(&memory.connection, 0);
            if let Some(error) = damage {
                return Err(memory.failed(error));
            }
            let facts = rows.iter().filter_map(|row| {
                let fact = row.fact().ok()?;
                ImpossibleFact::of(row.seq, &fact)
            });
            let facts: Vec<ImpossibleFact> = facts.collect();
            let moved = move_aside(&memory.connection, &facts, now_ms);
            moved.map_err(|error| memory.failed(error))?;
            Ok(facts)
        })?;
        self.impossible.clear();
        Ok(retired)
    }
}

fn move_aside(
    connection: &Connection,
    facts: &[ImpossibleFact],
    now_ms: i64,
) -> rusqlite::Result<()> {
    if facts.is_empty() {
        return Ok(());
    }
    connection.execute_batch(TABLE)?;
    connection.execute_batch("DROP TRIGGER fact_stays")?;
    for fact in facts {
        connection.execute(
            "INSERT INTO retired
             SELECT seq, id, type, memo, recorded_at, body, sum, ?2, ?3 FROM fact WHERE seq = ?1",
            params![fact.seq, fact.why, now_ms],
        )?;
        connection.execute("DELETE FROM fact WHERE seq = ?1", [fact.seq])?;
    }
    connection.execute_batch(FACTS_STAY)
}

/// Deletes what was set aside of a memo that is deleted for good.
pub(crate) fn purge_retired(connection: &Connection, memo: &str) -> rusqlite::Result<()> {
    connection.execute_batch(TABLE)?;
    connection.execute("DELETE FROM retired WHERE memo = ?1", [memo])?;
    Ok(())
}

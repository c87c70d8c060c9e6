//! Facts with times that there are not, set aside.
//!
//! Facts never change, so such a one cannot be mended. It is left out of the ledger as soon as it is
//! read; retiring moves its row, as it is, into a table beside, with the reason. Nothing is lost.

use super::retired_facts::{ImpossibleFact, TABLE};

use crate::Result;
use crate::store::{FACTS_STAY, Memory, read_from};
use rusqlite::{Connection, params};

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

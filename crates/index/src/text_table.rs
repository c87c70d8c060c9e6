//! Texts of chunks in an SQLite file: what belongs to a text is stored once, whatever chunks show it.
//!
//! Texts have ids from 1 without a gap. The files came about at different times, so their tables have
//! different names.

use crate::error::Result;
use roaring::RoaringBitmap;
use rusqlite::{Connection, OptionalExtension, params};

/// A text's identity: 16 bytes of SHA-256.
pub(crate) type TextHash = [u8; 16];

/// The names of a file's tables.
pub(crate) struct TextTable {
    /// Texts by id, with their `hash`.
    pub(crate) texts: &'static str,
    /// Pairs of a text and a `chunk` that shows it.
    pub(crate) owners: &'static str,
    /// The column of the id, in both.
    pub(crate) id: &'static str,
}

impl TextTable {
    /// Chunks whose text is there.
    pub(crate) fn covered(&self, connection: &Connection) -> Result<RoaringBitmap> {
        let sql = format!("SELECT chunk FROM {}", self.owners);
        let mut statement = connection.prepare_cached(&sql)?;
        let chunks = statement.query_map([], |row| row.get::<_, u32>(0))?;
        Ok(chunks.collect::<rusqlite::Result<_>>()?)
    }

    /// Texts have the ids 1 to this.
    pub(crate) fn n_texts(&self, connection: &Connection) -> Result<u64> {
        let sql = format!("SELECT coalesce(max({}), 0) FROM {}", self.id, self.texts);
        let mut statement = connection.prepare_cached(&sql)?;
        Ok(statement.query_row([], |row| row.get::<_, i64>(0))? as u64)
    }

    /// Links chunks to their texts where those are known; answers with the rest.
    pub(crate) fn reuse(
        &self,
        connection: &mut Connection,
        chunks: &[(u32, TextHash)],
    ) -> Result<Vec<u32>> {
        let transaction = connection.transaction()?;
        let mut missing = Vec::new();
        for (chunk, hash) in chunks {
            match self.id_of(&transaction, hash)? {
                Some(id) => self.link(&transaction, id, *chunk)?,
                None => missing.push(*chunk),
            }
        }
        transaction.commit()?;
        Ok(missing)
    }

    /// Links chunks to their texts; `write` gets the id of each that is new.
    pub(crate) fn insert<T>(
        &self,
        connection: &mut Connection,
        rows: &[(u32, TextHash, T)],
        write: impl Fn(&Connection, i64, &TextHash, &T) -> Result<()>,
    ) -> Result<()> {
        let transaction = connection.transaction()?;
        let mut last = self.n_texts(&transaction)? as i64;
        for (chunk, hash, value) in rows {
            let id = match self.id_of(&transaction, hash)? {
                Some(known) => known,
                None => {
                    last += 1;
                    write(&transaction, last, hash, value)?;
                    last
                }
            };
            self.link(&transaction, id, *chunk)?;
        }
        Ok(transaction.commit()?)
    }

    fn id_of(&self, connection: &Connection, hash: &TextHash) -> Result<Option<i64>> {
        let sql = format!("SELECT {} FROM {} WHERE hash = ?1", self.id, self.texts);
        let mut statement = connection.prepare_cached(&sql)?;
        Ok(statement.query_row([hash], |row| row.get(0)).optional()?)
    }

    fn link(&self, connection: &Connection, id: i64, chunk: u32) -> Result<()> {
        let sql = format!(
            "INSERT OR IGNORE INTO {}({}, chunk) VALUES(?1, ?2)",
            self.owners, self.id
        );
        let mut statement = connection.prepare_cached(&sql)?;
        statement.execute(params![id, chunk])?;
        Ok(())
    }
}

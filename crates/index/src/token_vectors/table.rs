//! The table of texts, chunks and the tail.

use super::spans;
use crate::error::Result;
use crate::text_table::TextHash;
use roaring::RoaringBitmap;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params};
use std::path::Path;
use std::time::Duration;
use whyrank_inference::TokenStates;
use whyrank_sqlite::Sums;

/// A document of the tail.
pub(super) struct TailRow {
    pub(super) doc: u32,
    pub(super) token_ids: Vec<u32>,
    pub(super) vectors: Vec<f32>,
}

/// Which document a chunk's text is, and how many of its first bytes are the chunk's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkDoc {
    pub(super) chunk: u32,
    pub(super) doc: u32,
    pub(super) name_bytes: u32,
}

pub(super) struct TokenTable {
    pub(super) connection: Connection,
}

impl TokenTable {
    pub(super) fn open_writer(path: &Path) -> Result<Self> {
        let connection = whyrank_sqlite::open(path, Sums::Required)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
             CREATE TABLE IF NOT EXISTS text(
               doc INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, places BLOB NOT NULL);
             CREATE TABLE IF NOT EXISTS chunk_doc(
               chunk INTEGER PRIMARY KEY, doc INTEGER NOT NULL, name_bytes INTEGER NOT NULL);
             CREATE TABLE IF NOT EXISTS tail(
               doc INTEGER PRIMARY KEY, token_ids BLOB NOT NULL, vectors BLOB NOT NULL);
             CREATE TABLE IF NOT EXISTS issued(
               one INTEGER PRIMARY KEY CHECK(one = 1), doc INTEGER NOT NULL);
             CREATE TABLE IF NOT EXISTS live(epoch INTEGER NOT NULL);
             INSERT INTO live SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM live);",
        )?;
        Ok(Self { connection })
    }

    pub(super) fn open_reader(path: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = whyrank_sqlite::open_with_flags(path, flags, Sums::Required)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        Ok(Self { connection })
    }

    /// Changes when another connection has written.
    pub(super) fn version(&self) -> Result<i64> {
        let sql = "PRAGMA data_version";
        Ok(self.connection.query_row(sql, [], |row| row.get(0))?)
    }

    pub(super) fn epoch(&self) -> Result<u32> {
        let sql = "SELECT epoch FROM live";
        Ok(self.connection.query_row(sql, [], |row| row.get(0))?)
    }

    /// All chunks with token vectors, by id.
    pub(super) fn chunks(&self) -> Result<Vec<ChunkDoc>> {
        let sql = "SELECT chunk, doc, name_bytes FROM chunk_doc ORDER BY chunk";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            Ok(ChunkDoc {
                chunk: row.get(0)?,
                doc: row.get(1)?,
                name_bytes: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub(super) fn places(&self, doc: u32) -> Result<Option<Vec<spans::TokenSpan>>> {
        let sql = "SELECT places FROM text WHERE doc = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let bytes: Option<Vec<u8>> = statement.query_row([doc], |row| row.get(0)).optional()?;
        Ok(bytes.and_then(|bytes| spans::unpack(&bytes)))
    }

    pub(super) fn doc_of(&self, hash: &TextHash) -> Result<Option<u32>> {
        let sql = "SELECT doc FROM text WHERE hash = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([hash], |row| row.get(0)).optional()?)
    }

    /// All documents that a chunk may have.
    pub(super) fn docs(&self) -> Result<RoaringBitmap> {
        let mut statement = self.connection.prepare_cached("SELECT doc FROM text")?;
        let rows = statement.query_map([], |row| row.get::<_, u32>(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Lets go of texts that only other chunks than `live` had; says whether there were any. Their numbers
    /// are not given out again: the shard may still have them.
    pub(super) fn keep_only(&mut self, live: &RoaringBitmap) -> Result<bool> {
        let chunks = self.chunks()?.into_iter();
        let dead: Vec<u32> = chunks
            .map(|row| row.chunk)
            .filter(|chunk| !live.contains(*chunk))
            .collect();
        if dead.is_empty() {
            return Ok(false);
        }
        let last = self.next_doc()? - 1;
        let transaction = self.connection.transaction()?;
        transaction.execute("INSERT OR REPLACE INTO issued VALUES(1, ?1)", [last])?;
        for chunk in dead {
            let sql = "DELETE FROM chunk_doc WHERE chunk = ?1";
            transaction.prepare_cached(sql)?.execute([chunk])?;
        }
        transaction.execute_batch(
            "DELETE FROM text WHERE doc NOT IN (SELECT doc FROM chunk_doc);
             DELETE FROM tail WHERE doc NOT IN (SELECT doc FROM text);",
        )?;
        transaction.commit()?;
        Ok(true)
    }

    pub(super) fn next_doc(&self) -> Result<u32> {
        let sql = "SELECT max(coalesce((SELECT max(doc) FROM text), 0),
                              coalesce((SELECT doc FROM issued), 0)) + 1";
        Ok(self.connection.query_row(sql, [], |row| row.get(0))?)
    }

    /// Gives the room of a tail that was coded back to the disk, and folds the write-ahead log into
    /// the file.
    pub(super) fn tidy(&self) -> Result<()> {
        let pragma = |sql| -> Result<i64> {
            let value = self.connection.query_row(sql, [], |row| row.get(0));
            Ok(value?)
        };
        let free = pragma("PRAGMA freelist_count")?;
        if free * 4 > pragma("PRAGMA page_count")? {
            // A reader at work keeps the file as it is; the next run tries again.
            let _ = self.connection.execute_batch("VACUUM");
        }
        self.connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }

    pub(super) fn n_tail(&self) -> Result<usize> {
        let sql = "SELECT count(*) FROM tail";
        let n: i64 = self.connection.query_row(sql, [], |row| row.get(0))?;
        Ok(n as usize)
    }

    pub(super) fn tail(&self) -> Result<Vec<TailRow>> {
        let sql = "SELECT doc, token_ids, vectors FROM tail ORDER BY doc";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            let (ids, vectors): (Vec<u8>, Vec<u8>) = (row.get(1)?, row.get(2)?);
            Ok(TailRow {
                doc: row.get(0)?,
                token_ids: from_bytes(&ids, u32::from_le_bytes),
                vectors: from_bytes(&vectors, half::f16::from_le_bytes)
                    .into_iter()
                    .map(half::f16::to_f32)
                    .collect(),
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// Points a chunk to the document of its text.
pub(super) fn link(transaction: &Transaction<'_>, row: ChunkDoc) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO chunk_doc VALUES(?1, ?2, ?3)";
    let mut statement = transaction.prepare_cached(sql)?;
    statement.execute(params![row.chunk, row.doc, row.name_bytes])?;
    Ok(())
}

/// Writes a new document into the tail.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    doc: u32,
    hash: &TextHash,
    states: &TokenStates,
) -> Result<()> {
    let sql = "INSERT INTO text VALUES(?1, ?2, ?3)";
    let mut statement = transaction.prepare_cached(sql)?;
    let places = spans::pack(&states.spans, &states.token_ids);
    statement.execute(params![doc, hash, places])?;
    let ids = states.token_ids.iter().flat_map(|id| id.to_le_bytes());
    let vectors = states.vectors.iter();
    let vectors = vectors.flat_map(|x| half::f16::from_f32(*x).to_le_bytes());
    let sql = "INSERT OR REPLACE INTO tail VALUES(?1, ?2, ?3)";
    let mut statement = transaction.prepare_cached(sql)?;
    statement.execute(params![
        doc,
        ids.collect::<Vec<u8>>(),
        vectors.collect::<Vec<u8>>()
    ])?;
    Ok(())
}

fn from_bytes<T, const N: usize>(bytes: &[u8], read: impl Fn([u8; N]) -> T) -> Vec<T> {
    let (whole, _) = bytes.as_chunks::<N>();
    whole.iter().map(|value| read(*value)).collect()
}

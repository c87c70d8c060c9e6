//! The vector store: one sqlite-vec file for each model, exact nearest neighbours.
//!
//! Vectors belong to texts, not to chunks: a chunk whose text has been encoded before, in whatever
//! file or branch, takes that vector. Vectors are unit length; sqlite-vec answers with L2 distance
//! `d`, and cosine is `1 - d²/2`.

use crate::error::Result;
use crate::lexical::ScoredChunk;
use roaring::RoaringBitmap;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;
use std::sync::Once;

/// sqlite-vec gives at most this many neighbours.
const MAX_NEIGHBOURS: usize = 4096;

/// A text's identity: 16 bytes of SHA-256.
pub(crate) type TextHash = [u8; 16];

pub(crate) struct VectorStore {
    connection: Connection,
    dim: usize,
}

impl VectorStore {
    pub(crate) fn open(path: &Path, dim: usize) -> Result<Self> {
        register_sqlite_vec();
        let connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 1073741824;",
        )?;
        connection.execute_batch(&format!(
            "CREATE VIRTUAL TABLE IF NOT EXISTS vector USING vec0(
               vector_id INTEGER PRIMARY KEY, embedding float[{dim}]);
             CREATE TABLE IF NOT EXISTS text_vector(
               hash BLOB PRIMARY KEY, vector_id INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
             CREATE TABLE IF NOT EXISTS chunk_vector(
               vector_id INTEGER NOT NULL, chunk INTEGER NOT NULL,
               PRIMARY KEY(vector_id, chunk)) WITHOUT ROWID;
             CREATE INDEX IF NOT EXISTS chunk_vector_by_chunk ON chunk_vector(chunk);"
        ))?;
        Ok(Self { connection, dim })
    }

    /// Chunks that have a vector.
    pub(crate) fn covered(&self) -> Result<RoaringBitmap> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT chunk FROM chunk_vector ORDER BY chunk")?;
        let mut rows = statement.query([])?;
        let mut covered = RoaringBitmap::new();
        while let Some(row) = rows.next()? {
            covered.insert(row.get(0)?);
        }
        Ok(covered)
    }

    /// Gives chunks the vectors of their texts where those are known; answers with the rest.
    pub(crate) fn reuse(&mut self, chunks: &[(u32, TextHash)]) -> Result<Vec<u32>> {
        let transaction = self.connection.transaction()?;
        let mut missing = Vec::new();
        for (chunk, hash) in chunks {
            match vector_of(&transaction, hash)? {
                Some(vector_id) => link(&transaction, vector_id, *chunk)?,
                None => missing.push(*chunk),
            }
        }
        transaction.commit()?;
        Ok(missing)
    }

    /// Writes vectors of new texts.
    pub(crate) fn insert(&mut self, rows: &[(u32, TextHash, Vec<f32>)]) -> Result<()> {
        let transaction = self.connection.transaction()?;
        let mut next: i64 = transaction.query_row(
            "SELECT coalesce(max(vector_id), 0) + 1 FROM text_vector",
            [],
            |row| row.get(0),
        )?;
        for (chunk, hash, vector) in rows {
            debug_assert_eq!(vector.len(), self.dim);
            let vector_id = match vector_of(&transaction, hash)? {
                Some(known) => known,
                None => {
                    insert_vector(&transaction, next, hash, vector)?;
                    next += 1;
                    next - 1
                }
            };
            link(&transaction, vector_id, *chunk)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// The `limit` nearest visible chunks with their cosine, best first, ties by chunk id.
    ///
    /// Vectors of other views take part in the nearest-neighbour query, so more are asked for than
    /// needed; at most 4,096. Cost: one pass over all vectors.
    pub(crate) fn search(
        &self,
        query: &[f32],
        visible: &RoaringBitmap,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        let n_all: i64 =
            self.connection
                .query_row("SELECT count(*) FROM text_vector", [], |row| row.get(0))?;
        let share = visible.len() as f64 / (n_all.max(1) as f64);
        let mut asked =
            ((limit as f64 / share.clamp(0.01, 1.0)) as usize).clamp(limit, MAX_NEIGHBOURS);
        loop {
            let found = self.nearest(query, visible, asked)?;
            if found.len() >= limit || asked >= MAX_NEIGHBOURS || asked as i64 >= n_all {
                return Ok(found.into_iter().take(limit).collect());
            }
            asked = (asked * 4).min(MAX_NEIGHBOURS);
        }
    }

    fn nearest(
        &self,
        query: &[f32],
        visible: &RoaringBitmap,
        k: usize,
    ) -> Result<Vec<ScoredChunk>> {
        let sql = "SELECT vector_id, distance FROM vector WHERE embedding MATCH ?1 AND k = ?2";
        let mut neighbours = self.connection.prepare_cached(sql)?;
        let mut chunks = self
            .connection
            .prepare_cached("SELECT chunk FROM chunk_vector WHERE vector_id = ?1 ORDER BY chunk")?;
        let mut rows = neighbours.query(params![to_bytes(query), k as i64])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let (vector_id, distance): (i64, f32) = (row.get(0)?, row.get(1)?);
            let score = 1.0 - distance * distance / 2.0;
            let mut owners = chunks.query([vector_id])?;
            while let Some(owner) = owners.next()? {
                let chunk = owner.get(0)?;
                if visible.contains(chunk) {
                    found.push(ScoredChunk { chunk, score });
                }
            }
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        Ok(found)
    }

    /// Folds the write-ahead log into the file.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        self.connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }
}

fn vector_of(connection: &Connection, hash: &TextHash) -> Result<Option<i64>> {
    let mut statement =
        connection.prepare_cached("SELECT vector_id FROM text_vector WHERE hash = ?1")?;
    Ok(statement.query_row([hash], |row| row.get(0)).optional()?)
}

fn link(connection: &Connection, vector_id: i64, chunk: u32) -> Result<()> {
    let mut statement =
        connection.prepare_cached("INSERT OR IGNORE INTO chunk_vector VALUES(?1, ?2)")?;
    statement.execute(params![vector_id, chunk])?;
    Ok(())
}

fn insert_vector(
    connection: &Connection,
    vector_id: i64,
    hash: &TextHash,
    vector: &[f32],
) -> Result<()> {
    let mut statement =
        connection.prepare_cached("INSERT INTO vector(vector_id, embedding) VALUES(?1, ?2)")?;
    statement.execute(params![vector_id, to_bytes(vector)])?;
    let mut statement = connection.prepare_cached("INSERT INTO text_vector VALUES(?1, ?2)")?;
    statement.execute(params![hash, vector_id])?;
    Ok(())
}

fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// Makes `vec0` known to every connection opened from now on.
fn register_sqlite_vec() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[expect(
            unsafe_code,
            reason = "SQLite takes extension entry points as C function pointers"
        )]
        // SAFETY: sqlite3_vec_init has the signature that SQLite calls entry points with; the crate
        // declares it without parameters.
        unsafe {
            rusqlite::ffi::sqlite3_auto_extension(Some(std::mem::transmute::<
                *const (),
                unsafe extern "C" fn(
                    *mut rusqlite::ffi::sqlite3,
                    *mut *mut std::os::raw::c_char,
                    *const rusqlite::ffi::sqlite3_api_routines,
                ) -> std::os::raw::c_int,
            >(
                sqlite_vec::sqlite3_vec_init as *const (),
            )));
        }
    });
}

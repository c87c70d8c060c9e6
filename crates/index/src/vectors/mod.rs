//! The vector store: one sqlite-vec file for each model, exact nearest neighbours.
//!
//! Vectors belong to texts, not to chunks: a chunk whose text has been encoded before, in whatever
//! file or branch, takes that vector. Ids of vectors run from 1 without a gap; pruning gives new ones, and
//! `user_version` counts how often it did. Vectors are unit length; sqlite-vec answers with L2 distance
//! `d`, and cosine is `1 - d²/2`. Many vectors are searched by their sketch, which follows the store.

mod prune;

pub(crate) use prune::prune_vectors;

use crate::error::Result;
use crate::scored_chunk::{ScoredChunk, with_ties};
use crate::sketch::{self, MIN_VECTORS, Sketched, Vectors};
use crate::text_table::{TextHash, TextTable};
use roaring::RoaringBitmap;
use rusqlite::{Connection, params};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Once;
use whyrank_sqlite::Sums;

/// sqlite-vec gives at most this many neighbours.
const MAX_NEIGHBOURS: usize = 4096;

const TEXTS: TextTable = TextTable {
    texts: "text_vector",
    owners: "chunk_vector",
    id: "vector_id",
};

/// New vectors after which a running lane lets the sketch follow.
const FOLLOW_AFTER: u64 = 4_096;

pub(crate) struct VectorStore {
    connection: Connection,
    dim: usize,
    path: PathBuf,
    sketched: RefCell<Sketched>,
    n_unsketched: u64,
}

impl VectorStore {
    pub(crate) fn open(path: &Path, dim: usize) -> Result<Self> {
        let connection = connect(path)?;
        create_vectors(&connection, dim)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS text_vector(
               hash BLOB PRIMARY KEY, vector_id INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
             CREATE TABLE IF NOT EXISTS chunk_vector(
               vector_id INTEGER NOT NULL, chunk INTEGER NOT NULL,
               PRIMARY KEY(vector_id, chunk)) WITHOUT ROWID;
             CREATE INDEX IF NOT EXISTS chunk_vector_by_chunk ON chunk_vector(chunk);",
        )?;
        Ok(Self {
            connection,
            dim,
            path: path.to_owned(),
            sketched: RefCell::default(),
            n_unsketched: 0,
        })
    }

    /// Chunks that have a vector.
    pub(crate) fn covered(&self) -> Result<RoaringBitmap> {
        TEXTS.covered(&self.connection)
    }

    /// Gives chunks the vectors of their texts where those are known; answers with the rest.
    pub(crate) fn reuse(&mut self, chunks: &[(u32, TextHash)]) -> Result<Vec<u32>> {
        TEXTS.reuse(&mut self.connection, chunks)
    }

    /// Writes vectors of new texts.
    pub(crate) fn insert(&mut self, rows: &[(u32, TextHash, Vec<f32>)]) -> Result<()> {
        debug_assert!(rows.iter().all(|(_, _, vector)| vector.len() == self.dim));
        TEXTS.insert(
            &mut self.connection,
            rows,
            |connection, id, hash, vector| insert_vector(connection, id, hash, vector),
        )?;
        self.n_unsketched += rows.len() as u64;
        if self.n_unsketched >= FOLLOW_AFTER {
            self.follow()?;
        }
        Ok(())
    }

    /// Brings the sketch up to all vectors, if there are enough for one.
    fn follow(&mut self) -> Result<()> {
        self.n_unsketched = 0;
        let n_all = self.n_vectors()?;
        if n_all < MIN_VECTORS {
            return Ok(());
        }
        let mut vector = |id: u64| self.vector(id);
        sketch::follow(&self.sketch_folder()?, self.dim, n_all, &mut vector)
    }

    /// How often the vectors got new ids.
    fn epoch(&self) -> Result<i64> {
        let mut statement = self.connection.prepare_cached("PRAGMA user_version")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// `vectors-<model>.db` has its sketch in `sketch-<model>`, with new ids in `sketch-<model>-e<epoch>`.
    fn sketch_folder(&self) -> Result<PathBuf> {
        let stem = sketch_stem(&self.path);
        Ok(self.path.with_file_name(match self.epoch()? {
            0 => stem,
            epoch => format!("{stem}-e{epoch}"),
        }))
    }

    /// Vectors have the ids 1 to this.
    pub(crate) fn n_vectors(&self) -> Result<u64> {
        TEXTS.n_texts(&self.connection)
    }

    /// The vector of an id.
    pub(crate) fn vector(&self, id: u64) -> Result<Vec<f32>> {
        let sql = "SELECT embedding FROM vector WHERE vector_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let bytes: Vec<u8> = statement.query_row([id as i64], |row| row.get(0))?;
        let values = bytes.as_chunks::<4>().0;
        Ok(values
            .iter()
            .map(|value| f32::from_le_bytes(*value))
            .collect())
    }

    /// The `limit` nearest visible chunks and those as near as the last, with their cosine, best first: by the
    /// sketch where there are many vectors and it is up to date, else exactly.
    ///
    /// By the sketch a cosine is off by .01 at most, and nearly all of the nearest are found.
    pub(crate) fn search(
        &self,
        query: &[f32],
        visible: &RoaringBitmap,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        // One state of the file throughout: ids may be others a moment later.
        let _snapshot = self.connection.unchecked_transaction()?;
        let n_all = self.n_vectors()?;
        if n_all >= MIN_VECTORS {
            let mut sketched = self.sketched.borrow_mut();
            let version = "PRAGMA data_version";
            let store = Vectors {
                folder: &self.sketch_folder()?,
                dim: self.dim,
                n_all,
                epoch: self.epoch()?,
                version: self.connection.query_row(version, [], |row| row.get(0))?,
                vector: &|id| self.vector(id),
                owners: &|| self.owners(),
            };
            if sketched.refresh(&store)?
                && let Some(found) = sketched.search(query, visible, limit)
            {
                return Ok(found);
            }
        }
        self.search_exactly(query, visible, limit)
    }

    /// Row (an id less 1) and chunk of each pair, ascending.
    fn owners(&self) -> Result<Vec<(u32, u32)>> {
        let sql = "SELECT vector_id, chunk FROM chunk_vector ORDER BY vector_id, chunk";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            let vector_id: i64 = row.get(0)?;
            Ok(((vector_id - 1) as u32, row.get(1)?))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The share of the ten exactly nearest that [`VectorStore::search`] finds, over stored vectors as
    /// queries; `None` where it is exact itself. Costs as much as `n_queries` exact searches.
    pub(crate) fn recall(&self, visible: &RoaringBitmap, n_queries: u64) -> Result<Option<f64>> {
        let n_all = self.n_vectors()?;
        if n_all < MIN_VECTORS {
            return Ok(None);
        }
        let (mut n_right, mut n) = (0, 0);
        for id in (1..=n_all).step_by((n_all / n_queries.max(1)).max(1) as usize) {
            let query = self.vector(id)?;
            let found = self.search(&query, visible, 10)?;
            let exact = self.search_exactly(&query, visible, 10)?;
            let is_found = |hit: &&ScoredChunk| found.iter().any(|one| one.chunk == hit.chunk);
            n_right += exact.iter().filter(is_found).count();
            n += exact.len();
        }
        Ok((n > 0).then(|| n_right as f64 / n as f64))
    }

    /// The `limit` nearest visible chunks and those as near as the last, with their cosine, best first.
    ///
    /// Vectors of other views take part in the nearest-neighbour query, so more are asked for than
    /// needed; at most 4,096. Cost: one pass over all vectors.
    pub(crate) fn search_exactly(
        &self,
        query: &[f32],
        visible: &RoaringBitmap,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        let n_all = self.n_vectors()?;
        let share = visible.len() as f64 / (n_all.max(1) as f64);
        let mut asked =
            ((limit as f64 / share.clamp(0.01, 1.0)) as usize).clamp(limit, MAX_NEIGHBOURS);
        loop {
            let found = self.nearest(query, visible, asked)?;
            if found.len() >= limit || asked >= MAX_NEIGHBOURS || asked as u64 >= n_all {
                return Ok(with_ties(found, limit));
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

    /// Folds the write-ahead log into the file, and lets the sketch follow.
    pub(crate) fn checkpoint(&mut self) -> Result<()> {
        self.follow()?;
        self.connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }
}

/// The sketch of a file of vectors, and what is left of those before.
pub(crate) fn sketch_folders(vectors: &Path) -> Vec<PathBuf> {
    let stem = sketch_stem(vectors);
    let is_sketch = |name: &str| {
        let rest = name.strip_prefix(&stem);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("-e"))
    };
    let folder = vectors.parent().map(std::fs::read_dir);
    let entries = folder.into_iter().flatten().flatten().flatten();
    let named = entries.filter(|entry| is_sketch(&entry.file_name().to_string_lossy()));
    named.map(|entry| entry.path()).collect()
}

/// The name of a vector file's sketch, before its epoch.
pub(crate) fn sketch_stem(vectors: &Path) -> String {
    let stem = vectors.file_stem().unwrap_or_default().to_string_lossy();
    let model = stem.strip_prefix("vectors-").unwrap_or(&stem);
    format!("sketch-{model}")
}

fn connect(path: &Path) -> Result<Connection> {
    register_sqlite_vec();
    let connection = whyrank_sqlite::open(path, Sums::Required)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64000;",
    )?;
    Ok(connection)
}

fn create_vectors(connection: &Connection, dim: usize) -> Result<()> {
    Ok(connection.execute_batch(&format!(
        "CREATE VIRTUAL TABLE IF NOT EXISTS vector USING vec0(
           vector_id INTEGER PRIMARY KEY, embedding float[{dim}]);"
    ))?)
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

#[cfg(test)]
mod tests {
    use super::*;

    const DIM: usize = 64;

    fn rows(from: u32, to: u32) -> Vec<(u32, TextHash, Vec<f32>)> {
        let value = |at: u64| {
            let mut bits = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (bits >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
        };
        (from..to)
            .map(|chunk| {
                let of = |d: u64| {
                    value(u64::from(chunk) * 64 + d) + value(u64::from(chunk % 50) * 64 + d)
                };
                let mut vector: Vec<f32> = (0..DIM as u64).map(of).collect();
                let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
                vector.iter_mut().for_each(|x| *x /= norm);
                let mut hash = [0; 16];
                hash[..4].copy_from_slice(&chunk.to_le_bytes());
                (chunk, hash, vector)
            })
            .collect()
    }

    fn chunks(found: &[ScoredChunk]) -> Vec<u32> {
        found.iter().map(|hit| hit.chunk).collect()
    }

    #[test]
    fn many_vectors_are_searched_by_their_sketch_and_new_ones_are_not_missed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vectors-a-t1.db");
        let mut writer = VectorStore::open(&path, DIM).expect("a store");
        writer.insert(&rows(0, 20_400)).expect("room");
        writer.checkpoint().expect("a sketch");
        assert!(folder.path().join("sketch-a-t1/head").is_file());
        let reader = VectorStore::open(&path, DIM).expect("a store");
        let all: RoaringBitmap = (0..20_401).collect();
        assert!(reader.recall(&all, 20).expect("figures").expect("a sketch") > 0.95);
        let some: RoaringBitmap = (5_000..5_200).collect();
        let query = &rows(5_100, 5_101)[0].2;
        let found = reader.search(query, &some, 5).expect("hits");
        let exact = reader
            .search_exactly(query, &(0..20_400).collect(), 1)
            .expect("hits");
        assert_eq!(chunks(&exact), [5_100]);
        assert_eq!((found.len(), found[0].chunk), (5, 5_100));
        assert!(found.iter().all(|hit| some.contains(hit.chunk)));
        assert!((found[0].score - exact[0].score).abs() < 0.01);
        // Behind the sketch, and gone from it.
        writer.insert(&rows(20_400, 20_401)).expect("room");
        let query = &rows(20_400, 20_401)[0].2;
        assert_eq!(
            chunks(&reader.search(query, &all, 1).expect("hits")),
            [20_400]
        );
        std::fs::remove_dir_all(folder.path().join("sketch-a-t1")).expect("a folder");
        let fresh = VectorStore::open(&path, DIM).expect("a store");
        assert_eq!(
            chunks(&fresh.search(query, &all, 1).expect("hits")),
            [20_400]
        );
    }
}

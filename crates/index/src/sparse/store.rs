//! The file: texts with their terms, who shows them, postings.

use crate::error::Result;
use crate::text_table::{TextHash, TextTable};
use roaring::RoaringBitmap;
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};
use whyrank_inference::{SparseSpec, SparseVector};
use whyrank_sqlite::Sums;

/// What the encoder is given of a chunk, and the form of this file.
const VERSION: u32 = 1;
/// Texts of a fold: their places in it fit 16 bits.
pub(super) const FOLD: u64 = 4_096;
/// Steps of a kept weight in 1: `ln(1 + logit)` stays below 4.
pub(super) const STEPS: f32 = 64.0;
/// Bytes of a term of a text, and of a text of a posting: 16 bits of id, 8 of weight.
pub(super) const ENTRY: usize = 3;

const TEXTS: TextTable = TextTable {
    texts: "text",
    owners: "owner",
    id: "text_id",
};

pub(super) struct SparseStore {
    pub(super) connection: Connection,
}

/// The file of a model's sparse vectors. The name carries all that changes them.
pub(crate) fn sparse_path(generation: &Path, spec: &SparseSpec) -> PathBuf {
    let short = &spec.fingerprint[..spec.fingerprint.len().min(16)];
    generation.join(format!("sparse-{short}-t{VERSION}.db"))
}

impl SparseStore {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let connection = whyrank_sqlite::open(path, Sums::Required)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
             CREATE TABLE IF NOT EXISTS text(
               text_id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, terms BLOB NOT NULL);
             CREATE TABLE IF NOT EXISTS owner(
               text_id INTEGER NOT NULL, chunk INTEGER NOT NULL,
               PRIMARY KEY(text_id, chunk)) WITHOUT ROWID;
             CREATE TABLE IF NOT EXISTS posting(
               term INTEGER NOT NULL, fold INTEGER NOT NULL, texts BLOB NOT NULL,
               PRIMARY KEY(term, fold)) WITHOUT ROWID;
             CREATE TABLE IF NOT EXISTS folded(fold INTEGER PRIMARY KEY);",
        )?;
        Ok(Self { connection })
    }

    /// Opens the file to write; one that is damaged is thrown away, for all of it can be made again.
    pub(super) fn open_or_renew(path: &Path) -> Result<Self> {
        let sound = Self::open(path).and_then(|store| {
            store.covered()?;
            store.n_folded()?;
            Ok(store)
        });
        sound.or_else(|_| {
            for ending in ["", "-wal", "-shm"] {
                let mut file = path.as_os_str().to_owned();
                file.push(ending);
                // What is not there need not go.
                let _ = std::fs::remove_file(PathBuf::from(file));
            }
            Self::open(path)
        })
    }

    /// Chunks that have terms.
    pub(super) fn covered(&self) -> Result<RoaringBitmap> {
        TEXTS.covered(&self.connection)
    }

    /// Links chunks to their texts where those are known; answers with the rest.
    pub(super) fn reuse(&mut self, chunks: &[(u32, TextHash)]) -> Result<Vec<u32>> {
        TEXTS.reuse(&mut self.connection, chunks)
    }

    /// Writes new texts.
    pub(super) fn insert(&mut self, rows: &[(u32, TextHash, SparseVector)]) -> Result<()> {
        TEXTS.insert(
            &mut self.connection,
            rows,
            |connection, id, hash, vector| {
                let sql = "INSERT INTO text VALUES(?1, ?2, ?3)";
                let mut statement = connection.prepare_cached(sql)?;
                statement.execute(params![id, hash, coded(vector)])?;
                Ok(())
            },
        )?;
        self.fold()
    }

    /// Texts have the ids 1 to this.
    pub(super) fn n_texts(&self) -> Result<u64> {
        TEXTS.n_texts(&self.connection)
    }

    /// Texts that are in the postings: the first.
    pub(super) fn n_folded(&self) -> Result<u64> {
        let sql = "SELECT count(*) FROM folded";
        let mut statement = self.connection.prepare_cached(sql)?;
        let n_folds: i64 = statement.query_row([], |row| row.get(0))?;
        Ok(n_folds as u64 * FOLD)
    }

    /// Folds all complete runs of texts that are not yet.
    pub(super) fn fold(&mut self) -> Result<()> {
        let (n_texts, mut n_folded) = (self.n_texts()?, self.n_folded()?);
        while n_texts - n_folded >= FOLD {
            self.fold_one(n_folded / FOLD)?;
            n_folded += FOLD;
        }
        Ok(())
    }

    fn fold_one(&mut self, fold: u64) -> Result<()> {
        let mut postings: Vec<Vec<u8>> = vec![Vec::new(); 1 << 16];
        let from = fold * FOLD + 1;
        self.for_each_text(from, from + FOLD, |text_id, term, weight| {
            let place = (text_id - from) as u16;
            postings[usize::from(term)].extend([
                place.to_le_bytes()[0],
                place.to_le_bytes()[1],
                weight,
            ]);
        })?;
        let transaction = self.connection.transaction()?;
        let sql = "INSERT INTO posting VALUES(?1, ?2, ?3)";
        for (term, texts) in postings
            .iter()
            .enumerate()
            .filter(|(_, texts)| !texts.is_empty())
        {
            let mut statement = transaction.prepare_cached(sql)?;
            statement.execute(params![term as i64, fold as i64, texts])?;
        }
        transaction.execute("INSERT INTO folded VALUES(?1)", [fold as i64])?;
        Ok(transaction.commit()?)
    }

    /// Calls `each(text, term, weight)` for texts `from..to`, terms ascending.
    pub(super) fn for_each_text(
        &self,
        from: u64,
        to: u64,
        mut each: impl FnMut(u64, u16, u8),
    ) -> Result<()> {
        let sql =
            "SELECT text_id, terms FROM text WHERE text_id >= ?1 AND text_id < ?2 ORDER BY text_id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([from as i64, to as i64])?;
        while let Some(row) = rows.next()? {
            let text_id: i64 = row.get(0)?;
            let terms = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            for entry in terms.chunks_exact(ENTRY) {
                let term = u16::from_le_bytes([entry[0], entry[1]]);
                each(text_id as u64, term, entry[2]);
            }
        }
        Ok(())
    }

    /// Folds the write-ahead log into the file.
    pub(super) fn checkpoint(&self) -> Result<()> {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        Ok(self.connection.query_row(sql, [], |_| Ok(()))?)
    }
}

/// Terms and weights in 3 bytes each; weights that round to nothing keep the least.
fn coded(vector: &SparseVector) -> Vec<u8> {
    let entries = vector.terms.iter().zip(&vector.weights);
    entries
        .flat_map(|(term, weight)| {
            let [low, high, ..] = term.to_le_bytes();
            [low, high, (weight * STEPS).round().clamp(1.0, 255.0) as u8]
        })
        .collect()
}

//! Vectors of texts that no chunk has any more go, and the rest get new ids.

use super::{VectorStore, connect, create_vectors, sketch_folders};
use crate::error::Result;
use roaring::RoaringBitmap;
use rusqlite::OptionalExtension;
use std::fs;
use std::path::Path;

/// Lets go of the texts that only other chunks than `live` had.
///
/// sqlite-vec keeps the room of a deleted row, and a sketch has a row for each id from 1: so the table is
/// rebuilt, in one transaction, and with new ids comes another sketch. Cost: the file is written
/// twice.
pub(crate) fn prune_vectors(path: &Path, live: &RoaringBitmap) -> Result<()> {
    let Some(dim) = dim_of(path)? else {
        return Ok(());
    };
    let mut store = VectorStore::open(path, dim)?;
    let dead = store.covered()? - live;
    if dead.is_empty() {
        return Ok(());
    }
    store.keep_others_than(&dead)?;
    // A reader at work keeps the file as long as it is.
    let _ = store.connection.execute_batch("VACUUM");
    store.checkpoint()?;
    store.remove_other_sketches();
    Ok(())
}

/// Components of the vectors that a file holds; `None` where it holds none.
fn dim_of(path: &Path) -> Result<Option<usize>> {
    let connection = connect(path)?;
    let has_table = "SELECT 1 FROM sqlite_master WHERE name = 'vector'";
    let table = connection.query_row(has_table, [], |_| Ok(())).optional()?;
    if table.is_none() {
        return Ok(None);
    }
    let sql = "SELECT length(embedding) / 4 FROM vector LIMIT 1";
    let dim: Option<i64> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    Ok(dim.map(|dim| dim as usize))
}

impl VectorStore {
    fn keep_others_than(&mut self, dead: &RoaringBitmap) -> Result<()> {
        let epoch = self.epoch()?;
        let transaction = self.connection.transaction()?;
        {
            let sql = "DELETE FROM chunk_vector WHERE chunk = ?1";
            let mut unlink = transaction.prepare(sql)?;
            for chunk in dead {
                unlink.execute([chunk])?;
            }
        }
        transaction.execute_batch(
            "CREATE TABLE kept(
               vector_id INTEGER PRIMARY KEY, old INTEGER NOT NULL UNIQUE, hash BLOB NOT NULL,
               embedding BLOB NOT NULL);
             INSERT INTO kept
               SELECT row_number() OVER (ORDER BY text.vector_id), text.vector_id, text.hash,
                 vector.embedding
               FROM text_vector AS text JOIN vector ON vector.vector_id = text.vector_id
               WHERE text.vector_id IN (SELECT vector_id FROM chunk_vector)
               ORDER BY text.vector_id;
             DROP TABLE vector;",
        )?;
        create_vectors(&transaction, self.dim)?;
        transaction.execute_batch(&format!(
            "INSERT INTO vector(vector_id, embedding)
               SELECT vector_id, embedding FROM kept ORDER BY vector_id;
             DELETE FROM text_vector;
             INSERT INTO text_vector SELECT hash, vector_id FROM kept;
             UPDATE chunk_vector SET vector_id =
               (SELECT kept.vector_id FROM kept WHERE kept.old = chunk_vector.vector_id);
             DROP TABLE kept;
             PRAGMA user_version = {};",
            epoch + 1
        ))?;
        Ok(transaction.commit()?)
    }

    /// Sketches of other ids than those of now. What cannot be deleted now, the next time tries again.
    fn remove_other_sketches(&self) {
        let Ok(now) = self.sketch_folder() else {
            return;
        };
        for folder in sketch_folders(&self.path) {
            if folder != now {
                let _ = fs::remove_dir_all(folder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::MIN_VECTORS;

    const DIM: usize = 16;
    /// Above it half of them still are enough for a sketch.
    const N: u32 = 2 * MIN_VECTORS as u32 + 2_000;

    fn vector(at: u32) -> Vec<f32> {
        let mut state = u64::from(at) + 1;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        let raw: Vec<f32> = (0..DIM).map(|_| next()).collect();
        let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
        raw.iter().map(|x| x / length).collect()
    }

    fn hash(at: u32) -> [u8; 16] {
        std::array::from_fn(|byte| at.to_le_bytes().get(byte).copied().unwrap_or(7))
    }

    #[test]
    fn who_has_a_sketch_open_sees_the_new_ids_with_a_new_one() -> Result<()> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vectors-some-t1.db");
        let mut store = VectorStore::open(&path, DIM)?;
        let rows: Vec<_> = (0..N).map(|at| (at, hash(at), vector(at))).collect();
        store.insert(&rows)?;
        store.checkpoint()?;
        drop(store);
        let reader = VectorStore::open(&path, DIM)?;
        let all: RoaringBitmap = (0..N).collect();
        assert!(reader.recall(&all, 20)?.expect("a sketch") > 0.9);

        let live: RoaringBitmap = (0..N).filter(|at| at % 2 == 1).collect();
        let size = || fs::metadata(&path).expect("a file").len();
        let before = size();
        prune_vectors(&path, &live)?;
        assert!(size() < before * 6 / 10, "{} of {before}", size());
        assert_eq!(reader.covered()?, live);
        assert_eq!(reader.n_vectors()?, live.len());
        assert!(reader.recall(&all, 20)?.expect("a sketch") > 0.9);
        for at in [1, N / 2 + 1, N - 1] {
            let found = reader.search(&vector(at), &all, 1)?;
            assert_eq!(found[0].chunk, at);
        }
        assert_eq!(sketch_folders(&path), [reader.sketch_folder()?]);

        // Ids go on from there.
        let mut store = VectorStore::open(&path, DIM)?;
        assert_eq!(store.reuse(&[(N, hash(2)), (N + 1, hash(1))])?, [N]);
        store.insert(&[(N, hash(2), vector(2))])?;
        assert_eq!(reader.n_vectors()?, live.len() + 1);
        assert_eq!(
            reader.search(&vector(2), &(N..N + 1).collect(), 1)?[0].chunk,
            N
        );
        Ok(())
    }

    #[test]
    fn an_empty_file_and_one_with_nothing_dead_stay() -> Result<()> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vectors-some-t1.db");
        prune_vectors(&path, &RoaringBitmap::new())?;
        let mut store = VectorStore::open(&path, DIM)?;
        store.insert(&[(4, hash(4), vector(4))])?;
        prune_vectors(&path, &(0..9).collect())?;
        assert_eq!((store.epoch()?, store.n_vectors()?), (0, 1));
        Ok(())
    }
}

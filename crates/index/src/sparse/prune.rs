//! Texts that no chunk has any more go, and the rest get new ids.

use super::store::SparseStore;
use crate::error::Result;
use roaring::RoaringBitmap;
use rusqlite::params;
use std::path::Path;

/// Lets go of the texts that only other chunks than `live` had. Ids run from 1 without a gap, so the rest
/// get new ones and new postings, all in one transaction.
pub(crate) fn prune_sparse(path: &Path, live: &RoaringBitmap) -> Result<()> {
    let mut store = SparseStore::open(path)?;
    let dead = store.covered()? - live;
    if dead.is_empty() {
        return Ok(());
    }
    store.keep_others_than(&dead)?;
    // A reader at work keeps the file as long as it is.
    let _ = store.connection.execute_batch("VACUUM");
    store.checkpoint()
}

impl SparseStore {
    fn keep_others_than(&mut self, dead: &RoaringBitmap) -> Result<()> {
        let transaction = self.connection.transaction()?;
        for chunk in dead {
            let sql = "DELETE FROM owner WHERE chunk = ?1";
            transaction.prepare_cached(sql)?.execute([chunk])?;
        }
        transaction.execute_batch(
            "DELETE FROM text WHERE text_id NOT IN (SELECT text_id FROM owner);
             DELETE FROM posting;
             DELETE FROM folded;",
        )?;
        let ids: Vec<i64> = {
            let mut statement = transaction.prepare("SELECT text_id FROM text ORDER BY text_id")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect::<rusqlite::Result<_>>()?
        };
        // Ascending, so that a new id is free: it is no larger than the old one.
        for (new, old) in (1i64..).zip(&ids).filter(|(new, old)| new != *old) {
            for sql in [
                "UPDATE text SET text_id = ?1 WHERE text_id = ?2",
                "UPDATE owner SET text_id = ?1 WHERE text_id = ?2",
            ] {
                transaction
                    .prepare_cached(sql)?
                    .execute(params![new, old])?;
            }
        }
        transaction.commit()?;
        self.fold()
    }
}

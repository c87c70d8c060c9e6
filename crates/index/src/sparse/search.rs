//! Search by terms: sums of products, over postings and the texts after them.

use super::store::{ENTRY, FOLD, STEPS, SparseStore, sparse_path};
use crate::error::Result;
use crate::scored_chunk::ScoredChunk;
use roaring::RoaringBitmap;
use rusqlite::Connection;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use whyrank_inference::{SparseSpec, SparseVector};

/// The file of the lane that a reader keeps open between queries.
#[derive(Default)]
pub(crate) struct CachedSparse(Mutex<Option<OpenSparse>>);

/// The open file of one model.
pub(crate) struct OpenSparse {
    fingerprint: String,
    store: SparseStore,
    owners: Option<Owners>,
}

/// Which chunks show which text, as of a version of the file.
struct Owners {
    version: i64,
    /// Text and chunk, by text.
    pairs: Vec<(u64, u32)>,
}

impl CachedSparse {
    /// Asks the file of a model; `None` when it has nothing in the generation.
    pub(crate) fn ask<T>(
        &self,
        generation: &Path,
        spec: &SparseSpec,
        ask: impl FnOnce(&mut OpenSparse) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = slot
            .as_ref()
            .is_some_and(|open| open.fingerprint == spec.fingerprint);
        if !is_open {
            let path = sparse_path(generation, spec);
            if !path.exists() {
                return Ok(None);
            }
            *slot = Some(OpenSparse {
                fingerprint: spec.fingerprint.clone(),
                store: SparseStore::open(&path)?,
                owners: None,
            });
        }
        let outcome = slot.as_mut().map(ask).transpose();
        if outcome.is_err() {
            // A file that failed may be another one by the next time.
            *slot = None;
        }
        outcome
    }
}

impl OpenSparse {
    /// Returns the chunks that have terms.
    pub(crate) fn covered(&self) -> Result<RoaringBitmap> {
        self.store.covered()
    }

    /// Returns the best visible chunks, best first, ties by chunk.
    pub(crate) fn search(
        &mut self,
        query: &SparseVector,
        visible: &RoaringBitmap,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        let scores = self.scores(query)?;
        let pairs = self.owners.as_ref().map_or(&[][..], |owners| &owners.pairs);
        let score_of = |text: u64| scores.get(text as usize).copied().unwrap_or(0.0);
        let mut found: Vec<ScoredChunk> = pairs
            .iter()
            .map(|(text, chunk)| ScoredChunk {
                chunk: *chunk,
                score: score_of(*text),
            })
            .filter(|hit| hit.score > 0.0 && visible.contains(hit.chunk))
            .collect();
        let by_score = |a: &ScoredChunk, b: &ScoredChunk| {
            b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk))
        };
        if let Some(last) = limit.checked_sub(1).filter(|last| *last < found.len()) {
            let (_, last, _) = found.select_nth_unstable_by(last, by_score);
            let last = last.score;
            found.retain(|hit| hit.score >= last);
        }
        found.sort_by(by_score);
        Ok(found)
    }

    /// Scores by text, and the owners that go with them: of one state of the file.
    fn scores(&mut self, query: &SparseVector) -> Result<Vec<f32>> {
        let Self { store, owners, .. } = self;
        // It ends where it is left, by an error or a panic too.
        let _moment = store.connection.unchecked_transaction()?;
        refresh_owners(&store.connection, owners)?;
        scores(store, query)
    }
}

fn refresh_owners(connection: &Connection, owners: &mut Option<Owners>) -> Result<()> {
    let version = connection.query_row("PRAGMA data_version", [], |row| row.get(0))?;
    if owners
        .as_ref()
        .is_some_and(|owners| owners.version == version)
    {
        return Ok(());
    }
    let sql = "SELECT text_id, chunk FROM owner ORDER BY text_id, chunk";
    let mut statement = connection.prepare_cached(sql)?;
    let pairs = statement.query_map([], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?;
    let pairs = pairs.collect::<rusqlite::Result<_>>()?;
    *owners = Some(Owners { version, pairs });
    Ok(())
}

/// Scores by text id. Products are added in order of term, folded or not.
fn scores(store: &SparseStore, query: &SparseVector) -> Result<Vec<f32>> {
    let (n_texts, n_folded) = (store.n_texts()?, store.n_folded()?);
    let mut scores = vec![0.0f32; n_texts as usize + 1];
    let sql = "SELECT fold, texts FROM posting WHERE term = ?1 ORDER BY fold";
    let mut statement = store.connection.prepare_cached(sql)?;
    for (term, weight) in query.terms.iter().zip(&query.weights) {
        let mut rows = statement.query([term])?;
        while let Some(row) = rows.next()? {
            let first = row.get::<_, i64>(0)? as u64 * FOLD + 1;
            let texts = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            for entry in texts.chunks_exact(ENTRY) {
                let place = u64::from(u16::from_le_bytes([entry[0], entry[1]]));
                if let Some(score) = scores.get_mut((first + place) as usize) {
                    *score += weight * f32::from(entry[2]) / STEPS;
                }
            }
        }
    }
    store.for_each_text(n_folded + 1, n_texts + 1, |text, term, kept| {
        if let Ok(at) = query.terms.binary_search(&u32::from(term)) {
            scores[text as usize] += query.weights[at] * f32::from(kept) / STEPS;
        }
    })?;
    Ok(scores)
}

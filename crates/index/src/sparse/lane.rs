//! Encoding: the chunks of a view that lack terms, files of high PageRank first.

use super::store::{SparseStore, sparse_path};
use crate::catalog::ViewKey;
use crate::control::{JobControl, Stage};
use crate::embed::{BATCH_CHUNKS, ChunkText, chunks_by_rank, stopped};
use crate::error::{IndexError, Result};
use crate::stale_models::delete_stale;
use crate::store::Writer;
use crate::text_table::TextHash;
use crate::view::{ChunkRef, View};
use std::collections::HashSet;
use std::time::SystemTime;
use whyrank_inference::SparseEncoder;

impl Writer {
    /// Gives every chunk of a view its terms; answers with the number of texts encoded.
    ///
    /// # Errors
    /// [`IndexError::Cancelled`]; what was encoded so far is kept and used.
    pub fn encode_sparse(
        &mut self,
        key: &ViewKey,
        encoder: &dyn SparseEncoder,
        control: &dyn JobControl,
    ) -> Result<usize> {
        let view = self.view(key)?;
        let path = sparse_path(&self.generation, encoder.sparse_spec());
        let mut store = SparseStore::open_or_renew(&path)?;
        let outcome = self.run_sparse_lane(&view, encoder, &mut store, control);
        store.checkpoint()?;
        if outcome.is_ok() {
            delete_stale(&self.generation, "sparse-", &path, SystemTime::now());
        }
        outcome
    }

    fn run_sparse_lane(
        &self,
        view: &View,
        encoder: &dyn SparseEncoder,
        store: &mut SparseStore,
        control: &dyn JobControl,
    ) -> Result<usize> {
        let covered = store.covered()?;
        let mut places = chunks_by_rank(view, &[]);
        places.retain(|place| !covered.contains(view.chunk_id(*place)));
        let n_missing = places.len();
        if n_missing == 0 {
            return Ok(0);
        }
        control.encodes(n_missing);
        let mut n_encoded = 0;
        for (batch_idx, batch) in places.chunks(BATCH_CHUNKS).enumerate() {
            let current = &view.files[batch[0].file as usize].path;
            control.progress(
                Stage::Sparse,
                batch_idx * BATCH_CHUNKS,
                n_missing,
                Some(current),
            );
            if control.should_stop() {
                return Err(IndexError::Cancelled);
            }
            n_encoded += self.encode_sparse_batch(view, batch, (encoder, &mut *store), control)?;
        }
        control.progress(Stage::Sparse, n_missing, n_missing, None);
        Ok(n_encoded)
    }

    fn encode_sparse_batch(
        &self,
        view: &View,
        batch: &[ChunkRef],
        (encoder, store): (&dyn SparseEncoder, &mut SparseStore),
        control: &dyn JobControl,
    ) -> Result<usize> {
        let texts = self.chunk_texts(view, batch)?;
        let hashes: Vec<(u32, TextHash)> =
            texts.iter().map(|text| (text.chunk, text.hash)).collect();
        let missing: HashSet<u32> = store.reuse(&hashes)?.into_iter().collect();
        let missing: Vec<&ChunkText> = texts
            .iter()
            .filter(|text| missing.contains(&text.chunk))
            .collect();
        let inputs: Vec<&str> = missing.iter().map(|text| text.text.as_str()).collect();
        let vectors = encoder
            .encode_sparse_documents(&inputs, &|| control.should_stop())
            .map_err(|error| stopped(control, error))?;
        let rows = missing.iter().zip(vectors);
        let rows: Vec<_> = rows
            .map(|(text, vector)| (text.chunk, text.hash, vector))
            .collect();
        store.insert(&rows)?;
        Ok(rows.len())
    }
}

//! Lane 2: vectors for the chunks of a view, in PageRank order.

use crate::catalog::ViewKey;
use crate::control::{JobControl, Stage};
use crate::error::{IndexError, Result};
use crate::store::{Writer, vector_path};
use crate::vectors::{TextHash, VectorStore};
use crate::view::{ChunkRef, View};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use whyrank_inference::BiEncoder;

/// What the encoder is given of a chunk; part of the vector store's name.
pub(crate) const VECTOR_TEXT_VERSION: u32 = 1;
/// Chunks encoded between two looks at the job's control.
const BATCH_CHUNKS: usize = 64;
/// More than any encoder reads; saves the tokenizer the rest.
const MAX_TEXT_BYTES: usize = 2_000;

impl Writer {
    /// Gives every chunk of a view its vector; answers with the number of texts encoded.
    ///
    /// # Errors
    /// [`IndexError::Cancelled`]; what was encoded so far is kept and used.
    pub fn embed_view(
        &mut self,
        key: &ViewKey,
        encoder: &dyn BiEncoder,
        control: &dyn JobControl,
    ) -> Result<usize> {
        let view = View::load(&self.catalog, key)?;
        let mut store = VectorStore::open(
            &vector_path(&self.generation, &encoder.spec().fingerprint),
            encoder.spec().dim,
        )?;
        let covered = store.covered()?;
        let missing: Vec<ChunkRef> = chunks_by_rank(&view)
            .into_iter()
            .filter(|place| !covered.contains(view.chunk_id(*place)))
            .collect();
        let n_missing = missing.len();
        let mut n_encoded = 0;
        for (batch_idx, batch) in missing.chunks(BATCH_CHUNKS).enumerate() {
            let current = &view.files[batch[0].file as usize].path;
            control.progress(
                Stage::Vectors,
                batch_idx * BATCH_CHUNKS,
                n_missing,
                Some(current),
            );
            if control.should_stop() {
                return Err(IndexError::Cancelled);
            }
            let texts = self.chunk_texts(&view, batch)?;
            n_encoded += embed_batch(&mut store, &texts, encoder, control)?;
        }
        store.checkpoint()?;
        control.progress(Stage::Vectors, n_missing, n_missing, None);
        Ok(n_encoded)
    }

    /// Ids and texts of chunks, each file read once.
    fn chunk_texts(&self, view: &View, batch: &[ChunkRef]) -> Result<Vec<(u32, String)>> {
        let mut texts: HashMap<i64, String> = HashMap::new();
        batch
            .iter()
            .map(|place| {
                let text = match texts.entry(view.files[place.file as usize].content_id) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        let text = self.catalog.text(*new.key())?;
                        new.insert(text)
                    }
                };
                Ok((view.chunk_id(*place), vector_text(view, *place, text)))
            })
            .collect()
    }
}

/// Gives chunks the vectors of their texts; answers with the number of texts encoded.
fn embed_batch(
    store: &mut VectorStore,
    texts: &[(u32, String)],
    encoder: &dyn BiEncoder,
    control: &dyn JobControl,
) -> Result<usize> {
    let hashes: Vec<(u32, TextHash)> = texts
        .iter()
        .map(|(chunk, text)| (*chunk, text_hash(text)))
        .collect();
    let missing = store.reuse(&hashes)?;
    let wanted: Vec<usize> = (0..texts.len())
        .filter(|&idx| missing.contains(&hashes[idx].0))
        .collect();
    let inputs: Vec<&str> = wanted.iter().map(|&idx| texts[idx].1.as_str()).collect();
    let vectors = encoder
        .encode_documents(&inputs, &|| control.should_stop())
        .map_err(|error| {
            if control.should_stop() {
                IndexError::Cancelled
            } else {
                error.into()
            }
        })?;
    let rows: Vec<(u32, TextHash, Vec<f32>)> = wanted
        .iter()
        .zip(vectors)
        .map(|(&idx, vector)| (hashes[idx].0, hashes[idx].1, vector))
        .collect();
    store.insert(&rows)?;
    Ok(rows.len())
}

/// What the encoder reads of a chunk: the qualified name, then the text.
fn vector_text(view: &View, place: ChunkRef, file_text: &str) -> String {
    let (_, chunk, symbol) = view.chunk(place);
    let range = chunk.span.start_byte as usize..chunk.span.end_byte as usize;
    let body = file_text.get(range).unwrap_or_default();
    let body = &body[..body.floor_char_boundary(MAX_TEXT_BYTES)];
    match symbol {
        Some(symbol) => format!("{}\n{body}", symbol.qualified),
        None => body.to_owned(),
    }
}

fn text_hash(text: &str) -> TextHash {
    let digest = Sha256::digest(text.as_bytes());
    digest[..16].try_into().expect("a digest has 32 bytes")
}

/// Chunks of a view, those of central files first, so that half a lane already serves most queries.
fn chunks_by_rank(view: &View) -> Vec<ChunkRef> {
    let mut files: Vec<u32> = (0..view.files.len() as u32).collect();
    files.sort_by(|a, b| {
        view.file_rank(*b)
            .total_cmp(&view.file_rank(*a))
            .then(a.cmp(b))
    });
    files
        .into_iter()
        .flat_map(|file| {
            let n_chunks = view.files[file as usize].outline.chunks.len() as u32;
            (0..n_chunks).map(move |chunk| ChunkRef { file, chunk })
        })
        .collect()
}

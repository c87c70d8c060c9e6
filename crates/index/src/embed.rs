//! Lanes 2 and 3: vectors and token vectors for the chunks of a view, files in use first, then in
//! PageRank order. A text that lacks both takes one forward pass.

use crate::catalog::ViewKey;
use crate::control::{JobControl, Stage};
use crate::error::{IndexError, Result};
use crate::layout::vector_path;
use crate::stale_models::delete_stale;
use crate::store::Writer;
use crate::text_table::TextHash;
use crate::token_vectors::{NewTokens, TokenOptions, TokenWriter, token_folder};
use crate::vectors::{VectorStore, sketch_stem};
use crate::view::{ChunkRef, View};
use sha2::{Digest, Sha256};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::time::SystemTime;
use whyrank_inference::{BiEncoder, InferenceError, TokenEncoder, TokenStates};
use whyrank_syntax::{Chunk, Symbol};

/// Chunks encoded between two looks at the job's control.
pub(crate) const BATCH_CHUNKS: usize = 64;
/// More than any encoder reads; saves the tokenizer the rest.
const MAX_TEXT_BYTES: usize = 2_000;

/// Which lanes run, and with what.
#[derive(Clone, Copy)]
pub struct Lanes<'a> {
    /// Lane 2: a vector for each chunk.
    pub vectors: &'a dyn BiEncoder,
    /// Lane 3: a vector for each token. The same model, or one of its own.
    pub tokens: Option<(&'a dyn TokenEncoder, TokenOptions)>,
    /// Says which files come first, by path; the rest follow by their PageRank. Asked only where more
    /// than a batch of chunks lacks a vector.
    pub first: &'a dyn Fn() -> Vec<String>,
    /// Chunks of a view that get them, in that order; 0 for all.
    pub most_chunks: u32,
}

/// What the lanes did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Texts that got a vector.
    pub n_vectors: usize,
    /// Texts that got token vectors.
    pub n_tokens: usize,
}

/// The stores that a lane writes.
struct Stores {
    vectors: VectorStore,
    tokens: Option<TokenWriter>,
}

/// A chunk and what the encoder reads of it.
pub(crate) struct ChunkText {
    pub(crate) chunk: u32,
    pub(crate) text: String,
    pub(crate) hash: TextHash,
    /// Bytes before the chunk's own text.
    name_bytes: u32,
}

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
        let lanes = Lanes {
            vectors: encoder,
            tokens: None,
            first: &Vec::new,
            most_chunks: 0,
        };
        Ok(self.encode_view(key, &lanes, control)?.n_vectors)
    }

    /// Gives every chunk of a view its vector and its token vectors: first to those that lack the
    /// vector, both at once, then token vectors to the rest.
    ///
    /// # Errors
    /// [`IndexError::Cancelled`]; what was encoded so far is kept and used.
    pub fn encode_view(
        &mut self,
        key: &ViewKey,
        lanes: &Lanes<'_>,
        control: &dyn JobControl,
    ) -> Result<Encoded> {
        let view = self.view(key)?;
        let spec = lanes.vectors.spec();
        let vectors =
            VectorStore::open(&vector_path(&self.generation, &spec.fingerprint), spec.dim)?;
        let tokens = match lanes.tokens {
            Some((encoder, options)) => {
                let folder = token_folder(&self.generation, encoder.token_spec());
                Some(TokenWriter::open(&folder, options)?)
            }
            None => None,
        };
        let mut stores = Stores { vectors, tokens };
        let outcome = self.run_lanes(&view, lanes, &mut stores, control);
        stores.vectors.checkpoint()?;
        // What was encoded before a cancel is put in order too.
        if let Some(tokens) = &mut stores.tokens {
            tokens.finish(outcome.is_ok())?;
        }
        if outcome.is_ok() {
            self.delete_stale(lanes);
        }
        outcome
    }

    /// Now that the chosen models' vectors are whole.
    fn delete_stale(&self, lanes: &Lanes<'_>) {
        let now = SystemTime::now();
        let chosen = vector_path(&self.generation, &lanes.vectors.spec().fingerprint);
        delete_stale(&self.generation, "vectors-", &chosen, now);
        let sketch = self.generation.join(sketch_stem(&chosen));
        delete_stale(&self.generation, "sketch-", &sketch, now);
        if let Some((encoder, _)) = lanes.tokens {
            let chosen = token_folder(&self.generation, encoder.token_spec());
            delete_stale(&self.generation, "tokens-", &chosen, now);
        }
    }

    fn run_lanes(
        &self,
        view: &View,
        lanes: &Lanes<'_>,
        stores: &mut Stores,
        control: &dyn JobControl,
    ) -> Result<Encoded> {
        let covered = stores.vectors.covered()?;
        let with_tokens = match &stores.tokens {
            Some(tokens) => Some(tokens.covered()?),
            None => None,
        };
        let (mut no_vector, mut no_tokens) = (Vec::new(), Vec::new());
        let most = match lanes.most_chunks {
            0 => usize::MAX,
            most => most as usize,
        };
        let n_without = (&*view.visible - &covered).len();
        let first = if n_without > BATCH_CHUNKS as u64 {
            (lanes.first)()
        } else {
            Vec::new()
        };
        for place in chunks_by_rank(view, &first).into_iter().take(most) {
            let chunk = view.chunk_id(place);
            if !covered.contains(chunk) {
                no_vector.push(place);
            } else if with_tokens
                .as_ref()
                .is_some_and(|with| !with.contains(chunk))
            {
                no_tokens.push(place);
            }
        }
        if let (Some(tokens), Some(with)) = (&mut stores.tokens, &with_tokens) {
            // A kill between the two stores leaves a text with token vectors and without its vector:
            // counted twice, it would ask for other centroids than a run that nobody killed.
            let places = no_vector.iter().chain(&no_tokens);
            let without = places.filter(|place| !with.contains(view.chunk_id(**place)));
            tokens.expect(with.len() as usize + without.count())?;
        }
        control.encodes(no_vector.len() + no_tokens.len());
        let mut done = Encoded::default();
        for (stage, places) in [(Stage::Vectors, &no_vector), (Stage::Tokens, &no_tokens)] {
            if stage == Stage::Tokens && places.is_empty() {
                continue;
            }
            let n_missing = places.len();
            for (batch_idx, batch) in places.chunks(BATCH_CHUNKS).enumerate() {
                let current = &view.files[batch[0].file as usize].path;
                let n_done = batch_idx * BATCH_CHUNKS;
                control.progress(stage, n_done, n_missing, Some(current));
                if control.should_stop() {
                    return Err(IndexError::Cancelled);
                }
                let texts = self.chunk_texts(view, batch)?;
                encode_batch(stores, &texts, lanes, control, &mut done)?;
            }
            control.progress(stage, n_missing, n_missing, None);
        }
        Ok(done)
    }

    /// Texts of chunks, each file read once.
    pub(crate) fn chunk_texts(&self, view: &View, batch: &[ChunkRef]) -> Result<Vec<ChunkText>> {
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
                Ok(chunk_text(view, *place, text))
            })
            .collect()
    }
}

/// Gives chunks what they lack: what their texts have already, and what has to be encoded.
fn encode_batch(
    stores: &mut Stores,
    texts: &[ChunkText],
    lanes: &Lanes<'_>,
    control: &dyn JobControl,
    done: &mut Encoded,
) -> Result<()> {
    let hashes: Vec<(u32, TextHash)> = texts.iter().map(|text| (text.chunk, text.hash)).collect();
    let no_vector: HashSet<u32> = stores.vectors.reuse(&hashes)?.into_iter().collect();
    let no_tokens = match &mut stores.tokens {
        Some(tokens) => {
            let chunks: Vec<_> = texts
                .iter()
                .map(|text| (text.chunk, text.hash, text.name_bytes))
                .collect();
            tokens.reuse(&chunks)?
        }
        None => HashSet::new(),
    };
    let wanting = |missing: &HashSet<u32>| -> Vec<&ChunkText> {
        let all = texts.iter();
        all.filter(|text| missing.contains(&text.chunk)).collect()
    };
    // Where one model makes both, a text without token vectors is encoded once; what then still
    // lacks a vector has token vectors already, from a model that shares the head but not the store.
    let both = wanting(&no_tokens);
    let shares = lanes.tokens.is_some_and(|(encoder, _)| {
        encoder.token_spec().pooled_as == lanes.vectors.spec().fingerprint
    });
    let mut vectors: Vec<(u32, TextHash, Vec<f32>)> = Vec::new();
    let mut tokens: Vec<(&ChunkText, TokenStates)> = Vec::new();
    if let Some((encoder, _)) = lanes.tokens.filter(|_| !both.is_empty()) {
        let inputs: Vec<&str> = both.iter().map(|text| text.text.as_str()).collect();
        let states = encoder
            .encode_document_tokens(&inputs, &|| control.should_stop())
            .map_err(|error| stopped(control, error))?;
        for (text, states) in both.iter().zip(states) {
            if shares && no_vector.contains(&text.chunk) {
                vectors.push((text.chunk, text.hash, states.pooled));
            }
            tokens.push((*text, states.tokens));
        }
    }
    let alone = if shares {
        wanting(&(&no_vector - &no_tokens))
    } else {
        wanting(&no_vector)
    };
    let inputs: Vec<&str> = alone.iter().map(|text| text.text.as_str()).collect();
    let encoded = lanes
        .vectors
        .encode_documents(&inputs, &|| control.should_stop())
        .map_err(|error| stopped(control, error))?;
    let encoded = alone.iter().zip(encoded);
    vectors.extend(encoded.map(|(text, vector)| (text.chunk, text.hash, vector)));
    // Token vectors first: what a kill leaves then lacks its vector alone and comes again at its turn,
    // so that documents keep their order, and with it their codes.
    if let Some(writer) = &mut stores.tokens {
        let rows: Vec<NewTokens<'_>> = tokens
            .iter()
            .map(|(text, states)| NewTokens {
                chunk: text.chunk,
                hash: text.hash,
                name_bytes: text.name_bytes,
                states,
            })
            .collect();
        writer.insert(&rows)?;
    }
    stores.vectors.insert(&vectors)?;
    done.n_vectors += vectors.len();
    done.n_tokens += tokens.len();
    Ok(())
}

pub(crate) fn stopped(control: &dyn JobControl, error: InferenceError) -> IndexError {
    if control.should_stop() {
        IndexError::Cancelled
    } else {
        error.into()
    }
}

fn chunk_text(view: &View, place: ChunkRef, file_text: &str) -> ChunkText {
    let (_, chunk, symbol) = view.chunk(place);
    let (text, name_bytes) = encoded_text(chunk, symbol, file_text);
    ChunkText {
        chunk: view.chunk_id(place),
        hash: text_hash(&text),
        text,
        name_bytes,
    }
}

/// What an encoder reads of a chunk: the qualified name, then the text. With the bytes before the text.
pub(crate) fn encoded_text(
    chunk: &Chunk,
    symbol: Option<&Symbol>,
    file_text: &str,
) -> (String, u32) {
    let range = chunk.span.start_byte as usize..chunk.span.end_byte as usize;
    let body = file_text.get(range).unwrap_or_default();
    let body = &body[..body.floor_char_boundary(MAX_TEXT_BYTES)];
    let name = symbol.map_or_else(String::new, |symbol| format!("{}\n", symbol.qualified));
    (format!("{name}{body}"), name.len() as u32)
}

fn text_hash(text: &str) -> TextHash {
    let digest = Sha256::digest(text.as_bytes());
    digest[..16].try_into().expect("a digest has 32 bytes")
}

/// Chunks of a view: those of the files named, then those of central files, so that half a lane
/// already serves most queries.
pub(crate) fn chunks_by_rank(view: &View, first: &[String]) -> Vec<ChunkRef> {
    let places: HashMap<&str, usize> = first.iter().map(String::as_str).zip(0..).collect();
    let place = |file: u32| {
        let path = view.files[file as usize].path.as_str();
        places.get(path).copied().unwrap_or(usize::MAX)
    };
    let mut files: Vec<(usize, u32)> = (0..view.files.len() as u32)
        .map(|file| (place(file), file))
        .collect();
    files.sort_by(|(place_a, a), (place_b, b)| {
        place_a
            .cmp(place_b)
            .then(view.file_rank(*b).total_cmp(&view.file_rank(*a)))
            .then(a.cmp(b))
    });
    files
        .into_iter()
        .flat_map(|(_, file)| {
            let n_chunks = view.files[file as usize].n_chunks;
            (0..n_chunks).map(move |chunk| ChunkRef { file, chunk })
        })
        .collect()
}

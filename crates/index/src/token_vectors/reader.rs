//! Reading token vectors: rescoring, search over everything, and which token answered which.

use super::pool::POOLING_VERSION;
use super::table::{ChunkDoc, TokenTable};
use super::writer::shard_folder;
use crate::error::{IndexError, Result};
use crate::layout::VECTOR_TEXT_VERSION;
use parking_lot::{Mutex, MutexGuard};
use roaring::RoaringBitmap;
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use whyrank_inference::{TokenSpec, TokenStates};
use whyrank_late_interaction::{
    Document, Error, FORMAT_VERSION, Query, Shard, ShardOptions, TokenMatrix, WideOptions,
};
use whyrank_system::mapped::{self, Kept, Watch};

/// No document has this number: it represents a chunk without token vectors.
const NO_DOCUMENT: u32 = u32::MAX;
/// A writer may replace files while they are opened.
const TRIES: usize = 3;
/// A newer state is opened when this long has passed since the last, and this many times the time
/// that opening took: while a lane runs, every batch is a newer state.
const MIN_AGE: Duration = Duration::from_millis(500);
const COST_SHARE: u32 = 20;

/// Scores of given chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rescored {
    /// For each chunk asked for, in that order: the sum over query tokens of the best cosine. `None`
    /// for one without token vectors, and for those that time did not reach.
    pub scores: Vec<Option<f32>>,
    /// This many of them, from the first, were reached.
    pub n_done: usize,
    /// Document tokens that were scored.
    pub n_tokens: u64,
}

/// What search over everything found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wide {
    /// Chunk and score, best first, ties by chunk.
    pub hits: Vec<(u32, f32)>,
    /// Document tokens that were scored in cells.
    pub n_tokens: u64,
    /// Document and query tokens that did not meet and were given an estimate.
    pub n_imputed: u64,
    /// Time ran out: better hits may be missing, and some scores are estimates.
    pub timed_out: bool,
}

/// A query token's best match in a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenMatch {
    /// Index into the query's tokens.
    pub query_token: u32,
    /// Index into the chunk's tokens.
    pub doc_token: u32,
    /// Its first byte, from the chunk's first.
    pub byte_start: u32,
    /// Its bytes; 0 when it lies in the qualified name that is encoded before the text.
    pub byte_len: u32,
    /// What it adds to the score: their cosine.
    pub score: f32,
}

/// A chunk's tokens, each with its product with every token of the query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TokenCells {
    /// For each token of the chunk its first byte, from the chunk's first, and its bytes; 0 and 0 for one of the
    /// qualified name that is encoded before the text.
    pub places: Vec<(u32, u32)>,
    /// Tokens of the query.
    pub n_query: usize,
    /// A row of the query's tokens for each token of the chunk.
    pub values: Vec<f32>,
}

/// The token vectors of one state of the index. Threads may share it.
pub struct TokenReader {
    folder: PathBuf,
    table: Mutex<TokenTable>,
    shard: Shard,
    /// By chunk.
    chunks: Vec<ChunkDoc>,
    /// The last query, made ready for the shard's codec.
    prepared: Mutex<Option<(Vec<f32>, Arc<Query>)>>,
    _segments: Vec<Watch>,
}

/// The folder of a model's token vectors. The name carries all that changes them.
pub(crate) fn token_folder(generation: &Path, spec: &TokenSpec) -> PathBuf {
    let short = &spec.fingerprint[..spec.fingerprint.len().min(16)];
    generation.join(format!(
        "tokens-{short}-t{VECTOR_TEXT_VERSION}-p{POOLING_VERSION}-f{FORMAT_VERSION}"
    ))
}

/// Deletes folders of older texts and formats: nothing reads them any more. What cannot be deleted now,
/// the next run tries again.
pub(crate) fn clear_older(generation: &Path) {
    for entry in fs::read_dir(generation).into_iter().flatten().flatten() {
        if is_older(&entry.file_name().to_string_lossy()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// What is wrong with the token vectors in a folder, in words. Reads all of it.
pub(crate) fn check_tokens(folder: &Path) -> Option<String> {
    match TokenReader::open(folder) {
        Err(IndexError::TokensDamaged { detail, .. } | IndexError::Damaged { detail, .. }) => {
            Some(detail)
        }
        _ => None,
    }
}

fn is_older(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("tokens-") else {
        return false;
    };
    // The first folders said neither text nor format, and none was pooled.
    let (mut text, mut pooling, mut format) = (0, 0, 1);
    for part in rest.split('-').skip(1) {
        let kind = part.chars().next();
        let number = part.get(1..).and_then(|number| number.parse::<u32>().ok());
        match (kind, number) {
            (Some('t'), Some(number)) => text = number,
            (Some('p'), Some(number)) => pooling = number,
            (Some('f'), Some(number)) => format = number,
            // Of a program that is newer than this one.
            _ => return false,
        }
    }
    text < VECTOR_TEXT_VERSION || pooling < POOLING_VERSION || format < FORMAT_VERSION
}

impl TokenReader {
    /// Opens what a folder holds now.
    fn open(folder: &Path) -> Result<Self> {
        let mut last = None;
        for _ in 0..TRIES {
            match Self::try_open(folder) {
                Err(error) => last = Some(error),
                outcome => return outcome,
            }
        }
        Err(last.unwrap_or(IndexError::Missing))
    }

    fn try_open(folder: &Path) -> Result<Self> {
        let table = TokenTable::open_reader(&folder.join("table.db"))?;
        let transaction = table.connection.unchecked_transaction()?;
        let (epoch, chunks, tail) = (table.epoch()?, table.chunks()?, table.tail()?);
        transaction.commit()?;
        let options = ShardOptions {
            tail_limit: usize::MAX,
            ..ShardOptions::default()
        };
        let failed = |error| IndexError::tokens(folder, error);
        let segments = watched(&shard_folder(folder, epoch));
        let mut shard = Shard::open(&shard_folder(folder, epoch), options).map_err(failed)?;
        for row in &tail {
            // Coded already, by a writer that had not yet emptied the tail.
            if row.token_ids.is_empty() || shard.contains(row.doc) {
                continue;
            }
            let dim = row.vectors.len() / row.token_ids.len();
            let document = TokenMatrix::new(dim, &row.vectors)
                .and_then(|vectors| Document::new(vectors, &row.token_ids));
            shard
                .add(row.doc, &document.map_err(failed)?)
                .map_err(failed)?;
        }
        Ok(Self {
            folder: folder.to_owned(),
            table: Mutex::new(table),
            shard,
            chunks,
            prepared: Mutex::new(None),
            _segments: segments,
        })
    }

    /// Computes exact MaxSim over what is stored for given chunks, in their order, until the deadline, which
    /// is looked at before every 64.
    ///
    /// # Errors
    /// Vectors of another width.
    pub fn rescore(
        &self,
        query: &TokenStates,
        chunks: &[u32],
        deadline: Instant,
    ) -> Result<Rescored> {
        let ready = self.ready(query)?;
        let of_chunk = |chunk: &u32| self.row(*chunk).map_or(NO_DOCUMENT, |row| row.doc);
        let docs: Vec<u32> = chunks.iter().map(of_chunk).collect();
        let found = self
            .shard
            .rescore(&ready, &docs, &|| Instant::now() >= deadline)
            .map_err(|error| self.failed(error))?;
        let mut scores = found.scores;
        let n_done = scores.len();
        scores.resize(chunks.len(), None);
        Ok(Rescored {
            scores,
            n_done,
            n_tokens: found.n_tokens,
        })
    }

    /// Returns the `k` best of the allowed chunks. Without cells (see the settings) every allowed
    /// chunk is scored exactly, which suits small repositories.
    ///
    /// # Errors
    /// Vectors of another width.
    pub fn wide(
        &self,
        query: &TokenStates,
        allowed: &RoaringBitmap,
        k: usize,
        deadline: Instant,
    ) -> Result<Wide> {
        let ready = self.ready(query)?;
        let mut owners: HashMap<u32, Vec<u32>> = HashMap::new();
        for row in self.chunks.iter().filter(|row| allowed.contains(row.chunk)) {
            owners.entry(row.doc).or_default().push(row.chunk);
        }
        let filter: RoaringBitmap = owners.keys().copied().collect();
        let options = WideOptions {
            k,
            filter: Some(&filter),
            ..WideOptions::default()
        };
        let stop = || Instant::now() >= deadline;
        let found = self
            .shard
            .wide(&ready, &options, &stop)
            .map_err(|error| self.failed(error))?;
        let mut hits: Vec<(u32, f32)> = Vec::new();
        for hit in &found.hits {
            let chunks = owners.get(&hit.id).into_iter().flatten();
            hits.extend(chunks.map(|chunk| (*chunk, hit.score)));
        }
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        hits.truncate(k);
        Ok(Wide {
            hits,
            n_tokens: found.n_scored,
            n_imputed: found.n_imputed,
            timed_out: stop(),
        })
    }

    /// Returns which token of a chunk answers each token of the query; empty for a chunk without
    /// token vectors. Tokens of the text that begin in one of the `hidden` ranges, in bytes from
    /// the chunk's first, are passed over; where none is hidden, the scores sum to that of
    /// [`TokenReader::rescore`] within 1e-3.
    ///
    /// # Errors
    /// Vectors of another width; a table that cannot be read.
    pub fn align(
        &self,
        query: &TokenStates,
        chunk: u32,
        hidden: &[Range<u32>],
    ) -> Result<Vec<TokenMatch>> {
        let Some(row) = self.row(chunk) else {
            return Ok(Vec::new());
        };
        let ready = self.ready(query)?;
        let places = lock(&self.table).places(row.doc)?.unwrap_or_default();
        let is_seen = |token: u32| {
            let place = places.get(token as usize);
            let start = place.and_then(|place| place.start.checked_sub(row.name_bytes));
            start.is_none_or(|start| !hidden.iter().any(|range| range.contains(&start)))
        };
        let aligned = self.shard.align_where(&ready, row.doc, &is_seen);
        let Some(aligned) = aligned.map_err(|error| self.failed(error))? else {
            return Ok(Vec::new());
        };
        let matches = (0u32..).zip(&aligned.matches);
        Ok(matches
            .map(|(query_token, found)| {
                let place = places.get(found.token as usize);
                let inside = place.filter(|place| place.start >= row.name_bytes);
                TokenMatch {
                    query_token,
                    doc_token: found.token,
                    byte_start: inside.map_or(0, |place| place.start - row.name_bytes),
                    byte_len: inside.map_or(0, |place| place.len),
                    score: found.score,
                }
            })
            .collect())
    }

    /// Compares every token of the query with every token of a chunk; `None` for a chunk without token vectors.
    ///
    /// # Errors
    /// Those of [`TokenReader::align`].
    pub fn cells(&self, query: &TokenStates, chunk: u32) -> Result<Option<TokenCells>> {
        let Some(row) = self.row(chunk) else {
            return Ok(None);
        };
        let ready = self.ready(query)?;
        let places = lock(&self.table).places(row.doc)?.unwrap_or_default();
        let products = self.shard.products(&ready, row.doc);
        let Some(products) = products.map_err(|error| self.failed(error))? else {
            return Ok(None);
        };
        let n_tokens = products.values.len() / products.n_query.max(1);
        let place = |token: usize| {
            let place = places.get(token);
            let inside = place.filter(|place| place.start >= row.name_bytes);
            inside.map_or((0, 0), |place| (place.start - row.name_bytes, place.len))
        };
        Ok(Some(TokenCells {
            places: (0..n_tokens).map(place).collect(),
            n_query: products.n_query,
            values: products.values,
        }))
    }

    /// Chunks with token vectors, of all views.
    pub(crate) fn n_chunks(&self) -> u64 {
        self.chunks.len() as u64
    }

    /// Returns how many of the chunks have token vectors.
    pub fn coverage(&self, chunks: &RoaringBitmap) -> u64 {
        let rows = self.chunks.iter();
        rows.filter(|row| chunks.contains(row.chunk)).count() as u64
    }

    fn row(&self, chunk: u32) -> Option<&ChunkDoc> {
        let at = self.chunks.binary_search_by_key(&chunk, |row| row.chunk);
        at.ok().map(|at| &self.chunks[at])
    }

    fn ready(&self, query: &TokenStates) -> Result<Arc<Query>> {
        let mut slot = lock(&self.prepared);
        if let Some((vectors, ready)) = slot.as_ref()
            && *vectors == query.vectors
        {
            return Ok(Arc::clone(ready));
        }
        let ready = TokenMatrix::new(query.dim, &query.vectors)
            .and_then(|vectors| self.shard.query(&vectors))
            .map_err(|error| self.failed(error))?;
        let ready = Arc::new(ready);
        *slot = Some((query.vectors.clone(), Arc::clone(&ready)));
        Ok(ready)
    }

    fn failed(&self, error: Error) -> IndexError {
        IndexError::tokens(&self.folder, error)
    }
}

/// Watches the segments of a folder: they are checked when they are opened.
fn watched(folder: &Path) -> Vec<Watch> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let segments = paths.filter(|path| path.extension().is_some_and(|it| it == "segment"));
    let watch = |path: PathBuf| mapped::watch(&path, Kept::Bytes).ok();
    segments.filter_map(watch).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}

/// A reader at hand, and when it is too old.
pub(crate) struct CachedTokens {
    folder: PathBuf,
    reader: Arc<TokenReader>,
    version: i64,
    opened: Instant,
    cost: Duration,
}

impl CachedTokens {
    pub(crate) fn get(slot: &Mutex<Option<Self>>, folder: &Path) -> Result<Arc<TokenReader>> {
        let mut slot = lock(slot);
        if let Some(cached) = slot.as_ref().filter(|cached| cached.folder == folder)
            && cached.is_fresh()
        {
            return Ok(Arc::clone(&cached.reader));
        }
        let opened = Instant::now();
        let reader = Arc::new(TokenReader::open(folder).map_err(|error| match error {
            IndexError::Damaged { detail, .. } => IndexError::TokensDamaged {
                path: folder.to_owned(),
                detail,
            },
            other => other,
        })?);
        *slot = Some(Self {
            folder: folder.to_owned(),
            version: lock(&reader.table).version()?,
            reader: Arc::clone(&reader),
            opened,
            cost: opened.elapsed(),
        });
        Ok(reader)
    }

    fn is_fresh(&self) -> bool {
        let age = self.opened.elapsed();
        age < MIN_AGE
            || age < self.cost * COST_SHARE
            || matches!(lock(&self.reader.table).version(), Ok(now) if now == self.version)
    }
}

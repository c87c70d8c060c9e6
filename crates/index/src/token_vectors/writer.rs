//! Writing token vectors.

use super::pool::pool;
use super::table::{ChunkDoc, TailRow, TokenTable, insert, link};
use crate::error::{IndexError, Result};
use crate::text_table::TextHash;
use roaring::RoaringBitmap;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use whyrank_inference::TokenStates;
use whyrank_late_interaction::{Codec, Document, Shard, ShardOptions, TokenMatrix, Training};

/// Documents in the tail at which the first codec is trained: enough to know the collection's words.
const FIRST_TAIL: usize = 2048;
/// Documents in the tail at which it is coded while a lane runs.
const FULL_TAIL: usize = 1024;
/// As at the lane's end: fewer stay as they are, exact, and three times as large.
const LAST_TAIL: usize = 128;
/// Documents that new centroids are trained on.
const TRAINING_DOCUMENTS: usize = 4096;
/// Documents handed from an old shard to a new one at a time.
const MOVED_AT_A_TIME: usize = 2048;

/// How token vectors are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenOptions {
    /// Writes the order that search over everything needs as well; doubles the size.
    pub wide: bool,
}

/// A chunk with the text that it is encoded as.
pub(crate) struct NewTokens<'a> {
    pub(crate) chunk: u32,
    pub(crate) hash: TextHash,
    pub(crate) name_bytes: u32,
    pub(crate) states: &'a TokenStates,
}

/// Lets go of the texts that only other chunks than `live` had, in a model's folder.
pub(crate) fn prune_tokens(folder: &Path, live: &RoaringBitmap) -> Result<()> {
    let mut writer = TokenWriter::try_open(folder, TokenOptions::default())?;
    // What is merged keeps the orders that it has.
    let wide = writer.shard.stats().n_with_cells > 0;
    writer
        .shard
        .set_options(shard_options(TokenOptions { wide }, 0));
    if writer.table.keep_only(live)? {
        writer.shed()?;
        writer.table.tidy()?;
    }
    Ok(())
}

pub(crate) struct TokenWriter {
    folder: PathBuf,
    table: TokenTable,
    shard: Shard,
    options: TokenOptions,
    /// Texts that the view will have, as far as is known.
    n_expected: usize,
}

impl TokenWriter {
    /// Opens the folder, or makes it. One that is damaged is rebuilt: token vectors can be.
    pub(crate) fn open(folder: &Path, options: TokenOptions) -> Result<Self> {
        match Self::try_open(folder, options) {
            Err(IndexError::TokensDamaged { .. } | IndexError::Damaged { .. }) => {
                fs::remove_dir_all(folder).map_err(|error| IndexError::io(folder, error))?;
                Self::try_open(folder, options)
            }
            outcome => outcome,
        }
    }

    fn try_open(folder: &Path, options: TokenOptions) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|error| IndexError::io(folder, error))?;
        let table = TokenTable::open_writer(&folder.join("table.db"))?;
        let epoch = table.epoch()?;
        clear_others(folder, epoch);
        let path = shard_folder(folder, epoch);
        let shard = if path.join("shard").exists() {
            Shard::open(&path, shard_options(options, 0)).inspect(Shard::sweep)
        } else if table.docs()?.len() as usize > table.n_tail()? {
            // A table that knows coded documents has lost its shard.
            return Err(IndexError::TokensDamaged {
                path,
                detail: "the coded vectors are missing".to_owned(),
            });
        } else {
            Shard::create(&path, shard_options(options, 0))
        };
        let mut writer = Self {
            folder: folder.to_owned(),
            table,
            shard: shard.map_err(|error| IndexError::tokens(folder, error))?,
            options,
            n_expected: 0,
        };
        writer.shed()?;
        Ok(writer)
    }

    /// Takes out of the shard what the table does not know: what was pruned.
    fn shed(&mut self) -> Result<()> {
        let known = self.table.docs()?;
        let docs = self.shard.ids().into_iter();
        let gone: Vec<u32> = docs.filter(|doc| !known.contains(*doc)).collect();
        self.shard
            .remove(gone)
            .map_err(|error| IndexError::tokens(&self.folder, error))
    }

    /// How many texts there will be. A tail that a kill left full is coded now: with the texts that
    /// follow, its centroids would be others than those of a run that nobody killed.
    pub(crate) fn expect(&mut self, n_texts: usize) -> Result<()> {
        self.n_expected = n_texts;
        self.code_when_full()
    }

    /// Chunks that have token vectors.
    pub(crate) fn covered(&self) -> Result<RoaringBitmap> {
        let chunks = self.table.chunks()?;
        Ok(chunks.iter().map(|row| row.chunk).collect())
    }

    /// Gives chunks the vectors of their texts where those are known; answers with the rest.
    pub(crate) fn reuse(&mut self, chunks: &[(u32, TextHash, u32)]) -> Result<HashSet<u32>> {
        let mut known = Vec::new();
        let mut missing = HashSet::new();
        for (chunk, hash, name_bytes) in chunks {
            match self.table.doc_of(hash)? {
                Some(doc) => known.push(ChunkDoc {
                    chunk: *chunk,
                    doc,
                    name_bytes: *name_bytes,
                }),
                None => drop(missing.insert(*chunk)),
            }
        }
        if !known.is_empty() {
            let transaction = self.table.connection.transaction()?;
            for row in known {
                link(&transaction, row)?;
            }
            transaction.commit()?;
        }
        Ok(missing)
    }

    /// Keeps the token vectors of new texts, those of long ones pooled; codes the tail when it is full.
    pub(crate) fn insert(&mut self, rows: &[NewTokens<'_>]) -> Result<()> {
        let mut next = self.table.next_doc()?;
        let mut known = HashSet::new();
        let transaction = self.table.connection.transaction()?;
        for row in rows {
            if known.insert(row.hash) {
                insert(&transaction, next, &row.hash, &pool(row.states))?;
                next += 1;
            }
        }
        transaction.commit()?;
        let chunks: Vec<_> = rows
            .iter()
            .map(|row| (row.chunk, row.hash, row.name_bytes))
            .collect();
        self.reuse(&chunks)?;
        self.code_when_full()
    }

    fn code_when_full(&mut self) -> Result<()> {
        let limit = match self.shard.codec() {
            Some(_) => FULL_TAIL,
            None => FIRST_TAIL,
        };
        if self.table.n_tail()? >= limit {
            self.code_tail()
        } else {
            Ok(())
        }
    }

    /// Ends a lane: codes what is worth it, trains new centroids where they would do better (not when
    /// the lane was cut short), and folds the write-ahead log into the file.
    pub(crate) fn finish(&mut self, is_whole: bool) -> Result<()> {
        if self.table.n_tail()? >= LAST_TAIL {
            self.code_tail()?;
        }
        if is_whole && self.shard.stale().is_some() {
            self.recluster()?;
        }
        self.table.tidy()
    }

    fn code_tail(&mut self) -> Result<()> {
        let tail = self.table.tail()?;
        let failed = |error| IndexError::tokens(&self.folder, error);
        let n_tokens: usize = tail.iter().map(|row| row.token_ids.len()).sum();
        let n_tokens = n_tokens as u64 * self.n_expected.max(tail.len()) as u64;
        self.shard
            .set_options(shard_options(self.options, n_tokens / tail.len() as u64));
        // A text without tokens, a bracket alone, has nothing to code and matches nothing; one that is
        // coded was left in the tail by a kill, and a second coding would leave other files.
        let is_due = |row: &&TailRow| !row.token_ids.is_empty() && !self.shard.contains(row.doc);
        let due: Vec<&TailRow> = tail.iter().filter(is_due).collect();
        for row in due {
            let document = document(&row.vectors, &row.token_ids).map_err(failed)?;
            self.shard.add(row.doc, &document).map_err(failed)?;
        }
        self.shard.flush().map_err(failed)?;
        let last = tail.last().map_or(0, |row| row.doc);
        self.table
            .connection
            .execute("DELETE FROM tail WHERE doc <= ?1", [last])?;
        Ok(())
    }

    /// A new shard beside the live one, from the vectors that that one's codes decode to.
    fn recluster(&mut self) -> Result<()> {
        let failed = |error| IndexError::tokens(&self.folder, error);
        let epoch = self.table.epoch()?;
        let path = shard_folder(&self.folder, epoch + 1);
        let docs: Vec<u32> = self.shard.ids();
        let n_tokens = self.shard.stats().n_tokens;
        let mut shard =
            Shard::create(&path, shard_options(self.options, n_tokens)).map_err(failed)?;
        let step = docs.len().div_ceil(TRAINING_DOCUMENTS).max(1);
        let sample: Vec<u32> = docs.iter().copied().step_by(step).collect();
        let sample = self.decoded(&sample)?;
        let training = Training {
            n_tokens,
            ..Training::default()
        };
        let documents: Vec<Document<'_>> = sample
            .iter()
            .map(|row| document(&row.vectors, &row.token_ids))
            .collect::<std::result::Result<_, _>>()
            .map_err(failed)?;
        let codec = Codec::train(&documents, &training).map_err(failed)?;
        shard.set_codec(codec).map_err(failed)?;
        for docs in docs.chunks(MOVED_AT_A_TIME) {
            for row in self.decoded(docs)? {
                let document = document(&row.vectors, &row.token_ids).map_err(failed)?;
                shard.add(row.doc, &document).map_err(failed)?;
            }
            shard.flush().map_err(failed)?;
        }
        self.table
            .connection
            .execute("UPDATE live SET epoch = ?1", [epoch + 1])?;
        self.shard = shard;
        clear_others(&self.folder, epoch + 1);
        Ok(())
    }

    /// What is kept of documents, as they were in the tail.
    fn decoded(&self, docs: &[u32]) -> Result<Vec<TailRow>> {
        let mut found = Vec::with_capacity(docs.len());
        for doc in docs {
            let places = self.table.places(*doc)?.unwrap_or_default();
            let ids: Vec<u32> = places.iter().map(|place| place.id).collect();
            if let Some(vectors) = self.shard.decode(*doc) {
                found.push(TailRow {
                    doc: *doc,
                    token_ids: ids,
                    vectors,
                });
            }
        }
        Ok(found)
    }
}

fn document<'a>(
    vectors: &'a [f32],
    ids: &'a [u32],
) -> whyrank_late_interaction::Result<Document<'a>> {
    let dim = vectors.len() / ids.len().max(1);
    Document::new(TokenMatrix::new(dim, vectors)?, ids)
}

fn shard_options(options: TokenOptions, n_tokens: u64) -> ShardOptions {
    ShardOptions {
        wide: options.wide,
        tail_limit: usize::MAX,
        n_tokens,
        ..ShardOptions::default()
    }
}

pub(super) fn shard_folder(folder: &Path, epoch: u32) -> PathBuf {
    folder.join(format!("shard-{epoch}"))
}

/// Deletes shards that are not live: unfinished ones, and those that were before.
fn clear_others(folder: &Path, epoch: u32) {
    let live = shard_folder(folder, epoch);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("shard-") && entry.path() != live {
            // What cannot be deleted (mapped elsewhere) goes the next time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

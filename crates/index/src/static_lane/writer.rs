//! Rows for the chunks that came since.

use super::{RUN_BYTES, Run, read_runs, static_folder};
use crate::catalog::{Catalog, ContentRow};
use crate::embed::encoded_text;
use crate::error::{IndexError, Result};
use crate::sketch::{SketchAppender, SketchRow};
use crate::store::Writer;
use rayon::prelude::*;
use roaring::RoaringBitmap;
use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use whyrank_inference::StaticEncoder;

/// Contents read between two writes.
const BATCH_CONTENTS: usize = 256;

impl Writer {
    /// Gives the chunks that came since the last call their rows. O(their text).
    ///
    /// # Errors
    /// Unreadable texts, a full disk. What was written so far stays.
    pub(crate) fn follow_static(&self) -> Result<()> {
        let Some(encoder) = &self.static_encoder else {
            return Ok(());
        };
        let spec = encoder.spec();
        let folder = static_folder(&self.generation, spec);
        let mut rows = StaticRows::open(&folder, spec.dim)?;
        let missing = self.catalog.contents_from(rows.next_chunk)?;
        for batch in missing.chunks(BATCH_CONTENTS) {
            let packed: Vec<(ContentRow, Vec<u8>, Vec<u8>)> = batch
                .iter()
                .map(|row| {
                    let text = self.catalog.text_bytes(row.content_id)?;
                    Ok((*row, text, self.catalog.outline_bytes(row.content_id)?))
                })
                .collect::<Result<_>>()?;
            let made: Vec<(u32, Vec<SketchRow>)> = packed
                .par_iter()
                .map(|(row, text, outline)| {
                    let made = rows_of(encoder, &rows.appender, text, outline)?;
                    Ok((row.first_chunk, made))
                })
                .collect::<Result<_>>()?;
            rows.append(&made)?;
        }
        Ok(())
    }
}

/// Rows of a content's chunks.
fn rows_of(
    encoder: &StaticEncoder,
    appender: &SketchAppender,
    text: &[u8],
    outline: &[u8],
) -> Result<Vec<SketchRow>> {
    let text = Catalog::unpack_text(text)?;
    let outline = Catalog::unpack_outline(outline)?;
    let chunks = outline.chunks.iter();
    let made = chunks.map(|chunk| {
        let symbol = chunk.symbol.and_then(|at| outline.symbols.get(at as usize));
        let (text, name_bytes) = encoded_text(chunk, symbol, &text);
        let (name, body) = text.split_at(name_bytes as usize);
        appender.row(&encoder.document(name, body))
    });
    Ok(made.collect())
}

/// The rows of a folder, open behind the last.
struct StaticRows {
    appender: SketchAppender,
    runs: fs::File,
    runs_path: std::path::PathBuf,
    next_chunk: u32,
}

impl StaticRows {
    /// Opens what is there, or begins anew where it does not fit.
    fn open(folder: &Path, dim: usize) -> Result<Self> {
        let runs_path = folder.join("runs");
        let known = SketchAppender::n_rows(folder)
            .and_then(|n_rows| Some((n_rows, read_runs(folder, n_rows)?)));
        let (n_rows, runs) = match known {
            Some(known) => known,
            None => {
                // Nothing there, or nothing to rely on.
                let _ = fs::remove_dir_all(folder);
                remove_others(folder);
                (0, Vec::new())
            }
        };
        fs::create_dir_all(folder).map_err(|source| IndexError::io(folder, source))?;
        let n_kept = records_of(&runs_path, n_rows);
        let begin = || -> std::io::Result<fs::File> {
            let mut options = OpenOptions::new();
            let mut file = options
                .create(true)
                .truncate(false)
                .write(true)
                .open(&runs_path)?;
            file.set_len(n_kept * RUN_BYTES as u64)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = begin().map_err(|source| IndexError::io(&runs_path, source))?;
        Ok(Self {
            appender: SketchAppender::open(folder, dim)?,
            runs: file,
            runs_path,
            next_chunk: runs.last().map_or(0, |last| last.end()),
        })
    }

    /// Adds the rows of contents, in the order of their chunks: runs first, the head last.
    fn append(&mut self, made: &[(u32, Vec<SketchRow>)]) -> Result<()> {
        let made = made.iter().filter(|(_, rows)| !rows.is_empty());
        let records: Vec<u8> = made
            .clone()
            .flat_map(|(first, rows)| Run::bytes(*first, rows.len() as u32))
            .collect();
        let written = self.runs.write_all(&records);
        written.map_err(|source| IndexError::io(&self.runs_path, source))?;
        for (first, rows) in made {
            self.next_chunk = first + rows.len() as u32;
            rows.iter().try_for_each(|row| self.appender.push(row))?;
        }
        self.appender.finish()
    }
}

/// Rows of other tables than that of a folder: nobody asks for them any more.
fn remove_others(folder: &Path) {
    let generation = folder.parent().map(fs::read_dir);
    for path in generation
        .into_iter()
        .flatten()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
    {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("static-") && path != folder {
            // What cannot be removed costs room and nothing else.
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Records of `runs` that the first rows take.
fn records_of(path: &Path, n_rows: u64) -> u64 {
    let bytes = fs::read(path).unwrap_or_default();
    let mut rows = 0;
    let records = bytes.as_chunks::<RUN_BYTES>().0.iter();
    let within = records.take_while(|record| {
        let n = u32::from_le_bytes([record[4], record[5], record[6], record[7]]);
        let is_within = rows < n_rows;
        rows += u64::from(n);
        is_within
    });
    within.count() as u64
}

/// Lets go of rows of which more than half are of chunks that are gone: those of the others are made again.
pub(crate) fn prune_static(folder: &Path, live: &RoaringBitmap) {
    let n_rows = SketchAppender::n_rows(folder).unwrap_or(0);
    let runs = read_runs(folder, n_rows).unwrap_or_default();
    let n_live: u64 = runs
        .iter()
        .map(|run| live.range_cardinality(run.first_chunk..run.end()))
        .sum();
    if 2 * n_live < n_rows {
        // What cannot be removed now is looked at again by the next sweep.
        let _ = fs::remove_dir_all(folder);
    }
}

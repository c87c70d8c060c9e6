//! The static lane: a vector of the static table for every chunk, made with the text.
//!
//! ```text
//! static-<table>-t<n>/runs   first chunk, chunks, CRC-32 of both (u32 each, little endian) for each run of
//!                            consecutive chunk ids, in the order of the rows
//!                     head, bits-<g>, codes-<g>, scales-<g>   as of a sketch, row by row
//! ```
//!
//! The table is so fast that no vector is kept exactly, or taken over from another generation: what is
//! missing or damaged is made again from the texts.

mod reader;
mod writer;

pub(crate) use reader::{CachedStatic, StaticRows};
pub(crate) use writer::prune_static;

use crate::layout::VECTOR_TEXT_VERSION;
use crate::sketch::{self, SketchAppender};
use std::path::{Path, PathBuf};
use whyrank_inference::EncoderSpec;

/// The folder of a table's rows.
pub(crate) fn static_folder(generation: &Path, spec: &EncoderSpec) -> PathBuf {
    let short = &spec.fingerprint[..spec.fingerprint.len().min(16)];
    generation.join(format!("static-{short}-t{VECTOR_TEXT_VERSION}"))
}

/// Chunks with consecutive ids, and rows in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    first_row: u32,
    first_chunk: u32,
    n: u32,
}

const RUN_BYTES: usize = 12;

impl Run {
    fn bytes(first_chunk: u32, n: u32) -> [u8; RUN_BYTES] {
        let mut bytes = [0; RUN_BYTES];
        bytes[..4].copy_from_slice(&first_chunk.to_le_bytes());
        bytes[4..8].copy_from_slice(&n.to_le_bytes());
        let sum = crc32fast::hash(&bytes[..8]);
        bytes[8..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn end(self) -> u32 {
        self.first_chunk + self.n
    }
}

/// What is wrong with the rows in a folder, in words. O(bytes).
pub(crate) fn check_static(folder: &Path) -> Option<String> {
    sketch::check(folder).or_else(|| {
        let n_rows = SketchAppender::n_rows(folder)?;
        let fits = read_runs(folder, n_rows).is_some();
        (!fits).then(|| "its runs do not fit its rows".to_owned())
    })
}

/// The runs of the first `n_rows` rows, joined where one follows the other; `None` where they do not fit
/// these rows: a head is written last, and what is behind it does not count.
fn read_runs(folder: &Path, n_rows: u64) -> Option<Vec<Run>> {
    let bytes = std::fs::read(folder.join("runs")).ok()?;
    let mut runs: Vec<Run> = Vec::new();
    let mut row = 0_u32;
    for record in bytes.as_chunks::<RUN_BYTES>().0 {
        if u64::from(row) == n_rows {
            break;
        }
        let at = |from: usize| u32::from_le_bytes(std::array::from_fn(|byte| record[from + byte]));
        let (first_chunk, n) = (at(0), at(4));
        let is_whole =
            crc32fast::hash(&record[..8]) == at(8) && first_chunk.checked_add(n).is_some();
        if !is_whole || runs.last().is_some_and(|last| last.end() > first_chunk) {
            return None;
        }
        match runs.last_mut() {
            Some(last) if last.end() == first_chunk => last.n += n,
            _ => runs.push(Run {
                first_row: row,
                first_chunk,
                n,
            }),
        }
        row = row.checked_add(n)?;
    }
    (u64::from(row) == n_rows).then_some(runs)
}

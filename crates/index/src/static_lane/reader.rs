//! Search in the static lane.

use super::{Run, read_runs, static_folder};
use crate::scored_chunk::{ScoredChunk, with_ties};
use crate::sketch::{DamagedRow, Sketch};
use parking_lot::Mutex;
use roaring::RoaringBitmap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whyrank_inference::EncoderSpec;

/// Rows whose bytes are compared, at least: so many take a millisecond.
const MIN_COMPARED: usize = 20_000;

/// What a reader keeps of the lane between queries.
#[derive(Default)]
pub(crate) struct CachedStatic(Mutex<Option<Arc<StaticRows>>>);

/// Rows as the head had them when they were opened.
pub(crate) struct StaticRows {
    folder: PathBuf,
    head: Vec<u8>,
    sketch: Sketch,
    runs: Vec<Run>,
    /// That of the last chunks asked about.
    mask: Mutex<Option<RowMask>>,
}

/// Chunks, and a bit for each of their rows; `None` for all rows.
struct RowMask {
    visible: RoaringBitmap,
    bits: Option<Arc<Vec<u64>>>,
}

impl CachedStatic {
    /// Returns the rows of a table as they are now; `None` where there are none.
    ///
    /// # Errors
    /// Rows that are damaged.
    pub(crate) fn get(
        &self,
        generation: &Path,
        spec: &EncoderSpec,
    ) -> Result<Option<Arc<StaticRows>>, DamagedRow> {
        let folder = static_folder(generation, spec);
        loop {
            let Ok(head) = std::fs::read(folder.join("head")) else {
                // A sweep takes the lane away where most of it is of chunks that are gone, and the next writer
                // begins it anew. What is open has its rows still, and they are those of the same chunks.
                let open = self.0.lock().clone();
                return Ok(open.filter(|rows| rows.folder == folder));
            };
            match self.with_head(&folder, &head, spec) {
                // A writer puts other files in their place, and the head last.
                Err(_) if std::fs::read(folder.join("head")).is_ok_and(|now| now != head) => {}
                outcome => return outcome,
            }
        }
    }

    fn with_head(
        &self,
        folder: &Path,
        head: &[u8],
        spec: &EncoderSpec,
    ) -> Result<Option<Arc<StaticRows>>, DamagedRow> {
        let mut slot = self.0.lock();
        let is_current = |rows: &&Arc<StaticRows>| rows.folder == folder && rows.head == *head;
        if let Some(rows) = slot.as_ref().filter(is_current) {
            return Ok(Some(Arc::clone(rows)));
        }
        let sketch = Sketch::open(folder, spec.dim).map_err(|_| DamagedRow)?;
        let Some(sketch) = sketch else {
            return Ok(None);
        };
        let rows = Arc::new(StaticRows {
            runs: read_runs(folder, sketch.n_rows()).ok_or(DamagedRow)?,
            folder: folder.to_owned(),
            head: head.to_owned(),
            sketch,
            mask: Mutex::default(),
        });
        *slot = Some(Arc::clone(&rows));
        Ok(Some(rows))
    }
}

impl StaticRows {
    /// Returns the nearest visible chunks, best first, ties by chunk.
    pub(crate) fn nearest(
        &self,
        query: &[f32],
        visible: &RoaringBitmap,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>, DamagedRow> {
        let mask = self.mask_of(visible);
        let mask = mask.as_ref().map(|mask| mask.as_slice());
        let n_compared = limit.max(MIN_COMPARED / 4);
        let found = self.sketch.nearest(query, mask, n_compared)?;
        let found = found.into_iter().map(|(row, score)| ScoredChunk {
            chunk: self.chunk_of(row),
            score,
        });
        // A chunk without a word has no direction, and the opposite of what is asked is no neighbour.
        let mut found: Vec<ScoredChunk> = found.filter(|hit| hit.score > 0.0).collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        Ok(with_ties(found, limit))
    }

    /// Returns the chunks that have a row.
    pub(crate) fn covered(&self) -> RoaringBitmap {
        let mut covered = RoaringBitmap::new();
        for run in &self.runs {
            covered.insert_range(run.first_chunk..run.end());
        }
        covered
    }

    /// Returns the cosine of each chunk to a query; `None` for those without a row.
    pub(crate) fn cosines(
        &self,
        query: &[f32],
        chunks: &[u32],
    ) -> Result<Vec<Option<f32>>, DamagedRow> {
        let rows = chunks.iter().map(|chunk| self.row_of(*chunk));
        self.sketch.dots(query, rows)
    }

    fn row_of(&self, chunk: u32) -> Option<u32> {
        let after = self.runs.partition_point(|run| run.first_chunk <= chunk);
        let run = self.runs.get(after.checked_sub(1)?)?;
        (chunk < run.end()).then(|| run.first_row + (chunk - run.first_chunk))
    }

    fn chunk_of(&self, row: u32) -> u32 {
        let after = self.runs.partition_point(|run| run.first_row <= row);
        let run = self.runs[after - 1];
        run.first_chunk + (row - run.first_row)
    }

    /// Queries of one view mostly ask about the same chunks.
    fn mask_of(&self, visible: &RoaringBitmap) -> Option<Arc<Vec<u64>>> {
        let mut slot = self.mask.lock();
        if let Some(mask) = slot.as_ref().filter(|mask| mask.visible == *visible) {
            return mask.bits.clone();
        }
        let n_rows = self.sketch.n_rows() as usize;
        let mut mask = vec![0_u64; n_rows.div_ceil(64)];
        let mut n_visible = 0;
        for run in &self.runs {
            for chunk in visible.range(run.first_chunk..run.end()) {
                let row = run.first_row + (chunk - run.first_chunk);
                mask[row as usize / 64] |= 1 << (row % 64);
                n_visible += 1;
            }
        }
        let bits = (n_visible < n_rows).then(|| Arc::new(mask));
        *slot = Some(RowMask {
            visible: visible.clone(),
            bits: bits.clone(),
        });
        bits
    }
}

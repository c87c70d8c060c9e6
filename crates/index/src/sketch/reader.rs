//! Search by the sketch: which rows are visible, what the sketch does not know yet, whose vectors.

use super::Sketch;
use crate::error::Result;
use crate::scored_chunk::{ScoredChunk, with_ties};
use roaring::RoaringBitmap;
use std::path::Path;

/// Vectors that the sketch may lack: they are compared one by one.
const MAX_TAIL: u64 = 8_192;

/// The store that a sketch follows.
pub(crate) struct Vectors<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) dim: usize,
    pub(crate) n_all: u64,
    /// Another one means other ids.
    pub(crate) epoch: i64,
    /// Changes with every write of another connection.
    pub(crate) version: i64,
    /// A vector by its id.
    pub(crate) vector: &'a dyn Fn(u64) -> Result<Vec<f32>>,
    /// Pairs of row and chunk, ascending.
    pub(crate) owners: &'a dyn Fn() -> Result<Vec<(u32, u32)>>,
}

/// What a reader keeps between queries.
#[derive(Default)]
pub(crate) struct Sketched {
    epoch: i64,
    sketch: Option<Sketch>,
    /// Vectors behind the last row of the sketch.
    tail: Vec<Vec<f32>>,
    /// State of the store that `owners` are of.
    version: Option<i64>,
    /// (row, chunk), ascending: a vector belongs to the chunks with its text.
    owners: Vec<(u32, u32)>,
    /// The last chunks asked about, and a bit for each row that one of them owns; `None` for all.
    mask: Option<(RoaringBitmap, Option<Vec<u64>>)>,
}

impl Sketched {
    /// Brings everything up to the store's state; `false` where the sketch is missing, damaged or too
    /// far behind.
    pub(crate) fn refresh(&mut self, store: &Vectors<'_>) -> Result<bool> {
        let n_all = store.n_all;
        if self.epoch != store.epoch {
            *self = Self {
                epoch: store.epoch,
                ..Self::default()
            };
        }
        if self.n_sketched() + (self.tail.len() as u64) < n_all {
            // Damage is repaired by the next writer; until then the search is exact.
            self.sketch = Sketch::open(store.folder, store.dim).ok().flatten();
            self.tail.clear();
        }
        let n_sketched = self.n_sketched();
        if n_sketched == 0 || n_all.saturating_sub(n_sketched) > MAX_TAIL {
            return Ok(false);
        }
        for id in n_sketched + self.tail.len() as u64 + 1..=n_all {
            self.tail.push((store.vector)(id)?);
        }
        if self.version != Some(store.version) {
            self.owners = (store.owners)()?;
            (self.version, self.mask) = (Some(store.version), None);
        }
        Ok(true)
    }

    fn n_sketched(&self) -> u64 {
        self.sketch.as_ref().map_or(0, Sketch::n_rows)
    }

    /// The nearest visible chunks, best first, ties by chunk; `None` where the sketch is damaged.
    pub(crate) fn search(
        &mut self,
        query: &[f32],
        visible: &RoaringBitmap,
        limit: usize,
    ) -> Option<Vec<ScoredChunk>> {
        self.look_at(visible);
        let sketch = self.sketch.as_ref()?;
        let mask = self.mask.as_ref().and_then(|(_, mask)| mask.as_deref());
        let mut rows = sketch.nearest(query, mask, limit).ok()?;
        let behind = (sketch.n_rows() as u32..).zip(&self.tail);
        let dot = |vector: &[f32]| vector.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
        rows.extend(behind.map(|(row, vector)| (row, dot(vector))));
        rows.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut found = Vec::new();
        for (row, score) in rows {
            let is_tie = || {
                found
                    .last()
                    .is_some_and(|last: &ScoredChunk| last.score == score)
            };
            if found.len() >= limit && !is_tie() {
                break;
            }
            let chunks = self.owners_of(row).filter(|chunk| visible.contains(*chunk));
            found.extend(chunks.map(|chunk| ScoredChunk { chunk, score }));
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        Some(with_ties(found, limit))
    }

    fn owners_of(&self, row: u32) -> impl Iterator<Item = u32> {
        let first = self.owners.partition_point(|(owned, _)| *owned < row);
        let own = self.owners[first..].iter();
        own.take_while(move |(owned, _)| *owned == row)
            .map(|(_, chunk)| *chunk)
    }

    /// Queries of one view mostly ask about the same chunks.
    fn look_at(&mut self, visible: &RoaringBitmap) {
        if self
            .mask
            .as_ref()
            .is_some_and(|(known, _)| known == visible)
        {
            return;
        }
        let n_rows = self.n_sketched() as usize;
        let mut mask = vec![0_u64; n_rows.div_ceil(64)];
        for (row, _) in self
            .owners
            .iter()
            .filter(|(_, chunk)| visible.contains(*chunk))
        {
            if let Some(word) = mask.get_mut(*row as usize / 64) {
                *word |= 1 << (row % 64);
            }
        }
        let n_visible: usize = mask.iter().map(|word| word.count_ones() as usize).sum();
        let mask = (n_visible < n_rows).then_some(mask);
        self.mask = Some((visible.clone(), mask));
    }
}

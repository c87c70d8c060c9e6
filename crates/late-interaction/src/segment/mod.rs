//! A segment: documents coded with one codec, in a file that never changes.

mod format;
mod write;

use crate::codec::Codec;
use crate::error::{Error, Result};
use crate::kernels::{Cell, Centroids, LANES, Tokens};
use format::{Section, SegmentHeader};
use memmap2::Mmap;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub(crate) use write::{NewDocument, write};

/// A segment on disk, mapped into memory.
#[derive(Debug)]
pub(crate) struct Segment {
    path: PathBuf,
    map: Mmap,
    head: SegmentHeader,
    /// Bytes of a token's codes.
    stride: usize,
    /// Bytes of a block of cells' codes.
    block_bytes: usize,
}

/// A document of a segment.
#[derive(Clone, Copy)]
pub(crate) struct Coded<'a> {
    pub(crate) tokens: Tokens<'a>,
    pub(crate) codes: &'a [u8],
}

impl Segment {
    /// Maps a segment and checks all of it: O(bytes), at the speed of CRC-32.
    pub(crate) fn open(path: &Path, codec: &Codec) -> Result<Self> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        #[expect(unsafe_code, reason = "mapping a file is what makes it a slice")]
        // SAFETY: segments are written under another name, renamed, and never written again; anyone who
        // cuts a mapped file short from outside gets the signal that any mapping gives.
        let map = unsafe { Mmap::map(&file) }.map_err(Error::io("map", path))?;
        let head = SegmentHeader::read(&map, path)?;
        head.check(&map, codec, path)?;
        let segment = Self {
            path: path.to_owned(),
            map,
            head,
            stride: codec.code_bytes(),
            block_bytes: codec.planes().block_bytes(),
        };
        segment.check_order()?;
        Ok(segment)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn n_documents(&self) -> usize {
        self.head.n_documents as usize
    }

    pub(crate) fn n_tokens(&self) -> u64 {
        self.head.n_tokens
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        self.map.len() as u64
    }

    pub(crate) fn mean_residual(&self) -> f32 {
        let sum = self.head.residual as f32 / crate::codec::RESIDUAL_UNIT;
        sum / self.head.n_tokens.max(1) as f32
    }

    /// Says whether wide search can use it.
    pub(crate) fn has_cells(&self) -> bool {
        self.head.sections[Section::CellStarts as usize].len > 0
    }

    /// The documents' ids, ascending.
    pub(crate) fn ids(&self) -> &[u32] {
        bytemuck::cast_slice(self.section(Section::Ids))
    }

    pub(crate) fn local(&self, id: u32) -> Option<u32> {
        let found = self.ids().binary_search(&id).ok();
        found.map(|at| at as u32)
    }

    pub(crate) fn document(&self, local: u32) -> Coded<'_> {
        let starts: &[u64] = bytemuck::cast_slice(self.section(Section::Starts));
        let local = local as usize;
        let range = starts[local] as usize..starts[local + 1] as usize;
        let norms: &[u16] = bytemuck::cast_slice(self.section(Section::Norms));
        let scales: &[u16] = bytemuck::cast_slice(self.section(Section::Scales));
        let stride = self.stride;
        Coded {
            tokens: Tokens {
                centroids: self.centroids().slice(range.clone()),
                inverse_norms: &norms[range.clone()],
                scales: &scales[range.clone()],
            },
            codes: &self.section(Section::Codes)[range.start * stride..range.end * stride],
        }
    }

    pub(crate) fn cell_len(&self, centroid: usize) -> usize {
        let range = self.cell_range(centroid);
        range.end - range.start
    }

    pub(crate) fn cell(&self, centroid: usize) -> Cell<'_> {
        let range = self.cell_range(centroid);
        let blocks = range.start / LANES..range.end.div_ceil(LANES);
        let bytes = blocks.start * self.block_bytes..blocks.end * self.block_bytes;
        Cell {
            blocks: &self.section(Section::Cells)[bytes],
            skip: range.start % LANES,
            n_tokens: range.len(),
        }
    }

    fn cell_range(&self, centroid: usize) -> Range<usize> {
        let starts: &[u64] = bytemuck::cast_slice(self.section(Section::CellStarts));
        match starts.get(centroid..centroid + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }

    fn centroids(&self) -> Centroids<'_> {
        let bytes = self.section(Section::Centroids);
        if self.head.narrow() {
            Centroids::Narrow(bytemuck::cast_slice(bytes))
        } else {
            Centroids::Wide(bytemuck::cast_slice(bytes))
        }
    }

    fn section(&self, section: Section) -> &[u8] {
        let place = &self.head.sections[section as usize];
        &self.map[place.start as usize..][..place.len as usize]
    }

    /// What look-ups depend on, beyond the checksums.
    fn check_order(&self) -> Result<()> {
        let ends = |section: Section, last: u64| {
            let starts: &[u64] = bytemuck::cast_slice(self.section(section));
            starts.is_sorted() && starts.first() == Some(&0) && starts.last() == Some(&last)
        };
        let whole = ends(Section::Starts, self.head.n_tokens)
            && self.ids().is_sorted_by(|a, b| a < b)
            && (!self.has_cells() || ends(Section::CellStarts, self.head.n_tokens));
        if whole {
            Ok(())
        } else {
            Err(Error::damaged(&self.path, "its documents are not in order"))
        }
    }
}

//! Writing a segment: under another name, flushed, then renamed.

use super::Coded;
use super::format::{ALIGN, HEAD_BYTES, N_SECTIONS, SectionPlace, SegmentHeader};
use crate::codec::Codec;
use crate::error::{Error, Result};
use crate::kernels::{CellToken, LANES};
use std::fs::{self, File};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// A document to be written.
pub(crate) struct NewDocument<'a> {
    pub(crate) id: u32,
    pub(crate) document: Coded<'a>,
    /// Sum of the residuals' lengths.
    pub(crate) residual: u32,
}

/// Writes documents, ids ascending and distinct. With `cells`, wide search can use the segment.
/// O(tokens); the cell-major order is kept in memory while it is made, 4 bytes a token.
pub(crate) fn write(
    path: &Path,
    codec: &Codec,
    entries: &[NewDocument<'_>],
    cells: bool,
) -> Result<()> {
    debug_assert!(entries.is_sorted_by(|a, b| a.id < b.id));
    let temporary = path.with_extension("tmp");
    let written = write_to(&temporary, codec, entries, cells)
        .and_then(|()| fs::rename(&temporary, path).map_err(Error::io("rename", path)));
    if written.is_err() {
        // What is left is of no use to anybody, and the first error is the one to tell.
        drop(fs::remove_file(&temporary));
    }
    written
}

fn write_to(path: &Path, codec: &Codec, entries: &[NewDocument<'_>], cells: bool) -> Result<()> {
    let file = File::create(path).map_err(Error::io("create", path))?;
    let mut out = Sections::new(file, path)?;
    let head = head_of(codec, entries);
    out.section(entries.iter().map(|entry| entry.id.to_le_bytes()))?;
    out.section(starts(entries).map(u64::to_le_bytes))?;
    let centroids = || {
        entries
            .iter()
            .flat_map(|entry| centroids_of(&entry.document))
    };
    if head.narrow() {
        out.section(centroids().map(|centroid| (centroid as u16).to_le_bytes()))?
    } else {
        out.section(centroids().map(u32::to_le_bytes))?
    }
    let norms = entries
        .iter()
        .flat_map(|entry| entry.document.tokens.inverse_norms);
    out.section(norms.map(|norm| norm.to_le_bytes()))?;
    let scales = entries
        .iter()
        .flat_map(|entry| entry.document.tokens.scales);
    out.section(scales.map(|scale| scale.to_le_bytes()))?;
    out.section(entries.iter().map(|entry| entry.document.codes))?;
    if cells {
        write_cells(&mut out, codec, entries)?;
    }
    out.finish(head)
}

fn write_cells(out: &mut Sections<'_>, codec: &Codec, entries: &[NewDocument<'_>]) -> Result<()> {
    let order = CellOrder::new(codec.n_centroids(), entries);
    let stride = codec.code_bytes();
    out.section(order.starts.iter().map(|start| start.to_le_bytes()))?;
    let planes = codec.planes();
    out.section(order.tokens.chunks(LANES).map(|tokens| {
        let mut block = vec![0; planes.block_bytes()];
        for (lane, (document, token)) in tokens.iter().enumerate() {
            let (of, token) = (&entries[*document as usize].document, *token as usize);
            let token = CellToken {
                document: *document,
                inverse_norm: of.tokens.inverse_norms[token],
                scale: of.tokens.scales[token],
                codes: &of.codes[token * stride..][..stride],
            };
            planes.put(codec.layout(), &token, &mut block, lane);
        }
        block
    }))
}

fn head_of(codec: &Codec, entries: &[NewDocument<'_>]) -> SegmentHeader {
    let n_tokens = |entry: &NewDocument<'_>| entry.document.tokens.inverse_norms.len() as u64;
    SegmentHeader {
        dim: codec.dim() as u32,
        bits: codec.bits().n() as u32,
        n_documents: entries.len() as u32,
        n_centroids: codec.n_centroids() as u32,
        n_tokens: entries.iter().map(n_tokens).sum(),
        codec: codec.fingerprint(),
        residual: entries.iter().map(|entry| u64::from(entry.residual)).sum(),
        sections: [SectionPlace::default(); N_SECTIONS],
    }
}

fn starts(entries: &[NewDocument<'_>]) -> impl Iterator<Item = u64> {
    let ends = entries.iter().scan(0, |end, entry| {
        *end += entry.document.tokens.inverse_norms.len() as u64;
        Some(*end)
    });
    std::iter::once(0).chain(ends)
}

fn centroids_of(document: &Coded<'_>) -> impl Iterator<Item = u32> {
    let tokens = document.tokens;
    (0..tokens.inverse_norms.len()).map(move |token| tokens.centroids.get(token) as u32)
}

/// The tokens by centroid, then by document.
struct CellOrder {
    starts: Vec<u64>,
    /// Index of the document, index of the token in it.
    tokens: Vec<(u32, u32)>,
}

impl CellOrder {
    /// A counting sort. O(tokens + centroids).
    fn new(n_centroids: usize, entries: &[NewDocument<'_>]) -> Self {
        let mut starts = vec![0u64; n_centroids + 1];
        for centroid in entries
            .iter()
            .flat_map(|entry| centroids_of(&entry.document))
        {
            starts[centroid as usize + 1] += 1;
        }
        for at in 0..n_centroids {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut tokens = vec![(0, 0); starts[n_centroids] as usize];
        for (document, entry) in (0u32..).zip(entries) {
            for (token, centroid) in (0u32..).zip(centroids_of(&entry.document)) {
                let at = &mut next[centroid as usize];
                tokens[*at as usize] = (document, token);
                *at += 1;
            }
        }
        Self { starts, tokens }
    }
}

/// Writes section after section and remembers where each is.
struct Sections<'p> {
    out: BufWriter<File>,
    path: &'p Path,
    at: u64,
    places: Vec<SectionPlace>,
}

impl<'p> Sections<'p> {
    fn new(file: File, path: &'p Path) -> Result<Self> {
        let mut sections = Self {
            out: BufWriter::new(file),
            path,
            at: 0,
            places: Vec::new(),
        };
        sections.put(&[0; HEAD_BYTES])?;
        Ok(sections)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.at += bytes.len() as u64;
        self.out
            .write_all(bytes)
            .map_err(Error::io("write", self.path))
    }

    fn section(&mut self, parts: impl Iterator<Item = impl AsRef<[u8]>>) -> Result<()> {
        let start = self.at;
        let mut crc = crc32fast::Hasher::new();
        for part in parts {
            crc.update(part.as_ref());
            self.put(part.as_ref())?;
        }
        self.places.push(SectionPlace {
            start,
            len: self.at - start,
            crc: crc.finalize(),
        });
        let gap = self.at.next_multiple_of(ALIGN as u64) - self.at;
        self.put(&[0; ALIGN][..gap as usize])
    }

    fn finish(mut self, mut head: SegmentHeader) -> Result<()> {
        for (place, written) in head.sections.iter_mut().zip(&self.places) {
            *place = *written;
        }
        let at_end = SectionPlace {
            start: self.at,
            len: 0,
            crc: crc32fast::hash(&[]),
        };
        head.sections[self.places.len()..].fill(at_end);
        let io = |what| Error::io(what, self.path);
        self.out.seek(SeekFrom::Start(0)).map_err(io("write"))?;
        self.out.write_all(&head.to_bytes()).map_err(io("write"))?;
        let file = self
            .out
            .into_inner()
            .map_err(|error| io("write")(error.into_error()))?;
        file.sync_all().map_err(io("flush"))
    }
}

//! A shard: a folder of segments, one codec, and a tail in memory. What is asked of it is in
//! [`crate::search`].

mod compact;
mod manifest;
mod tail;

use crate::codec::{Bits, Codec, Training};
use crate::error::{Error, Result};
use crate::matrix::Document;
use crate::segment::{self, Coded, NewDocument, Segment};
use manifest::{Manifest, replace};
use roaring::RoaringBitmap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tail::{Exact, Tail};

/// How a shard is kept.
#[derive(Clone, Copy, Debug)]
pub struct ShardOptions {
    /// Bits of a residual's component.
    pub bits: Bits,
    /// Writes the cell-major order as well, which wide search needs; doubles the size.
    pub wide: bool,
    /// Documents in the tail at which it is coded.
    pub tail_limit: usize,
    /// Tokens that the shard will have, as far as is known; 0 when it is not.
    pub n_tokens: u64,
}

impl Default for ShardOptions {
    fn default() -> Self {
        Self {
            bits: Bits::default(),
            wide: true,
            tail_limit: 256,
            n_tokens: 0,
        }
    }
}

/// Residuals so much longer than those at training mean that the centroids no longer fit.
const MAX_RESIDUAL_GROWTH: f32 = 1.15;
/// This many times the tokens of training want more centroids.
const MAX_GROWTH: u64 = 4;

/// Why new centroids would do better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stale {
    /// The last segment's residuals are longer than those at training: by this factor.
    Residuals(f32),
    /// The shard has this many times the tokens that the codec was trained for.
    Growth(f32),
}

/// Figures of a shard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShardStats {
    /// Documents that can be found.
    pub n_documents: u64,
    /// Tokens in segments, removed documents' among them.
    pub n_tokens: u64,
    /// Segments.
    pub n_segments: usize,
    /// Those that wide search can use.
    pub n_with_cells: usize,
    /// Documents in the tail.
    pub n_tail: usize,
    /// Bytes of the segments.
    pub n_bytes: u64,
}

/// Multi-vector documents in a folder. One writer; readers open the folder for themselves and see
/// what was flushed.
#[derive(Debug)]
pub struct Shard {
    folder: PathBuf,
    options: ShardOptions,
    codec: Option<Arc<Codec>>,
    segments: Vec<Part>,
    tail: Tail,
    next: u64,
}

#[derive(Debug)]
struct Part {
    number: u64,
    segment: Segment,
    /// Indices of documents that are gone.
    removed: RoaringBitmap,
}

/// A document, wherever it is.
pub(crate) enum StoredDocument<'a> {
    Coded(Coded<'a>),
    Exact(&'a Exact),
}

impl StoredDocument<'_> {
    pub(crate) fn n_tokens(&self) -> usize {
        match self {
            Self::Coded(document) => document.tokens.inverse_norms.len(),
            Self::Exact(document) => document.n_tokens(),
        }
    }
}

impl Shard {
    /// Says whether anything is coded: queries then have to be made ready for the codec.
    pub(crate) fn is_coded(&self) -> bool {
        !self.segments.is_empty()
    }

    /// Makes an empty shard in a folder, which is created.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn create(folder: &Path, options: ShardOptions) -> Result<Self> {
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        Manifest::default().write(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            options,
            codec: None,
            segments: Vec::new(),
            tail: Tail::default(),
            next: 1,
        })
    }

    /// Opens a shard and checks every file of it.
    ///
    /// # Errors
    /// Files that are missing, cut short, changed, or of another codec.
    pub fn open(folder: &Path, options: ShardOptions) -> Result<Self> {
        let manifest = Manifest::read(folder)?;
        let mut shard = Self {
            folder: folder.to_owned(),
            options,
            codec: None,
            segments: Vec::new(),
            tail: Tail::default(),
            next: 1,
        };
        if manifest.codec != 0 {
            let codec = read_codec(folder, manifest.codec)?;
            for (number, removed) in manifest.segments {
                let path = Manifest::segment_path(folder, number);
                let segment = Segment::open(&path, &codec)?;
                shard.next = shard.next.max(number + 1);
                shard.segments.push(Part {
                    number,
                    segment,
                    removed,
                });
            }
            shard.codec = Some(Arc::new(codec));
        }
        Ok(shard)
    }

    /// Returns the codec; none before the first flush.
    pub fn codec(&self) -> Option<&Arc<Codec>> {
        self.codec.as_ref()
    }

    /// Returns figures.
    pub fn stats(&self) -> ShardStats {
        let parts = self.segments.iter();
        ShardStats {
            n_documents: parts
                .clone()
                .map(|part| part.segment.n_documents() as u64 - part.removed.len())
                .sum::<u64>()
                + self.tail.0.len() as u64,
            n_tokens: parts.clone().map(|part| part.segment.n_tokens()).sum(),
            n_segments: self.segments.len(),
            n_with_cells: self.segments_with_cells().len(),
            n_tail: self.tail.0.len(),
            n_bytes: parts.map(|part| part.segment.n_bytes()).sum(),
        }
    }

    /// Adds a document to the tail, or replaces the one of this id. Codes the tail when it is full.
    /// What is in the tail is lost with the process; [`Shard::flush`] keeps it.
    ///
    /// # Errors
    /// Another dimension than the shard's; a folder that cannot be written.
    pub fn add(&mut self, id: u32, document: &Document<'_>) -> Result<()> {
        let expected = self.dim();
        let found = document.vectors().dim();
        if expected.is_some_and(|expected| expected != found) {
            let expected = expected.unwrap_or(found);
            return Err(Error::Dimension { expected, found });
        }
        self.tail.0.insert(id, Exact::new(document));
        if self.tail.0.len() >= self.options.tail_limit.max(1) {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Says whether the shard has a document.
    pub fn contains(&self, id: u32) -> bool {
        self.find(id).is_some()
    }

    /// Returns ids of all documents, ascending.
    pub fn ids(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = self.tail.0.keys().copied().collect();
        for part in &self.segments {
            let all = (0u32..).zip(part.segment.ids());
            ids.extend(
                all.filter(|(at, _)| !part.removed.contains(*at))
                    .map(|(_, id)| id),
            );
        }
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Returns the vectors that are kept of a document, row by row: what a shard with new centroids
    /// is made of. `None` for one that the shard does not have.
    pub fn decode(&self, id: u32) -> Option<Vec<f32>> {
        match (self.find(id)?, &self.codec) {
            (StoredDocument::Exact(document), _) => Some(document.floats()),
            (StoredDocument::Coded(document), Some(codec)) => {
                Some(codec.decode_tokens(document.tokens, document.codes))
            }
            (StoredDocument::Coded(_), None) => None,
        }
    }

    /// Changes how what comes is kept; what is there stays as it is.
    pub fn set_options(&mut self, options: ShardOptions) {
        self.options = options;
    }

    /// Removes documents; those it does not have are passed over. Kept at once. Segments are made one
    /// where too much of them is gone.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn remove(&mut self, ids: impl IntoIterator<Item = u32>) -> Result<()> {
        let mut changed = false;
        for id in ids {
            self.tail.0.remove(&id);
            changed |= self.tombstone(id);
        }
        if !changed {
            return Ok(());
        }
        self.write_manifest()?;
        match self.codec.clone() {
            Some(codec) => self.compact_if_due(&codec),
            None => Ok(()),
        }
    }

    fn tombstone(&mut self, id: u32) -> bool {
        let mut changed = false;
        for part in &mut self.segments {
            if let Some(local) = part.segment.local(id) {
                changed |= part.removed.insert(local);
            }
        }
        changed
    }

    /// Codes the tail into a segment and keeps it, then makes segments one where there are too many
    /// or too much of them is gone. The first flush trains the codec.
    ///
    /// # Errors
    /// A folder that cannot be written; the tail stays as it was.
    pub fn flush(&mut self) -> Result<()> {
        if self.tail.0.is_empty() {
            return Ok(());
        }
        let codec = self.trained()?;
        let Some(codec) = codec else {
            // Documents without any token: nothing to learn from, and nothing to be found by.
            return Ok(());
        };
        let encoded = self.tail.encode(&codec)?;
        let entries: Vec<NewDocument<'_>> = encoded
            .iter()
            .map(|(id, encoded)| NewDocument {
                id: *id,
                document: Coded {
                    tokens: encoded.tokens(),
                    codes: &encoded.codes,
                },
                residual: encoded.residual,
            })
            .collect();
        let part = self.write_part(&codec, &entries)?;
        let ids: Vec<u32> = self.tail.0.keys().copied().collect();
        for id in ids {
            self.tombstone(id);
        }
        self.tail = Tail::default();
        self.segments.push(part);
        self.write_manifest()?;
        self.compact_if_due(&codec)
    }

    fn trained(&mut self) -> Result<Option<Arc<Codec>>> {
        if let Some(codec) = &self.codec {
            return Ok(Some(Arc::clone(codec)));
        }
        let training = Training {
            bits: self.options.bits,
            n_tokens: self.options.n_tokens,
            ..Training::default()
        };
        let codec = self
            .tail
            .with_documents(|documents| Codec::train(documents, &training));
        match codec {
            Err(Error::NothingToTrain) => Ok(None),
            Err(error) => Err(error),
            Ok(codec) => self.set_codec(codec).map(Some),
        }
    }

    /// Gives the shard a codec trained elsewhere, say on a larger sample than the first tail.
    ///
    /// # Errors
    /// A shard that has another; a folder that cannot be written.
    pub fn set_codec(&mut self, codec: Codec) -> Result<Arc<Codec>> {
        if let Some(own) = self.codec.as_ref().filter(|_| !self.segments.is_empty()) {
            return Err(Error::OtherCodec {
                what: "the codec given".to_owned(),
                expected: own.fingerprint(),
                found: codec.fingerprint(),
            });
        }
        let path = Manifest::codec_path(&self.folder, codec.fingerprint());
        replace(&path, &codec.to_bytes())?;
        let codec = Arc::new(codec);
        self.codec = Some(Arc::clone(&codec));
        Ok(codec)
    }

    fn write_part(&self, codec: &Codec, entries: &[NewDocument<'_>]) -> Result<Part> {
        let number = self.next;
        let path = Manifest::segment_path(&self.folder, number);
        segment::write(&path, codec, entries, self.options.wide)?;
        let segment = Segment::open(&path, codec)?;
        Ok(Part {
            number,
            segment,
            removed: RoaringBitmap::new(),
        })
    }

    fn write_manifest(&mut self) -> Result<()> {
        let last = self.segments.last().map_or(0, |part| part.number);
        self.next = self.next.max(last + 1);
        let manifest = Manifest {
            codec: self.codec.as_ref().map_or(0, |codec| codec.fingerprint()),
            segments: self
                .segments
                .iter()
                .map(|part| (part.number, part.removed.clone()))
                .collect(),
        };
        manifest.write(&self.folder)
    }

    /// Says why a new codec, trained on what the shard holds now, would do better; `None` while it
    /// fits. A shard with a new codec is built from the vectors, beside this one.
    pub fn stale(&self) -> Option<Stale> {
        let codec = self.codec.as_ref()?;
        let growth = self.stats().n_tokens as f32 / codec.trained_for().max(1) as f32;
        let last =
            self.segments.last()?.segment.mean_residual() / codec.held_out_residual().max(1e-6);
        if growth > MAX_GROWTH as f32 {
            Some(Stale::Growth(growth))
        } else if last > MAX_RESIDUAL_GROWTH {
            Some(Stale::Residuals(last))
        } else {
            None
        }
    }

    /// Components of the vectors, as far as anything says.
    pub(crate) fn dim(&self) -> Option<usize> {
        let coded = self.codec.as_ref().map(|codec| codec.dim());
        coded.or_else(|| self.tail.0.values().next().map(Exact::dim))
    }

    /// The tail first: it is newer.
    pub(crate) fn find(&self, id: u32) -> Option<StoredDocument<'_>> {
        if let Some(exact) = self.tail.0.get(&id) {
            return Some(StoredDocument::Exact(exact));
        }
        self.segments.iter().rev().find_map(|part| {
            let local = part.segment.local(id)?;
            let is_there = !part.removed.contains(local);
            is_there.then(|| StoredDocument::Coded(part.segment.document(local)))
        })
    }

    pub(crate) fn segments_with_cells(&self) -> Vec<(&Segment, &RoaringBitmap)> {
        let parts = self.segments.iter().filter(|part| part.segment.has_cells());
        parts.map(|part| (&part.segment, &part.removed)).collect()
    }

    /// Documents that wide search meets in no cell: the tail's, and those of segments without cells.
    pub(crate) fn without_cells(&self) -> impl Iterator<Item = (u32, StoredDocument<'_>)> {
        let tail = self
            .tail
            .0
            .iter()
            .map(|(id, exact)| (*id, StoredDocument::Exact(exact)));
        let parts = self
            .segments
            .iter()
            .filter(|part| !part.segment.has_cells());
        let coded = parts.flat_map(|part| {
            let ids = (0u32..).zip(part.segment.ids());
            ids.filter(|(local, _)| !part.removed.contains(*local))
                .map(|(local, id)| (*id, StoredDocument::Coded(part.segment.document(local))))
        });
        tail.chain(coded)
    }
}

fn read_codec(folder: &Path, fingerprint: u64) -> Result<Codec> {
    let path = Manifest::codec_path(folder, fingerprint);
    let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
    let codec = Codec::from_bytes(&bytes, &path)?;
    if codec.fingerprint() == fingerprint {
        Ok(codec)
    } else {
        Err(Error::damaged(
            &path,
            "it is another codec than its name says",
        ))
    }
}

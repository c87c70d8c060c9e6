//! A segment: the grams of some contents, in one file that never changes.
//!
//! ```text
//! grams-<format>-<number>.bin      frames (`frames.rs`), little endian
//!     contents of a gram, a frame for a long list
//!     entries, by rising gram, in frames of about 8 kB: difference to the gram before (of the first the gram),
//!                                  number of contents, bytes of them, the contents or where they are
//!     directory                    the contents by id, and the first gram of each frame of entries
//! ```
//!
//! Contents of a gram are numbers of the directory, rising, in the code of Rice (`rice.rs`).

use super::rice;
use crate::error::Result;
use crate::frames::{Frame, FramesReader, FramesWriter, put, take, take_bytes};
use rayon::slice::ParallelSliceMut;
use serde::{Deserialize, Serialize};
use std::path::Path;
use whyrank_grams::Gram;

/// Part of the files' names: another format is another file.
pub(super) const FORMAT: u32 = 1;
const MARK: &[u8; 8] = b"WRGRAMS\x01";
/// Bytes of entries that are checked and looked through together.
const ENTRIES_BYTES: usize = 8 << 10;
/// Longer lists of contents have a frame of their own.
const MAX_INLINE: usize = 512;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Directory {
    contents: Vec<GramContent>,
    /// First gram and place of each frame of entries.
    entries: Vec<(Gram, Frame)>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct GramContent {
    pub(super) content_id: i64,
    /// Beginning of its git id, to be sure that it is this content.
    pub(super) blob: u64,
    pub(super) n_bytes: u32,
    /// Its grams are in the segment: its text is the file, and can be ruled out.
    pub(super) is_known: bool,
}

/// A segment in the making.
#[derive(Default)]
pub(super) struct SegmentWriter {
    contents: Vec<GramContent>,
    /// Gram and content, the gram in the upper half: sorted, they are the lists.
    places: Vec<u64>,
    pub(super) n_bytes: u64,
}

impl SegmentWriter {
    /// Adds a content, by rising id; without grams it is to be read whatever is asked.
    pub(super) fn add(&mut self, content: GramContent, grams: &[Gram]) {
        self.n_bytes += u64::from(content.n_bytes);
        let number = self.contents.len() as u64;
        let places = grams.iter().map(|gram| u64::from(*gram) << 32 | number);
        self.places.extend(places);
        self.contents.push(content);
    }

    /// Writes the file, whole or not at all.
    pub(super) fn finish(mut self, path: &Path) -> Result<()> {
        self.places.par_sort_unstable();
        let n_contents = self.contents.len() as u32;
        let mut frames = FramesWriter::create(path)?;
        let mut entries: Vec<(Gram, Frame)> = Vec::new();
        let mut open: Vec<u8> = Vec::with_capacity(2 * ENTRIES_BYTES);
        let (mut first, mut last) = (0, 0);
        let mut contents: Vec<u32> = Vec::new();
        for of_gram in self
            .places
            .chunk_by(|before, after| before >> 32 == after >> 32)
        {
            let gram = (of_gram[0] >> 32) as Gram;
            if open.is_empty() {
                (first, last) = (gram, 0);
            }
            put(&mut open, u64::from(gram - last));
            last = gram;
            contents.clear();
            contents.extend(of_gram.iter().map(|place| *place as u32));
            contents.dedup();
            put_contents(&mut open, &mut frames, &contents, n_contents)?;
            if open.len() >= ENTRIES_BYTES {
                entries.push((first, frames.add(&open)?));
                open.clear();
            }
        }
        if !open.is_empty() {
            entries.push((first, frames.add(&open)?));
        }
        let directory = Directory {
            contents: self.contents,
            entries,
        };
        frames.finish(MARK, &postcard::to_stdvec(&directory)?)
    }
}

fn put_contents(
    open: &mut Vec<u8>,
    frames: &mut FramesWriter,
    contents: &[u32],
    n_contents: u32,
) -> Result<()> {
    let packed = rice::pack(contents, n_contents);
    put(open, contents.len() as u64);
    put(open, packed.len() as u64);
    if packed.len() <= MAX_INLINE {
        open.extend(&packed);
    } else {
        let frame = frames.add(&packed)?;
        put(open, frame.offset);
        put(open, u64::from(frame.crc));
    }
    Ok(())
}

/// A segment that is open.
#[derive(Debug)]
pub(super) struct Segment {
    frames: FramesReader,
    directory: Directory,
}

/// The contents of a gram, as an entry has them.
struct Entry<'s> {
    gram: Gram,
    n: u64,
    n_packed: u64,
    place: EntryPlace<'s>,
}

enum EntryPlace<'s> {
    Here(&'s [u8]),
    Frame { offset: u64, crc: u64 },
}

impl<'s> Entry<'s> {
    fn take(rest: &mut &'s [u8], last: Gram) -> Option<Self> {
        let gram = Gram::try_from(take(rest)?).ok()?.checked_add(last)?;
        let (n, n_packed) = (take(rest)?, take(rest)?);
        let place = if n_packed <= MAX_INLINE as u64 {
            EntryPlace::Here(take_bytes(rest, n_packed)?)
        } else {
            EntryPlace::Frame {
                offset: take(rest)?,
                crc: take(rest)?,
            }
        };
        Some(Self {
            gram,
            n,
            n_packed,
            place,
        })
    }
}

impl Segment {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let (frames, directory) = FramesReader::open(path, MARK)?;
        let directory = postcard::from_bytes(&directory)?;
        Ok(Self { frames, directory })
    }

    pub(super) fn path(&self) -> &Path {
        self.frames.path()
    }

    /// By rising id.
    pub(super) fn contents(&self) -> &[GramContent] {
        &self.directory.contents
    }

    pub(super) fn n_bytes(&self) -> u64 {
        let contents = self.directory.contents.iter();
        contents.map(|content| u64::from(content.n_bytes)).sum()
    }

    /// Calls `each` with every content that holds a gram, rising.
    pub(super) fn contents_with(&self, gram: Gram, each: impl FnMut(u32)) -> Result<()> {
        let entries = &self.directory.entries;
        let after = entries.partition_point(|(first, _)| *first <= gram);
        let Some((_, frame)) = after.checked_sub(1).and_then(|before| entries.get(before)) else {
            return Ok(());
        };
        let (mut rest, mut last) = (self.frames.read(*frame)?, 0);
        while !rest.is_empty() {
            let entry = Entry::take(&mut rest, last).ok_or_else(|| self.frames.damaged())?;
            if entry.gram >= gram {
                return match entry.gram == gram {
                    true => self.unpack(&entry, each),
                    false => Ok(()),
                };
            }
            last = entry.gram;
        }
        Ok(())
    }

    fn unpack(&self, entry: &Entry<'_>, each: impl FnMut(u32)) -> Result<()> {
        let packed = match entry.place {
            EntryPlace::Here(packed) => packed,
            EntryPlace::Frame { offset, crc } => {
                let frame = u32::try_from(entry.n_packed)
                    .ok()
                    .zip(u32::try_from(crc).ok());
                let frame = frame.map(|(len, crc)| Frame { offset, len, crc });
                self.frames
                    .read(frame.ok_or_else(|| self.frames.damaged())?)?
            }
        };
        let n_contents = self.directory.contents.len();
        if entry.n > n_contents as u64 {
            return Err(self.frames.damaged());
        }
        let read = rice::each(packed, entry.n as usize, n_contents as u32, each);
        read.ok_or_else(|| self.frames.damaged())
    }

    /// Reads all of it.
    pub(super) fn check(&self) -> Result<()> {
        for (_, frame) in &self.directory.entries {
            let (mut rest, mut last) = (self.frames.read(*frame)?, 0);
            while !rest.is_empty() {
                let entry = Entry::take(&mut rest, last).ok_or_else(|| self.frames.damaged())?;
                self.unpack(&entry, |_| ())?;
                last = entry.gram;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

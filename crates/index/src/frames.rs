//! Files that are mapped and read frame by frame: what a question does not touch is neither read nor checked.
//!
//! ```text
//! frames, one after the other      any bytes; who names a frame names its CRC-32 with it
//! directory                        a frame that names the others
//! tail                             place of the directory, mark of the format, CRC-32 of both
//! ```

use crate::error::{IndexError, Result};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use whyrank_system::files;
use whyrank_system::mapped::{self, Kept, Watch};

/// Offset, length and CRC-32 of the directory, the mark, and the CRC-32 of these.
const TAIL_BYTES: usize = 8 + 4 + 4 + 8 + 4;

/// Where some bytes of a file lie, and what they sum up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub(crate) offset: u64,
    pub(crate) len: u32,
    pub(crate) crc: u32,
}

/// A file in the making, beside its place.
pub(crate) struct FramesWriter {
    path: PathBuf,
    beside: PathBuf,
    out: BufWriter<File>,
    n_bytes: u64,
}

impl FramesWriter {
    /// Begins a file that will lie at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let beside = path.with_extension("tmp");
        let create = || {
            files::create_private_folder(path.parent().unwrap_or(path))?;
            // What a killed writer left.
            let _ = std::fs::remove_file(&beside);
            files::create_private(&beside)?;
            File::options().write(true).open(&beside)
        };
        let file = create().map_err(|error| IndexError::io(&beside, error))?;
        Ok(Self {
            path: path.to_owned(),
            out: BufWriter::with_capacity(1 << 18, file),
            beside,
            n_bytes: 0,
        })
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) -> Result<Frame> {
        let frame = Frame {
            offset: self.n_bytes,
            len: bytes.len() as u32,
            crc: crc32fast::hash(bytes),
        };
        self.write(bytes)?;
        Ok(frame)
    }

    /// Fills up to a multiple of `n`, so that numbers can be read where they lie.
    pub(crate) fn align(&mut self, n: u64) -> Result<()> {
        let n_missing = self.n_bytes.next_multiple_of(n) - self.n_bytes;
        self.write(&vec![0; n_missing as usize])
    }

    /// The frames so far, without a directory.
    pub(crate) fn so_far(&mut self) -> Result<FramesReader> {
        let flushed = self.out.flush();
        flushed.map_err(|error| IndexError::io(&self.beside, error))?;
        // It still grows: nobody watches it.
        FramesReader::map(&self.beside, None)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.n_bytes += bytes.len() as u64;
        let written = self.out.write_all(bytes);
        written.map_err(|error| IndexError::io(&self.beside, error))
    }

    /// Ends the file with its directory and puts it in its place, whole or not at all.
    pub(crate) fn finish(mut self, mark: &[u8; 8], directory: &[u8]) -> Result<()> {
        let frame = self.add(directory)?;
        let mut tail = Vec::with_capacity(TAIL_BYTES);
        tail.extend(frame.offset.to_le_bytes());
        tail.extend(frame.len.to_le_bytes());
        tail.extend(frame.crc.to_le_bytes());
        tail.extend(mark);
        tail.extend(crc32fast::hash(&tail).to_le_bytes());
        self.write(&tail)?;
        let publish = |out: &mut BufWriter<File>| {
            out.flush()?;
            out.get_ref().sync_all()?;
            files::publish(&self.beside, &self.path)
        };
        publish(&mut self.out).map_err(|error| IndexError::io(&self.path, error))
    }
}

impl Drop for FramesWriter {
    /// Of one that was not finished nothing stays.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.beside);
    }
}

/// A mapped file.
#[derive(Debug)]
pub(crate) struct FramesReader {
    path: PathBuf,
    map: Mmap,
    _watch: Option<Watch>,
}

impl FramesReader {
    /// Maps a file and returns its directory with it.
    pub(crate) fn open(path: &Path, mark: &[u8; 8]) -> Result<(Self, Vec<u8>)> {
        let watch = mapped::watch(path, Kept::Bytes);
        let watch = watch.map_err(|error| IndexError::io(path, error))?;
        let reader = Self::map(path, Some(watch))?;
        let directory = reader.directory(mark).ok_or_else(|| reader.damaged())?;
        let directory = reader.read(directory)?.to_vec();
        Ok((reader, directory))
    }

    fn map(path: &Path, watch: Option<Watch>) -> Result<Self> {
        let file = File::open(path).map_err(|error| IndexError::io(path, error))?;
        #[expect(
            unsafe_code,
            reason = "files of this kind are never written in place; every frame is checked as it is read"
        )]
        // SAFETY: see above. What somebody else does to it is noticed (`system::mapped`).
        let map = unsafe { Mmap::map(&file) }.map_err(|error| IndexError::io(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            map,
            _watch: watch,
        })
    }

    fn directory(&self, mark: &[u8; 8]) -> Option<Frame> {
        let start = self.map.len().checked_sub(TAIL_BYTES)?;
        let (body, crc) = self.map[start..].split_at(TAIL_BYTES - 4);
        if crc32fast::hash(body).to_le_bytes() != crc || &body[16..24] != mark {
            return None;
        }
        Some(Frame {
            offset: u64::from_le_bytes(body[..8].try_into().ok()?),
            len: u32::from_le_bytes(body[8..12].try_into().ok()?),
            crc: u32::from_le_bytes(body[12..16].try_into().ok()?),
        })
    }

    /// The bytes of a frame, if they are what was written.
    pub(crate) fn read(&self, frame: Frame) -> Result<&[u8]> {
        let start = usize::try_from(frame.offset).ok();
        let end = start.and_then(|start| start.checked_add(frame.len as usize));
        let range = start.zip(end).map(|(start, end)| start..end);
        let bytes = range.and_then(|range| self.map.get(range));
        bytes
            .filter(|bytes| crc32fast::hash(bytes) == frame.crc)
            .ok_or_else(|| self.damaged())
    }

    /// The bytes between two places, unchecked; none where there are no such.
    pub(crate) fn range(&self, range: Range<u64>) -> Option<&[u8]> {
        let (start, end) = (range.start.try_into().ok()?, range.end.try_into().ok()?);
        self.map.get(start..end)
    }

    pub(crate) fn damaged(&self) -> IndexError {
        IndexError::Damaged {
            path: self.path.clone(),
            detail: "it does not fit its checksums".to_owned(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Appends a number, small ones in one byte (LEB128).
pub(crate) fn put(into: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Takes a number off the front.
pub(crate) fn take(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Takes bytes off the front.
pub(crate) fn take_bytes<'a>(from: &mut &'a [u8], n: u64) -> Option<&'a [u8]> {
    let (taken, rest) = from.split_at_checked(usize::try_from(n).ok()?)?;
    *from = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &[u8; 8] = b"WRTEST\0\x01";

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|number| put(&mut bytes, *number));
        let mut rest = bytes.as_slice();
        assert!(
            numbers
                .iter()
                .all(|number| take(&mut rest) == Some(*number))
        );
        assert_eq!(take(&mut rest), None);
    }

    #[test]
    fn any_flipped_byte_and_any_cut_is_met_by_who_reads_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("frames");
        let mut writer = FramesWriter::create(&path).expect("created");
        let frames = [b"first".as_slice(), b"and second"];
        let frames = frames.map(|bytes| writer.add(bytes).expect("written"));
        writer.finish(MARK, b"directory").expect("written");
        assert_eq!(std::fs::read_dir(folder.path()).expect("read").count(), 1);
        let whole = std::fs::read(&path).expect("read");
        let is_sound = || {
            let (reader, directory) = FramesReader::open(&path, MARK)?;
            let read = frames.iter().map(|frame| reader.read(*frame).map(|_| ()));
            read.collect::<Result<()>>().map(|()| directory)
        };
        assert_eq!(is_sound().expect("sound"), b"directory");
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, &bytes).expect("written");
            assert!(is_sound().is_err(), "byte {at}");
            std::fs::write(&path, &whole[..at]).expect("written");
            assert!(is_sound().is_err(), "cut at {at}");
        }
    }
}

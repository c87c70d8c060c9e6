//! A derived file of sections that is mapped and checked a block at a time, where it is read.
//!
//! Opening costs the end of the file; a look-up costs the blocks that it touches, and each is compared with
//! its checksum once. What is damaged reads as nothing and is noted: the owner asks
//! [`SectionFile::is_damaged`].
//!
//! Layout: the sections; a CRC-32 of each block of 64 KiB of them; the ends of the sections (u64 each); the
//! number of sections (u32), the length of the sections (u64), a CRC-32 of all that follows the sections,
//! the mark (8 bytes). Little-endian.

use crate::error::{IndexError, Result};
use memmap2::Mmap;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const BLOCK_BYTES: usize = 64 << 10;
const MARK_BYTES: usize = 8;
/// Number of sections, length of the sections, checksum, mark.
const END_BYTES: usize = 4 + 8 + 4 + MARK_BYTES;

/// Writes sections into memory.
pub(crate) struct SectionWriter {
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

impl SectionWriter {
    pub(crate) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            ends: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, section: &[u8]) {
        self.bytes.extend_from_slice(section);
        self.ends.push(self.bytes.len() as u64);
    }

    pub(crate) fn finish(self, mark: [u8; MARK_BYTES]) -> Vec<u8> {
        let Self { mut bytes, ends } = self;
        let n_bytes = bytes.len();
        let sums: Vec<u32> = bytes.chunks(BLOCK_BYTES).map(crc32fast::hash).collect();
        bytes.extend(sums.iter().flat_map(|sum| sum.to_le_bytes()));
        bytes.extend(ends.iter().flat_map(|end| end.to_le_bytes()));
        bytes.extend((ends.len() as u32).to_le_bytes());
        bytes.extend((n_bytes as u64).to_le_bytes());
        let sum = crc32fast::hash(&bytes[n_bytes..]);
        bytes.extend(sum.to_le_bytes());
        bytes.extend(mark);
        bytes
    }
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    fn all(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// Sections, read where they are asked for.
#[derive(Debug)]
pub(crate) struct SectionFile {
    bytes: Bytes,
    sections: Vec<Range<usize>>,
    /// Length of all sections; the checksums of their blocks come after it.
    n_bytes: usize,
    /// A bit for each block that was compared.
    compared: Vec<AtomicU64>,
    is_damaged: AtomicBool,
}

impl SectionFile {
    /// Opens a file; `None` where there is none, or one with another mark: of another version.
    ///
    /// # Errors
    /// [`IndexError::Io`]; [`IndexError::Damaged`] when the end of the file is.
    pub(crate) fn open(path: &Path, mark: [u8; MARK_BYTES]) -> Result<Option<Self>> {
        let file = match File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            outcome => outcome.map_err(|error| IndexError::io(path, error))?,
        };
        #[expect(unsafe_code, reason = "mapping a file; it is replaced as a whole, never changed")]
        // SAFETY: derived files are replaced by rename; one that somebody else cuts is guarded
        // (`whyrank_system::mapped`).
        let map = unsafe { Mmap::map(&file) }.map_err(|error| IndexError::io(path, error))?;
        if !map.ends_with(&mark) {
            return Ok(None);
        }
        let damaged = || IndexError::Damaged {
            path: path.to_owned(),
            detail: "the end of the file is damaged".to_owned(),
        };
        Self::of(Bytes::Mapped(map)).map(Some).ok_or_else(damaged)
    }

    /// Reads what [`SectionWriter::finish`] wrote.
    pub(crate) fn in_memory(bytes: Vec<u8>) -> Self {
        Self::of(Bytes::Owned(bytes)).expect("what was just written is whole")
    }

    fn of(bytes: Bytes) -> Option<Self> {
        let all = bytes.all();
        let end = all.len().checked_sub(END_BYTES)?;
        let (n_sections, rest) = all[end..].split_first_chunk::<4>()?;
        let (n_bytes, rest) = rest.split_first_chunk::<8>()?;
        let (sum, _) = rest.split_first_chunk::<4>()?;
        let n_bytes = usize::try_from(u64::from_le_bytes(*n_bytes)).ok()?;
        let n_sections = u32::from_le_bytes(*n_sections) as usize;
        let n_blocks = n_bytes.div_ceil(BLOCK_BYTES);
        let ends_at = n_bytes.checked_add(n_blocks.checked_mul(4)?)?;
        if ends_at.checked_add(n_sections.checked_mul(8)?)? != end
            || crc32fast::hash(&all[n_bytes..end + 12]) != u32::from_le_bytes(*sum)
        {
            return None;
        }
        let ends = all[ends_at..end].chunks_exact(8);
        let mut start = 0;
        let mut sections = Vec::with_capacity(n_sections);
        for bytes in ends {
            let section_end = u64::from_le_bytes(bytes.try_into().ok()?) as usize;
            if section_end < start || section_end > n_bytes {
                return None;
            }
            sections.push(start..section_end);
            start = section_end;
        }
        let is_mapped = matches!(bytes, Bytes::Mapped(_));
        let n_words = if is_mapped { n_blocks.div_ceil(64) } else { 0 };
        Some(Self {
            bytes,
            sections,
            n_bytes,
            compared: (0..n_words).map(|_| AtomicU64::new(0)).collect(),
            is_damaged: AtomicBool::new(false),
        })
    }

    pub(crate) fn len(&self, section: usize) -> usize {
        self.sections.get(section).map_or(0, ExactSizeIterator::len)
    }

    /// Bytes of a section; none where they are damaged or beyond its end.
    pub(crate) fn bytes(&self, section: usize, range: Range<usize>) -> &[u8] {
        let found = self.sections.get(section).and_then(|whole| {
            let (start, end) = (
                whole.start.checked_add(range.start)?,
                whole.start.checked_add(range.end)?,
            );
            (start <= end && end <= whole.end && self.is_whole(start..end)).then_some(start..end)
        });
        match found {
            Some(range) => &self.bytes.all()[range],
            None => {
                self.is_damaged.store(true, Ordering::Relaxed);
                &[]
            }
        }
    }

    /// The number at an index of a section that holds numbers of four bytes; 0 where it is damaged.
    pub(crate) fn number(&self, section: usize, at: usize) -> u32 {
        let bytes = self.bytes(section, 4 * at..4 * at + 4);
        bytes.try_into().map_or(0, u32::from_le_bytes)
    }

    /// Whether something that was read was not what was written.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// Compares everything. O(bytes).
    pub(crate) fn is_all_whole(&self) -> bool {
        self.is_whole(0..self.n_bytes)
    }

    fn is_whole(&self, range: Range<usize>) -> bool {
        if self.compared.is_empty() || range.is_empty() {
            return true;
        }
        (range.start / BLOCK_BYTES..=(range.end - 1) / BLOCK_BYTES).all(|at| self.is_block_whole(at))
    }

    fn is_block_whole(&self, at: usize) -> bool {
        let (word, bit) = (&self.compared[at / 64], 1_u64 << (at % 64));
        if word.load(Ordering::Relaxed) & bit != 0 {
            return true;
        }
        let all = self.bytes.all();
        let block = &all[at * BLOCK_BYTES..((at + 1) * BLOCK_BYTES).min(self.n_bytes)];
        let sum_at = self.n_bytes + 4 * at;
        let is_whole = crc32fast::hash(block).to_le_bytes() == all[sum_at..sum_at + 4];
        if is_whole {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        is_whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: [u8; 8] = *b"sections";

    fn written() -> Vec<u8> {
        let mut writer = SectionWriter::new();
        writer.add(b"one");
        writer.add(&[]);
        writer.add(&vec![7; 3 * BLOCK_BYTES]);
        writer.finish(MARK)
    }

    #[test]
    fn sections_come_back_and_damage_of_any_byte_is_met_where_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        let open = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            SectionFile::open(&path, MARK)
        };
        let bytes = written();
        let file = open(&bytes).unwrap().unwrap();
        assert_eq!(file.bytes(0, 0..3), b"one");
        assert_eq!((file.len(1), file.len(2)), (0, 3 * BLOCK_BYTES));
        assert!(file.is_all_whole() && !file.is_damaged());
        assert_eq!(file.bytes(0, 1..4), b"");
        assert!(file.is_damaged(), "it asked beyond the end");
        for at in (0..bytes.len()).step_by(997).chain(bytes.len() - 40..bytes.len()) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            match open(&bytes) {
                Ok(Some(file)) => assert!(!file.is_all_whole(), "{at}"),
                Ok(None) => assert!(at >= bytes.len() - MARK_BYTES, "{at}"),
                Err(error) => assert!(matches!(error, IndexError::Damaged { .. }), "{at}"),
            }
        }
    }
}

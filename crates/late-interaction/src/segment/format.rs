//! The bytes of a segment.
//!
//! Little-endian. A head of 320 bytes, then the sections, each at a multiple of 64 bytes:
//!
//! | bytes | head |
//! |---|---|
//! | 8 | `WRLISEG3` |
//! | 4 | components of a vector |
//! | 4 | bits of a residual's component |
//! | 4 | number of documents `d` |
//! | 4 | number of the codec's centroids `c` |
//! | 8 | number of tokens `t` |
//! | 8 | fingerprint of the codec |
//! | 8 | sum of the residuals' lengths, in 1/1024 |
//! | 8 × 24 | sections: start (8), length (8), CRC-32 (4), 0 (4) |
//! | … | zeros |
//! | 4 | CRC-32 of the 316 bytes before |
//!
//! | section | content |
//! |---|---|
//! | ids | u32 × d, ascending |
//! | starts | u64 × (d + 1): a document's first token |
//! | centroids | u16 × t, or u32 × t when `c` > 65,536; document by document |
//! | norms | f16 × t: 1 / norm of the reconstruction |
//! | scales | f16 × t: length of the residual / norm of the reconstruction |
//! | codes | t × code bytes |
//! | cell starts | u64 × (c + 1): a cell's first token; empty without wide search |
//! | cells | the tokens cell by cell, in a cell by document: blocks of 32 as `kernels/planes.rs` says, with the bits that the codec says, the last one filled up with zeros; a document is its index |

use crate::codec::{Bits, Codec};
use crate::error::{Error, Result};
use std::path::Path;

pub(super) const MAGIC: &[u8; 8] = b"WRLISEG3";
pub(super) const HEAD_BYTES: usize = 320;
pub(super) const ALIGN: usize = 64;
pub(super) const N_SECTIONS: usize = 8;
const SECTIONS_AT: usize = 48;

#[cfg(target_endian = "big")]
compile_error!("segments are mapped as they are, little-endian");

/// A part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Ids,
    Starts,
    Centroids,
    Norms,
    Scales,
    Codes,
    CellStarts,
    Cells,
}

/// Where a section is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SectionPlace {
    pub(super) start: u64,
    pub(super) len: u64,
    pub(super) crc: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SegmentHeader {
    pub(super) dim: u32,
    pub(super) bits: u32,
    pub(super) n_documents: u32,
    pub(super) n_centroids: u32,
    pub(super) n_tokens: u64,
    pub(super) codec: u64,
    pub(super) residual: u64,
    pub(super) sections: [SectionPlace; N_SECTIONS],
}

impl SegmentHeader {
    pub(super) fn narrow(&self) -> bool {
        self.n_centroids <= 1 << 16
    }

    pub(super) fn to_bytes(self) -> [u8; HEAD_BYTES] {
        let mut bytes = Vec::with_capacity(HEAD_BYTES);
        bytes.extend(MAGIC);
        for count in [self.dim, self.bits, self.n_documents, self.n_centroids] {
            bytes.extend(count.to_le_bytes());
        }
        for count in [self.n_tokens, self.codec, self.residual] {
            bytes.extend(count.to_le_bytes());
        }
        for place in &self.sections {
            bytes.extend(place.start.to_le_bytes());
            bytes.extend(place.len.to_le_bytes());
            bytes.extend(u64::from(place.crc).to_le_bytes());
        }
        bytes.resize(HEAD_BYTES - 4, 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let mut head = [0; HEAD_BYTES];
        head.copy_from_slice(&bytes);
        head
    }

    pub(super) fn read(bytes: &[u8], path: &Path) -> Result<Self> {
        let head = bytes
            .get(..HEAD_BYTES)
            .filter(|head| head.starts_with(MAGIC));
        let head = head.ok_or_else(|| Error::damaged(path, "not a segment of format 3"))?;
        let u32_at = |at: usize| bytemuck::pod_read_unaligned::<u32>(&head[at..at + 4]);
        let u64_at = |at: usize| bytemuck::pod_read_unaligned::<u64>(&head[at..at + 8]);
        if crc32fast::hash(&head[..HEAD_BYTES - 4]) != u32_at(HEAD_BYTES - 4) {
            return Err(Error::damaged(path, "the head's checksum does not fit"));
        }
        let mut sections = [SectionPlace::default(); N_SECTIONS];
        for (at, place) in sections.iter_mut().enumerate() {
            let at = SECTIONS_AT + 24 * at;
            *place = SectionPlace {
                start: u64_at(at),
                len: u64_at(at + 8),
                crc: u32_at(at + 16),
            };
        }
        Ok(Self {
            dim: u32_at(8),
            bits: u32_at(12),
            n_documents: u32_at(16),
            n_centroids: u32_at(20),
            n_tokens: u64_at(24),
            codec: u64_at(32),
            residual: u64_at(40),
            sections,
        })
    }

    /// Holds head, codec and bytes together.
    pub(super) fn check(&self, bytes: &[u8], codec: &Codec, path: &Path) -> Result<()> {
        if self.codec != codec.fingerprint() {
            return Err(Error::OtherCodec {
                what: path.display().to_string(),
                expected: codec.fingerprint(),
                found: self.codec,
            });
        }
        if Bits::from_n(self.bits) != Some(codec.bits()) || self.dim as usize != codec.dim() {
            return Err(Error::damaged(path, "it says another shape than its codec"));
        }
        let lengths = self.lengths(codec, self.sections[Section::CellStarts as usize].len > 0);
        for (place, length) in self.sections.iter().zip(lengths) {
            let end = place.start.checked_add(place.len);
            let inside = end.is_some_and(|end| end <= bytes.len() as u64);
            if place.len != length || !inside || !place.start.is_multiple_of(ALIGN as u64) {
                return Err(Error::damaged(path, "cut short: a section is not whole"));
            }
            let section = &bytes[place.start as usize..][..place.len as usize];
            if crc32fast::hash(section) != place.crc {
                return Err(Error::damaged(
                    path,
                    "changed: a section's checksum does not fit",
                ));
            }
        }
        Ok(())
    }

    fn lengths(&self, codec: &Codec, with_cells: bool) -> [u64; N_SECTIONS] {
        let (d, c, t) = (
            u64::from(self.n_documents),
            u64::from(self.n_centroids),
            self.n_tokens,
        );
        let of_tokens = |bytes: usize| t.saturating_mul(bytes as u64);
        let width = if self.narrow() { 2 } else { 4 };
        let cells = if with_cells { u64::MAX } else { 0 };
        [
            4 * d,
            8 * (d + 1),
            of_tokens(width),
            of_tokens(2),
            of_tokens(2),
            of_tokens(codec.code_bytes()),
            (8 * (c + 1)).min(cells),
            codec.planes().bytes_of(t).min(cells),
        ]
    }
}

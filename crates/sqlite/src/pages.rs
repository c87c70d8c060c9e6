//! Pages and their sums.
//!
//! The last eight bytes of a page hold a sum over the rest. SQLite leaves them alone where byte 20 of the
//! file's head says so.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Bytes at the end of each page.
pub(crate) const SUM_BYTES: usize = 8;
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Bytes of the head that say how large a page is and what it reserves.
const HEAD_BYTES: usize = 100;
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// How a file divides into pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageFormat {
    pub(crate) page_bytes: usize,
    pub(crate) has_sums: bool,
}

impl PageFormat {
    /// Reads it off the first bytes of a file; `None` where these are not SQLite's.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        if head.len() < HEAD_BYTES || !head.starts_with(MAGIC) {
            return None;
        }
        let page_bytes = match u16::from_be_bytes([head[16], head[17]]) {
            1 => 1 << 16,
            bytes => usize::from(bytes),
        };
        (page_bytes >= 512 && page_bytes.is_power_of_two()).then_some(Self {
            page_bytes,
            has_sums: usize::from(head[20]) == SUM_BYTES,
        })
    }
}

/// Whether a page fits its sum. A page of zeros was never written: SQLite makes files longer so.
pub(crate) fn fits(page: &[u8]) -> bool {
    let (body, stored) = page.split_at(page.len() - SUM_BYTES);
    stored == sum(body) || page.iter().all(|byte| *byte == 0)
}

/// Writes a page's sum into it.
pub(crate) fn seal(page: &mut [u8]) {
    let at = page.len() - SUM_BYTES;
    let sum = sum(&page[..at]);
    page[at..].copy_from_slice(&sum);
}

/// Four lanes of multiply and rotate: as fast as memory, and every bit of the input moves the sum.
fn sum(body: &[u8]) -> [u8; SUM_BYTES] {
    let mut lanes = [1_u64, 2, 3, 4].map(|lane| lane.wrapping_mul(MULTIPLIER));
    let (words, rest) = body.as_chunks::<8>();
    let (rows, last) = words.as_chunks::<4>();
    let turn = |lane: u64, word: [u8; 8]| {
        let mixed = (lane ^ u64::from_le_bytes(word)).wrapping_mul(MULTIPLIER);
        mixed.rotate_left(29)
    };
    for row in rows {
        for (lane, word) in lanes.iter_mut().zip(row) {
            *lane = turn(*lane, *word);
        }
    }
    for (lane, word) in lanes.iter_mut().zip(last) {
        *lane = turn(*lane, *word);
    }
    let mut tail = [0; 8];
    tail[..rest.len()].copy_from_slice(rest);
    let folded = lanes
        .into_iter()
        .fold(body.len() as u64, |sum, lane| turn(sum, lane.to_le_bytes()));
    turn(folded, tail).to_le_bytes()
}

/// Whether a file is SQLite's and has no sums.
pub(crate) fn lacks_sums(path: &Path) -> bool {
    let mut head = [0; HEAD_BYTES];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && PageFormat::of(&head).is_some_and(|format| !format.has_sums)
}

/// Pages of a file that do not fit their sums, in words; none where it has no sums.
pub(crate) fn wrong_pages(path: &Path) -> io::Result<Vec<String>> {
    let mut file = File::open(path)?;
    let mut head = [0; HEAD_BYTES];
    if file.read_exact(&mut head).is_err() {
        return Ok(Vec::new());
    }
    let Some(format) = PageFormat::of(&head).filter(|format| format.has_sums) else {
        return Ok(Vec::new());
    };
    let mut file = File::open(path)?;
    let mut page = vec![0; format.page_bytes];
    let mut wrong = Vec::new();
    for number in 1_u64.. {
        match file.read_exact(&mut page) {
            Ok(()) if fits(&page) => {}
            Ok(()) => wrong.push(format!("page {number} does not fit its checksum")),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
    }
    Ok(wrong)
}

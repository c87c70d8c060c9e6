//! The checksums of the library's files.
//!
//! They are read, not mapped as the library does: pages of files that a question does not touch would
//! count as memory of this process, hundreds of megabytes for a large repository.

use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// At the end of each file: length of the footer, and this mark.
const MARK: u32 = 1337;
const TAIL_BYTES: u64 = 8;
const BUFFER_BYTES: usize = 256 << 10;

/// JSON behind the bytes that it is about.
#[derive(Deserialize)]
struct Footer {
    crc: u32,
}

/// Tells whether a file is what was written; one that is cut short is not. O(bytes).
///
/// # Errors
/// A file that cannot be read.
pub(super) fn is_sound(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let Some((n_bytes, crc)) = footer(&mut file)? else {
        return Ok(false);
    };
    file.seek(SeekFrom::Start(0))?;
    let mut body = file.take(n_bytes);
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match body.read(&mut buffer)? {
            0 => return Ok(body.limit() == 0 && hasher.finalize() == crc),
            n => hasher.update(&buffer[..n]),
        }
    }
}

/// How many bytes there are before the footer, and their checksum.
fn footer(file: &mut File) -> io::Result<Option<(u64, u32)>> {
    let size = file.metadata()?.len();
    let Some(end) = size.checked_sub(TAIL_BYTES) else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(end))?;
    let mut tail = [0; TAIL_BYTES as usize];
    file.read_exact(&mut tail)?;
    let number =
        |at: usize| u32::from_le_bytes([tail[at], tail[at + 1], tail[at + 2], tail[at + 3]]);
    let start = end.checked_sub(u64::from(number(0)));
    let Some(start) = start.filter(|_| number(4) == MARK) else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(start))?;
    let mut json = Vec::new();
    file.take(end - start).read_to_end(&mut json)?;
    let footer: Option<Footer> = serde_json::from_slice(&json).ok();
    Ok(footer.map(|footer| (start, footer.crc)))
}

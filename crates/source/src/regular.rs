//! The one way by which bytes of a file are read: regular files alone, and no more than a cap.
//!
//! A pipe, a device or a folder under the name of a file would be waited for without end, and a sparse
//! file of terabytes would fill the memory.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Reads a regular file, or what a link leads to, up to a cap.
///
/// # Errors
///
/// Those of the system; `InvalidInput` for what is no regular file, `FileTooLarge` beyond the cap.
pub fn read_regular(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for its other end.
    let size_bytes = size_of_regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    size_of_regular(&file.metadata()?)?;
    let mut bytes = Vec::with_capacity(usize::try_from(size_bytes.min(max_bytes)).unwrap_or(0) + 1);
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("larger than {max_bytes} bytes"),
        ))
    } else {
        Ok(bytes)
    }
}

fn size_of_regular(metadata: &fs::Metadata) -> io::Result<u64> {
    if metadata.is_file() {
        Ok(metadata.len())
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ))
    }
}

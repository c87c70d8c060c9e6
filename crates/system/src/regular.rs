//! The one way by which files of others are read: regular files alone, and no more than a cap.
//!
//! A pipe, a device or a folder under the name of a file would be waited for without end, and a sparse
//! file of terabytes would fill the memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Reads a regular file, or what a link leads to, up to a cap.
///
/// # Errors
///
/// Those of [`open`]; `FileTooLarge` beyond the cap.
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let (bytes, is_whole) = read_start(path, max_bytes)?;
    if is_whole {
        Ok(bytes)
    } else {
        Err(too_large(max_bytes))
    }
}

/// Reads the first bytes of a regular file, and says whether these are all.
///
/// # Errors
///
/// Those of [`open`].
pub fn read_start(path: &Path, max_bytes: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut file = open(path)?;
    let size_bytes = file.metadata()?.len().min(max_bytes);
    let mut bytes = Vec::with_capacity(usize::try_from(size_bytes).unwrap_or(0) + 1);
    file.by_ref().take(max_bytes).read_to_end(&mut bytes)?;
    let is_whole = file.read(&mut [0])? == 0;
    Ok((bytes, is_whole))
}

/// Reads a regular file of text, or what a link leads to, up to a cap.
///
/// # Errors
///
/// Those of [`read`]; `InvalidData` for what is not UTF-8.
pub fn read_text(path: &Path, max_bytes: u64) -> io::Result<String> {
    text_of(open(path)?, max_bytes)
}

/// Reads a stream of text to its end: what somebody named may be a pipe, but not without end.
///
/// # Errors
///
/// Those of the stream; `FileTooLarge` beyond the cap; `InvalidData` for what is not UTF-8.
pub fn text_of(stream: impl Read, max_bytes: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    stream.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(max_bytes));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8"))
}

fn too_large(max_bytes: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("larger than {max_bytes} bytes"),
    )
}

/// Opens a regular file, or what a link leads to, for reading.
///
/// # Errors
///
/// Those of the system; `InvalidInput` for what is no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    // To open a device may do something by itself.
    check(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    // A pipe that has taken the file's place meanwhile would be waited for.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nix::libc::O_NONBLOCK);
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        Ok(())
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_files_are_read_to_the_cap_and_nothing_else_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "12345").expect("a file");
        assert_eq!(read(&path, 5).expect("all of it"), b"12345");
        let kind = |outcome: io::Result<Vec<u8>>| outcome.expect_err("refused").kind();
        assert_eq!(kind(read(&path, 4)), io::ErrorKind::FileTooLarge);
        let start = read_start(&path, 4).expect("its start");
        assert_eq!(start, (b"1234".to_vec(), false));
        assert_eq!(kind(read(folder.path(), 5)), io::ErrorKind::InvalidInput);
        let text = |bytes: &[u8]| text_of(bytes, 5).map_err(|error| error.kind());
        assert_eq!(text(b"12345"), Ok("12345".to_owned()));
        assert_eq!(text(b"123456"), Err(io::ErrorKind::FileTooLarge));
        assert_eq!(text(b"\xff"), Err(io::ErrorKind::InvalidData));
        #[cfg(unix)]
        assert_eq!(
            kind(read(Path::new("/dev/zero"), 5)),
            io::ErrorKind::InvalidInput
        );
    }
}

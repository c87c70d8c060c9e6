//! SQLite files whose pages carry a checksum.
//!
//! SQLite notices damage where it breaks a structure; a bit in a value is an answer like any other. A
//! layer below it (a VFS) keeps eight bytes at the end of each page for a sum, writes it with the page and
//! compares it whenever the page is read from the file: what does not fit is `SQLITE_CORRUPT`, which every
//! caller takes for damage already. Pages in a write-ahead log have SQLite's own sums.
//!
//! Files are read and never mapped, so that a file that somebody cuts short is an error and no signal.

mod sums;
pub use sums::Sums;

mod pages;
mod vfs;

use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, ffi};
use std::path::Path;
use std::time::{Duration, Instant};

/// Opens a file for reading and writing, and makes one where there is none, with sums.
///
/// # Errors
/// Those of SQLite.
pub fn open(path: &Path, sums: Sums) -> rusqlite::Result<Connection> {
    open_with_flags(path, OpenFlags::default(), sums)
}

/// Opens a file with flags. A file that is new gets sums. One on a disk that takes no writes is opened
/// for reading.
///
/// # Errors
/// Those of SQLite.
pub fn open_with_flags(path: &Path, flags: OpenFlags, sums: Sums) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags_and_vfs(path, flags, vfs::name(sums)?)?;
    if connection.is_readonly(MAIN_DB)? {
        return if wants_locks(&connection) && has_no_log(path) {
            open_without_locks(path, sums)
        } else {
            Ok(connection)
        };
    }
    reserve(&connection)?;
    Ok(connection)
}

/// A file with a write-ahead log cannot be read where the files of its locks cannot be made.
fn wants_locks(connection: &Connection) -> bool {
    let read = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    let code = read.err().and_then(|error| error.sqlite_error_code());
    matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Whether all that was written is in the file itself.
fn has_no_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).map_or(true, |log| log.len() == 0)
}

/// Opens a file that nobody can write: it needs no locks.
fn open_without_locks(path: &Path, sums: Sums) -> rusqlite::Result<Connection> {
    let escaped = path
        .to_string_lossy()
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    Connection::open_with_flags_and_vfs(
        format!("file:{escaped}?immutable=1"),
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
        vfs::name(sums)?,
    )
}

/// Has a file written through a log, so that readers and a writer do not wait for each other. Waits for
/// other processes up to `patience`, here and in later statements: SQLite itself gives up at once where
/// two change a new file's mode.
///
/// # Errors
/// Those of SQLite; `SQLITE_BUSY` after `patience`.
pub fn write_ahead(connection: &Connection, patience: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(patience)?;
    // The change itself goes through a journal, whose removal has to be as durable: one that comes back after a loss of
    // power would undo the change, and with it all that was written since.
    connection.execute_batch("PRAGMA synchronous = EXTRA")?;
    let until = Instant::now() + patience;
    loop {
        let outcome = connection.execute_batch("PRAGMA journal_mode = WAL");
        match outcome {
            Err(error) if is_busy(&error) && Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(5));
            }
            outcome => return outcome,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// Gives the pages of a file of before their sums, in one transaction; one that has them stays as it is.
/// Writes the file once.
///
/// # Errors
/// Those of SQLite: then the file is as it was.
pub fn add_sums(connection: &Connection, path: &Path) -> rusqlite::Result<()> {
    if !pages::lacks_sums(path) {
        return Ok(());
    }
    connection
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
}

/// Says whether a file is SQLite's and an earlier version wrote it, without sums.
pub fn lacks_sums(path: &Path) -> bool {
    pages::lacks_sums(path)
}

/// Reads every page of a file and has SQLite look at how they hang together: what is wrong, in words.
/// Pages that a write-ahead log holds are looked at there. O(file).
///
/// # Errors
/// Those of SQLite where the file cannot be read at all.
pub fn verify(path: &Path, sums: Sums) -> rusqlite::Result<Vec<String>> {
    let mut found = pages::wrong_pages(path).map_err(|error| cannot_open(&error.to_string()))?;
    found.extend(quick_check(path, sums)?);
    Ok(found)
}

/// Returns the same at a fraction of the cost: sums alone, and SQLite's own look only where one
/// does not fit. A page that is being written while it is read here is so told from one that is
/// damaged.
///
/// # Errors
/// As for [`verify`].
pub fn damage(path: &Path, sums: Sums) -> rusqlite::Result<Vec<String>> {
    let wrong = pages::wrong_pages(path).map_err(|error| cannot_open(&error.to_string()))?;
    if wrong.is_empty() && (sums == Sums::IfThere || !pages::lacks_sums(path)) {
        return Ok(Vec::new());
    }
    quick_check(path, sums)
}

fn quick_check(path: &Path, sums: Sums) -> rusqlite::Result<Vec<String>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = open_with_flags(path, flags, sums)?;
    let mut statement = connection.prepare("PRAGMA quick_check(5)")?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let lines: Vec<String> = lines.collect::<rusqlite::Result<_>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

fn cannot_open(detail: &str) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(
        ffi::Error::new(ffi::SQLITE_CANTOPEN),
        Some(detail.to_owned()),
    )
}

/// Asks SQLite to leave room for sums: at once in a new file, by the next `VACUUM` in an old one.
fn reserve(connection: &Connection) -> rusqlite::Result<()> {
    let mut n_bytes: std::ffi::c_int = pages::SUM_BYTES as std::ffi::c_int;
    #[expect(unsafe_code, reason = "rusqlite has no call for this control")]
    // SAFETY: the handle is open for as long as the connection is borrowed; the control reads and writes
    // one integer at the address given.
    let code = unsafe {
        ffi::sqlite3_file_control(
            connection.handle(),
            c"main".as_ptr(),
            ffi::SQLITE_FCNTL_RESERVE_BYTES,
            std::ptr::from_mut(&mut n_bytes).cast(),
        )
    };
    match code {
        ffi::SQLITE_OK => Ok(()),
        code => Err(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)),
    }
}

#[cfg(test)]
mod disk;
#[cfg(test)]
mod tests;

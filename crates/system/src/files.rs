//! Files that are replaced as a whole, folders and files for the user alone, locks between processes.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Between two looks at a lock.
const POLL: Duration = Duration::from_millis(10);
/// Bytes at a file's end that its last lines are looked for in.
const TAIL_BYTES: u64 = 4 << 10;

/// Writes a file beside its place, flushes it, renames it there and flushes the folder: whenever the
/// process or the machine stops, a reader finds the old bytes or the new ones. A new file is for the
/// user alone; one that was there keeps its rights.
///
/// # Errors
/// When one of these steps fails; then the old file is there, and nothing beside it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder_of(path);
    create_private_folder(folder)?;
    let temporary = beside(path);
    let written = write_private(&temporary, bytes)
        .and_then(|()| keep_rights(path, &temporary))
        .and_then(|()| publish(&temporary, path));
    if written.is_err() {
        drop(fs::remove_file(&temporary));
    }
    written
}

/// Renames a file that was written and flushed, and flushes the folder.
///
/// # Errors
/// When it cannot be renamed or the folder cannot be flushed.
pub fn publish(temporary: &Path, path: &Path) -> io::Result<()> {
    fs::rename(temporary, path)?;
    flush_folder(folder_of(path))
}

/// Makes a folder that only the user can look into, and those above that are missing.
///
/// # Errors
/// When the system cannot.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Takes the rights that others have to a file or folder of ours. What belongs to somebody else stays
/// as it is.
pub fn make_private(path: &Path) {
    #[cfg(unix)]
    if let Ok(meta) = fs::metadata(path) {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = meta.permissions().mode() & 0o7777;
        if mode & 0o077 != 0 {
            drop(fs::set_permissions(
                path,
                fs::Permissions::from_mode(mode & !0o077),
            ));
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Makes an empty file that only the user can read, where there is none; one that is there loses the
/// rights of others. What opens it later, SQLite say, gives its further files the same rights.
///
/// # Errors
/// When the system cannot.
pub fn create_private(path: &Path) -> io::Result<()> {
    match private().create_new(true).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            make_private(path);
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Takes a lock between processes, and waits for it for a while; none when another still holds it.
/// It is given back when the file is dropped, or the process ends.
///
/// # Errors
/// When the file cannot be made or its system has no locks.
pub fn lock(path: &Path, patience: Duration) -> io::Result<Option<File>> {
    create_private_folder(folder_of(path))?;
    let file = private().create(true).truncate(false).open(path)?;
    let deadline = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Ok(None),
            Err(TryLockError::WouldBlock) => std::thread::sleep(POLL),
        }
    }
}

/// Returns the last lines of a file that say something, as a message can carry them.
pub fn last_lines(path: &Path, n: usize) -> String {
    let text = tail(path).unwrap_or_default();
    let mut last: VecDeque<&str> = VecDeque::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        last.push_back(line);
        if last.len() > n {
            last.pop_front();
        }
    }
    let last: Vec<&str> = last.into_iter().collect();
    last.join(" / ")
}

fn tail(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let from = file.metadata()?.len().saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn folder_of(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A name that no other process or thread writes at the same time.
fn beside(path: &Path) -> PathBuf {
    static N_WRITTEN: AtomicU32 = AtomicU32::new(0);
    let number = N_WRITTEN.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".tmp-{}-{number}", std::process::id()));
    path.with_file_name(name)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A process of the same number was killed here.
    drop(fs::remove_file(path));
    let mut file = private().create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn keep_rights(path: &Path, temporary: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(meta) => fs::set_permissions(temporary, meta.permissions()),
        Err(_) => Ok(()),
    }
}

#[cfg(unix)]
fn flush_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn flush_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_made_is_for_the_user_alone() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a/b/list.json");
        replace(&file, b"1").unwrap();
        assert_eq!((mode(&file), mode(&root.path().join("a"))), (0o600, 0o700));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&file, b"2").unwrap();
        assert_eq!(
            (mode(&file), fs::read(&file).unwrap()),
            (0o640, b"2".into())
        );
        let names = fs::read_dir(root.path().join("a/b")).unwrap().count();
        assert_eq!(names, 1, "nothing lies beside it");
        create_private(&file).unwrap();
        assert_eq!(mode(&file), 0o600);
    }

    #[test]
    fn a_file_that_cannot_be_replaced_stays() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("folder");
        fs::create_dir_all(folder.join("full")).unwrap();
        assert!(replace(&folder, b"1").is_err());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_lock_keeps_others_out_until_it_is_dropped() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("lock");
        let held = lock(&path, Duration::ZERO).unwrap();
        assert!(held.is_some());
        assert!(lock(&path, Duration::ZERO).unwrap().is_none());
        drop(held);
        assert!(lock(&path, Duration::ZERO).unwrap().is_some());
    }
}

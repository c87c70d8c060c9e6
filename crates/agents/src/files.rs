//! Reading and writing whole files so that a reader sees the old one or the new one.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};
use whyrank_system::regular;

use crate::error::AgentsError;

/// The largest configuration that is read.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Links that are followed, as many as operating systems do.
const MOST_LINKS: usize = 40;

/// The bytes of a file, none where there is no file.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, AgentsError> {
    match regular::read(path, MOST_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => Err(AgentsError::TooLarge {
            path: path.to_owned(),
            bytes: fs::metadata(path).map_or(MOST_BYTES, |found| found.len()),
        }),
        Err(error) => Err(AgentsError::read(path, error)),
    }
}

/// A name for bytes: empty for none.
pub(crate) fn hash(bytes: Option<&[u8]>) -> String {
    bytes.map_or_else(String::new, |bytes| hex::encode(Sha256::digest(bytes)))
}

/// Where a path leads in the end, also through links to what is not there yet.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    real_folder(&path).unwrap_or(path)
}

/// Resolves the links of the folders above it, as far as these exist.
fn real_folder(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = fs::canonicalize(path) {
        return Some(real);
    }
    // What is not there has no name `..`: such a path is left as it is.
    let name = path.file_name()?;
    Some(real_folder(path.parent()?)?.join(name))
}

/// Says whether a path with its links followed lies in a folder.
pub(crate) fn is_inside(real: &Path, folder: &Path) -> bool {
    let climbs = real.components().any(|part| part == Component::ParentDir);
    !climbs && real_folder(folder).is_some_and(|folder| real.starts_with(folder))
}

/// Says that a file of a project does not lie in it: a checkout's links are its author's, and must not
/// choose what is written on this machine.
///
/// # Errors
///
/// `LeadsOut`.
pub(crate) fn check_inside(path: &Path, project: &Path) -> Result<(), AgentsError> {
    let target = real_path(path);
    if is_inside(&target, project) {
        Ok(())
    } else {
        Err(AgentsError::LeadsOut {
            path: path.to_owned(),
            target,
        })
    }
}

/// Whether anything keeps the file from being written.
///
/// # Errors
///
/// `ReadOnly` and `Locked`.
pub(crate) fn check_writable(path: &Path, snippet: &str) -> Result<(), AgentsError> {
    let Ok(found) = fs::metadata(path) else {
        return Ok(());
    };
    if found.permissions().readonly() {
        return Err(AgentsError::ReadOnly {
            path: path.to_owned(),
            snippet: snippet.to_owned(),
        });
    }
    let file = regular::open(path).map_err(|error| AgentsError::read(path, error))?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Err(AgentsError::Locked {
            path: path.to_owned(),
        }),
        // A file system without locks keeps nobody out.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Who may read a newly created file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The user alone.
    User,
    /// Anyone who reads the project.
    Project,
}

/// Replaces a file as a whole, keeping its mode and owner. `before` is the hash of what it held when
/// the new bytes were made. Folders that are missing are made, and given back, outermost first.
///
/// # Errors
///
/// `Changed` when it holds something else by now; `Write`.
pub(crate) fn replace(
    path: &Path,
    bytes: &[u8],
    before: &str,
    audience: Audience,
) -> Result<Vec<PathBuf>, AgentsError> {
    let failed = |error| AgentsError::write(path, error);
    let folder = path.parent().unwrap_or(Path::new("."));
    let made = make_folders(folder).map_err(failed)?;
    let mut temporary = tempfile::Builder::new()
        .prefix(".whyrank-")
        .tempfile_in(folder)
        .map_err(failed)?;
    temporary.write_all(bytes).map_err(failed)?;
    keep_mode(path, temporary.as_file(), audience).map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    if hash(read(path)?.as_deref()) != before {
        return Err(AgentsError::Changed {
            path: path.to_owned(),
        });
    }
    temporary
        .persist(path)
        .map_err(|error| failed(error.error))?;
    #[cfg(unix)]
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(failed)?;
    Ok(made)
}

fn make_folders(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut missing: Vec<PathBuf> = folder
        .ancestors()
        .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.exists())
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    fs::create_dir_all(folder)?;
    Ok(missing)
}

#[cfg(unix)]
fn keep_mode(path: &Path, file: &File, audience: Audience) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    match fs::metadata(path) {
        Ok(found) => {
            file.set_permissions(found.permissions())?;
            // Only a superuser can, and only it needs to.
            let _ = fchown(file, Some(found.uid()), Some(found.gid()));
            Ok(())
        }
        Err(_) => {
            let mode = match audience {
                Audience::User => 0o600,
                Audience::Project => 0o644,
            };
            file.set_permissions(fs::Permissions::from_mode(mode))
        }
    }
}

#[cfg(not(unix))]
fn keep_mode(_path: &Path, _file: &File, _audience: Audience) -> std::io::Result<()> {
    Ok(())
}

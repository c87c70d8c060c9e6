//! A folder of the library's for readers: on a disk that takes no writes they do without its lock file, and
//! the files that they have open are watched.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};
use whyrank_system::mapped::{self, Kept, Watch};

/// The lock keeps a writer from deleting what a reader is about to open. Where no lock file can be made,
/// nothing can be deleted either.
#[derive(Clone, Debug)]
pub(super) struct ReadDirectory {
    folder: PathBuf,
    inner: MmapDirectory,
    /// The library takes for sound what was checked when it was opened.
    open: Arc<Mutex<HashMap<PathBuf, Watch>>>,
}

impl ReadDirectory {
    pub(super) fn new(folder: &Path, inner: MmapDirectory) -> Self {
        Self {
            folder: folder.to_owned(),
            inner,
            open: Arc::default(),
        }
    }

    fn watch(&self, name: &Path) {
        let path = self.folder.join(name);
        let mut open = self.open.lock();
        // Those of merged segments.
        open.retain(|path, _| path.exists());
        // One that is not there cannot be opened either.
        if !open.contains_key(&path)
            && let Ok(watch) = mapped::watch(&path, Kept::Bytes)
        {
            open.insert(path, watch);
        }
    }
}

impl Directory for ReadDirectory {
    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        or_without(self.inner.acquire_lock(lock))
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.watch(path);
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.inner.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> std::io::Result<()> {
        self.inner.atomic_write(path, data)
    }

    fn sync_directory(&self) -> std::io::Result<()> {
        self.inner.sync_directory()
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}

fn or_without(locked: Result<DirectoryLock, LockError>) -> Result<DirectoryLock, LockError> {
    match locked {
        Err(LockError::IoError(error)) if takes_no_writes(error.kind()) => {
            Ok(DirectoryLock::from(Box::new(())))
        }
        locked => locked,
    }
}

fn takes_no_writes(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_does_without_a_lock_only_where_none_can_be_made() {
        let fails = |kind: ErrorKind| Err(LockError::wrap_io_error(kind.into()));
        assert!(or_without(fails(ErrorKind::ReadOnlyFilesystem)).is_ok());
        assert!(or_without(fails(ErrorKind::PermissionDenied)).is_ok());
        assert!(or_without(fails(ErrorKind::StorageFull)).is_err());
        assert!(or_without(Err(LockError::LockBusy)).is_err());
    }
}

//! A folder of the library's for readers: on a disk that takes no writes they do without its lock file.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

/// The lock keeps a writer from deleting what a reader is about to open. Where no lock file can be made,
/// nothing can be deleted either.
#[derive(Clone, Debug)]
pub(super) struct ReadDirectory(pub(super) MmapDirectory);

impl Directory for ReadDirectory {
    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        or_without(self.0.acquire_lock(lock))
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.0.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.0.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> std::io::Result<()> {
        self.0.atomic_write(path, data)
    }

    fn sync_directory(&self) -> std::io::Result<()> {
        self.0.sync_directory()
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(callback)
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

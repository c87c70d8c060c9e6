//! Where a store lies on disk, which generation is live, and who may write.
//!
//! ```text
//! <store>/live                name of the live generation, replaced by rename
//! <store>/writer.lock         held by the one writer
//! <store>/writer.wanted       held by those whose answer waits for it
//! <store>/gen-<n>/manifest.json  catalog.db  lexical/  vectors-<model>.db  sketch-<model>/
//!                 tokens-<model>/  derived/
//! ```

use crate::error::{IndexError, Result};
use crate::manifest::Manifest;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use whyrank_system::files;

const LIVE: &str = "live";
const WRITER_REQUESTS: &str = "writer.wanted";
/// A file of a generation that says what is wrong with it.
const CONDEMNED: &str = "condemned";

/// Folder of a generation for what readers work out from it.
pub(crate) const DERIVED: &str = "derived";

/// What the encoder is given of a chunk; part of the vector stores' names.
pub(crate) const VECTOR_TEXT_VERSION: u32 = 1;

/// The folder of one repository's store (shared by all its worktrees).
#[derive(Clone, Debug)]
pub(crate) struct StoreLayout {
    root: PathBuf,
}

/// The writer's lock; dropping it lets the next writer in. A killed process drops it too.
#[derive(Debug)]
pub(crate) struct WriterLock {
    _file: File,
}

/// Tells the writer that an answer waits for its lock, until it is dropped. A killed process drops it too.
#[derive(Debug)]
pub struct WriterRequest {
    _file: File,
}

impl StoreLayout {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The live generation's folder, if there is one.
    pub(crate) fn live(&self) -> Option<PathBuf> {
        let name = fs::read_to_string(self.root.join(LIVE)).ok()?;
        let folder = self.root.join(name.trim());
        folder.is_dir().then_some(folder)
    }

    /// Returns the live generation if readers may open it: one of an earlier version, or a damaged one, is as
    /// good as none.
    pub(crate) fn sound_live(&self) -> Option<PathBuf> {
        let live = self.live()?;
        (!Manifest::is_older(&live) && !is_condemned(&live)).then_some(live)
    }

    /// Returns why there is no index where one was.
    pub(crate) fn missing(&self) -> IndexError {
        let live = self.live().map(|live| live.join(CONDEMNED));
        match live.and_then(|path| fs::read_to_string(path).ok()) {
            Some(detail) => IndexError::SetAside { detail },
            None => IndexError::Missing,
        }
    }

    /// The newest generation, live or not.
    pub(crate) fn newest_generation(&self) -> Option<PathBuf> {
        self.generations()
            .into_iter()
            .max()
            .map(|(_, folder)| folder)
    }

    /// A folder for the next generation, empty.
    pub(crate) fn new_generation(&self) -> Result<PathBuf> {
        fs::create_dir_all(&self.root).map_err(|error| IndexError::io(&self.root, error))?;
        let highest = self
            .generations()
            .iter()
            .map(|(number, _)| *number)
            .max()
            .unwrap_or(0);
        let folder = self.root.join(format!("gen-{}", highest + 1));
        fs::create_dir_all(&folder).map_err(|error| IndexError::io(&folder, error))?;
        Ok(folder)
    }

    /// Makes a generation the live one: the rename is the moment at which readers see it.
    pub(crate) fn go_live(&self, generation: &Path) -> Result<()> {
        let name = generation
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let live = self.root.join(LIVE);
        files::replace(&live, name.as_bytes()).map_err(|error| IndexError::io(&live, error))
    }

    /// Deletes generations that are not live; what cannot be deleted (still open elsewhere) stays for the next time.
    pub(crate) fn sweep(&self) {
        let live = self.live();
        for (_, folder) in self.generations() {
            if Some(&folder) != live.as_ref() {
                let _ = fs::remove_dir_all(folder);
            }
        }
    }

    /// Takes the writer's lock without waiting.
    pub(crate) fn lock(&self) -> Result<WriterLock> {
        fs::create_dir_all(&self.root).map_err(|error| IndexError::io(&self.root, error))?;
        let path = self.root.join("writer.lock");
        let mut open = File::options();
        open.read(true).write(true).create(true).truncate(false);
        let mut file = open
            .open(&path)
            .map_err(|error| IndexError::io(&path, error))?;
        match file.try_lock() {
            Ok(()) => {
                // Who waits can say for whom; a lock without a number is as good.
                let _ = file.set_len(0);
                let _ = file.write_all(std::process::id().to_string().as_bytes());
                Ok(WriterLock { _file: file })
            }
            Err(fs::TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.take(16).read_to_string(&mut text);
                let process = text.trim().parse().ok();
                Err(IndexError::Locked { process, path })
            }
            Err(fs::TryLockError::Error(error)) => Err(IndexError::io(path, error)),
        }
    }

    pub(crate) fn request_writer(&self) -> Result<WriterRequest> {
        let path = self.root.join(WRITER_REQUESTS);
        let mut open = File::options();
        open.read(true).write(true).create(true).truncate(false);
        let file = open.open(&path).and_then(|file| {
            file.lock_shared()?;
            Ok(file)
        });
        file.map(|file| WriterRequest { _file: file })
            .map_err(|error| IndexError::io(&path, error))
    }

    pub(crate) fn is_writer_requested(&self) -> bool {
        let file = File::open(self.root.join(WRITER_REQUESTS));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)))
    }

    /// Bytes on disk.
    pub(crate) fn size_bytes(&self) -> u64 {
        folder_size(&self.root)
    }

    fn generations(&self) -> Vec<(u32, PathBuf)> {
        let Ok(entries) = fs::read_dir(&self.root) else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                Some((name.strip_prefix("gen-")?.parse().ok()?, entry.path()))
            })
            .collect()
    }
}

/// Bytes of a database and its logs.
pub(crate) fn file_size(path: &Path) -> u64 {
    let sizes = ["", "-wal", "-shm"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        fs::metadata(name).map_or(0, |metadata| metadata.len())
    });
    sizes.iter().sum()
}

pub(crate) fn folder_size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => folder_size(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}

/// Says whether a generation counts as not there.
pub(crate) fn is_condemned(generation: &Path) -> bool {
    generation.join(CONDEMNED).exists()
}

/// Makes a generation count as not there, with what was found.
pub(crate) fn condemn(generation: &Path, detail: &str) -> Result<()> {
    let path = generation.join(CONDEMNED);
    whyrank_system::files::replace(&path, detail.as_bytes())
        .map_err(|error| IndexError::io(path, error))
}

/// The file of a model's vectors. The name carries all that changes them.
pub(crate) fn vector_path(generation: &Path, fingerprint: &str) -> PathBuf {
    let short = &fingerprint[..fingerprint.len().min(16)];
    generation.join(format!("vectors-{short}-t{VECTOR_TEXT_VERSION}.db"))
}

//! Lists a working tree: walk in parallel, ask what is known, read and hash the rest in parallel.
//!
//! What belongs to the tree say the [rules](crate::rules). The result does not depend on the number of
//! threads.

use crate::repository::{mtime_ns, relative};
use crate::rules::Rules;
use crate::{
    BlobId, FileFilter, Listing, Repository, SkipReason, SkippedFile, SourceError, SourceFile,
    blob_id, classify,
};
use ignore::{DirEntry, WalkBuilder, WalkState};
use rayon::prelude::*;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use whyrank_system::regular;

/// This many files are found at a time, and read between two calls of `on_file`.
const BATCH_FILES: usize = 128;

/// What an earlier listing found out about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownFile {
    /// It was listed with this content.
    Indexed(BlobId),
    /// It was left out.
    Skipped(SkipReason),
}

/// Size and times of a file, as the system tells them without a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStat {
    /// Size in bytes.
    pub size_bytes: u64,
    /// Modification time in nanoseconds since the epoch. Programs may set it back.
    pub mtime_ns: i64,
    /// When content or times last changed, in nanoseconds since the epoch: the later of the
    /// modification time and, on Unix, the status change, which no program sets back.
    pub changed_ns: i64,
}

impl FileStat {
    /// Reads the state of a file or link at a path; `None` where there is none.
    pub fn read(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path)
            .ok()
            .map(|metadata| Self::of(&metadata))
    }

    fn of(metadata: &fs::Metadata) -> Self {
        let mtime_ns = mtime_ns(metadata);
        Self {
            size_bytes: metadata.len(),
            mtime_ns,
            changed_ns: mtime_ns.max(status_changed_ns(metadata)),
        }
    }
}

#[cfg(unix)]
fn status_changed_ns(metadata: &fs::Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    let seconds = metadata.ctime().saturating_mul(1_000_000_000);
    seconds.saturating_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn status_changed_ns(_metadata: &fs::Metadata) -> i64 {
    i64::MIN
}

/// What is known of files, so that unchanged ones are not read again.
pub trait KnownFiles {
    /// Returns what was found for a file of this path, size and times.
    ///
    /// A file may be written twice within one tick of the file system's clock. So answer `None`
    /// for one that changed less than a second or so before it was listed.
    fn blob(&self, path: &str, stat: FileStat) -> Option<KnownFile>;
}

/// Nothing is known.
impl KnownFiles for () {
    fn blob(&self, _path: &str, _stat: FileStat) -> Option<KnownFile> {
        None
    }
}

impl Repository {
    /// Lists the files of the working tree.
    ///
    /// Blob ids are those of the bytes on disk, before any conversion git would do on commit.
    /// Files that vanish meanwhile are not listed. Links that point nowhere are not listed either.
    /// `on_file` gets the number of files dealt with so far, on this thread, every few dozen
    /// files; `Break` ends the listing. Reads run on the current rayon pool.
    ///
    /// # Errors
    ///
    /// `ListFolder` when the root cannot be read, `Cancelled`.
    pub fn list_worktree(
        &self,
        filter: &FileFilter,
        known: &dyn KnownFiles,
        on_file: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Listing, SourceError> {
        let root = self.root();
        fs::read_dir(root).map_err(|source| SourceError::ListFolder {
            path: root.to_path_buf(),
            source,
        })?;
        let mut progress = ScanProgress {
            n_done: 0,
            n_told: 0,
            on_file,
        };
        let mut listing = Listing::default();
        let rules = Arc::new(Rules::of(self));
        let mut unread = collect(&rules, filter, known, &mut listing, &mut progress)?;
        // Neighbours on disk are read together.
        unread.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        for batch in unread.chunks(BATCH_FILES) {
            let outcomes: Vec<Outcome> = batch
                .par_iter()
                .map(|file| read(root, file, filter))
                .collect();
            outcomes
                .into_iter()
                .for_each(|outcome| outcome.add_to(&mut listing));
            progress.add(batch.len())?;
        }
        progress.finish()?;
        listing.sort();
        Ok(listing)
    }
}

impl Listing {
    pub(crate) fn sort(&mut self) {
        self.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    }
}

/// A walk through folders that the rules let in and `enters` says, without git's own data. Files are the
/// caller's to judge; the watcher, which shares it, needs none.
pub(crate) fn walk_builder(
    root: &Path,
    rules: &Arc<Rules>,
    enters: fn(&Path) -> bool,
) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    let (root, rules) = (root.to_path_buf(), Arc::clone(rules));
    builder
        .standard_filters(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            let lets_in = || {
                let path = relative(&root, entry.path()).unwrap_or_else(|lossy| lossy);
                rules.lets_in(&path, true) && enters(entry.path())
            };
            entry.file_name() != ".git" && (!is_dir || lets_in())
        });
    builder
}

/// Whether a folder below the root is a repository of its own.
pub(crate) fn is_repository(folder: &Path) -> bool {
    folder.join(".git").symlink_metadata().is_ok()
}

struct ScanProgress<'a> {
    n_done: usize,
    n_told: usize,
    on_file: &'a mut dyn FnMut(usize) -> ControlFlow<()>,
}

impl ScanProgress<'_> {
    fn add(&mut self, n_files: usize) -> Result<(), SourceError> {
        self.n_done += n_files;
        if self.n_done - self.n_told < BATCH_FILES {
            Ok(())
        } else {
            self.finish()
        }
    }

    fn finish(&mut self) -> Result<(), SourceError> {
        self.n_told = self.n_done;
        match (self.on_file)(self.n_done) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SourceError::Cancelled),
        }
    }
}

/// A file on disk that was not read yet.
struct UnreadFile {
    path: String,
    stat: FileStat,
}

enum WalkedEntry {
    File(UnreadFile),
    Skipped(SkippedFile),
}

/// Walks the tree, lists what is known, and returns the files that have to be read.
fn collect(
    rules: &Arc<Rules>,
    filter: &FileFilter,
    known: &dyn KnownFiles,
    listing: &mut Listing,
    progress: &mut ScanProgress<'_>,
) -> Result<Vec<UnreadFile>, SourceError> {
    let mut unread = Vec::new();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        scope.spawn(move || walk(rules.root(), rules, &sender));
        // An early return drops the receiver, which ends the walk.
        for found in receiver.into_iter().flatten() {
            let file = match found {
                WalkedEntry::File(file) => file,
                WalkedEntry::Skipped(skipped) => {
                    listing.skipped.push(skipped);
                    continue;
                }
            };
            match judge(&file, filter, known) {
                Some(KnownFile::Indexed(blob)) => listing.files.push(file.with_blob(blob)),
                Some(KnownFile::Skipped(reason)) => listing.skipped.push(skip(file.path, reason)),
                None => {
                    unread.push(file);
                    continue;
                }
            }
            progress.add(1)?;
        }
        Ok(unread)
    })
}

fn judge(file: &UnreadFile, filter: &FileFilter, known: &dyn KnownFiles) -> Option<KnownFile> {
    match filter.refuse(&file.path, file.stat.size_bytes) {
        Some(reason) => Some(KnownFile::Skipped(reason)),
        None => known.blob(&file.path, file.stat),
    }
}

fn walk(root: &Path, rules: &Arc<Rules>, sender: &mpsc::Sender<Vec<WalkedEntry>>) {
    walk_builder(root, rules, |_| true)
        .build_parallel()
        .run(|| {
            let mut batch = WalkedBatch::new(sender.clone());
            Box::new(move |entry| {
                let (found, next) = visit(root, rules, entry);
                batch.extend(found);
                if batch.is_wanted {
                    next
                } else {
                    WalkState::Quit
                }
            })
        });
}

/// What a thread of the walk found and did not send yet: waking the receiver for each file costs more than
/// looking at the file.
struct WalkedBatch {
    found: Vec<WalkedEntry>,
    sender: mpsc::Sender<Vec<WalkedEntry>>,
    /// Somebody receives.
    is_wanted: bool,
}

impl WalkedBatch {
    fn new(sender: mpsc::Sender<Vec<WalkedEntry>>) -> Self {
        Self {
            found: Vec::new(),
            sender,
            is_wanted: true,
        }
    }

    fn extend(&mut self, found: Option<WalkedEntry>) {
        self.found.extend(found);
        if self.found.len() >= BATCH_FILES {
            self.send();
        }
    }

    fn send(&mut self) {
        let found = std::mem::take(&mut self.found);
        self.is_wanted = self.sender.send(found).is_ok();
    }
}

impl Drop for WalkedBatch {
    fn drop(&mut self) {
        self.send();
    }
}

fn visit(
    root: &Path,
    rules: &Rules,
    entry: Result<DirEntry, ignore::Error>,
) -> (Option<WalkedEntry>, WalkState) {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => return (unreadable(root, &error), WalkState::Continue),
    };
    if entry.depth() == 0 {
        return (None, WalkState::Continue);
    }
    let Some(file_type) = entry.file_type() else {
        return (None, WalkState::Continue);
    };
    if file_type.is_dir() {
        let path = relative(root, entry.path()).unwrap_or_else(|lossy| lossy);
        let reason = match (rules.tracks_as_file(&path), is_repository(entry.path())) {
            (true, _) => SkipReason::Submodule,
            (false, true) => SkipReason::NestedRepository,
            (false, false) => return (None, WalkState::Continue),
        };
        return (
            Some(WalkedEntry::Skipped(skip(path, reason))),
            WalkState::Skip,
        );
    }
    let path = relative(root, entry.path());
    let shown = path.as_ref().unwrap_or_else(|lossy| lossy);
    let found = match rules.lets_in(shown, false) {
        true if file_type.is_symlink() => link(entry.path(), shown),
        true if file_type.is_file() => file(root, &entry, path),
        _ => None,
    };
    (found, WalkState::Continue)
}

fn link(link: &Path, path: &str) -> Option<WalkedEntry> {
    fs::metadata(link).ok()?;
    Some(WalkedEntry::Skipped(skip(
        path.to_owned(),
        SkipReason::Symlink,
    )))
}

fn file(root: &Path, entry: &DirEntry, path: Result<String, String>) -> Option<WalkedEntry> {
    let path = match path {
        Ok(path) => path,
        Err(lossy) => return Some(WalkedEntry::Skipped(skip(lossy, SkipReason::Name))),
    };
    match entry.metadata() {
        Ok(metadata) => Some(WalkedEntry::File(UnreadFile {
            path,
            stat: FileStat::of(&metadata),
        })),
        Err(error) => unreadable(root, &error),
    }
}

/// A folder or file that the walk could not read; `None` if it is gone.
fn unreadable(root: &Path, error: &ignore::Error) -> Option<WalkedEntry> {
    let source = error.io_error()?;
    if is_gone(source) {
        return None;
    }
    let path = relative(root, error_path(error)?).unwrap_or_else(|lossy| lossy);
    let message = source.to_string();
    Some(WalkedEntry::Skipped(skip(
        path,
        SkipReason::Unreadable { message },
    )))
}

fn error_path(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            error_path(err)
        }
        _ => None,
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

impl UnreadFile {
    fn with_blob(self, blob: BlobId) -> SourceFile {
        SourceFile {
            path: self.path,
            blob,
            size_bytes: self.stat.size_bytes,
            mtime_ns: self.stat.mtime_ns,
        }
    }
}

fn skip(path: String, reason: SkipReason) -> SkippedFile {
    SkippedFile { path, reason }
}

enum Outcome {
    File(SourceFile),
    Skipped(SkippedFile),
    Gone,
}

impl Outcome {
    fn add_to(self, listing: &mut Listing) {
        match self {
            Self::File(file) => listing.files.push(file),
            Self::Skipped(skipped) => listing.skipped.push(skipped),
            Self::Gone => {}
        }
    }
}

/// Reads, judges and hashes one file.
fn read(root: &Path, file: &UnreadFile, filter: &FileFilter) -> Outcome {
    let skipped = |reason| Outcome::Skipped(skip(file.path.clone(), reason));
    let limit_bytes = filter.limit_bytes(&file.path);
    let bytes = match regular::read(&root.join(&file.path), limit_bytes) {
        Ok(bytes) => bytes,
        Err(error) if is_gone(&error) => return Outcome::Gone,
        // It has grown since the walk.
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            return skipped(SkipReason::TooLarge {
                size_bytes: limit_bytes.saturating_add(1),
                limit_bytes,
            });
        }
        Err(error) => {
            return skipped(SkipReason::Unreadable {
                message: error.to_string(),
            });
        }
    };
    if let Some(reason) = classify(&file.path, &bytes, filter) {
        return skipped(reason);
    }
    // The time is the one from before the read: a write in between makes the file differ next time.
    Outcome::File(SourceFile {
        path: file.path.clone(),
        blob: blob_id(&bytes),
        size_bytes: bytes.len() as u64,
        mtime_ns: file.stat.mtime_ns,
    })
}

//! Tells when files of a working tree, its HEAD, its refs or its index change.
//!
//! Where the system watches folder by folder (Linux), only folders that are not ignored are
//! watched, so a build that fills `target/` costs nothing. Elsewhere one watch covers the tree,
//! and ignored paths are dropped. Events are gathered until 150 ms are quiet, 1 s at most.

mod folders;

use crate::cookies::{Cookies, hears_all};
use crate::repository::relative;
use crate::rules::{Rules, WHYRANK_IGNORE};
use crate::worktree::{is_repository, walk_builder};
use crate::{Repository, SourceError};
use notify::RecursiveMode;
use notify::event::{EventKind, ModifyKind, RemoveKind, RenameMode};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use self::folders::{WATCHES_TREES, WatchedFolders};

const QUIET: Duration = Duration::from_millis(150);
const MAX_DELAY: Duration = Duration::from_secs(1);

/// Beyond this many changed files a listing is cheaper than their names.
const MAX_FILES: usize = 4096;

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchEvent {
    /// Files were created, written, renamed or deleted: paths relative to the root, sorted.
    Files(Vec<String>),
    /// HEAD, a ref or the index moved.
    Head,
    /// More changed than can be told by name (ignore rules, whole folders, lost events): list again.
    Rescan,
}

/// Watches one working tree until it is dropped.
pub struct Watcher {
    signals: Sender<Signal>,
    thread: Option<JoinHandle<()>>,
    cookies: Arc<Cookies>,
}

impl Watcher {
    /// Starts to watch; whatever happens after the return is told to `callback`, on one thread.
    ///
    /// So start the watcher first, then list. When several things changed, `Head` comes first. In the
    /// folder `cookies`, outside of the working tree, it may write small files for [`Self::events`].
    ///
    /// # Errors
    ///
    /// `WatchLimit`, `Watch`, `StartWatcher`.
    pub fn start(
        repository: &Repository,
        cookies: Option<&Path>,
        callback: impl Fn(WatchEvent) + Send + 'static,
    ) -> Result<Self, SourceError> {
        let root = repository.root().to_path_buf();
        let (signals, receiver) = mpsc::channel();
        let events = signals.clone();
        let cookies = cookies.filter(|_| !WATCHES_TREES && hears_all(&root));
        let cookies = Arc::new(Cookies::new(cookies));
        let bases = [&*root, repository.git_dir(), repository.common_dir()];
        let bases = bases.into_iter().chain(cookies.folder());
        let heard = move |event| {
            // After the last event there is nobody to receive it.
            let _ = events.send(Signal::Event(event));
        };
        let watcher = WatchedFolders::new(bases.map(Path::to_path_buf).collect(), Box::new(heard))
            .map_err(|e| watch_error(&root, e))?;
        let mut watched = WatchedTree {
            rules: Arc::new(Rules::of(repository)),
            root: root.clone(),
            git_dir: repository.git_dir().to_path_buf(),
            common_dir: repository.common_dir().to_path_buf(),
            watcher,
            folders: BTreeSet::new(),
            cookies: Arc::clone(&cookies),
        };
        watched.watch_cookies();
        watched
            .watch_git()
            .and_then(|()| watched.watch_files())
            .map_err(|e| watch_error(&root, e))?;
        let thread = thread::Builder::new()
            .name("whyrank-watch".to_owned())
            .spawn(move || watched.run(&receiver, &callback))
            .map_err(|source| SourceError::StartWatcher { path: root, source })?;
        Ok(Self {
            signals,
            thread: Some(thread),
            cookies,
        })
    }

    /// Counts what happened up to now in files, HEAD and refs: as long as the number stays, nothing did.
    /// No two watchers give the same numbers.
    ///
    /// `None` where that cannot be told within `patience`: some folder is not watched, rules are being
    /// read again, or the system does not say in which order things happened. Cost: a small file.
    pub fn events(&self, patience: Duration) -> Option<u64> {
        self.cookies.events(patience)
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // The thread may have ended by a panic of the callback.
        let _ = self.signals.send(Signal::Stop);
        let Some(thread) = self.thread.take() else {
            return;
        };
        if thread.thread().id() != thread::current().id() {
            let _ = thread.join();
        }
    }
}

fn watch_error(root: &Path, source: notify::Error) -> SourceError {
    let path = source
        .paths
        .first()
        .map_or(root, PathBuf::as_path)
        .to_path_buf();
    match source.kind {
        notify::ErrorKind::MaxFilesWatch => SourceError::WatchLimit {
            path: root.to_path_buf(),
        },
        _ => SourceError::Watch { path, source },
    }
}

enum Signal {
    Event(notify::Result<notify::Event>),
    Stop,
}

/// What is to be told after the quiet time.
#[derive(Default)]
struct Batch {
    is_head: bool,
    is_rescan: bool,
    files: BTreeSet<String>,
    n_events: u32,
    /// When the first and the last event came.
    span: Option<(Instant, Instant)>,
}

impl Batch {
    fn head(&mut self) {
        self.is_head = true;
        self.touch();
    }

    fn rescan(&mut self) {
        self.is_rescan = true;
        self.touch();
    }

    fn file(&mut self, path: String) {
        self.files.insert(path);
        self.touch();
    }

    fn touch(&mut self) {
        self.n_events += 1;
        let now = Instant::now();
        self.span = Some((self.span.map_or(now, |(first, _)| first), now));
    }

    /// How long to wait for more; `None` if there is nothing to tell yet.
    fn wait(&self, now: Instant) -> Option<Duration> {
        let (first, last) = self.span?;
        Some(
            (last + QUIET)
                .min(first + MAX_DELAY)
                .saturating_duration_since(now),
        )
    }

    fn changes(self) -> Vec<WatchEvent> {
        let mut changes = Vec::new();
        if self.is_head {
            changes.push(WatchEvent::Head);
        }
        if self.is_rescan || self.files.len() > MAX_FILES {
            changes.push(WatchEvent::Rescan);
        } else if !self.files.is_empty() {
            changes.push(WatchEvent::Files(self.files.into_iter().collect()));
        }
        changes
    }
}

struct WatchedTree {
    root: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    rules: Arc<Rules>,
    watcher: WatchedFolders,
    /// The folders of the working tree that are neither ignored nor repositories.
    folders: BTreeSet<PathBuf>,
    cookies: Arc<Cookies>,
}

impl WatchedTree {
    fn run(mut self, signals: &Receiver<Signal>, callback: &dyn Fn(WatchEvent)) {
        let mut batch = Batch::default();
        loop {
            let signal = match batch.wait(Instant::now()) {
                None => signals.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(Duration::ZERO) => Err(RecvTimeoutError::Timeout),
                Some(wait) => signals.recv_timeout(wait),
            };
            match signal {
                Ok(Signal::Event(event)) => self.take(event, &mut batch),
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => self.tell(std::mem::take(&mut batch), callback),
            }
        }
    }

    fn tell(&mut self, batch: Batch, callback: &dyn Fn(WatchEvent)) {
        if self.read_rules(&batch)
            && let Err(error) = self.watch_files()
        {
            tracing::warn!(%error, "some folders are not watched");
            self.cookies.lose();
        }
        batch.changes().into_iter().for_each(callback);
    }

    /// Reads the rules again where they may have changed; tells whether other folders may count now.
    fn read_rules(&mut self, batch: &Batch) -> bool {
        if !batch.is_rescan && !batch.is_head {
            return false;
        }
        let Ok(repository) = Repository::discover(&self.root) else {
            return batch.is_rescan;
        };
        let rules = Arc::new(Rules::of(&repository));
        // What git tracks in a folder that it ignores is followed from then on.
        let has_other_folders = !rules.has_folders_of(&self.rules);
        self.rules = rules;
        batch.is_rescan || has_other_folders
    }

    fn take(&mut self, event: notify::Result<notify::Event>, batch: &mut Batch) {
        let n_before = batch.n_events;
        self.take_event(event, batch);
        if batch.n_events > n_before {
            self.cookies.count();
        }
    }

    fn take_event(&mut self, event: notify::Result<notify::Event>, batch: &mut Batch) {
        match event {
            Ok(event) if event.need_rescan() => {
                batch.head();
                batch.rescan();
            }
            Ok(event) => event
                .paths
                .iter()
                .for_each(|path| self.take_path(path, event.kind, batch)),
            Err(error) => {
                tracing::warn!(%error, "the system lost file events");
                batch.rescan();
            }
        }
    }

    fn take_path(&mut self, path: &Path, kind: EventKind, batch: &mut Batch) {
        if self.cookies.take(path, !batch.is_rescan) {
            return;
        }
        if path.starts_with(&self.git_dir) || path.starts_with(&self.common_dir) {
            return self.take_git_path(path, batch);
        }
        let is_folder = self.folders.contains(path);
        let is_inside = path
            .parent()
            .is_some_and(|parent| self.folders.contains(parent));
        if !is_folder && !is_inside {
            return;
        }
        if path.file_name().is_some_and(|name| name == ".git") {
            // A folder has become a repository of its own, or is none any more.
            if is_create_or_remove(kind) {
                batch.rescan();
            }
            return;
        }
        if is_folder && is_departure(kind) {
            // Even if there is a folder again: it is another one, and not watched yet.
            self.forget(path);
            batch.rescan();
        } else if is_folder || !self.is_ignored(path) {
            self.take_tree_path(path, is_folder, kind, batch);
        }
    }

    fn take_tree_path(&mut self, path: &Path, is_folder: bool, kind: EventKind, batch: &mut Batch) {
        let is_folder_now = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
        match (is_folder, is_folder_now) {
            (true, true) => {}
            (true, false) => {
                self.forget(path);
                batch.rescan();
            }
            (false, true) => self.adopt(path, batch),
            (false, false) if kind == EventKind::Remove(RemoveKind::Folder) => {}
            (false, false) => self.add_file(path, batch),
        }
    }

    fn take_git_path(&self, path: &Path, batch: &mut Batch) {
        if path
            .extension()
            .is_some_and(|extension| extension == "lock")
        {
            return;
        }
        let own = path.strip_prefix(&self.git_dir).ok().and_then(Path::to_str);
        let shared = path.strip_prefix(&self.common_dir).unwrap_or(Path::new(""));
        if shared == Path::new("info/exclude") {
            batch.rescan();
        } else if matches!(own, Some("HEAD" | "index"))
            || shared == Path::new("packed-refs")
            || shared.starts_with("refs")
        {
            batch.head();
        }
    }

    fn add_file(&mut self, path: &Path, batch: &mut Batch) {
        let is_rules = path.file_name().is_some_and(|name| {
            name == ".gitignore" || name == ".ignore" || name == WHYRANK_IGNORE
        });
        if is_rules {
            batch.rescan();
        }
        batch.file(relative(&self.root, path).unwrap_or_else(|lossy| lossy));
    }

    /// Watches a new folder, and takes what was put into it before the watch began.
    fn adopt(&mut self, folder: &Path, batch: &mut Batch) {
        if is_repository(folder) || self.is_ignored(folder) {
            return;
        }
        if let Err(error) = self.watch_folder(folder) {
            tracing::warn!(%error, "a new folder is not watched");
            if folder.is_dir() {
                self.cookies.lose();
            }
        }
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|file_type| file_type.is_dir()) {
                self.adopt(&path, batch);
            } else if !self.is_ignored(&path) {
                self.add_file(&path, batch);
            }
        }
    }

    fn forget(&mut self, folder: &Path) {
        let gone: Vec<PathBuf> = self
            .folders
            .range(folder.to_path_buf()..)
            .take_while(|path| path.starts_with(folder))
            .cloned()
            .collect();
        for path in gone {
            self.folders.remove(&path);
            if !WATCHES_TREES {
                self.watcher.unwatch(&path);
            }
        }
    }

    fn is_ignored(&self, path: &Path) -> bool {
        let Ok(inner) = path.strip_prefix(&self.root) else {
            return true;
        };
        let is_dir = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
        let inner = relative(Path::new(""), inner).unwrap_or_else(|lossy| lossy);
        !self.rules.lets_in(&inner, is_dir)
    }

    /// Brings the watches in line with the folders that the rules now leave.
    fn watch_files(&mut self) -> notify::Result<()> {
        let folders = folders_below(&self.root, &self.rules);
        for gone in self
            .folders
            .difference(&folders)
            .cloned()
            .collect::<Vec<_>>()
        {
            self.forget(&gone);
        }
        for folder in folders {
            match self.watch_folder(&folder) {
                Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => {}
                other => other?,
            }
        }
        Ok(())
    }

    fn watch_folder(&mut self, folder: &Path) -> notify::Result<()> {
        if self.folders.contains(folder) {
            return Ok(());
        }
        if !WATCHES_TREES {
            self.watcher.watch(folder, RecursiveMode::NonRecursive)?;
        } else if folder == self.root {
            self.watcher.watch(folder, RecursiveMode::Recursive)?;
        }
        self.folders.insert(folder.to_path_buf());
        Ok(())
    }

    fn watch_cookies(&mut self) {
        let Some(folder) = self.cookies.folder() else {
            return;
        };
        if let Err(error) = self.watcher.watch(folder, RecursiveMode::NonRecursive) {
            tracing::debug!(%error, "cookies are not watched");
        }
    }

    fn watch_git(&mut self) -> notify::Result<()> {
        if WATCHES_TREES {
            if self.common_dir.starts_with(&self.root) {
                return Ok(());
            }
            return self
                .watcher
                .watch(&self.common_dir, RecursiveMode::Recursive);
        }
        self.watcher
            .watch(&self.git_dir, RecursiveMode::NonRecursive)?;
        if self.common_dir != self.git_dir {
            self.watcher
                .watch(&self.common_dir, RecursiveMode::NonRecursive)?;
        }
        let info = self.common_dir.join("info");
        if info.is_dir() {
            self.watcher.watch(&info, RecursiveMode::NonRecursive)?;
        }
        // Refs are few, and folders come and go among them: `refs/heads/feature/` holds `feature/a`.
        self.watcher
            .watch(&self.common_dir.join("refs"), RecursiveMode::Recursive)
    }
}

fn folders_below(root: &Path, rules: &Arc<Rules>) -> BTreeSet<PathBuf> {
    let entries = walk_builder(root, rules, |folder| !is_repository(folder));
    let entries = entries.build().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_dir()));
    folders.map(ignore::DirEntry::into_path).collect()
}

/// Whether the event says that what was at the path is gone, whatever may be there now.
fn is_departure(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From))
    )
}

fn is_create_or_remove(kind: EventKind) -> bool {
    let is_move = matches!(kind, EventKind::Modify(ModifyKind::Name(_)));
    is_move || matches!(kind, EventKind::Create(_) | EventKind::Remove(_))
}

//! Folders that the system watches for one tree.
//!
//! On Linux all trees of a process share one inotify instance: a user may have 128 of them (the system's
//! default), which eight servers with sixteen worktrees each, or one editor beside them, use up.

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

/// These systems watch a whole tree at the price of one folder.
pub(super) const WATCHES_TREES: bool = cfg!(any(target_os = "macos", windows));

type Heard = Box<dyn Fn(notify::Result<Event>) + Send>;

/// The instance of the process, as long as a tree is watched.
static SHARED: Mutex<Weak<Instance>> = Mutex::new(Weak::new());

/// Folders watched for one tree, until they are dropped.
pub(super) struct WatchedFolders {
    instance: Arc<Instance>,
    tree: u64,
    folders: BTreeSet<PathBuf>,
}

/// One watcher of the system, and who listens to it.
struct Instance {
    watcher: Mutex<RecommendedWatcher>,
    /// Trees that watch a folder. Held while the system is told, never while it tells.
    watching: Mutex<BTreeMap<PathBuf, usize>>,
    listeners: Arc<Mutex<Listeners>>,
}

#[derive(Default)]
struct Listeners {
    n_trees: u64,
    by_tree: BTreeMap<u64, Listener>,
}

struct Listener {
    /// Whatever happens below these is the tree's.
    bases: Vec<PathBuf>,
    heard: Heard,
}

impl WatchedFolders {
    /// Watches nothing yet; what happens below `bases` in folders that are watched is told to `heard`, on the system's
    /// thread.
    pub(super) fn new(bases: Vec<PathBuf>, heard: Heard) -> notify::Result<Self> {
        let instance = if WATCHES_TREES {
            Arc::new(Instance::new()?)
        } else {
            Instance::shared()?
        };
        let tree = instance.listeners.lock().add(Listener { bases, heard });
        Ok(Self {
            instance,
            tree,
            folders: BTreeSet::new(),
        })
    }

    pub(super) fn watch(&mut self, folder: &Path, mode: RecursiveMode) -> notify::Result<()> {
        let mut watching = self.instance.watching.lock();
        // Also where another tree watches it: it may be another folder by now.
        self.instance.watcher.lock().watch(folder, mode)?;
        if self.folders.insert(folder.to_path_buf()) {
            *watching.entry(folder.to_path_buf()).or_default() += 1;
        }
        Ok(())
    }

    pub(super) fn unwatch(&mut self, folder: &Path) {
        if self.folders.remove(folder) {
            self.instance.leave([folder]);
        }
    }
}

impl Drop for WatchedFolders {
    fn drop(&mut self) {
        self.instance.listeners.lock().by_tree.remove(&self.tree);
        self.instance
            .leave(self.folders.iter().map(PathBuf::as_path));
    }
}

impl Instance {
    fn shared() -> notify::Result<Arc<Self>> {
        let mut shared = SHARED.lock();
        if let Some(instance) = shared.upgrade() {
            return Ok(instance);
        }
        let instance = Arc::new(Self::new()?);
        *shared = Arc::downgrade(&instance);
        Ok(instance)
    }

    fn new() -> notify::Result<Self> {
        let listeners = Arc::new(Mutex::new(Listeners::default()));
        let told = Arc::clone(&listeners);
        let watcher = notify::recommended_watcher(move |event| told.lock().tell(event))?;
        Ok(Self {
            watcher: Mutex::new(watcher),
            watching: Mutex::new(BTreeMap::new()),
            listeners,
        })
    }

    /// Ends the watch of those that no other tree watches.
    fn leave<'a>(&self, folders: impl IntoIterator<Item = &'a Path>) {
        let mut watching = self.watching.lock();
        for folder in folders {
            let Some(n_trees) = watching.get_mut(folder) else {
                continue;
            };
            *n_trees -= 1;
            if *n_trees == 0 {
                watching.remove(folder);
                // The system ends the watch of a deleted folder by itself.
                let _ = self.watcher.lock().unwatch(folder);
            }
        }
    }
}

impl Listeners {
    fn add(&mut self, listener: Listener) -> u64 {
        self.n_trees += 1;
        self.by_tree.insert(self.n_trees, listener);
        self.n_trees
    }

    fn tell(&self, event: notify::Result<Event>) {
        let event = match event {
            // Every file that anybody opens there: nobody is to be woken for these.
            Ok(event) if is_reading(event.kind) && !event.need_rescan() => return,
            Ok(event) => event,
            Err(error) => {
                for listener in self.by_tree.values() {
                    (listener.heard)(Err(notify::Error::generic(&error.to_string())));
                }
                return;
            }
        };
        for listener in self.by_tree.values() {
            if event.need_rescan() || event.paths.iter().any(|path| listener.is_its_own(path)) {
                (listener.heard)(Ok(event.clone()));
            }
        }
    }
}

impl Listener {
    fn is_its_own(&self, path: &Path) -> bool {
        self.bases.iter().any(|base| path.starts_with(base))
    }
}

/// Whether nothing was written; what is written through mapped memory shows only when it is closed.
fn is_reading(kind: EventKind) -> bool {
    let is_written = EventKind::Access(AccessKind::Close(AccessMode::Write));
    matches!(kind, EventKind::Access(_)) && kind != is_written
}

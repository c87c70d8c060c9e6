//! Which memory a repository or a folder has, and what is kept open of it.

use super::location::settle;
use super::place::Place;
use super::vectors::MemoVectors;
use crate::Engine;
use crate::api::RepoId;
use crate::error::{EngineError, Result};
use notify::RecommendedWatcher;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whyrank_memory::{
    AsOf, CommitHistory, Conflict, History, HistoryWork, Ledger, Memory, MemoryError, Opposites,
    Snapshot, WordIndex,
};
use whyrank_source::{CommitId, Repository, commit_from_hex};
use whyrank_system::mapped::{Kept, Watch};

/// An open memory with what is derived from it.
pub(super) struct OpenMemory {
    pub(super) memory: Memory,
    pub(super) words: WordIndex,
    pub(super) commit_history: Option<CommitHistory>,
    pub(super) vectors: Option<MemoVectors>,
    /// What was found of conflicts last: of how many facts, as of what.
    pub(super) conflicts: Mutex<Option<KnownConflicts>>,
    /// Texts that seem to say the opposite, whenever they hold.
    opposites: Mutex<Opposites>,
    /// It was looked for elsewhere, since it had nothing.
    pub(super) has_looked: bool,
    /// What was found then, in words.
    pub(super) found: Option<String>,
    /// What the file had when it was removed or replaced under this process.
    removed: Option<Removed>,
    /// How many facts there were, and when the last one was recorded, when listeners were told last.
    pub(super) told: (usize, i64),
    /// The file of commits that `commit_history` was read from.
    commits: PathBuf,
    refs: String,
}

/// Conflicts, and of what they are: facts, commit, known at, and where refs pointed.
pub(super) struct KnownConflicts {
    pub(super) of: (usize, Option<CommitId>, i64, String),
    pub(super) found: Vec<Conflict>,
}

/// A memory whose file went away while it was open.
struct Removed {
    ledger: Ledger,
    path: PathBuf,
}

impl Removed {
    /// How many of its memos the memory that is there now lacks.
    fn n_missing(&self, now: &Ledger) -> usize {
        let memos = self.ledger.memos();
        memos
            .filter(|(id, _)| now.memo(id).is_none() && !now.is_purged(id))
            .count()
    }
}

/// Memories by file.
pub(super) type OpenMemories = Mutex<HashMap<PathBuf, (Arc<Mutex<OpenMemory>>, Option<Watch>)>>;

/// All memories that are open.
#[derive(Default)]
pub(crate) struct Memories {
    open: Arc<OpenMemories>,
    /// Repositories whose memos are being encoded; `None` where that is not done in the background.
    pub(super) encoding: Mutex<Option<HashSet<RepoId>>>,
    watcher: Mutex<Option<RecommendedWatcher>>,
}

impl Memories {
    pub(super) fn open(&self, place: &Place) -> Result<Arc<Mutex<OpenMemory>>> {
        let mut open = self.open.lock();
        let mut removed = None;
        if let Some((known, file)) = open.get(&place.file) {
            if !file.as_ref().is_some_and(Watch::is_altered) {
                return Ok(Arc::clone(known));
            }
            // What is written to a file that is gone is lost, and what it had is not there any more.
            removed = Some(known.lock().take_removed(&place.file));
        }
        let memory = Memory::open(&place.file)?;
        // On a disk that takes no writes there may be none.
        let file = Watch::apart(&place.file, Kept::Place).ok();
        let ledger = memory.ledger();
        let opened = Arc::new(Mutex::new(OpenMemory {
            told: (ledger.n_facts(), ledger.last_recorded_at()),
            memory,
            words: WordIndex::new(|text, each| whyrank_index::for_each_token(text, each)),
            commit_history: None,
            vectors: None,
            conflicts: Mutex::default(),
            opposites: Mutex::default(),
            has_looked: false,
            found: None,
            removed,
            commits: PathBuf::new(),
            refs: String::new(),
        }));
        open.insert(place.file.clone(), (Arc::clone(&opened), file));
        Ok(opened)
    }

    pub(super) fn shared(&self) -> Arc<OpenMemories> {
        Arc::clone(&self.open)
    }

    pub(super) fn keep_watching(&self, watcher: RecommendedWatcher) {
        let mut kept = self.watcher.lock();
        *kept = Some(watcher);
    }
}

/// Each of them.
pub(super) fn all(memories: &OpenMemories) -> Vec<Arc<Mutex<OpenMemory>>> {
    let open = memories.lock();
    open.values()
        .map(|(memory, _)| Arc::clone(memory))
        .collect()
}

impl OpenMemory {
    /// What it has, for who opens the file anew; what had gone before that counts too.
    fn take_removed(&mut self, path: &Path) -> Removed {
        let now = self.memory.ledger().clone();
        let before = self.removed.take();
        let before = before.filter(|before| before.n_missing(&now) > 0);
        before.unwrap_or_else(|| Removed {
            ledger: now,
            path: path.to_owned(),
        })
    }

    /// Says that memos are gone with their file, for as long as the memory that is there now lacks them.
    pub(super) fn loss(&self) -> Option<String> {
        let removed = self.removed.as_ref()?;
        let n_missing = removed.n_missing(self.memory.ledger());
        let memos = if n_missing == 1 {
            "memo is"
        } else {
            "memos are"
        };
        (n_missing > 0).then(|| {
            format!(
                "{} was removed or replaced while it was open: {n_missing} {memos} gone with it; \
                 `whyrank memo import FILE` takes in an export",
                removed.path.display()
            )
        })
    }

    /// What cannot all be right; found once for each state of memory and moment.
    pub(super) fn conflicts(&self, snapshot: &Snapshot<'_>) -> Vec<Conflict> {
        let AsOf {
            commit, known_at, ..
        } = snapshot.as_of();
        let of = (
            self.memory.ledger().n_facts(),
            commit,
            known_at,
            self.refs.clone(),
        );
        let mut slot = self.conflicts.lock();
        if let Some(known) = slot.as_ref().filter(|known| known.of == of) {
            return known.found.clone();
        }
        let mut opposites = self.opposites.lock();
        opposites.extend(snapshot.ledger(), &self.words);
        let found = snapshot.conflicts(&opposites);
        *slot = Some(KnownConflicts {
            of,
            found: found.clone(),
        });
        found
    }

    /// Takes in what others recorded, and what git has become; `asked` is a commit that must be known
    /// where memos stand at commits. Where none does, nothing of git is read.
    pub(super) fn refresh(&mut self, place: &Place, asked: Option<CommitId>) -> Result<()> {
        self.memory.refresh()?;
        self.words.extend(self.memory.ledger());
        if self.memory.ledger().shas().is_empty() {
            Ok(())
        } else {
            self.follow_history(place, asked)
        }
    }

    /// Takes in what git has become.
    pub(super) fn follow_history(&mut self, place: &Place, asked: Option<CommitId>) -> Result<()> {
        let Some(repository) = &place.repository else {
            return Ok(());
        };
        let ledger = self.memory.ledger();
        let refs = repository.refs_fingerprint()?;
        let file = commits_file(place, repository);
        let is_placed = |commit_history: &CommitHistory| {
            let shas = &ledger.shas()[commit_history.n_placed()..];
            let ids = shas
                .iter()
                .filter_map(|sha| commit_from_hex(sha))
                .chain(asked);
            ids.into_iter()
                .all(|id| commit_history.history.find(id).is_some())
        };
        match &mut self.commit_history {
            Some(commit_history)
                if refs == self.refs && file == self.commits && is_placed(commit_history) =>
            {
                commit_history.extend(ledger);
            }
            _ => {
                let pinned = ledger.shas().iter();
                let mut extra: Vec<CommitId> =
                    pinned.filter_map(|sha| commit_from_hex(sha)).collect();
                extra.extend(asked);
                let known = self.commit_history.take().filter(|_| file == self.commits);
                let mut history = known.map_or_else(|| History::open(&file), |known| known.history);
                history.update(repository, &extra)?;
                self.commit_history = Some(CommitHistory::new(history, ledger));
                (self.refs, self.commits) = (refs, file);
            }
        }
        Ok(())
    }

    /// What was read of git for this memory so far.
    pub(super) fn work(&self) -> HistoryWork {
        let commit_history = self.commit_history.as_ref();
        commit_history.map_or_else(HistoryWork::default, |commit_history| {
            commit_history.history.work()
        })
    }
}

/// Where a repository's commits are kept; elsewhere for each end that a shallow clone has, since there
/// commits look as if they had no parents.
fn commits_file(place: &Place, repository: &Repository) -> PathBuf {
    let name = match repository.shallow_fingerprint() {
        None => format!("{}.commits", place.own),
        Some(ends) => format!("{}.{ends}.commits", place.own),
    };
    place.folder.join(name)
}

impl Engine {
    /// The memory of a registered repository, or of the folder at a path.
    pub(super) fn memory_place(&self, repo: &RepoId) -> Result<Place> {
        let registered = match self.state.registry.get(repo) {
            Ok(registered) => Some(registered),
            Err(error) if !Path::new(repo.as_str()).is_dir() => return Err(error),
            Err(_) => self.state.registry.add(Path::new(repo.as_str())).ok(),
        };
        let folder = self.state.paths.data_dir.join("memory");
        if let Some(registered) = registered {
            let own = registered.store_key();
            return Ok(Place {
                repository: Repository::discover(&registered.root).ok(),
                root: registered.root.clone(),
                file: settle(&folder, &own, &registered.root),
                registered: Some(registered),
                folder,
                own,
            });
        }
        let given = Path::new(repo.as_str());
        let root = given
            .canonicalize()
            .map_err(|error| EngineError::io(given, &error))?;
        let own = |of: &Path| {
            let sum = hex::encode(Sha256::digest(of.to_string_lossy().as_bytes()));
            format!("folder-{}", &sum[..12])
        };
        // A folder inside one that has a memory shares it.
        let has_memory = |above: &&Path| folder.join(format!("{}.db", own(above))).exists();
        let known = root.ancestors().find(has_memory);
        let root = known.unwrap_or(&root).to_path_buf();
        let own = own(&root);
        Ok(Place {
            file: settle(&folder, &own, &root),
            folder,
            own,
            root,
            repository: None,
            registered: None,
        })
    }
}

impl From<MemoryError> for EngineError {
    fn from(error: MemoryError) -> Self {
        let code = match &error {
            MemoryError::Open { .. } | MemoryError::Sqlite { .. } => "memory",
            MemoryError::ReadOnly { .. } => "memory-read-only",
            MemoryError::DiskFull { .. } => "disk-full",
            MemoryError::Busy { .. } => "busy",
            MemoryError::Damaged { .. } => "memory-damaged",
            MemoryError::Newer { .. } => "memory-newer",
            MemoryError::UnknownMemo { .. } | MemoryError::UnknownVersion { .. } => "not-found",
            MemoryError::AmbiguousMemo { .. }
            | MemoryError::Empty
            | MemoryError::TooLarge { .. }
            | MemoryError::BadField { .. }
            | MemoryError::AnchorOutside { .. }
            | MemoryError::BadLine { .. }
            | MemoryError::NotValid { .. } => "bad-argument",
        };
        Self::lower(code, &error, &error.hint())
    }
}

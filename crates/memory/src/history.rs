//! Descent of commits: which there are, what refs lead to, who descends from whom.
//!
//! Commits are read from git once and kept; what is kept is read as far as it is asked for.

mod placement;

pub use placement::Placement;

use crate::commit_store::{CommitStore, FollowedRefs, ats};
use crate::fact::CommitFact;
use parking_lot::Mutex;
use roaring::RoaringBitmap;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use whyrank_source::{CommitId, CommitNode, Repository, SourceError};

/// Sets of ancestors kept.
const MAX_SETS: usize = 256;
/// Ancestors remembered with a commit.
pub(crate) const MAX_LINEAGE: usize = 48;
/// Parents that are read one by one before all of them are.
const MAX_SINGLE_READS: usize = 256;
/// A walk over fewer commits is made again rather than kept on disk.
const LEAST_KEPT_WALK: u64 = 256;

/// A commit's ancestors and itself.
#[derive(Clone, Debug)]
pub struct Ancestors {
    set: Arc<RoaringBitmap>,
    /// Seconds since the epoch.
    time_s: i64,
}

impl Ancestors {
    /// Those of a branch without a commit yet.
    pub(crate) fn none() -> Self {
        Self {
            set: Arc::default(),
            time_s: 0,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Says whether a commit is among them.
    pub fn contains(&self, at: u32) -> bool {
        self.set.contains(at)
    }

    /// Returns their indices.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.set.iter()
    }

    /// Returns when the commit itself was committed, in seconds since the epoch.
    pub fn time_s(&self) -> i64 {
        self.time_s
    }
}

/// The commits of a repository and how they descend from each other, read as far as it is asked for.
#[derive(Debug)]
pub struct History {
    store: CommitStore,
    /// Where the repository lies, and it itself once it is read what commits changed.
    root: PathBuf,
    repository: OnceLock<Option<Repository>>,
    refs: FollowedRefs,
    is_shallow: bool,
    /// Committed when a shallow history ends, in seconds since the epoch.
    shallow_since_s: i64,
    known: Mutex<HistoryCache>,
    parents: OnceLock<ParentTable>,
    /// Index of a commit → indices of those that revert it.
    reverts: OnceLock<HashMap<u32, Vec<u32>>>,
    work: HistoryWork,
}

/// What was read from git and not from what was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryWork {
    /// Commits.
    pub n_commits: usize,
    /// Diffs of commits that look alike.
    pub n_patches: usize,
}

/// What was worked out of the store.
#[derive(Debug, Default)]
struct HistoryCache {
    /// Sets of ancestors by commit; the oldest goes first.
    sets: HashMap<u32, Ancestors>,
    order: VecDeque<u32>,
    /// Commits whose ancestors are on disk.
    on_disk: HashSet<u32>,
    /// Index of a commit → other reachable ones with the same author, time and summary, and whether
    /// they say to be picked from it.
    lookalikes: HashMap<u32, Arc<[(u32, bool)]>>,
    patches: HashMap<u32, Option<[u8; 20]>>,
    n_patches: usize,
}

impl HistoryCache {
    fn keep(&mut self, at: u32, ancestors: Ancestors) {
        if self.order.len() >= MAX_SETS
            && let Some(oldest) = self.order.pop_front()
        {
            self.sets.remove(&oldest);
        }
        self.order.push_back(at);
        self.sets.insert(at, ancestors);
    }
}

/// All parents, one row after the other.
#[derive(Debug, Default)]
struct ParentTable {
    /// By index: where its parents begin.
    starts: Vec<u32>,
    parents: Vec<u32>,
}

impl ParentTable {
    fn read(store: &CommitStore) -> Self {
        let mut table = Self::default();
        store.for_each_parents(|at, parents| {
            table
                .starts
                .resize(at as usize + 1, table.parents.len() as u32);
            table.parents.extend(ats(parents));
        });
        table.starts.push(table.parents.len() as u32);
        table
    }

    fn get(&self, at: u32) -> Option<&[u32]> {
        let end = *self.starts.get(at as usize + 1)?;
        self.parents
            .get(self.starts[at as usize] as usize..end as usize)
    }
}

impl History {
    /// Returns commits that are kept at a place; none of git is read. One that lies in memory where
    /// nothing can be kept.
    pub fn open(path: &Path) -> Self {
        Self::of_store(CommitStore::open(path))
    }

    /// Returns commits that are kept nowhere.
    pub fn in_memory() -> Self {
        Self::of_store(CommitStore::in_memory())
    }

    /// Returns a history without a repository, for trials: its commits and where refs point.
    pub fn made_up(nodes: &[CommitNode], tips: &[CommitId]) -> Self {
        let mut history = Self::in_memory();
        let added = history.store.add(nodes);
        added.expect("SQLite writes to memory");
        history.follow(String::new(), tips);
        history
    }

    fn of_store(store: CommitStore) -> Self {
        let known = HistoryCache {
            on_disk: store.kept_sets(),
            ..HistoryCache::default()
        };
        Self {
            refs: store.refs().unwrap_or_default(),
            root: PathBuf::new(),
            repository: OnceLock::new(),
            is_shallow: false,
            shallow_since_s: i64::MIN,
            known: Mutex::new(known),
            parents: OnceLock::new(),
            reverts: OnceLock::new(),
            work: HistoryWork::default(),
            store,
        }
    }

    /// Takes in what git has become: reads commits that refs, HEADs of working trees and `extra`
    /// commits lead to and that are not kept yet. O(new commits), and nothing where no ref has moved.
    ///
    /// # Errors
    ///
    /// `ReadHead` where the refs cannot be read.
    pub fn update(
        &mut self,
        repository: &Repository,
        extra: &[CommitId],
    ) -> Result<(), SourceError> {
        let fingerprint = repository.refs_fingerprint()?;
        let tips = if fingerprint == self.refs.fingerprint {
            None
        } else {
            Some(repository.tips()?)
        };
        let wanted = tips.iter().flatten().chain(extra).copied();
        let wanted: Vec<CommitId> = wanted.chain(self.store.missing()).collect();
        let is_known = |id| self.store.find(id).is_some();
        let read = || repository.read_commits(&wanted, &is_known);
        let nodes = self.store.at_once(read);
        let has_filled = match self.store.add(&nodes) {
            Ok(has_filled) => has_filled,
            Err(_) if self.store.is_on_disk() => {
                // The disk takes nothing: this process keeps all of it for itself.
                *self = Self::in_memory();
                return self.update(repository, extra);
            }
            Err(_) => false,
        };
        self.work.n_commits += nodes.len();
        self.forget_derived(has_filled);
        self.note_end(repository);
        match tips {
            Some(tips) => self.follow(fingerprint, &tips),
            None if has_filled => self.follow(fingerprint, &repository.tips()?),
            None => {}
        }
        Ok(())
    }

    /// Notes where a shallow clone ends, and whence changes are read.
    fn note_end(&mut self, repository: &Repository) {
        self.is_shallow = repository.shallow_fingerprint().is_some();
        if self.is_shallow {
            self.shallow_since_s = self.store.newest_root_s().unwrap_or(i64::MIN);
        }
        if self.root != repository.root() {
            repository.root().clone_into(&mut self.root);
            self.repository.take();
        }
    }

    /// Sets of ancestors stay right when commits are added, but for one that was missing before.
    fn forget_derived(&mut self, has_filled: bool) {
        self.parents.take();
        self.reverts.take();
        let known = self.known.get_mut();
        known.lookalikes.clear();
        if has_filled {
            self.refs = FollowedRefs::default();
            *known = HistoryCache::default();
        }
        known.on_disk = self.store.kept_sets();
    }

    /// Notes where refs point, and all that they lead to.
    fn follow(&mut self, fingerprint: String, tips: &[CommitId]) {
        let tips: Vec<u32> = tips.iter().filter_map(|id| self.find(*id)).collect();
        let reachable = match self.spread_further(&tips) {
            Some(reachable) => reachable,
            None => self.spread(&tips, |at| self.ancestors_known(at)),
        };
        self.refs = FollowedRefs {
            fingerprint,
            tips,
            reachable,
        };
        self.store.keep_refs(&self.refs);
    }

    /// What refs lead to now, from what they led to before; `None` where one of them was dropped or
    /// rewritten.
    fn spread_further(&self, tips: &[u32]) -> Option<RoaringBitmap> {
        let mut reachable = self.refs.reachable.clone();
        let mut met = HashSet::new();
        let mut open = tips.to_vec();
        while let Some(at) = open.pop() {
            if self.refs.reachable.contains(at) {
                met.insert(at);
            } else if reachable.insert(at) {
                self.for_parents(at, |at| open.push(at));
            }
        }
        let is_met = self.refs.tips.iter().all(|tip| met.contains(tip));
        (is_met && !self.refs.tips.is_empty()).then_some(reachable)
    }

    /// Runs many look-ups as one.
    pub(crate) fn at_once<T>(&self, look: impl FnOnce() -> T) -> T {
        self.store.at_once(look)
    }

    /// Returns what was read from git so far.
    pub fn work(&self) -> HistoryWork {
        HistoryWork {
            n_patches: self.known().n_patches,
            ..self.work
        }
    }

    fn known(&self) -> parking_lot::MutexGuard<'_, HistoryCache> {
        self.known.lock()
    }

    /// Returns how many commits there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Says whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a commit by index.
    pub fn node(&self, at: u32) -> Option<CommitNode> {
        self.store.node(at)
    }

    /// Returns a commit's index.
    pub fn find(&self, commit: CommitId) -> Option<u32> {
        self.store.find(commit)
    }

    /// Returns a commit's first parent, where it has one that is there.
    pub fn first_parent(&self, at: u32) -> Option<u32> {
        let first = self.store.parents(at).first().copied();
        first.filter(|parent| self.store.time_s(*parent).is_some())
    }

    /// Says whether refs lead to a commit.
    pub fn is_reachable(&self, at: u32) -> bool {
        self.refs.reachable.contains(at)
    }

    /// Returns a commit's ancestors, itself included; `None` for one that is not there.
    ///
    /// Where the walk comes to a commit whose ancestors are known it takes those and goes no further,
    /// so the first look at a commit costs what lies between it and others that were looked at, by
    /// this process or an earlier one; at most O(ancestors).
    pub fn ancestors(&self, commit: CommitId) -> Option<Ancestors> {
        let at = self.find(commit)?;
        if let Some(known) = self.known().sets.get(&at) {
            return Some(known.clone());
        }
        let mut n_taken = 0;
        let set = self.spread(&[at], |at| {
            let known = self.ancestors_known(at)?;
            n_taken += known.len();
            Some(known)
        });
        if set.len().saturating_sub(n_taken) > LEAST_KEPT_WALK {
            self.store.keep_ancestors(at, &set);
        }
        let ancestors = Ancestors {
            set: Arc::new(set),
            time_s: self.store.time_s(at).unwrap_or_default(),
        };
        self.known().keep(at, ancestors.clone());
        Some(ancestors)
    }

    fn ancestors_known(&self, at: u32) -> Option<Arc<RoaringBitmap>> {
        let known = self.known();
        if let Some(ancestors) = known.sets.get(&at) {
            return Some(Arc::clone(&ancestors.set));
        }
        let is_kept = known.on_disk.contains(&at);
        drop(known);
        is_kept.then(|| self.store.ancestors(at).map(Arc::new))?
    }

    /// Some commits and all above them; goes no further at one whose ancestors are `known`.
    fn spread(
        &self,
        from: &[u32],
        mut known: impl FnMut(u32) -> Option<Arc<RoaringBitmap>>,
    ) -> RoaringBitmap {
        let mut found = RoaringBitmap::new();
        let mut open = from.to_vec();
        let mut n_read = 0;
        while let Some(at) = open.pop() {
            if found.contains(at) {
                continue;
            }
            if let Some(known) = known(at) {
                found |= known.as_ref();
                continue;
            }
            found.insert(at);
            n_read += 1;
            if n_read > MAX_SINGLE_READS {
                self.parents.get_or_init(|| ParentTable::read(&self.store));
            }
            self.for_parents(at, |at| open.push(at));
        }
        found
    }

    fn for_parents(&self, at: u32, mut act: impl FnMut(u32)) {
        let table = self.parents.get();
        match table.and_then(|table| table.get(at)) {
            Some(parents) => parents.iter().for_each(|at| act(*at)),
            None => self.store.parents(at).into_iter().for_each(act),
        }
    }

    /// Returns what memory should keep of a commit; `None` for one that is not there.
    pub fn remember(&self, commit: CommitId, recorded_at: i64) -> Option<CommitFact> {
        let node = self.node(self.find(commit)?)?;
        let mut lineage = Vec::new();
        let (mut next, mut n_steps, mut wanted) = (node.parents.first().copied(), 1_u32, 1_u32);
        while let Some(id) = next {
            if n_steps == wanted {
                lineage.push(id.to_string());
                // Sixteen neighbours, then ever further apart.
                wanted += (wanted / 16).max(1);
            }
            if lineage.len() >= MAX_LINEAGE {
                break;
            }
            n_steps += 1;
            let parent = self.find(id).and_then(|at| self.node(at));
            next = parent.and_then(|node| node.parents.first().copied());
        }
        Some(CommitFact {
            sha: commit.to_string(),
            twin: format!("{:016x}", node.twin),
            kin: format!("{:016x}", node.kin),
            at: commit_moment(node.time_s),
            summary: node.summary,
            lineage,
            recorded_at,
        })
    }
}

/// The last moment that there is, in milliseconds since the epoch, and, with its sign turned, the first: a
/// hundred million days, as far as dates reach in JavaScript. Far enough from the ends of an `i64` that
/// sums and differences of two moments are moments of one.
pub const LAST_MOMENT_MS: i64 = 8_640_000_000_000_000;

/// The moment of a commit, in milliseconds, by the seconds that git says: the nearest one that there is.
pub fn commit_moment(time_s: i64) -> i64 {
    let at_ms = time_s.saturating_mul(1000);
    at_ms.clamp(-LAST_MOMENT_MS, LAST_MOMENT_MS)
}

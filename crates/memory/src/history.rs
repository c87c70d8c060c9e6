//! Descent of commits, and where the commits that facts name stand today.
//!
//! A commit that refs still lead to stands where it is. One that was rewritten stands where its copy
//! is: the same author, author's time and summary. One that was dropped stands, marked, at its
//! nearest ancestor that refs lead to. One that nothing is known of stands nowhere.

use crate::fact::CommitFact;
use roaring::RoaringBitmap;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use whyrank_source::{CommitId, CommitNode, Lineage, commit_from_hex};

/// Sets of ancestors kept.
const MAX_SETS: usize = 256;
/// Ancestors remembered with a commit.
const MAX_LINEAGE: usize = 48;

/// Where a commit stands among those that refs lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// There.
    Here {
        /// Its index.
        at: u32,
    },
    /// A rebase or an amendment made another commit of it.
    Rewritten {
        /// The index of the copy.
        at: u32,
    },
    /// No ref leads to it, and nobody knows a copy.
    Orphaned {
        /// The index of its nearest ancestor that refs lead to.
        at: u32,
    },
    /// Older than where a shallow clone ends: taken for an ancestor of all that is there.
    BeforeShallow,
    /// Nothing is known of it.
    Unknown,
}

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

    /// Whether a commit is among them.
    pub fn contains(&self, at: u32) -> bool {
        self.set.contains(at)
    }

    /// When the commit itself was committed, in seconds since the epoch.
    pub fn time_s(&self) -> i64 {
        self.time_s
    }
}

/// The commits of a repository and how they descend from each other.
#[derive(Debug)]
pub struct History {
    nodes: Vec<CommitNode>,
    parents: Vec<Vec<u32>>,
    index: HashMap<CommitId, u32>,
    /// Those that refs lead to.
    reachable: RoaringBitmap,
    by_twin: HashMap<u64, Vec<u32>>,
    by_kin: HashMap<u64, Vec<u32>>,
    /// Index of a commit → indices of those that revert it.
    reverts: HashMap<u32, Vec<u32>>,
    is_shallow: bool,
    /// Committed when a shallow history ends, in seconds since the epoch.
    shallow_since_s: i64,
    sets: Mutex<KnownSets>,
}

/// Sets of ancestors by commit; the oldest goes first.
#[derive(Debug, Default)]
struct KnownSets {
    by_commit: HashMap<u32, Ancestors>,
    order: VecDeque<u32>,
}

impl KnownSets {
    fn keep(&mut self, at: u32, ancestors: Ancestors) {
        if self.order.len() >= MAX_SETS
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_commit.remove(&oldest);
        }
        self.order.push_back(at);
        self.by_commit.insert(at, ancestors);
    }
}

impl History {
    /// Arranges what was read of descent. O(commits).
    pub fn new(lineage: &Lineage) -> Self {
        let mut nodes: Vec<CommitNode> = lineage.nodes.values().cloned().collect();
        nodes.sort_by_key(|node| (node.time_s, node.id));
        let index: HashMap<CommitId, u32> = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (node.id, at as u32))
            .collect();
        let known = |ids: &[CommitId]| -> Vec<u32> {
            ids.iter().filter_map(|id| index.get(id).copied()).collect()
        };
        let parents: Vec<Vec<u32>> = nodes.iter().map(|node| known(&node.parents)).collect();
        let mut history = Self {
            reachable: spread(&known(&lineage.tips), &parents),
            by_twin: HashMap::new(),
            by_kin: HashMap::new(),
            reverts: HashMap::new(),
            is_shallow: lineage.is_shallow,
            shallow_since_s: shallow_since(&nodes, &index),
            sets: Mutex::default(),
            nodes,
            parents,
            index,
        };
        history.index_copies();
        history
    }

    fn index_copies(&mut self) {
        for (at, node) in self.nodes.iter().enumerate() {
            let at = at as u32;
            if self.reachable.contains(at) {
                self.by_twin.entry(node.twin).or_default().push(at);
                self.by_kin.entry(node.kin).or_default().push(at);
            }
            let undone = node.reverts.and_then(|id| self.index.get(&id));
            if let Some(undone) = undone {
                self.reverts.entry(*undone).or_default().push(at);
            }
        }
    }

    /// How many commits there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A commit by index.
    pub fn node(&self, at: u32) -> Option<&CommitNode> {
        self.nodes.get(at as usize)
    }

    /// A commit's index.
    pub fn find(&self, commit: CommitId) -> Option<u32> {
        self.index.get(&commit).copied()
    }

    /// Whether refs lead to a commit.
    pub fn is_reachable(&self, at: u32) -> bool {
        self.reachable.contains(at)
    }

    /// A commit's ancestors, itself included; `None` for one that is not there.
    ///
    /// Where the walk comes to a commit whose ancestors are known it takes those and goes no further,
    /// so the first look at a commit costs what lies between it and others that were looked at; at
    /// most O(ancestors).
    pub fn ancestors(&self, commit: CommitId) -> Option<Ancestors> {
        let at = self.find(commit)?;
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = sets.by_commit.get(&at) {
            return Some(known.clone());
        }
        let ancestors = Ancestors {
            set: Arc::new(self.spread_to_known(at, &sets)),
            time_s: self.nodes[at as usize].time_s,
        };
        sets.keep(at, ancestors.clone());
        Some(ancestors)
    }

    fn spread_to_known(&self, from: u32, sets: &KnownSets) -> RoaringBitmap {
        let mut found = RoaringBitmap::new();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if let Some(known) = sets.by_commit.get(&at) {
                found |= known.set.as_ref();
            } else if found.insert(at) {
                open.extend(&self.parents[at as usize]);
            }
        }
        found
    }

    /// Where a commit stands; `remembered` is what memory kept of it.
    pub fn place(&self, sha: &str, remembered: Option<&CommitFact>) -> Placement {
        let at = commit_from_hex(sha).and_then(|id| self.find(id));
        if let Some(at) = at.filter(|at| self.reachable.contains(*at)) {
            return Placement::Here { at };
        }
        if let Some(copy) = self.copy_of(at, remembered) {
            return Placement::Rewritten { at: copy };
        }
        if let Some(ancestor) = self.nearest(at, remembered) {
            return Placement::Orphaned { at: ancestor };
        }
        let is_old = |fact: &CommitFact| fact.at / 1000 <= self.shallow_since_s;
        match self.is_shallow && remembered.is_some_and(is_old) {
            true => Placement::BeforeShallow,
            false => Placement::Unknown,
        }
    }

    /// The commit that another was rewritten to.
    fn copy_of(&self, at: Option<u32>, remembered: Option<&CommitFact>) -> Option<u32> {
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let (twin, kin) = match (at, remembered) {
            (Some(at), _) => {
                let node = &self.nodes[at as usize];
                (node.twin, node.kin)
            }
            (None, Some(fact)) => (hex(&fact.twin)?, hex(&fact.kin)?),
            (None, None) => return None,
        };
        let newest = self.by_twin.get(&twin).and_then(|copies| copies.last());
        let reworded = || match self.by_kin.get(&kin).map(Vec::as_slice) {
            Some([only]) => Some(only),
            _ => None,
        };
        newest.or_else(reworded).copied()
    }

    /// The nearest ancestor that refs lead to, by generations.
    fn nearest(&self, at: Option<u32>, remembered: Option<&CommitFact>) -> Option<u32> {
        let mut open: VecDeque<u32> = at.into_iter().collect();
        let mut seen: HashSet<u32> = open.iter().copied().collect();
        while let Some(next) = open.pop_front() {
            if self.reachable.contains(next) {
                return Some(next);
            }
            let above = self.parents[next as usize].iter();
            open.extend(above.filter(|parent| seen.insert(**parent)));
        }
        let ids = remembered?.lineage.iter();
        let known = ids.filter_map(|sha| self.find(commit_from_hex(sha)?));
        known.into_iter().find(|at| self.reachable.contains(*at))
    }

    /// A commit's copies elsewhere: picked ones, by what they changed or by what they say.
    pub fn picks(&self, at: u32) -> impl Iterator<Item = u32> {
        let node = &self.nodes[at as usize];
        let twins = self.by_twin.get(&node.twin).into_iter().flatten().copied();
        twins.filter(move |twin| {
            let other = &self.nodes[*twin as usize];
            let is_same_change = node.patch.is_some() && node.patch == other.patch;
            *twin != at && (is_same_change || other.picked_from == Some(node.id))
        })
    }

    /// The commit among some ancestors that undoes another and is not undone itself.
    pub fn reverted_by(&self, at: u32, within: &Ancestors) -> Option<u32> {
        self.reverted_at_depth(at, within, 0)
    }

    fn reverted_at_depth(&self, at: u32, within: &Ancestors, depth: u32) -> Option<u32> {
        let undoing = self.reverts.get(&at)?.iter().copied();
        let mut undoing = undoing.filter(|by| within.contains(*by));
        undoing.find(|by| depth > 8 || self.reverted_at_depth(*by, within, depth + 1).is_none())
    }

    /// What memory should keep of a commit; `None` for one that is not there.
    pub fn remember(&self, commit: CommitId, recorded_at: i64) -> Option<CommitFact> {
        let at = self.find(commit)?;
        let node = &self.nodes[at as usize];
        let mut lineage = Vec::new();
        let (mut next, mut n_steps, mut wanted) = (node.parents.first(), 1_u32, 1_u32);
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
            let parent = self.find(*id).and_then(|at| self.node(at));
            next = parent.and_then(|node| node.parents.first());
        }
        Some(CommitFact {
            sha: commit.to_string(),
            twin: format!("{:016x}", node.twin),
            kin: format!("{:016x}", node.kin),
            at: node.time_s * 1000,
            summary: node.summary.clone(),
            lineage,
            recorded_at,
        })
    }
}

/// Some commits and all above them.
fn spread(from: &[u32], parents: &[Vec<u32>]) -> RoaringBitmap {
    let mut is_in = vec![false; parents.len()];
    let mut open: Vec<u32> = from.to_vec();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut is_in[at as usize], true) {
            open.extend(&parents[at as usize]);
        }
    }
    let set = is_in.iter().enumerate().filter(|(_, is_in)| **is_in);
    set.map(|(at, _)| at as u32).collect()
}

/// When the newest commit was committed whose parents are missing; git shows such ones without any.
fn shallow_since(nodes: &[CommitNode], index: &HashMap<CommitId, u32>) -> i64 {
    let is_edge = |node: &&CommitNode| node.parents.iter().all(|id| !index.contains_key(id));
    let edges = nodes.iter().filter(is_edge);
    edges.map(|node| node.time_s).max().unwrap_or(i64::MIN)
}

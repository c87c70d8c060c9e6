//! Where the commits that facts name stand today.
//!
//! A commit that refs still lead to stands where it is. One that was rewritten stands where its copy
//! is: the same author, author's time and summary. One that was dropped stands, marked, at its
//! nearest ancestor that refs lead to. One that nothing is known of stands nowhere.

use super::{Ancestors, History};
use crate::commit_store::PatchEntry;
use crate::fact::CommitFact;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use whyrank_source::{Repository, commit_from_hex};

/// Diffs that are computed in a process to tell copies of a commit from strangers that look alike.
const MAX_PATCHES: usize = 2_000;

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

impl History {
    /// Returns where a commit stands; `remembered` is what memory kept of it.
    pub fn place(&self, sha: &str, remembered: Option<&CommitFact>) -> Placement {
        let at = commit_from_hex(sha).and_then(|id| self.find(id));
        if let Some(at) = at.filter(|at| self.is_reachable(*at)) {
            return Placement::Here { at };
        }
        if let Some(copy) = self.copy_of(at, remembered) {
            return Placement::Rewritten { at: copy };
        }
        if let Some(ancestor) = self.nearest(at, remembered) {
            return Placement::Orphaned { at: ancestor };
        }
        let is_old = |fact: &CommitFact| fact.at / 1000 <= self.shallow_since_s;
        if self.is_shallow && remembered.is_some_and(is_old) {
            Placement::BeforeShallow
        } else {
            Placement::Unknown
        }
    }

    /// The commit that another was rewritten to.
    fn copy_of(&self, at: Option<u32>, remembered: Option<&CommitFact>) -> Option<u32> {
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let (twin, kin) = match (at.and_then(|at| self.node(at)), remembered) {
            (Some(node), _) => (node.twin, node.kin),
            (None, Some(fact)) => (hex(&fact.twin)?, hex(&fact.kin)?),
            (None, None) => return None,
        };
        let mut copies = self.store.by_twin(twin);
        copies.retain(|at| self.is_reachable(*at));
        let reworded = || {
            let mut kin = self.store.by_kin(kin);
            kin.retain(|at| self.is_reachable(*at));
            <[u32; 1]>::try_from(kin).ok().map(|[only]| only)
        };
        copies.last().copied().or_else(reworded)
    }

    /// The nearest ancestor that refs lead to, by generations.
    fn nearest(&self, at: Option<u32>, remembered: Option<&CommitFact>) -> Option<u32> {
        let mut open: VecDeque<u32> = at.into_iter().collect();
        let mut seen: HashSet<u32> = open.iter().copied().collect();
        while let Some(next) = open.pop_front() {
            if self.is_reachable(next) {
                return Some(next);
            }
            self.for_parents(next, |parent| {
                if seen.insert(parent) {
                    open.push_back(parent);
                }
            });
        }
        let mut ids = remembered?.lineage.iter();
        ids.find_map(|sha| {
            let at = self.find(commit_from_hex(sha)?)?;
            self.is_reachable(at).then_some(at)
        })
    }

    /// Returns a commit's copy among some ancestors: a picked one, by what it changed or by what it
    /// says.
    pub fn picked(&self, at: u32, within: &Ancestors) -> Option<u32> {
        let alike = self.lookalikes(at);
        let mut within = alike.iter().filter(|(other, _)| within.contains(*other));
        let is_copy = |(other, is_named): &&(u32, bool)| {
            *is_named
                || self
                    .patch(at)
                    .is_some_and(|patch| self.patch(*other) == Some(patch))
        };
        within.find(is_copy).map(|(other, _)| *other)
    }

    /// Other commits with a commit's author, time and summary that refs lead to, by time.
    fn lookalikes(&self, at: u32) -> Arc<[(u32, bool)]> {
        if let Some(known) = self.known().lookalikes.get(&at) {
            return Arc::clone(known);
        }
        let node = self.node(at);
        let twins = node.as_ref().map(|node| self.store.by_twin(node.twin));
        let others = twins.into_iter().flatten();
        let others = others.filter(|other| *other != at && self.is_reachable(*other));
        let is_named = |other: u32| {
            let picked_from = self.node(other).and_then(|other| other.picked_from);
            picked_from.is_some() && picked_from == node.as_ref().map(|node| node.id)
        };
        let alike: Arc<[(u32, bool)]> = others.map(|other| (other, is_named(other))).collect();
        self.known().lookalikes.insert(at, Arc::clone(&alike));
        alike
    }

    /// A hash of what a commit changed; computed at first need, then kept.
    fn patch(&self, at: u32) -> Option<[u8; 20]> {
        if let Some(known) = self.known().patches.get(&at) {
            return *known;
        }
        let patch = match self.store.patch(at) {
            PatchEntry::Known(patch) => patch,
            PatchEntry::Unknown => self.compute_patch(at)?,
        };
        self.known().patches.insert(at, patch);
        patch
    }

    /// `None` where it cannot be computed now.
    fn compute_patch(&self, at: u32) -> Option<Option<[u8; 20]>> {
        let repository = self
            .repository
            .get_or_init(|| Repository::discover(&self.root).ok());
        let repository = repository.as_ref()?;
        let mut known = self.known();
        if known.n_patches >= MAX_PATCHES {
            return None;
        }
        known.n_patches += 1;
        drop(known);
        let patch = repository.patch_id(self.node(at)?.id);
        self.store.keep_patch(at, patch);
        Some(patch)
    }

    /// Returns the commit among some ancestors that undoes another and is not undone itself.
    pub fn reverted_by(&self, at: u32, within: &Ancestors) -> Option<u32> {
        let reverts = self.reverts.get_or_init(|| {
            let mut reverts: HashMap<u32, Vec<u32>> = HashMap::new();
            for (undone, by) in self.store.reverts() {
                reverts.entry(undone).or_default().push(by);
            }
            reverts
        });
        reverted_at_depth(reverts, at, within, 0)
    }
}

fn reverted_at_depth(
    reverts: &HashMap<u32, Vec<u32>>,
    at: u32,
    within: &Ancestors,
    depth: u32,
) -> Option<u32> {
    let undoing = reverts.get(&at)?.iter().copied();
    let mut undoing = undoing.filter(|by| within.contains(*by));
    undoing.find(|by| depth > 8 || reverted_at_depth(reverts, *by, within, depth + 1).is_none())
}

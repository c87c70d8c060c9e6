//! All facts in memory, by memo. Facts are only added; a purge takes a memo out.

use crate::fact::{Closing, CommitFact, Fact, Field, Mark, Purge, Tier, Version};
use crate::{MemoryError, Result};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What is known of one memo: indices of its versions and its marks, in order of recording.
#[derive(Clone, Debug, Default)]
pub struct MemoFacts {
    /// Indices of versions.
    pub versions: Vec<u32>,
    /// Marks.
    pub marks: Vec<Mark>,
}

/// All facts, indexed.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Versions in order of arrival; those of purged memos are `None`.
    pub(crate) versions: Vec<Option<Version>>,
    /// For each version the indices of its closings.
    pub(crate) closed: Vec<Vec<u32>>,
    pub(crate) closings: Vec<Closing>,
    pub(crate) memos: BTreeMap<String, MemoFacts>,
    pub(crate) commits: HashMap<String, CommitFact>,
    by_id: HashMap<String, u32>,
    /// Closings that came before their version (an import in another order).
    waiting: HashMap<String, Vec<u32>>,
    /// Ids of all facts.
    known: HashSet<String>,
    purged: HashSet<String>,
    pub(crate) purges: Vec<Purge>,
    /// Every commit that a fact names, once.
    pub(crate) shas: Vec<String>,
    sha_idx: HashMap<String, u32>,
    /// For each version its commit, for each closing its commit.
    pub(crate) version_sha: Vec<Option<u32>>,
    /// For each version when it was recorded and since when it holds: all that most looks need.
    pub(crate) version_times: Vec<(i64, i64)>,
    pub(crate) closing_sha: Vec<Option<u32>>,
    /// When the last fact was recorded.
    pub(crate) last_recorded_at: i64,
}

impl Ledger {
    /// Adds a fact; one that is known already, or that belongs to a purged memo, changes nothing.
    pub(crate) fn add(&mut self, fact: Fact) {
        if !self.known.insert(fact.id()) {
            return;
        }
        self.last_recorded_at = self.last_recorded_at.max(fact.recorded_at());
        let is_purge = matches!(fact, Fact::Purge(_));
        if !is_purge && fact.memo().is_some_and(|memo| self.purged.contains(memo)) {
            return;
        }
        match fact {
            Fact::Version(version) => self.add_version(version),
            Fact::Closing(closing) => self.add_closing(closing),
            Fact::Mark(mark) => {
                let marks = &mut self.memos.entry(mark.memo.clone()).or_default().marks;
                let at = marks.partition_point(|known| known.recorded_at <= mark.recorded_at);
                marks.insert(at, mark);
            }
            Fact::Commit(commit) => {
                self.commits.insert(commit.sha.clone(), commit);
            }
            Fact::Purge(purge) => {
                if let Some(gone) = self.memos.remove(&purge.memo) {
                    for idx in gone.versions {
                        self.versions[idx as usize] = None;
                    }
                }
                self.purged.insert(purge.memo.clone());
                self.purges.push(purge);
            }
        }
    }

    fn add_version(&mut self, version: Version) {
        let idx = self.versions.len() as u32;
        let sha = version.valid_from.sha.clone();
        let sha = sha.map(|sha| self.intern(sha));
        self.version_sha.push(sha);
        self.version_times
            .push((version.recorded_at, version.valid_from.at));
        self.closed
            .push(self.waiting.remove(&version.id).unwrap_or_default());
        self.by_id.insert(version.id.clone(), idx);
        let memo = self.memos.entry(version.memo.clone()).or_default();
        let at = memo.versions.partition_point(|known| {
            let known = self.versions[*known as usize].as_ref();
            known.is_some_and(|known| known.recorded_at <= version.recorded_at)
        });
        memo.versions.insert(at, idx);
        self.versions.push(Some(version));
    }

    fn add_closing(&mut self, closing: Closing) {
        let idx = self.closings.len() as u32;
        let sha = closing.valid_until.sha.clone();
        let sha = sha.map(|sha| self.intern(sha));
        self.closing_sha.push(sha);
        match self.by_id.get(&closing.version) {
            Some(version) => self.closed[*version as usize].push(idx),
            None => self
                .waiting
                .entry(closing.version.clone())
                .or_default()
                .push(idx),
        }
        self.closings.push(closing);
    }

    fn intern(&mut self, sha: String) -> u32 {
        let next = self.shas.len() as u32;
        let idx = *self.sha_idx.entry(sha.clone()).or_insert(next);
        if idx == next {
            self.shas.push(sha);
        }
        idx
    }

    /// Says whether a fact of that id is known.
    pub fn knows(&self, id: &str) -> bool {
        self.known.contains(id)
    }

    /// Says whether a memo was deleted for good.
    pub fn is_purged(&self, memo: &str) -> bool {
        self.purged.contains(memo)
    }

    /// Returns memos by id, with the indices of their versions.
    pub fn memos(&self) -> impl Iterator<Item = (&str, &MemoFacts)> {
        let written = self
            .memos
            .iter()
            .filter(|(_, memo)| !memo.versions.is_empty());
        written.map(|(id, memo)| (id.as_str(), memo))
    }

    /// Returns the facts of a memo; none for one that is unknown.
    pub fn memo(&self, id: &str) -> Option<&MemoFacts> {
        self.memos.get(id).filter(|memo| !memo.versions.is_empty())
    }

    /// Returns the memo whose id begins like that.
    ///
    /// # Errors
    ///
    /// `UnknownMemo`, `AmbiguousMemo`.
    pub fn find(&self, id: &str) -> Result<&str> {
        let unknown = || MemoryError::UnknownMemo { id: id.to_owned() };
        if id.len() < 3 {
            return Err(unknown());
        }
        let from = self.memos.range(id.to_owned()..);
        let found: Vec<&str> = from
            .map(|(known, _)| known.as_str())
            .take_while(|known| known.starts_with(id))
            .collect();
        match found.as_slice() {
            [one] => Ok(one),
            [] => Err(unknown()),
            several if several[0] == id => Ok(several[0]),
            several => Err(MemoryError::AmbiguousMemo {
                id: id.to_owned(),
                n: several.len(),
            }),
        }
    }

    /// Returns a version by index; `None` where its memo was purged.
    pub fn version(&self, idx: u32) -> Option<&Version> {
        self.versions.get(idx as usize)?.as_ref()
    }

    /// Returns a version's index by id.
    ///
    /// # Errors
    ///
    /// `UnknownVersion`.
    pub fn find_version(&self, id: &str) -> Result<u32> {
        let found = self.by_id.get(id).copied();
        found
            .filter(|idx| self.versions[*idx as usize].is_some())
            .ok_or_else(|| MemoryError::UnknownVersion { id: id.to_owned() })
    }

    /// Returns the closings of a version, in order of arrival.
    pub fn closings(&self, version: u32) -> impl Iterator<Item = &Closing> {
        let closed = self.closed.get(version as usize).into_iter().flatten();
        closed.map(|idx| &self.closings[*idx as usize])
    }

    /// Returns what is remembered of a commit.
    pub fn commit(&self, sha: &str) -> Option<&CommitFact> {
        self.commits.get(sha)
    }

    /// Returns every commit that facts name.
    pub fn shas(&self) -> &[String] {
        &self.shas
    }

    /// Returns how many versions were ever added; the index of the next one.
    pub fn n_versions(&self) -> usize {
        self.versions.len()
    }

    /// Returns how many facts are known.
    pub fn n_facts(&self) -> usize {
        self.known.len()
    }

    /// Returns the moments at which versions, ends and marks were recorded, ascending, each once.
    pub fn moments(&self) -> Vec<i64> {
        let versions = self
            .versions
            .iter()
            .flatten()
            .map(|version| version.recorded_at);
        let closings = self.closings.iter().map(|closing| closing.recorded_at);
        let marks = self.memos.values().flat_map(|memo| &memo.marks);
        let marks = marks.map(|mark| mark.recorded_at);
        let mut moments: Vec<i64> = versions.chain(closings).chain(marks).collect();
        moments.sort_unstable();
        moments.dedup();
        moments
    }

    /// Returns when the last fact was recorded.
    pub fn last_recorded_at(&self) -> i64 {
        self.last_recorded_at
    }

    /// Returns a memo's tier, as known at a moment.
    pub fn tier(&self, memo: &str, known_at: i64) -> Tier {
        self.memos
            .get(memo)
            .map_or(Tier::Normal, |facts| facts.tier(known_at))
    }

    /// Says whether a memo is pinned, as known at a moment.
    pub fn is_pinned(&self, memo: &str, known_at: i64) -> bool {
        self.memos
            .get(memo)
            .is_some_and(|facts| facts.is_pinned(known_at))
    }

    /// Says whether someone said that two memos do not contradict each other.
    pub fn agree(&self, left: &str, right: &str) -> bool {
        let says = |memo: &str, other: &str| {
            self.memo(memo).is_some_and(|facts| {
                let marks = facts.marks.iter();
                marks
                    .map(|mark| &mark.says)
                    .any(|says| *says == Field::Agrees(other.to_owned()))
            })
        };
        says(left, right) || says(right, left)
    }
}

impl MemoFacts {
    /// Returns the tier, as known at a moment.
    pub fn tier(&self, known_at: i64) -> Tier {
        let tier = self.last_mark(known_at, |field| match field {
            Field::Tier(tier) => Some(*tier),
            _ => None,
        });
        tier.unwrap_or_default()
    }

    /// Says whether it is pinned, as known at a moment.
    pub fn is_pinned(&self, known_at: i64) -> bool {
        let pinned = self.last_mark(known_at, |field| match field {
            Field::Pinned(pinned) => Some(*pinned),
            _ => None,
        });
        pinned.unwrap_or_default()
    }

    fn last_mark<T>(&self, known_at: i64, read: impl Fn(&Field) -> Option<T>) -> Option<T> {
        let marks = self.marks.iter().rev();
        let known = marks.filter(|mark| mark.recorded_at <= known_at);
        known.filter_map(|mark| read(&mark.says)).next()
    }
}

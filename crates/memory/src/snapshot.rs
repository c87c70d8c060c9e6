//! What holds as of a commit and as known at a moment.
//!
//! A version holds at a commit that has its first commit among its ancestors and none of its last.
//! Outside git, and for facts without a commit, the moments decide. For one memo one version is the
//! answer: where writers have not seen each other, the one recorded last, and the others are listed
//! with it as contested.

use crate::fact::{Closing, Reason, Version};
use crate::history::{Ancestors, History, Placement};
use crate::ledger::{Ledger, MemoFacts};
use std::cmp::Reverse;
use std::sync::OnceLock;
use whyrank_source::{CommitId, commit_from_hex};

/// The moment of which something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsOf {
    /// The commit; `None` outside git and on a branch without a commit yet.
    pub commit: Option<CommitId>,
    /// The moment in valid time, milliseconds since the epoch: decides for facts without a commit.
    pub time_ms: i64,
    /// What was recorded later than this does not count.
    pub known_at: i64,
}

/// A history, and where the commits that facts name stand in it.
#[derive(Debug)]
pub struct CommitHistory {
    /// The history.
    pub history: History,
    /// By index of the ledger's commits.
    placements: Vec<Placement>,
    /// The commits themselves, where git still has them.
    own: Vec<Option<u32>>,
}

impl CommitHistory {
    /// Finds where every commit that the ledger names stands.
    pub fn new(history: History, ledger: &Ledger) -> Self {
        let mut commit_history = Self {
            history,
            placements: Vec::new(),
            own: Vec::new(),
        };
        commit_history.extend(ledger);
        commit_history
    }

    /// Takes in commits that the ledger has come to name since.
    pub fn extend(&mut self, ledger: &Ledger) {
        let shas = ledger.shas()[self.placements.len()..].iter();
        let history = &self.history;
        let place = |sha: &String| {
            let own = commit_from_hex(sha).and_then(|id| history.find(id));
            (history.place(sha, ledger.commit(sha)), own)
        };
        let placed: Vec<_> = history.at_once(|| shas.map(place).collect());
        for (placement, own) in placed {
            self.placements.push(placement);
            self.own.push(own);
        }
    }

    /// Returns how many of the ledger's commits are placed.
    pub fn n_placed(&self) -> usize {
        self.placements.len()
    }
}

/// Why a version is taken to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Validity {
    /// Its commit is an ancestor.
    Exact,
    /// No commit is asked for, or it names none.
    ByTime,
    /// A copy of its commit is an ancestor, made by a rebase, an amendment or a cherry-pick.
    Copied {
        /// Index of the copy.
        to: u32,
    },
    /// Its commit lies before the end of a shallow clone.
    Assumed,
    /// Its commit is gone; the nearest ancestor is one.
    Orphaned {
        /// Index of that ancestor.
        nearest: u32,
    },
}

/// A memo's version that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedVersion {
    /// Index of the version.
    pub version: u32,
    /// Why.
    pub validity: Validity,
    /// Other versions of the memo that hold as well: nobody who wrote one had seen the other.
    pub contested: Vec<u32>,
    /// Index of a commit that undid the one it is pinned to.
    pub reverted_by: Option<u32>,
}

/// What a memo is at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoStatus {
    /// It holds.
    Valid(ResolvedVersion),
    /// Another memo or version took its place.
    Superseded {
        /// Index of the version that held last.
        version: u32,
        /// The version that follows, by id.
        by: Option<String>,
    },
    /// Someone said that it no longer holds.
    Forgotten {
        /// Index of the version that held last.
        version: u32,
    },
    /// Its commit is not among the ancestors: it lies ahead, or on another branch.
    Elsewhere {
        /// Index of its newest version.
        version: u32,
    },
    /// Its commit is unknown here: fetch it.
    Unplaced {
        /// Index of its newest version.
        version: u32,
    },
    /// It was recorded later.
    NotYet,
}

impl MemoStatus {
    /// Returns its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Valid(_) => "valid",
            Self::Superseded { .. } => "superseded",
            Self::Forgotten { .. } => "forgotten",
            Self::Elsewhere { .. } => "elsewhere",
            Self::Unplaced { .. } => "unplaced",
            Self::NotYet => "not-yet",
        }
    }

    /// Returns the version that it is about.
    pub fn version(&self) -> Option<u32> {
        match self {
            Self::Valid(resolved) => Some(resolved.version),
            Self::Superseded { version, .. }
            | Self::Forgotten { version }
            | Self::Elsewhere { version }
            | Self::Unplaced { version } => Some(*version),
            Self::NotYet => None,
        }
    }
}

/// What a commit that facts name is to the commit that is asked for.
#[derive(Clone, Copy)]
struct CommitStatus {
    validity: Option<Validity>,
    reverted_by: Option<u32>,
}

/// A look at memory at a moment.
pub struct Snapshot<'a> {
    ledger: &'a Ledger,
    as_of: AsOf,
    commit_history: Option<(&'a CommitHistory, Ancestors)>,
    /// By index of the ledger's commits; worked out when all memos are asked for, since many stand
    /// at the same commit.
    reached: OnceLock<Vec<CommitStatus>>,
}

impl<'a> Snapshot<'a> {
    /// Returns a look at `as_of`. `None` where its commit is not in the history, or there is no
    /// history though facts name commits: without such, time alone decides and no history is
    /// needed.
    ///
    /// With a history and without a commit it is a look from a branch that has none yet: what is
    /// pinned to a commit does not hold there.
    pub fn new(
        ledger: &'a Ledger,
        commit_history: Option<&'a CommitHistory>,
        as_of: AsOf,
    ) -> Option<Self> {
        let commit_history = match (commit_history, as_of.commit) {
            (None, Some(_)) if !ledger.shas().is_empty() => return None,
            (None, _) => None,
            (Some(commit_history), None) => Some((commit_history, Ancestors::none())),
            (Some(commit_history), Some(commit)) => {
                Some((commit_history, commit_history.history.ancestors(commit)?))
            }
        };
        if let Some((commit_history, _)) = &commit_history {
            debug_assert_eq!(commit_history.n_placed(), ledger.shas().len());
        }
        Some(Self {
            ledger,
            as_of,
            commit_history,
            reached: OnceLock::new(),
        })
    }

    /// Returns the moment.
    pub fn as_of(&self) -> AsOf {
        self.as_of
    }

    /// Returns the ledger that it looks at.
    pub fn ledger(&self) -> &'a Ledger {
        self.ledger
    }

    /// Returns every memo that holds, by memo id. O(facts).
    pub fn resolved_versions(&self) -> Vec<ResolvedVersion> {
        self.resolved_with_facts()
            .map(|(resolved, _)| resolved)
            .collect()
    }

    pub(crate) fn resolved_with_facts(
        &self,
    ) -> impl Iterator<Item = (ResolvedVersion, &'a MemoFacts)> {
        self.reach_all();
        let memos = self.ledger.memos();
        memos.filter_map(|(_, facts)| Some((self.resolved(&facts.versions)?, facts)))
    }

    /// Returns how a memo holds; `None` where it does not.
    pub fn resolved_version_of(&self, memo: &str) -> Option<ResolvedVersion> {
        self.resolved(&self.ledger.memo(memo)?.versions)
    }

    /// Returns what a memo is.
    pub fn state(&self, memo: &str) -> MemoStatus {
        let Some(facts) = self.ledger.memo(memo) else {
            return MemoStatus::NotYet;
        };
        if let Some(resolved) = self.resolved(&facts.versions) {
            return MemoStatus::Valid(resolved);
        }
        self.why_not(&facts.versions)
    }

    /// Works out once what each commit is, before many memos are looked at. O(commits named).
    pub fn reach_all(&self) {
        let Some((commit_history, ancestors)) = &self.commit_history else {
            return;
        };
        self.reached.get_or_init(|| {
            let n_shas = commit_history.placements.len() as u32;
            (0..n_shas)
                .map(|sha| reached(commit_history, ancestors, sha))
                .collect()
        });
    }

    fn reached(&self, sha: u32) -> Option<CommitStatus> {
        let (commit_history, ancestors) = self.commit_history.as_ref()?;
        Some(match self.reached.get() {
            Some(known) => known[sha as usize],
            None => reached(commit_history, ancestors, sha),
        })
    }

    fn resolved(&self, versions: &[u32]) -> Option<ResolvedVersion> {
        let is_orphan = |validity: &Validity| matches!(validity, Validity::Orphaned { .. });
        let mut last: Option<(u32, Validity)> = None;
        let mut contested = Vec::new();
        for version in versions {
            let Some(validity) = self.holds(*version) else {
                continue;
            };
            match last {
                // A version whose commit was dropped never displaces one that stands.
                Some((_, known)) if is_orphan(&validity) && !is_orphan(&known) => continue,
                Some((_, known)) if is_orphan(&known) && !is_orphan(&validity) => contested.clear(),
                Some((known, _)) => contested.push(known),
                None => {}
            }
            last = Some((*version, validity));
        }
        let (version, validity) = last?;
        Some(ResolvedVersion {
            version,
            validity,
            contested,
            reverted_by: self.reverted_by(version),
        })
    }

    /// Why a version holds; `None` where it does not.
    fn holds(&self, version: u32) -> Option<Validity> {
        let (recorded_at, from) = self.ledger.version_times[version as usize];
        if recorded_at > self.as_of.known_at {
            return None;
        }
        let validity = self.stands(self.ledger.version_sha[version as usize], from)?;
        let is_orphan = matches!(validity, Validity::Orphaned { .. });
        let is_closed = self.known_closings(version).any(|(idx, closing)| {
            let until = self.stands(
                self.ledger.closing_sha[idx as usize],
                closing.valid_until.at,
            );
            match until {
                // What was ended on a dropped branch goes on elsewhere.
                Some(Validity::Orphaned { .. }) => is_orphan,
                Some(_) => true,
                None => false,
            }
        });
        (!is_closed).then_some(validity)
    }

    /// Whether a point in valid time is reached, and how.
    fn stands(&self, sha: Option<u32>, at: i64) -> Option<Validity> {
        match sha.and_then(|sha| self.reached(sha)) {
            Some(reached) => reached.validity,
            None => (at <= self.as_of.time_ms).then_some(Validity::ByTime),
        }
    }

    fn known(&self, version: u32) -> Option<&'a Version> {
        let found = self.ledger.version(version)?;
        (found.recorded_at <= self.as_of.known_at).then_some(found)
    }

    fn known_closings(&self, version: u32) -> impl Iterator<Item = (u32, &'a Closing)> {
        let closed = self.ledger.closed[version as usize].iter();
        closed
            .map(|idx| (*idx, &self.ledger.closings[*idx as usize]))
            .filter(|(_, closing)| closing.recorded_at <= self.as_of.known_at)
    }

    fn reverted_by(&self, version: u32) -> Option<u32> {
        let sha = self.ledger.version_sha[version as usize]?;
        self.reached(sha)?.reverted_by
    }

    /// Why no version holds: by the one that came nearest to it.
    fn why_not(&self, versions: &[u32]) -> MemoStatus {
        let known = versions.iter().rev().copied();
        let known: Vec<u32> = known
            .filter(|version| self.known(*version).is_some())
            .collect();
        let Some(newest) = known.first().copied() else {
            return MemoStatus::NotYet;
        };
        let reached = known.iter().copied().find(|version| {
            let at = self
                .known(*version)
                .map_or(i64::MAX, |found| found.valid_from.at);
            self.stands(self.ledger.version_sha[*version as usize], at)
                .is_some()
        });
        let Some(version) = reached else {
            let sha = self.ledger.version_sha[newest as usize];
            let is_unknown = |(commit_history, _): &(&CommitHistory, Ancestors)| {
                sha.is_some_and(|sha| commit_history.placements[sha as usize] == Placement::Unknown)
            };
            return if self.commit_history.as_ref().is_some_and(is_unknown) {
                MemoStatus::Unplaced { version: newest }
            } else {
                MemoStatus::Elsewhere { version: newest }
            };
        };
        let mut closings: Vec<&Closing> = self
            .known_closings(version)
            .map(|(_, closing)| closing)
            .collect();
        closings.sort_by_key(|closing| Reverse(closing.recorded_at));
        match closings.first() {
            Some(closing) if closing.reason != Reason::Forget => MemoStatus::Superseded {
                version,
                by: closing.superseded_by.clone(),
            },
            _ => MemoStatus::Forgotten { version },
        }
    }
}

/// What a commit that facts name is to one with these ancestors.
fn reached(commit_history: &CommitHistory, ancestors: &Ancestors, sha: u32) -> CommitStatus {
    let sha = sha as usize;
    let contains = |at: &u32| ancestors.contains(*at);
    let copied = |at: u32| {
        let picked = commit_history.history.picked(at, ancestors);
        picked.map(|to| Validity::Copied { to })
    };
    // A commit that no ref leads to may still be asked for.
    let is_own = || commit_history.own[sha].is_some_and(|at| contains(&at));
    let placement = commit_history.placements[sha];
    let validity = match placement {
        Placement::Here { at } if contains(&at) => Some(Validity::Exact),
        Placement::Here { at } => copied(at),
        _ if is_own() => Some(Validity::Exact),
        Placement::Rewritten { at } if contains(&at) => Some(Validity::Copied { to: at }),
        Placement::Rewritten { at } => copied(at),
        Placement::Orphaned { at } => contains(&at).then_some(Validity::Orphaned { nearest: at }),
        // Nothing lies before a branch that has no commit.
        Placement::BeforeShallow => (!ancestors.is_empty()).then_some(Validity::Assumed),
        Placement::Unknown => None,
    };
    let reverted_by = match placement {
        Placement::Here { at } | Placement::Rewritten { at } => {
            commit_history.history.reverted_by(at, ancestors)
        }
        _ => None,
    };
    CommitStatus {
        validity,
        reverted_by,
    }
}

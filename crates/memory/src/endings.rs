//! Endings that an import brings for what is here: memos that somebody elsewhere forgot, replaced, demoted or
//! unpinned.
//!
//! An edit ends a version as well, and the next one holds in its place. It counts where that one does not
//! hold from the same moment on: then nothing would be left of the memo.

use crate::fact::{Author, Closing, Fact, Field, Mark, Reason, Version};
use crate::ledger::Ledger;
use std::collections::HashMap;

/// The way of an import with the facts that end what is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endings {
    /// They are left out and named.
    LeaveOut,
    /// They are taken in and named.
    TakeIn,
}

/// The way in which a memo ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum EndingAct {
    Forgotten,
    Superseded,
    Edited,
    Demoted,
    Unpinned,
}

/// A fact that ends a memo, or brings it further out of sight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The memo.
    pub memo: String,
    /// The way.
    pub act: EndingAct,
    /// The author who says so.
    pub author: Author,
}

/// The memory that is here, and the facts that an import brings.
pub(crate) struct EndingFinder<'a> {
    ledger: &'a Ledger,
    brought: HashMap<&'a str, &'a Version>,
}

impl<'a> EndingFinder<'a> {
    pub(crate) fn new(ledger: &'a Ledger, facts: impl Iterator<Item = &'a Fact>) -> Self {
        let versions = facts.filter_map(|fact| match fact {
            Fact::Version(version) => Some((version.id.as_str(), version)),
            _ => None,
        });
        Self {
            ledger,
            brought: versions.collect(),
        }
    }

    /// Returns a version that is here or brought along.
    pub(crate) fn version(&self, id: &str) -> Option<&Version> {
        let here = || self.ledger.version(self.ledger.find_version(id).ok()?);
        self.brought.get(id).copied().or_else(here)
    }

    /// Returns what a fact ends of what is here.
    pub(crate) fn ending(&self, fact: &Fact) -> Option<Ending> {
        let (memo, act, author) = match fact {
            Fact::Closing(closing) => (&closing.memo, self.closes(closing)?, &closing.author),
            Fact::Mark(mark) => (&mark.memo, self.lowers(mark)?, &mark.author),
            Fact::Version(_) | Fact::Commit(_) | Fact::Purge(_) => return None,
        };
        Some(Ending {
            memo: memo.clone(),
            act,
            author: author.clone(),
        })
    }

    fn closes(&self, closing: &Closing) -> Option<EndingAct> {
        // One that comes before its version may be meant for a memo that is yet to come from elsewhere.
        let is_of_others = self.ledger.memo(&closing.memo).is_none();
        if is_of_others && self.brought.contains_key(closing.version.as_str()) {
            return None;
        }
        let until = &closing.valid_until;
        let is_as_early = |known: &Closing| {
            let known = &known.valid_until;
            known.sha == until.sha && (until.sha.is_some() || known.at <= until.at)
        };
        let here = self.ledger.find_version(&closing.version).ok();
        if here.is_some_and(|idx| self.ledger.closings(idx).any(is_as_early)) {
            return None;
        }
        match closing.reason {
            Reason::Forget => Some(EndingAct::Forgotten),
            Reason::Supersede => Some(EndingAct::Superseded),
            Reason::Edit => (!self.goes_on(closing)).then_some(EndingAct::Edited),
        }
    }

    /// Says whether the version that follows holds as soon as this one does not.
    fn goes_on(&self, closing: &Closing) -> bool {
        let next = closing.superseded_by.as_deref();
        let Some(next) = next.and_then(|id| self.version(id)) else {
            return false;
        };
        let is_of_memo = |version: &Version| version.memo == closing.memo;
        let parents = || next.parents.iter().filter_map(|id| self.version(id));
        let starts_with = |parent: &Version| parent.valid_from == next.valid_from;
        is_of_memo(next)
            && next.recorded_at == closing.recorded_at
            && next.parents.contains(&closing.version)
            && (next.valid_from == closing.valid_until
                || parents().filter(|one| is_of_memo(one)).any(starts_with))
    }

    fn lowers(&self, mark: &Mark) -> Option<EndingAct> {
        let memo = self.ledger.memo(&mark.memo)?;
        let is_alike = |known: &&Mark| {
            std::mem::discriminant(&known.says) == std::mem::discriminant(&mark.says)
        };
        let last = memo.marks.iter().rev().find(is_alike);
        if last.is_some_and(|last| last.recorded_at > mark.recorded_at) {
            return None;
        }
        match mark.says {
            Field::Tier(tier) if tier > memo.tier(i64::MAX) => Some(EndingAct::Demoted),
            Field::Pinned(false) if memo.is_pinned(i64::MAX) => Some(EndingAct::Unpinned),
            Field::Tier(_) | Field::Pinned(_) | Field::Agrees(_) => None,
        }
    }
}

//! Versions as callers see them.

use super::MemorySession;
use super::calendar::time_words;
use super::code::AnchoredCode;
use crate::api::{
    AnchorState, Memo, MemoAnchor, MemoAuthor, MemoClosing, MemoConflict, MemoId, MemoState,
};
use crate::error::Result;
use std::fmt::Write as _;
use whyrank_memory::{
    Anchor, AsOf, Author, AuthorKind, Closing, Conflict, MemoStatus, ResolvedVersion, Snapshot,
    Validity, Version, check_anchor,
};

/// How an anchor's place is written.
pub(super) fn anchor_words(anchor: &Anchor) -> String {
    match (anchor.start_line, &anchor.symbol) {
        (0, _) => anchor.path.clone(),
        (start, _) if start == anchor.end_line => format!("{}:{start}", anchor.path),
        (start, _) => format!("{}:{start}-{}", anchor.path, anchor.end_line),
    }
}

pub(super) fn author_of(author: &Author) -> MemoAuthor {
    MemoAuthor {
        name: author.name.clone(),
        is_client: author.kind == AuthorKind::Client,
        call: author.call.clone(),
    }
}

impl MemorySession<'_> {
    /// A memo as it stands at a moment; anchors compared with the code where `with_drift`.
    pub(super) fn memo(&self, snapshot: &Snapshot<'_>, id: &str, with_drift: bool) -> Result<Memo> {
        let state = snapshot.state(id);
        let Some(version) = state.version() else {
            return Err(whyrank_memory::MemoryError::UnknownMemo { id: id.to_owned() }.into());
        };
        let mut memo = self.shown(snapshot.as_of(), version, MemoState::from(&state));
        match &state {
            MemoStatus::Valid(resolved) => self.describe(&mut memo, resolved),
            MemoStatus::Superseded { by, .. } => {
                memo.superseded_by = by.as_ref().and_then(|by| self.memo_of(by));
                let by = memo.superseded_by.clone().unwrap_or_default();
                memo.notes.push(format!("superseded by {by}"));
            }
            MemoStatus::Forgotten { .. } => memo.notes.push("no longer holds".to_owned()),
            MemoStatus::Elsewhere { .. } => {
                memo.notes
                    .push("holds on another branch, or ahead".to_owned());
            }
            MemoStatus::Unplaced { .. } => {
                memo.notes
                    .push("pinned to a commit that is not here: fetch it".to_owned());
            }
            MemoStatus::NotYet => {}
        }
        memo.notes.extend(self.clock_note(version));
        if with_drift {
            self.compare(&mut memo, &self.code_at(snapshot.as_of()));
        }
        Ok(memo)
    }

    /// What the clock said, where it had run backwards.
    fn clock_note(&self, version: u32) -> Option<String> {
        let clock = self.open.memory.ledger().version(version)?.clock?;
        Some(format!(
            "recorded after others though the clock said {}",
            time_words(clock)
        ))
    }

    fn memo_of(&self, version: &str) -> Option<MemoId> {
        let ledger = self.open.memory.ledger();
        let found = ledger.find_version(version).ok()?;
        Some(ledger.version(found)?.memo.as_str().into())
    }

    /// A version without what depends on looking further.
    pub(super) fn shown(&self, as_of: AsOf, version: u32, state: MemoState) -> Memo {
        let ledger = self.open.memory.ledger();
        let nothing = empty_version();
        let found = ledger.version(version).unwrap_or(&nothing);
        let known = ledger
            .closings(version)
            .filter(|closing| closing.recorded_at <= as_of.known_at);
        let closing = known.max_by_key(|closing| closing.recorded_at);
        Memo {
            id: found.memo.as_str().into(),
            repo: None,
            version: found.id.clone(),
            state,
            content: found.content.clone(),
            kind: found.kind.into(),
            tags: found.tags.clone(),
            anchors: found.anchors.iter().map(anchor_shown).collect(),
            confidence: found.confidence,
            tier: ledger.tier(&found.memo, as_of.known_at).into(),
            pinned: ledger.is_pinned(&found.memo, as_of.known_at),
            valid_from_sha: found.valid_from.sha.clone(),
            valid_from_at: found.valid_from.at as f64,
            valid_until_sha: closing.and_then(|closing| closing.valid_until.sha.clone()),
            valid_until_at: closing.map(|closing| closing.valid_until.at as f64),
            recorded_at: found.recorded_at as f64,
            invalidated_at: closing.map(|closing| closing.recorded_at as f64),
            superseded_by: None,
            author: author_of(&found.author),
            orphaned: false,
            notes: Vec::new(),
            contested: Vec::new(),
            drifted: false,
            n_versions: ledger
                .memo(&found.memo)
                .map_or(0, |facts| facts.versions.len() as u32),
        }
    }

    pub(super) fn describe(&self, memo: &mut Memo, resolved: &ResolvedVersion) {
        let ledger = self.open.memory.ledger();
        let short = |at: u32| {
            let node = self
                .open
                .commit_history
                .as_ref()
                .and_then(|commit_history| commit_history.history.node(at));
            node.map_or_else(String::new, |node| node.id.to_string()[..8].to_owned())
        };
        match resolved.validity {
            Validity::Exact | Validity::ByTime => {}
            Validity::Copied { to } => memo
                .notes
                .push(format!("its commit was copied as {}", short(to))),
            Validity::Assumed => {
                memo.notes
                    .push("its commit lies before this shallow clone begins: assumed".to_owned());
            }
            Validity::Orphaned { nearest } => {
                memo.orphaned = true;
                memo.notes
                    .push(format!("orphaned: nearest ancestor {}", short(nearest)));
            }
        }
        if let Some(by) = resolved.reverted_by {
            memo.notes
                .push(format!("its commit was reverted by {}", short(by)));
        }
        memo.contested = resolved
            .contested
            .iter()
            .filter_map(|version| ledger.version(*version))
            .map(|version| version.id.clone())
            .collect();
        if !memo.contested.is_empty() {
            let plural = if memo.contested.len() == 1 {
                "version"
            } else {
                "versions"
            };
            memo.notes.push(format!(
                "contested by {} other {plural}",
                memo.contested.len()
            ));
        }
    }

    /// The code of a moment; HEAD's is that of the working tree.
    pub(super) fn code_at(&self, as_of: AsOf) -> AnchoredCode<'_> {
        let repository = self.place.repository.as_ref();
        let head = repository.and_then(|repository| repository.head_commit().ok().flatten());
        self.code(as_of.commit.filter(|commit| Some(*commit) != head))
    }

    /// Compares a memo's anchors with the code.
    pub(super) fn compare(&self, memo: &mut Memo, code: &AnchoredCode<'_>) {
        let ledger = self.open.memory.ledger();
        let version = ledger
            .find_version(&memo.version)
            .ok()
            .and_then(|found| ledger.version(found));
        let anchors = version.map_or(&[][..], |version| &version.anchors);
        for (anchor, shown) in anchors.iter().zip(&mut memo.anchors) {
            let drift = check_anchor(anchor, code);
            shown.state = drift.state.into();
            shown.now = drift.now.as_ref().map_or_else(String::new, anchor_words);
            shown.by = drift.by.to_owned();
            shown.diff = drift.diff;
            memo.drifted |= matches!(shown.state, AnchorState::Changed | AnchorState::Gone);
        }
        if memo.drifted {
            let mut words = "drifted:".to_owned();
            for anchor in memo
                .anchors
                .iter()
                .filter(|anchor| matches!(anchor.state, AnchorState::Changed | AnchorState::Gone))
            {
                // A memo's place shows where its code was.
                let elsewhere = match anchor.now.strip_prefix(&anchor.path) {
                    None if !anchor.now.is_empty() => format!(" (now {})", anchor.now),
                    _ => String::new(),
                };
                let _ = write!(words, " {} {}{elsewhere},", anchor.path, anchor.state);
            }
            let words = words.trim_end_matches(',');
            memo.notes.push(format!(
                "{words}; check it, then update its links (`whyrank memo anchor`) or supersede it"
            ));
        }
        let is_moved = |anchor: &&MemoAnchor| anchor.state == AnchorState::Moved;
        for anchor in memo.anchors.iter().filter(is_moved) {
            memo.notes.push(format!("its code moved to {}", anchor.now));
        }
    }

    pub(super) fn conflict(&self, snapshot: &Snapshot<'_>, conflict: &Conflict) -> MemoConflict {
        let memos = conflict.versions.iter();
        MemoConflict {
            kind: conflict.kind.into(),
            reason: conflict.reason.clone(),
            memos: memos
                .map(|version| self.shown(snapshot.as_of(), *version, MemoState::Valid))
                .collect(),
        }
    }

    pub(super) fn closing(&self, closing: &Closing) -> MemoClosing {
        MemoClosing {
            valid_until_sha: closing.valid_until.sha.clone(),
            valid_until_at: closing.valid_until.at as f64,
            recorded_at: closing.recorded_at as f64,
            reason: closing.reason.into(),
            superseded_by: closing
                .superseded_by
                .as_deref()
                .and_then(|by| self.memo_of(by)),
            author: author_of(&closing.author),
        }
    }
}

fn anchor_shown(anchor: &Anchor) -> MemoAnchor {
    MemoAnchor {
        path: anchor.path.clone(),
        symbol: anchor.symbol.clone(),
        start_line: anchor.start_line,
        end_line: anchor.end_line,
        state: AnchorState::NotCompared,
        now: String::new(),
        by: String::new(),
        diff: String::new(),
    }
}

fn empty_version() -> Version {
    Version {
        id: String::new(),
        memo: String::new(),
        parents: Vec::new(),
        change: whyrank_memory::Change::Add,
        content: String::new(),
        kind: whyrank_memory::Kind::Context,
        tags: Vec::new(),
        anchors: Vec::new(),
        confidence: 1.0,
        valid_from: whyrank_memory::Point { sha: None, at: 0 },
        recorded_at: 0,
        clock: None,
        author: Author::default(),
    }
}

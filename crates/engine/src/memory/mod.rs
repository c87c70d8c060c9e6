//! Memory: memos of a repository or a folder, as of a commit and as known at a moment.
//!
//! Clock, repository and code are read here; what holds is `whyrank_memory`'s to say.

mod anchors;
mod beside;
mod calendar;
mod code;
mod commands;
mod encoding;
mod location;
mod moments;
mod open;
mod place;
mod queries;
mod several;
mod timeline;
mod vectors;
mod view;
mod wakeup;
mod watch;

pub(crate) use beside::{MAX_BESIDE, ShownCode};
pub use calendar::{day_words, time_words};
pub(crate) use open::Memories;

use crate::Engine;
use crate::api::{EngineEvent, RepoId};
use crate::error::Result;
use code::AnchoredCode;
use open::OpenMemory;
use parking_lot::{Mutex, MutexGuard};
use place::Place;
use std::sync::Arc;
use whyrank_memory::{AsOf, CommitHistory, HistoryWork, Snapshot};
use whyrank_source::CommitId;

/// What a call on memory has before it.
struct MemorySession<'a> {
    /// As the caller named it.
    repo: &'a RepoId,
    place: &'a Place,
    open: &'a mut OpenMemory,
    engine: &'a Engine,
    /// Now, or just after the last fact where the clock has run backwards.
    now_ms: i64,
    /// What was read of git before this call.
    work_before: HistoryWork,
}

impl MemorySession<'_> {
    fn snapshot(&self, as_of: AsOf) -> Result<Snapshot<'_>> {
        Snapshot::new(self.open.memory.ledger(), self.commit_history(), as_of)
            .ok_or_else(|| calendar::not_in_history(as_of.commit))
    }

    /// The history that memos stand in; none outside git, and where no memo stands at a commit.
    fn commit_history(&self) -> Option<&CommitHistory> {
        let is_needed = !self.open.memory.ledger().shas().is_empty();
        let commit_history = self.open.commit_history.as_ref();
        commit_history.filter(|_| is_needed && self.place.repository.is_some())
    }

    /// The code of a commit, or of the working tree.
    fn code(&self, commit: Option<CommitId>) -> AnchoredCode<'_> {
        AnchoredCode::new(self.engine, self.place, commit)
    }
}

impl Engine {
    /// Once for each memory that has nothing: whether it lies elsewhere. Points the place to it where
    /// it does, and says so.
    fn look_for_memory(
        &self,
        place: &mut Place,
        open: &Mutex<OpenMemory>,
    ) -> Result<Option<String>> {
        {
            let mut open = open.lock();
            if open.memory.ledger().n_facts() > 0 || std::mem::replace(&mut open.has_looked, true) {
                return Ok(None);
            }
        }
        let (is_found, note) = place.look_for_memory(&self.state.registry)?;
        if is_found {
            place.file = location::settle(&place.folder, &place.own, &place.root);
        }
        Ok(note)
    }

    /// Versions of memos in the memory of a repository.
    pub(crate) fn n_memo_versions(&self, repo: &RepoId) -> Result<usize> {
        self.with_memory(repo, |session| {
            Ok(session.open.memory.ledger().n_versions())
        })
    }

    /// Facts of a repository's memory that are left out because they name a time that there is not.
    pub(crate) fn n_impossible_facts(&self, repo: &RepoId) -> Result<usize> {
        self.with_memory(repo, |session| Ok(session.open.memory.impossible().len()))
    }

    /// Sets facts aside that name a time that there is not; says which, one a line.
    ///
    /// # Errors
    /// `unknown-repository`; as [`Engine::remember`].
    pub fn repair_memory(&self, repo: &RepoId) -> Result<Vec<String>> {
        self.with_memory(repo, |session| {
            let retired = session
                .open
                .memory
                .retire_impossible(calendar::clock_ms())?;
            let lines = retired
                .iter()
                .map(|fact| format!("{}: {}", fact.id, fact.why));
            Ok(lines.collect())
        })
    }

    /// Runs `act` on the memory of a repository or folder, brought up to date.
    fn with_memory<T>(
        &self,
        repo: &RepoId,
        act: impl FnOnce(&mut MemorySession<'_>) -> Result<T>,
    ) -> Result<T> {
        self.with_memories(std::slice::from_ref(repo), |sessions| act(&mut sessions[0]))
    }

    /// Runs `act` on the memories of some repositories or folders at once, each brought up to date; two
    /// that share a memory are one.
    fn with_memories<T>(
        &self,
        repos: &[RepoId],
        act: impl FnOnce(&mut [MemorySession<'_>]) -> Result<T>,
    ) -> Result<T> {
        let mut found = Vec::with_capacity(repos.len());
        for repo in repos {
            let (place, open) = self.found_memory(repo)?;
            found.push((repo, place, open));
        }
        // Always in one order, or two callers would wait for each other.
        found.sort_by(|(_, a, _), (_, b, _)| a.file.cmp(&b.file));
        found.dedup_by(|(_, a, _), (_, b, _)| a.file == b.file);
        let locked = found.iter().map(|(_, _, open)| open.lock());
        let mut locked: Vec<MutexGuard<'_, OpenMemory>> = locked.collect();
        let mut sessions = Vec::with_capacity(found.len());
        for ((repo, place, _), open) in found.iter().zip(&mut locked) {
            let work_before = open.work();
            open.refresh(place, None)?;
            let now_ms = calendar::clock_ms().max(open.memory.ledger().last_recorded_at());
            sessions.push(MemorySession {
                repo,
                place,
                open,
                engine: self,
                now_ms,
                work_before,
            });
        }
        let answer = act(&mut sessions);
        drop(sessions);
        let n_changed = locked
            .iter_mut()
            .filter_map(|open| open.has_news().then_some(()));
        if n_changed.count() > 0 {
            self.state.events.send(&EngineEvent::MemoryChanged);
        }
        answer
    }

    /// The memory of a repository or folder, wherever it lies.
    fn found_memory(&self, repo: &RepoId) -> Result<(Place, Arc<Mutex<OpenMemory>>)> {
        let mut place = self.memory_place(repo)?;
        let mut open = self.state.memories.open(&place)?;
        if let Some(note) = self.look_for_memory(&mut place, &open)? {
            open = self.state.memories.open(&place)?;
            open.lock().found = Some(note);
        }
        Ok((place, open))
    }
}

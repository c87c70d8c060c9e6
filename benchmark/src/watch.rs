//! Progress of a run, and the wish to end it. Shared between the run and those who look at it.

use crate::api::RunProgress;
use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use whyrank_eval::RunState;

/// Notes that progress keeps.
const MAX_NOTES: usize = 50;

/// A handle: clones share the same state.
#[derive(Clone, Default)]
pub struct Watch {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    is_cancelled: AtomicBool,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    id: String,
    state: Option<RunState>,
    phase: String,
    done: u32,
    wanted: u32,
    errors: u32,
    notes: Vec<String>,
    asking_since: Option<(Instant, u32)>,
}

impl Watch {
    /// Asks the run to end; what was answered is kept.
    pub fn cancel(&self) {
        self.shared.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Says whether it was asked to.
    pub fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled.load(Ordering::Relaxed)
    }

    /// Returns how the run stands; none before it has begun.
    pub fn progress(&self) -> Option<RunProgress> {
        let progress = self.lock();
        Some(RunProgress {
            id: progress.id.clone(),
            state: progress.state?,
            phase: progress.phase.clone(),
            done: progress.done,
            wanted: progress.wanted,
            errors: progress.errors,
            eta_s: progress.eta_s(),
            notes: progress.notes.clone(),
        })
    }

    /// Returns what it is at, also before a run has begun.
    pub fn phase_now(&self) -> String {
        self.lock().phase.clone()
    }

    pub(crate) fn begin(&self, id: &str, wanted: u32) {
        let mut progress = self.lock();
        progress.id = id.to_owned();
        progress.state = Some(RunState::Running);
        progress.wanted = wanted;
    }

    /// Says what it is at.
    pub fn phase(&self, phase: impl Into<String>) {
        self.lock().phase = phase.into();
    }

    /// Keeps something worth saying, for progress.
    pub fn note(&self, note: impl Into<String>) {
        let mut progress = self.lock();
        progress.notes.push(note.into());
        let excess = progress.notes.len().saturating_sub(MAX_NOTES);
        progress.notes.drain(..excess);
    }

    pub(crate) fn answered(&self, has_failed: bool) {
        let mut progress = self.lock();
        let done = progress.done;
        progress.asking_since.get_or_insert((Instant::now(), done));
        progress.done += 1;
        progress.errors += u32::from(has_failed);
    }

    /// Tasks that will not be asked after all.
    pub(crate) fn left_out(&self, n: u32) {
        let mut progress = self.lock();
        progress.wanted = progress.wanted.saturating_sub(n);
    }

    pub(crate) fn end(&self, state: RunState) {
        self.lock().state = Some(state);
    }

    pub(crate) fn counts(&self) -> (u32, u32) {
        let progress = self.lock();
        (progress.done, progress.wanted)
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        // Progress that a panic left behind is still progress.
        self.shared.progress.lock()
    }
}

impl Progress {
    fn eta_s(&self) -> Option<f64> {
        let (since, before) = self.asking_since?;
        let answered = self.done.checked_sub(before).filter(|n| *n > 4)?;
        let left = self.wanted.saturating_sub(self.done);
        Some(since.elapsed().as_secs_f64() / f64::from(answered) * f64::from(left))
    }
}

//! Jobs: how far each is, and what holds, resumes and cancels it.

use super::vector_turns::VectorTurns;
use crate::api::{
    EngineErrorDto, EngineEvent, IndexOptions, JobId, JobProgress, JobStage, JobState, Lane, RepoId,
};
use crate::error::{EngineError, Result};
use crate::events::Events;
use crate::registry::Registered;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use whyrank_index::{JobControl, Stage, Store};

/// Between two progress events of a job.
const EVENT_INTERVAL: Duration = Duration::from_millis(100);
/// Between two looks whether others wait for the index.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);
/// So few texts are encoded at once, whoever's turn it is: an edit's are done in seconds.
const FEW_TEXTS: usize = 64;

#[derive(Default)]
pub(crate) struct Jobs {
    list: Mutex<VecDeque<Arc<Job>>>,
    pub(super) counter: AtomicU64,
    pub(super) turns: Arc<VectorTurns>,
    /// Stores that this process has written.
    written: Mutex<HashSet<String>>,
}

/// The work of a job.
pub(super) struct NumberedWork {
    /// Higher than those of earlier jobs of the process.
    pub(super) number: u64,
    pub(super) repo: Registered,
    pub(super) store: Store,
    pub(super) options: IndexOptions,
}

/// A job and what steers it.
pub(crate) struct Job {
    pub(super) id: JobId,
    pub(super) repo: Registered,
    pub(super) store: Store,
    pub(super) options: IndexOptions,
    events: Arc<Events>,
    status: Mutex<Status>,
    changed: Condvar,
    pub(super) cancelled: AtomicBool,
    /// Files changed while it ran: lane 1 again, then on with lane 2.
    pub(super) rerun: AtomicBool,
    pub(super) searchable: AtomicBool,
    turns: Arc<VectorTurns>,
    number: u64,
    /// It has so many vectors to make that it takes its turn.
    takes_turns: AtomicBool,
}

pub(super) struct Status {
    pub(super) progress: JobProgress,
    paused: bool,
    /// What it waits for its turn to do.
    waits_to: Option<JobStage>,
    stage_started: Instant,
    /// Units done when the stage's clock was started.
    stage_from: u32,
    last_event: Option<Instant>,
    /// When it was last seen whether others wait for the index.
    last_look: Option<Instant>,
}

impl Jobs {
    /// Whether nothing was written there before; it is, from now on.
    pub(super) fn is_first(&self, store_key: &str) -> bool {
        let mut written = self.written.lock();
        written.insert(store_key.to_owned())
    }

    pub(super) fn list(&self) -> MutexGuard<'_, VecDeque<Arc<Job>>> {
        self.list.lock()
    }

    pub(super) fn get(&self, id: &JobId) -> Result<Arc<Job>> {
        self.list()
            .iter()
            .find(|job| job.id == *id)
            .cloned()
            .ok_or_else(|| {
                EngineError::new(
                    "unknown-job",
                    format!("no job `{id}` is known"),
                    "jobs are known to the process that started them",
                )
            })
    }

    pub(crate) fn is_any_running(&self) -> bool {
        self.list().iter().any(|job| !job.is_over())
    }

    /// The newest job of a repository.
    pub(crate) fn last(&self, repo: &RepoId) -> Option<Arc<Job>> {
        self.list().iter().find(|job| job.repo.id == *repo).cloned()
    }

    pub(crate) fn running(&self, repo: &RepoId) -> Option<Arc<Job>> {
        self.list()
            .iter()
            .find(|job| job.repo.id == *repo && !job.is_over())
            .cloned()
    }
}

impl Status {
    fn is_over(&self) -> bool {
        !matches!(self.progress.state, JobState::Running | JobState::Paused)
    }

    /// Whether its turn has shown a new view, and works at what comes with it.
    fn is_after_flip(&self) -> bool {
        self.progress.lane == Lane::Vector || self.progress.stage == JobStage::SymbolGraph
    }

    /// It waits for its turn; false where it did before.
    fn begin_wait(&mut self) -> bool {
        if self.waits_to.is_some() {
            return false;
        }
        self.waits_to = Some(self.progress.stage);
        self.progress.stage = JobStage::Waiting;
        (self.progress.rate, self.progress.eta_s) = (0.0, None);
        true
    }

    /// It waits no more; false where it did not.
    fn end_wait(&mut self) -> bool {
        let Some(stage) = self.waits_to.take() else {
            return false;
        };
        self.progress.stage = stage;
        self.stage_started = Instant::now();
        self.stage_from = self.progress.done;
        true
    }
}

impl Job {
    pub(super) fn new(work: NumberedWork, turns: &Arc<VectorTurns>, events: &Arc<Events>) -> Self {
        let NumberedWork {
            number,
            repo,
            store,
            options,
        } = work;
        let id = JobId::from(format!("job{number}"));
        let progress = JobProgress {
            job_id: id.clone(),
            repo: repo.id.clone(),
            lane: Lane::Lexical,
            stage: JobStage::Scan,
            done: 0,
            total: 0,
            rate: 0.0,
            eta_s: None,
            current: None,
            state: JobState::Running,
            error: None,
        };
        let status = Status {
            progress,
            paused: false,
            waits_to: None,
            stage_started: Instant::now(),
            stage_from: 0,
            last_event: None,
            last_look: None,
        };
        Self {
            id,
            repo,
            store,
            options,
            events: Arc::clone(events),
            status: Mutex::new(status),
            changed: Condvar::new(),
            cancelled: AtomicBool::new(false),
            rerun: AtomicBool::new(false),
            searchable: AtomicBool::new(false),
            turns: Arc::clone(turns),
            number,
            takes_turns: AtomicBool::new(false),
        }
    }

    fn status(&self) -> MutexGuard<'_, Status> {
        self.status.lock()
    }

    pub(crate) fn progress_now(&self) -> JobProgress {
        self.status().progress.clone()
    }

    /// Whether it is on its way to a new view.
    pub(super) fn is_before_flip(&self) -> bool {
        !self.status().is_after_flip()
    }

    pub(super) fn is_over(&self) -> bool {
        self.status().is_over()
    }

    fn send(&self, event: EngineEvent) {
        self.events.send(&event);
    }

    pub(super) fn repo_changed(&self) {
        self.send(EngineEvent::RepoChanged {
            repo: self.repo.id.clone(),
        });
    }

    /// Ends the job; listeners hear of it whatever the interval says.
    pub(super) fn end(&self, state: JobState, error: Option<EngineErrorDto>) {
        let mut status = self.status();
        status.progress.state = state;
        status.progress.error = error;
        status.progress.eta_s = None;
        status.progress.current = None;
        status.end_wait();
        self.turns.leave(self.number);
        self.tell(&status);
        drop(status);
        self.changed.notify_all();
        self.repo_changed();
    }

    /// Sends the progress while its lock is held: what listeners hear last is what holds.
    fn tell(&self, status: &Status) {
        self.send(EngineEvent::Progress(status.progress.clone()));
    }

    /// Holds the job or lets it go on; one that has ended stays ended. Who is held is in nobody's way.
    pub(super) fn set_paused(&self, paused: bool) {
        let mut status = self.status();
        if status.is_over() {
            return;
        }
        status.paused = paused;
        status.progress.state = if paused {
            JobState::Paused
        } else {
            JobState::Running
        };
        status.end_wait();
        status.stage_started = Instant::now();
        status.stage_from = status.progress.done;
        if paused {
            self.turns.leave(self.number);
        }
        self.tell(&status);
        drop(status);
        self.changed.notify_all();
        self.repo_changed();
    }

    /// Asks the job to end. Under the lock, so that a held job cannot fall asleep over it.
    pub(super) fn cancel(&self) {
        let status = self.status();
        self.cancelled.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        drop(status);
    }

    /// Says that another process writes the index.
    pub(super) fn wait_for_turn(&self) {
        let mut status = self.status();
        if status.progress.stage != JobStage::Waiting {
            status.progress.stage = JobStage::Waiting;
            status.progress.lane = Lane::Lexical;
            (status.progress.done, status.progress.total) = (0, 0);
            status.progress.current = None;
            self.tell(&status);
        }
    }

    /// Takes its turn at making vectors, or waits a little for it; true where it is its turn, or it needs
    /// none.
    fn has_turn(&self) -> bool {
        if !self.takes_turns.load(Ordering::Relaxed) {
            return true;
        }
        // Under the lock: who was held meanwhile takes no turn.
        let mut status = self.status();
        if status.paused {
            return false;
        }
        let has_turn = self.turns.take(self.number);
        let is_news = if has_turn {
            status.end_wait()
        } else {
            status.begin_wait()
        };
        if is_news {
            self.tell(&status);
        }
        drop(status);
        if is_news {
            self.changed.notify_all();
            self.repo_changed();
        }
        if !has_turn {
            self.turns.wait(self.number, LOOK_INTERVAL);
        }
        has_turn
    }

    /// It goes back to text, for which nobody waits. Who had the turn keeps it until then.
    fn step_back(&self) {
        self.takes_turns.store(false, Ordering::Relaxed);
        self.turns.step_back(self.number);
        self.status().end_wait();
    }

    /// Whether it is searchable, and what it works at would be of an earlier state, or an answer waits
    /// for the index, here or in another process.
    fn is_to_start_over(&self) -> bool {
        let mut status = self.status();
        if !status.is_after_flip() {
            return false;
        }
        let now = Instant::now();
        let is_due = status.last_look.is_none_or(|at| now - at >= LOOK_INTERVAL);
        if is_due {
            status.last_look = Some(now);
        }
        drop(status);
        self.rerun.load(Ordering::Relaxed) || (is_due && self.store.is_writer_requested())
    }

    /// Waits until a condition holds; false when the time is up.
    pub(super) fn wait_until(
        &self,
        timeout: Option<Duration>,
        holds: impl Fn(&Status) -> bool,
    ) -> bool {
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        let mut status = self.status();
        while !holds(&status) {
            let left = match deadline {
                Some(deadline) => deadline.saturating_duration_since(Instant::now()),
                None => Duration::from_secs(3600),
            };
            if left.is_zero() {
                return false;
            }
            self.changed.wait_for(&mut status, left);
        }
        true
    }
}

impl JobControl for Job {
    fn progress(&self, stage: Stage, done: usize, total: usize, current: Option<&str>) {
        let now = Instant::now();
        let mut status = self.status();
        // A worker may report after the job was ended.
        if status.is_over() {
            return;
        }
        let is_new_stage = status.progress.stage != stage.into();
        if is_new_stage {
            status.stage_started = now;
            status.stage_from = done as u32;
        }
        let seconds = (now - status.stage_started).as_secs_f64();
        let n_done = (done as u32).saturating_sub(status.stage_from);
        let rate = if seconds > 0.2 {
            f64::from(n_done) / seconds
        } else {
            0.0
        };
        let left = total.saturating_sub(done);
        let progress = &mut status.progress;
        progress.lane = if matches!(stage, Stage::Vectors | Stage::Tokens) {
            Lane::Vector
        } else {
            Lane::Lexical
        };
        progress.stage = stage.into();
        (progress.done, progress.total) = (done as u32, total as u32);
        progress.rate = rate;
        progress.eta_s = (rate > 0.0 && total > 0).then(|| left as f64 / rate);
        progress.current = current.map(str::to_owned);
        let is_due = is_new_stage
            || status
                .last_event
                .is_none_or(|at| now - at >= EVENT_INTERVAL);
        if is_due {
            status.last_event = Some(now);
            self.tell(&status);
        }
    }

    fn should_stop(&self) -> bool {
        let is_cancelled = || self.cancelled.load(Ordering::Relaxed);
        loop {
            self.wait_until(None, |status| !status.paused || is_cancelled());
            if is_cancelled() || self.is_to_start_over() {
                self.step_back();
                return true;
            }
            if self.has_turn() {
                return false;
            }
        }
    }

    fn encodes(&self, n_texts: usize) {
        let takes_turns = n_texts > FEW_TEXTS;
        self.takes_turns.store(takes_turns, Ordering::Relaxed);
    }

    fn searchable(&self) {
        self.searchable.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        self.repo_changed();
    }
}

#[cfg(test)]
mod tests;

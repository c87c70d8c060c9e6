//! Indexing jobs: one thread each, at most one a repository, watched, paused and cancelled.

use crate::Engine;
use crate::api::{EngineErrorDto, EngineEvent, IndexOptions, JobProgress, JobState, Lane};
use crate::error::{EngineError, Result};
use crate::live::now_s;
use crate::registry::Registered;
use crate::state::State;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use whyrank_index::{IndexError, JobControl, Lanes, Stage, Store, ViewKey, WriteMode, Writer};
use whyrank_source::Repository;

/// Between two progress events of a job.
const EVENT_INTERVAL: Duration = Duration::from_millis(100);
/// How long a job waits for another process that writes the same index.
const LOCK_PATIENCE: Duration = Duration::from_secs(10);
/// Ended jobs kept for `jobs`.
const MAX_ENDED: usize = 50;

#[derive(Default)]
pub(crate) struct Jobs {
    list: Mutex<VecDeque<Arc<Job>>>,
    counter: AtomicU64,
}

/// A job and what steers it.
pub(crate) struct Job {
    id: String,
    repo: Registered,
    options: IndexOptions,
    state: std::sync::Weak<State>,
    status: Mutex<Status>,
    changed: Condvar,
    cancelled: AtomicBool,
    /// Files changed while it ran: lane 1 again, then on with lane 2.
    rerun: AtomicBool,
    searchable: AtomicBool,
}

struct Status {
    progress: JobProgress,
    paused: bool,
    stage_started: Instant,
    /// Units done when the stage's clock was started.
    stage_from: u32,
    last_event: Option<Instant>,
}

impl Jobs {
    fn list(&self) -> MutexGuard<'_, VecDeque<Arc<Job>>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, id: &str) -> Result<Arc<Job>> {
        self.list()
            .iter()
            .find(|job| job.id == id)
            .cloned()
            .ok_or_else(|| {
                EngineError::new(
                    "unknown-job",
                    format!("no job `{id}` is known"),
                    "jobs are known to the process that started them",
                )
            })
    }

    pub(crate) fn running(&self, repo: &str) -> Option<Arc<Job>> {
        self.list()
            .iter()
            .find(|job| job.repo.id == repo && !job.is_over())
            .cloned()
    }
}

impl Status {
    fn is_over(&self) -> bool {
        !matches!(self.progress.state, JobState::Running | JobState::Paused)
    }
}

impl Job {
    fn new(id: String, repo: Registered, options: IndexOptions, state: &Arc<State>) -> Self {
        let progress = JobProgress {
            job_id: id.clone(),
            repo: repo.id.clone(),
            lane: Lane::Lexical,
            stage: "scan".to_owned(),
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
            stage_started: Instant::now(),
            stage_from: 0,
            last_event: None,
        };
        Self {
            id,
            repo,
            options,
            state: Arc::downgrade(state),
            status: Mutex::new(status),
            changed: Condvar::new(),
            cancelled: AtomicBool::new(false),
            rerun: AtomicBool::new(false),
            searchable: AtomicBool::new(false),
        }
    }

    fn status(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn progress_now(&self) -> JobProgress {
        self.status().progress.clone()
    }

    fn is_over(&self) -> bool {
        self.status().is_over()
    }

    fn send(&self, event: EngineEvent) {
        if let Some(state) = self.state.upgrade() {
            state.events.send(&event);
        }
    }

    fn repo_changed(&self) {
        self.send(EngineEvent::RepoChanged {
            repo: self.repo.id.clone(),
        });
    }

    /// Ends the job; listeners hear of it whatever the interval says.
    fn end(&self, state: JobState, error: Option<EngineErrorDto>) {
        let mut status = self.status();
        status.progress.state = state;
        status.progress.error = error;
        status.progress.eta_s = None;
        status.progress.current = None;
        self.tell(&status);
        drop(status);
        self.changed.notify_all();
        self.repo_changed();
    }

    /// Sends the progress while its lock is held: what listeners hear last is what holds.
    fn tell(&self, status: &Status) {
        self.send(EngineEvent::Progress(status.progress.clone()));
    }

    /// Holds the job or lets it go on; one that has ended stays ended.
    fn set_paused(&self, paused: bool) {
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
        status.stage_started = Instant::now();
        status.stage_from = status.progress.done;
        self.tell(&status);
        drop(status);
        self.changed.notify_all();
        self.repo_changed();
    }

    /// Asks the job to end. Under the lock, so that a held job cannot fall asleep over it.
    fn cancel(&self) {
        let status = self.status();
        self.cancelled.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        drop(status);
    }

    /// Waits until a condition holds; false when the time is up.
    fn wait_until(&self, timeout: Option<Duration>, holds: impl Fn(&Status) -> bool) -> bool {
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
            let (guard, _) = self
                .changed
                .wait_timeout(status, left)
                .unwrap_or_else(PoisonError::into_inner);
            status = guard;
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
        let is_new_stage = status.progress.stage != stage.name();
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
        progress.lane = if matches!(stage, Stage::Vectors | Stage::Tokens | Stage::Sparse) {
            Lane::Vector
        } else {
            Lane::Lexical
        };
        progress.stage = stage.name().to_owned();
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
        self.wait_until(None, |status| {
            !status.paused || self.cancelled.load(Ordering::Relaxed)
        });
        // What comes after the flip would be of an earlier state.
        let is_after_flip = {
            let status = self.status();
            status.progress.lane == Lane::Vector || status.progress.stage == Stage::Uses.name()
        };
        self.cancelled.load(Ordering::Relaxed)
            || (is_after_flip && self.rerun.load(Ordering::Relaxed))
    }

    fn searchable(&self) {
        self.searchable.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        self.repo_changed();
    }
}

impl Engine {
    /// Starts indexing; answers with the job's id, or with the running job's for the same repository,
    /// which then looks at the files once more.
    ///
    /// # Errors
    /// `unknown-repository`, `path-missing`, and what opening the repository gives.
    pub fn start_index(&self, repo: &str, options: IndexOptions) -> Result<String> {
        let repo = self.state.registry.get(repo)?;
        Repository::discover(&repo.root)?;
        let job = {
            let mut list = self.state.jobs.list();
            let running = list
                .iter()
                .find(|job| job.repo.id == repo.id && !job.is_over());
            if let Some(job) = running {
                job.rerun.store(true, Ordering::Relaxed);
                return Ok(job.id.clone());
            }
            let number = self.state.jobs.counter.fetch_add(1, Ordering::Relaxed) + 1;
            let job = Arc::new(Job::new(format!("job{number}"), repo, options, &self.state));
            list.push_front(Arc::clone(&job));
            list.truncate(MAX_ENDED);
            job
        };
        let (state, handle) = (Arc::clone(&self.state), Arc::clone(&job));
        let spawned = std::thread::Builder::new()
            .name(format!("whyrank-{}", job.id))
            .spawn(move || run(&state, &handle));
        if let Err(error) = spawned {
            let error = EngineError::new(
                "io",
                format!("no thread for the job: {error}"),
                "free some memory and try again",
            );
            job.end(JobState::Failed, Some(error.clone().into()));
            return Err(error);
        }
        Ok(job.id.clone())
    }

    /// Jobs of this process, newest first.
    pub fn jobs(&self) -> Vec<JobProgress> {
        self.state
            .jobs
            .list()
            .iter()
            .map(|job| job.progress_now())
            .collect()
    }

    /// Waits for a job's end.
    ///
    /// # Errors
    /// `unknown-job`.
    pub fn wait_job(&self, job: &str) -> Result<JobProgress> {
        let job = self.state.jobs.get(job)?;
        job.wait_until(None, |status| {
            !matches!(status.progress.state, JobState::Running | JobState::Paused)
        });
        Ok(job.progress_now())
    }

    /// Waits until the repository's working tree can be searched, or its job ended, at most
    /// `timeout_ms`. True when searchable.
    ///
    /// # Errors
    /// `unknown-repository`.
    pub fn wait_searchable(&self, repo: &str, timeout_ms: u32) -> Result<bool> {
        let registered = self.state.registry.get(repo)?;
        let is_searchable = || self.state.worktree_view(&registered).is_ok();
        if let Some(job) = self.state.jobs.running(repo) {
            if is_searchable() {
                return Ok(true);
            }
            job.wait_until(Some(Duration::from_millis(timeout_ms.into())), |status| {
                job.searchable.load(Ordering::Relaxed)
                    || !matches!(status.progress.state, JobState::Running | JobState::Paused)
            });
        }
        Ok(is_searchable())
    }

    /// Holds a job after the file at work.
    ///
    /// # Errors
    /// `unknown-job`.
    pub fn pause_job(&self, job: &str) -> Result<()> {
        let job = self.state.jobs.get(job)?;
        job.set_paused(true);
        Ok(())
    }

    /// Lets a paused job go on.
    ///
    /// # Errors
    /// `unknown-job`.
    pub fn resume_job(&self, job: &str) -> Result<()> {
        let job = self.state.jobs.get(job)?;
        job.set_paused(false);
        Ok(())
    }

    /// Ends a job; the live index stays, and what was made so far is used by the next one.
    ///
    /// # Errors
    /// `unknown-job`.
    pub fn cancel_job(&self, job: &str) -> Result<()> {
        let job = self.state.jobs.get(job)?;
        job.cancel();
        Ok(())
    }
}

fn run(state: &Arc<State>, job: &Job) {
    job.repo_changed();
    let (end, error) = match index(state, job) {
        Ok(()) => (JobState::Done, None),
        Err(error) if error.code == "cancelled" => (JobState::Cancelled, None),
        Err(error) => {
            tracing::warn!(repo = %job.repo.name, %error, "indexing failed");
            (JobState::Failed, Some(error.into()))
        }
    };
    job.end(end, error);
}

fn index(state: &Arc<State>, job: &Job) -> Result<()> {
    let n_threads = indexing_threads(state.settings().index_threads);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .thread_name(|idx| format!("whyrank-index-{idx}"))
        .build()
        .map_err(|error| {
            EngineError::new(
                "io",
                format!("no threads for indexing: {error}"),
                "free some memory and try again",
            )
        })?;
    let store = state.store(&job.repo);
    let mode = if job.options.rebuild {
        WriteMode::Rebuild
    } else {
        WriteMode::Update
    };
    let mut writer = lock_writer(&store, mode, job)?;
    let outcome = pool.install(|| lanes(state, job, &mut writer));
    // Merges and logs are put in order even after a cancel; the error that matters is the lanes'.
    let swept = if outcome.is_ok() {
        writer.sweep()
    } else {
        Ok(())
    };
    let finished = swept.and_then(|()| writer.finish());
    outcome?;
    Ok(finished?)
}

/// Lane 1, then what follows it; again from lane 1 when files changed meanwhile.
fn lanes(state: &State, job: &Job, writer: &mut Writer) -> Result<()> {
    let repository = Repository::discover(&job.repo.root)?;
    let key = job.repo.view_key();
    loop {
        job.rerun.store(false, Ordering::Relaxed);
        job.progress(Stage::Scan, 0, 0, None);
        writer.update_view(&repository, &key, now_s(), job)?;
        job.searchable();
        let outcome = after_flip(state, job, writer, &key);
        let was_cancelled = job.cancelled.load(Ordering::Relaxed);
        match outcome {
            Err(IndexError::Cancelled) if !was_cancelled => {}
            Err(error) => return Err(error.into()),
            Ok(_) if !job.rerun.load(Ordering::Relaxed) => return Ok(()),
            Ok(_) => {}
        }
    }
}

/// The symbol graph, then vectors, token vectors and sparse vectors.
fn after_flip(
    state: &State,
    job: &Job,
    writer: &mut Writer,
    key: &ViewKey,
) -> std::result::Result<(), IndexError> {
    if writer.graph_view(key, job)? > 0 {
        job.repo_changed();
    }
    state.keep_symbol_graph(&job.repo, key);
    if !job.options.skip_vectors
        && let Ok(encoder) = state.encoder()
    {
        let tokens = state.token_lane();
        let lanes = Lanes {
            vectors: encoder.as_ref(),
            tokens: tokens
                .as_ref()
                .ok()
                .map(|(encoder, options)| (encoder.as_ref(), *options)),
        };
        writer.encode_view(key, &lanes, job)?;
    }
    if !job.options.skip_vectors
        && let Some(Ok(encoder)) = state.sparse()
    {
        writer.encode_sparse(key, encoder.as_ref(), job)?;
    }
    Ok(())
}

/// Takes the writer's lock, with patience: another job or process may be about to end.
fn lock_writer(store: &Store, mode: WriteMode, job: &Job) -> Result<Writer> {
    let started = Instant::now();
    loop {
        match store.writer(mode) {
            Err(IndexError::Locked { .. }) if started.elapsed() < LOCK_PATIENCE => {
                if job.should_stop() {
                    return Err(IndexError::Cancelled.into());
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            outcome => return Ok(outcome?),
        }
    }
}

/// All processors but one, so that the machine stays usable; never none.
fn indexing_threads(setting: u32) -> usize {
    if setting > 0 {
        return setting as usize;
    }
    let n_processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    if n_processors <= 2 {
        n_processors
    } else {
        n_processors - 1
    }
}

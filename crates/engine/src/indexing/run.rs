//! Indexing jobs: one thread each, at most one a repository.

use super::by_use::files_in_use;
use super::jobs::{Job, NumberedWork};
use crate::Engine;
use crate::api::{IndexOptions, JobId, JobProgress, JobState, RepoId};
use crate::clock::now_s;
use crate::error::{EngineError, Result, caught};
use crate::registry::Registered;
use crate::state::State;
use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use whyrank_index::{
    IndexError, JobControl, Lanes, MemoryCeiling, Stage, Store, ViewKey, WriteMode, Writer,
};
use whyrank_source::Repository;
use whyrank_system::heap;

/// How long an impatient job waits for another process that writes the same index.
const LOCK_PATIENCE: Duration = Duration::from_secs(10);
/// How often a job that waits for its turn asks for it.
const LOCK_POLL: Duration = Duration::from_millis(50);
/// The interval in which one that waits for another job of this process looks whether it was cancelled.
const TURN_POLL: Duration = Duration::from_millis(200);
/// Ended jobs kept for `jobs`.
const MAX_ENDED: usize = 50;

impl Engine {
    /// Starts indexing; answers with the job's id, or with the running job's for the same repository,
    /// which then looks at the files once more.
    ///
    /// # Errors
    /// `unknown-repository`, `path-missing`, and what opening the repository gives.
    pub fn start_index(&self, repo: &RepoId, options: IndexOptions) -> Result<JobId> {
        let repo = self.state.registry.get(repo)?;
        Repository::discover(&repo.root)?;
        let job = {
            let mut list = self.state.jobs.list();
            let running = list.iter().find(|job| {
                job.repo.id == repo.id && job.options.as_of == options.as_of && !job.is_over()
            });
            if let Some(job) = running {
                job.rerun.store(true, Ordering::Relaxed);
                return Ok(job.id.clone());
            }
            let jobs = &self.state.jobs;
            let work = NumberedWork {
                number: jobs.counter.fetch_add(1, Ordering::Relaxed) + 1,
                repo: repo.clone(),
                store: self.state.store(&repo),
                options,
            };
            let job = Arc::new(Job::new(work, &jobs.turns, &self.state.events));
            list.push_front(Arc::clone(&job));
            list.truncate(MAX_ENDED);
            job
        };
        let (state, handle) = (Arc::clone(&self.state), Arc::clone(&job));
        let spawned = std::thread::Builder::new()
            .name(format!("whyrank-{}", job.id))
            .spawn(move || run(&state, &handle, index));
        if let Err(error) = spawned {
            let error = EngineError::new(
                "io",
                format!("cannot start a thread for the job: {error}"),
                "free some memory and try again",
            );
            job.end(JobState::Failed, Some(error.clone().into()));
            return Err(error);
        }
        Ok(job.id.clone())
    }

    /// Lists the jobs of this process, newest first.
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
    pub fn wait_job(&self, job: &JobId) -> Result<JobProgress> {
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
    pub fn wait_searchable(&self, repo: &RepoId, timeout_ms: u32) -> Result<bool> {
        let registered = self.state.registry.get(repo)?;
        let is_searchable = || self.state.worktree_view(&registered).is_ok();
        // What was set aside is made again; where that failed, its error is told.
        if !is_searchable() && self.state.store(&registered).set_aside().is_some() {
            let last = self.state.jobs.last(repo);
            if last.is_none_or(|job| job.progress_now().state == JobState::Done) {
                self.start_index(repo, IndexOptions::default())?;
            }
        }
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
    pub fn pause_job(&self, job: &JobId) -> Result<()> {
        let job = self.state.jobs.get(job)?;
        job.set_paused(true);
        Ok(())
    }

    /// Lets a paused job go on.
    ///
    /// # Errors
    /// `unknown-job`.
    pub fn resume_job(&self, job: &JobId) -> Result<()> {
        let job = self.state.jobs.get(job)?;
        job.set_paused(false);
        Ok(())
    }

    /// Ends a job; the live index stays, and what was made so far is used by the next one.
    ///
    /// # Errors
    /// `unknown-job`.
    pub fn cancel_job(&self, job: &JobId) -> Result<()> {
        let job = self.state.jobs.get(job)?;
        job.cancel();
        Ok(())
    }
}

fn run(state: &Arc<State>, job: &Job, work: impl FnOnce(&Arc<State>, &Job) -> Result<()>) {
    job.repo_changed();
    // Whoever waits for a job waits for its end: a panic is one, too.
    let ended = caught(|| work(state, job));
    let (end, error) = match ended.unwrap_or_else(|| Err(stopped())) {
        Ok(()) => (JobState::Done, None),
        Err(error) if error.code == "cancelled" => (JobState::Cancelled, None),
        Err(error) => {
            tracing::warn!(repo = %job.repo.name, %error, "indexing failed");
            (JobState::Failed, Some(error.into()))
        }
    };
    let is_done = end == JobState::Done;
    state.live.recount_vectors();
    heap::give_back();
    job.end(end, error);
    // A change that was told between the last look and the end.
    if is_done && job.rerun.load(Ordering::Relaxed) {
        let engine = Engine {
            state: Arc::clone(state),
        };
        let options = IndexOptions {
            rebuild: false,
            ..job.options.clone()
        };
        if let Err(error) = engine.start_index(&job.repo.id, options) {
            tracing::warn!(%error, "a change could not be indexed");
        }
    }
}

/// An error of the program's own; its log says where.
fn stopped() -> EngineError {
    EngineError::new(
        "internal",
        "indexing stopped by an error inside Whyrank",
        "run `whyrank index` again; if it happens again, `whyrank doctor --deep`",
    )
}

fn index(state: &Arc<State>, job: &Job) -> Result<()> {
    let mut mode = if job.options.rebuild {
        WriteMode::Rebuild
    } else {
        WriteMode::Update
    };
    // Each process looks at an index wholly before it first writes it.
    if state.jobs.is_first(&job.repo.store_key()) {
        drop(state.store(&job.repo).repair());
    }
    let again = |error: EngineError| match error.code {
        "index-damaged" => state.repair(&job.repo, &error).map(|()| true),
        _ => Err(error),
    };
    let mut is_repaired = false;
    loop {
        let outcome = pass(state, job, mode);
        let is_to_go_on = match outcome {
            Err(error) if !is_repaired => {
                is_repaired = true;
                again(error)?
            }
            outcome => outcome?,
        };
        if !is_to_go_on && !job.rerun.load(Ordering::Relaxed) {
            return Ok(());
        }
        // Who saves all the time must not keep other processes from the index.
        std::thread::sleep(2 * LOCK_POLL);
        mode = WriteMode::Update;
    }
}

/// One turn as the writer; true when files changed meanwhile.
fn pass(state: &State, job: &Job, mode: WriteMode) -> Result<bool> {
    let turn = state.writer_turns.of(&job.repo.store_key());
    let (_turn, writer) = lock_writer(&state.store(&job.repo), &turn, mode, job)?;
    let writer = writer.within(state.memory_ceiling());
    let mut writer = writer.with_static(state.static_encoder().ok());
    // Who waits for its turn holds no threads.
    let pool = threads(state)?;
    let outcome = pool.install(|| lanes(state, job, &mut writer));
    // Merges and logs are put in order even after a cancel; the error that matters is the lanes'.
    let swept = if outcome.is_ok() {
        writer.sweep()
    } else {
        Ok(())
    };
    let finished = swept.and_then(|()| writer.finish());
    let is_to_go_on = outcome?;
    finished?;
    Ok(is_to_go_on)
}

fn threads(state: &State) -> Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(indexing_threads(state.settings().index_threads))
        .thread_name(|idx| format!("whyrank-index-{idx}"))
        .build()
        .map_err(|error| {
            EngineError::new(
                "io",
                format!("cannot start threads for indexing: {error}"),
                "free some memory and try again",
            )
        })
}

/// Lane 1, then what follows it; true when files changed meanwhile, so that it is to be done again.
fn lanes(state: &State, job: &Job, writer: &mut Writer) -> Result<bool> {
    let repository = Repository::discover(&job.repo.root)?;
    let key = match &job.options.as_of {
        None => job.repo.view_key(),
        Some(revision) => ViewKey::Commit(repository.resolve(revision)?.to_string()),
    };
    job.rerun.store(false, Ordering::Relaxed);
    job.progress(Stage::Scan, 0, 0, None);
    let looks = state.worktree_records.of(&job.repo.id);
    let number = looks.updates.begin();
    writer.update_view(&repository, &key, now_s(), job)?;
    if job.options.as_of.is_none() {
        looks.updates.end(number);
    }
    job.searchable();
    let outcome = after_flip(state, job, writer, &key);
    let was_cancelled = job.cancelled.load(Ordering::Relaxed);
    match outcome {
        Err(IndexError::Cancelled) if !was_cancelled => Ok(true),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(job.rerun.load(Ordering::Relaxed)),
    }
}

/// The symbol graph, then vectors and token vectors.
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
    // Vectors may take an hour, and need little of what the graph took.
    heap::give_back();
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
            first: &|| files_in_use(state, &job.repo, key),
            most_chunks: state.settings().max_vectors,
        };
        writer.encode_view(key, &lanes, job)?;
    }
    job.encodes(0);
    Ok(())
}

impl State {
    /// How much memory the process may take while large views are worked out.
    pub(crate) fn memory_ceiling(&self) -> MemoryCeiling {
        MemoryCeiling::of_mb(self.settings().max_memory_mb)
    }

    /// Takes the writer's lock for what an answer waits for: a job makes room as soon as it is
    /// searchable, whichever process it is of. Gives up after ten seconds.
    pub(crate) fn writer_soon(&self, repo: &Registered) -> Result<Writer> {
        let (store, started) = (self.store(repo), Instant::now());
        let mut request = None;
        loop {
            match store.writer(WriteMode::Update) {
                Err(IndexError::Locked { .. }) if started.elapsed() < LOCK_PATIENCE => {
                    if request.is_none() {
                        request = Some(store.request_writer()?);
                    }
                    // Shorter than the pause in which a job makes room.
                    std::thread::sleep(LOCK_POLL / 2);
                }
                outcome => {
                    let writer = outcome?.within(self.memory_ceiling());
                    return Ok(writer.with_static(self.static_encoder().ok()));
                }
            }
        }
    }
}

/// Takes the writer's lock in turn: another process may write for as long as encoding takes.
fn lock_writer<'t>(
    store: &Store,
    turn: &'t Mutex<()>,
    mode: WriteMode,
    job: &Job,
) -> Result<(MutexGuard<'t, ()>, Writer)> {
    let started = Instant::now();
    let wait = || {
        job.wait_for_turn();
        match job.should_stop() {
            true => Err(EngineError::from(IndexError::Cancelled)),
            false => Ok(()),
        }
    };
    let waits = || !job.options.impatient || started.elapsed() < LOCK_PATIENCE;
    let turn = loop {
        match turn.try_lock_for(TURN_POLL) {
            Some(turn) => break turn,
            None if waits() => wait()?,
            // It says who writes.
            None => drop(store.writer(mode)?),
        }
    };
    loop {
        match store.writer(mode) {
            Err(IndexError::Locked { .. }) if waits() => {
                wait()?;
                std::thread::sleep(LOCK_POLL);
            }
            outcome => return Ok((turn, outcome?)),
        }
    }
}

/// All processors but one, so that the machine stays usable; never none.
pub(super) fn indexing_threads(setting: u32) -> usize {
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

#[cfg(test)]
mod tests {
    use super::{Job, NumberedWork, run};
    use crate::api::{IndexOptions, JobState};
    use crate::registry::Registered;
    use crate::{Engine, EnginePaths};
    use std::sync::Arc;
    use whyrank_index::Store;

    #[test]
    fn a_job_that_panics_has_ended_for_whoever_waits() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::open(EnginePaths::below(folder.path())).expect("an engine");
        let repo = Registered {
            id: "r1".into(),
            name: "r".into(),
            root: folder.path().into(),
            common_dir: folder.path().into(),
            watch: None,
            is_past_limit: false,
            scip: None,
            reports: Vec::new(),
        };
        let work = NumberedWork {
            number: 1,
            repo,
            store: Store::at(folder.path()),
            options: IndexOptions::default(),
        };
        let job = Job::new(work, &Arc::default(), &Arc::default());
        run(&engine.state, &job, |_, _| panic!("a fault on purpose"));
        let ended = job.progress_now();
        assert_eq!(ended.state, JobState::Failed);
        let error = ended.error.expect("an error");
        assert!(error.message.contains("inside Whyrank"), "{error:?}");
    }
}

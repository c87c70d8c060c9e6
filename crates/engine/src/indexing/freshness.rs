//! Whether the index shows the files as they are: looked at before an answer, and repaired where it can be
//! in the time there is.
//!
//! Sizes, times and, where these may deceive, contents of all files decide, never the git index. Where
//! a watcher has heard of nothing since the last look, and is sure to have heard all, that look holds.
//! Never an error: who cannot look says so.

use super::in_vain::{FilesBehind, UpdateCount};
use super::jobs::Job;
use crate::Engine;
use crate::api::{
    Freshness, IndexOptions, JobStage, JobState, Lane, RepoId, RepoState, RepoSummary,
};
use crate::clock::now_ns;
use crate::error::Result;
use crate::registry::Registered;
use crate::views::LiveView;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};
use whyrank_index::{WorktreeDifference, WorktreeRecord};
use whyrank_source::Repository;

/// Files named; all are counted.
const MAX_NAMED: usize = 100;
/// The interval in which a wait looks whether the view was replaced: a tenth of what was waited, within these. Another process may
/// replace it, and each look reads the store.
const POLL: Duration = Duration::from_millis(5);
const MOST_POLL: Duration = Duration::from_millis(50);
/// The tree is looked at again after so long, though no update has told of itself: another process may
/// have made one, or an edit was taken back.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// A look is given this long, even where nothing is waited for.
const LEAST_LOOK: Duration = Duration::from_secs(1);
/// How long a command waits for the update that it runs itself: it ends with the command.
const OWN_PATIENCE: Duration = Duration::from_secs(10);

/// Of files that changed while nothing was begun for them.
pub(super) const NOT_YET: &str = "not updated yet";

/// The looks at a working tree, and the updates of its view.
#[derive(Default)]
pub(crate) struct TreeLooks {
    pub(super) updates: UpdateCount,
    checked: Mutex<CheckedTree>,
}

/// What earlier looks at a working tree found out.
#[derive(Default)]
struct CheckedTree {
    record: Option<WorktreeRecord>,
    behind: FilesBehind,
    /// The view that showed the files as they were, and what a watcher had counted by then.
    current: Option<(ViewState, u64)>,
}

/// A state of a view: the store's generation, and the view's version in it.
type ViewState = (String, u64);

/// What earlier looks found out, by repository.
#[derive(Default)]
pub(crate) struct WorktreeRecords {
    records: Mutex<HashMap<RepoId, Arc<TreeLooks>>>,
}

impl WorktreeRecords {
    /// Forgets what was found out of a repository: the next look starts over.
    pub(crate) fn forget(&self, repo: &RepoId) {
        let mut records = self.records.lock();
        records.remove(repo);
    }

    pub(super) fn of(&self, repo: &RepoId) -> Arc<TreeLooks> {
        let mut records = self.records.lock();
        Arc::clone(records.entry(repo.to_owned()).or_default())
    }
}

/// What a look at the working tree came to.
enum CheckResult {
    /// There is no index.
    None,
    Current(Arc<LiveView>),
    Behind(Freshness, Arc<LiveView>),
    /// There is no saying, and why.
    Unknown(Freshness),
}

impl Engine {
    /// Compares a repository's files with its index. Where they differ an update is started or joined,
    /// and waited for, at most `wait_ms`; an impatient one, which ends with its process, for ten seconds
    /// while it does something. A repository without an index is not behind: asking it is an
    /// error of its own.
    ///
    /// # Errors
    /// `unknown-repository`.
    pub fn freshen(&self, repo: &RepoId, wait_ms: u32, options: IndexOptions) -> Result<Freshness> {
        self.freshen_unless(repo, wait_ms, options, &|_| false)
    }

    /// As [`Engine::freshen`], but starts nothing and waits for nothing where what the first look finds is
    /// to be left as it is.
    pub(super) fn freshen_unless(
        &self,
        repo: &RepoId,
        wait_ms: u32,
        options: IndexOptions,
        is_left: &dyn Fn(&Freshness) -> bool,
    ) -> Result<Freshness> {
        let registered = self.state.registry.get(repo)?;
        let deadline = Instant::now() + Duration::from_millis(wait_ms.into());
        let is_own = options.impatient;
        let last = Instant::now() + OWN_PATIENCE;
        loop {
            let started = Instant::now();
            let (mut found, view) = match self.look(&registered, deadline) {
                // A whole build is not a command's to begin.
                CheckResult::None if is_own => return Ok(Freshness::default()),
                CheckResult::None | CheckResult::Current(_) => {
                    let until = if is_own { last } else { deadline };
                    return Ok(self.mended(&registered, options, until));
                }
                CheckResult::Unknown(found) => return Ok(found),
                CheckResult::Behind(found, view) => (found, view),
            };
            if is_left(&found) {
                let job = self.state.jobs.running(repo);
                return Ok(found.noted(note_of(job.as_deref())));
            }
            let job = match self.join_or_start(&registered, options.clone()) {
                Ok(job) => job,
                Err(error) => return Ok(found.noted(format!("no update: {error}"))),
            };
            let pause = LOOK_AGAIN.max(3 * started.elapsed());
            let goes_on = |job: &Job| is_own && is_working(job) && Instant::now() < last;
            let until = if goes_on(&job) { last } else { deadline };
            self.await_update(&registered, &view, &job, until.min(Instant::now() + pause));
            if let Some(note) = hopeless(&job) {
                return Ok(found.noted(note));
            }
            let is_late = Instant::now() >= deadline && !self.is_replaced(&registered, &view);
            if is_late && !goes_on(&job) {
                found.note = late_note(is_working(&job), is_own);
                return Ok(found);
            }
        }
    }

    /// Has made again what was found damaged of an index, and waits for that; says so where it takes longer.
    fn mended(&self, repo: &Registered, options: IndexOptions, until: Instant) -> Freshness {
        let Some(begun) = self.state.to_mend.lock().get(&repo.id).cloned() else {
            return Freshness::default();
        };
        // Begun once: who asks meanwhile must not have it begin again.
        let job = begun.map_or_else(|| self.start_index(&repo.id, options), Ok);
        let job = match job.and_then(|job| self.state.jobs.get(&job)) {
            Ok(job) => job,
            Err(error) => {
                self.state.to_mend.lock().remove(&repo.id);
                return Freshness::default().noted(format!("damaged: {error}"));
            }
        };
        let job_id = Some(job.id.clone());
        self.state.to_mend.lock().insert(repo.id.clone(), job_id);
        while !job.is_over() && Instant::now() < until {
            std::thread::sleep(POLL);
        }
        if !job.is_over() {
            return Freshness::default().noted("a damaged part is being made again".to_owned());
        }
        self.state.to_mend.lock().remove(&repo.id);
        let note = hopeless(&job);
        note.map_or_else(Freshness::default, |note| Freshness::default().noted(note))
    }

    /// Tells whether the index shows a repository's files as they are. Starts nothing.
    ///
    /// # Errors
    /// `unknown-repository`.
    pub fn is_current(&self, repo: &RepoId) -> Result<bool> {
        let registered = self.state.registry.get(repo)?;
        Ok(matches!(
            self.look(&registered, Instant::now()),
            CheckResult::Current(_)
        ))
    }

    /// Tells whether a repository's vectors are made, as far as the settings want them. Starts nothing.
    ///
    /// # Errors
    /// `unknown-repository`; those of opening the view.
    pub fn is_encoded(&self, repo: &RepoId) -> Result<bool> {
        let registered = self.state.registry.get(repo)?;
        let view = self.state.worktree_view(&registered)?;
        Ok(self.state.is_encoded(&view))
    }

    /// Sums up the contents that files have in the index, to see later whether one became another.
    ///
    /// # Errors
    /// `unknown-repository`; those of opening the view.
    pub fn contents_digest(&self, repo: &RepoId, paths: &[&str]) -> Result<u64> {
        let registered = self.state.registry.get(repo)?;
        let view = self.state.worktree_view(&registered)?;
        let view = view.snapshot();
        let mut digest = DefaultHasher::new();
        for path in paths {
            let file = view.file(path);
            let blob = file.map(|file| view.files[file as usize].blob);
            (path, blob).hash(&mut digest);
        }
        Ok(digest.finish())
    }

    /// A repository's summary after a look at its files.
    pub(super) fn checked_summary(&self, repo: &Registered) -> RepoSummary {
        let mut summary = self.summary(repo);
        if !matches!(
            summary.state,
            RepoState::Ready | RepoState::Partial | RepoState::Stale
        ) {
            return summary;
        }
        match self.look(repo, Instant::now()) {
            CheckResult::Current(view) => {
                let note = format!("up to date with {}", view.title);
                (summary.state, summary.state_note) = super::plausible::state_of(repo, &view, note);
            }
            CheckResult::Behind(found, view) => {
                let what = match found.n_behind {
                    0 => "HEAD moved".to_owned(),
                    1 => format!("{} changed", found.behind[0]),
                    n => format!("{n} files changed"),
                };
                let title = &view.title;
                let note = format!("{what} since {title}: run `whyrank index`");
                (summary.state, summary.state_note) = (RepoState::Stale, note);
            }
            CheckResult::None | CheckResult::Unknown(_) => {}
        }
        summary
    }

    fn look(&self, repo: &Registered, deadline: Instant) -> CheckResult {
        let last_update = self
            .state
            .worktree_records
            .of(&repo.id)
            .updates
            .last_ended();
        let Ok(view) = self.state.worktree_view(repo) else {
            return CheckResult::None;
        };
        let loaded = view.snapshot();
        let (n_files, n_expected) = (loaded.files.len() as u32, loaded.n_expected);
        if n_files < n_expected {
            let partial = Some((n_files, n_expected));
            let note = match self.state.jobs.running(&repo.id) {
                Some(_) => "first build running",
                None => "first build not finished",
            };
            return CheckResult::Unknown(Freshness {
                partial,
                ..Freshness::default().noted(note.to_owned())
            });
        }
        let until = deadline.max(Instant::now() + LEAST_LOOK);
        match self.compare(repo, &view, last_update, until) {
            Ok(difference) if difference.is_empty() => CheckResult::Current(view),
            Ok(difference) => CheckResult::Behind(Freshness::of(difference), view),
            Err(error) => CheckResult::Unknown(Freshness::default().noted(match error.code {
                "cancelled" => "listing its files takes too long".to_owned(),
                _ => error.to_string(),
            })),
        }
    }

    fn compare(
        &self,
        repo: &Registered,
        view: &LiveView,
        last_update: u64,
        until: Instant,
    ) -> Result<WorktreeDifference> {
        let looks = self.state.worktree_records.of(&repo.id);
        let mut looked = looks.checked.lock();
        let looked = &mut *looked;
        // Counted before the files are listed: what happens meanwhile counts for the next look.
        let n_events = self.watched_events(&repo.id);
        let state = (view.reader.generation(), view.version);
        let now = n_events.map(|n_events| (state, n_events));
        if now.is_some() && now == looked.current {
            return Ok(WorktreeDifference::default());
        }
        let repository = Repository::discover(&repo.root)?;
        let known = || WorktreeRecord::of_view(view.snapshot());
        let record = looked.record.get_or_insert_with(known);
        let goes_on = || Instant::now() < until;
        let mut found = record.compare(&repository, view.snapshot(), now_ns(), &goes_on)?;
        let state_of = |path: &str| record.known(path);
        let behind = &mut looked.behind;
        behind.leave_out(&mut found, state_of, &looks.updates, last_update);
        looked.current = now.filter(|_| found.is_empty());
        Ok(found)
    }

    /// Lists, of files that an answer names, those that were written since they were last looked at:
    /// while the answer was made, or unheard by a watcher. A look at size and times each, no more.
    ///
    /// # Errors
    /// `unknown-repository`.
    pub fn written_since(&self, repo: &RepoId, paths: &[&str]) -> Result<Vec<String>> {
        let registered = self.state.registry.get(repo)?;
        let looks = self.state.worktree_records.of(repo);
        let mut looked = looks.checked.lock();
        let record = looked.record.as_ref();
        let is_other =
            |path: &&&str| record.is_some_and(|record| record.is_written(&registered.root, path));
        let written: Vec<String> = paths
            .iter()
            .filter(is_other)
            .map(|path| (*path).to_owned())
            .collect();
        if !written.is_empty() {
            looked.current = None;
        }
        Ok(written)
    }

    /// The job that will show what was found: one that is still on its way to a new view, else another
    /// turn, for it may have listed the files before they changed.
    fn join_or_start(&self, repo: &Registered, options: IndexOptions) -> Result<Arc<Job>> {
        match self.state.jobs.running(&repo.id) {
            Some(job) if job.is_before_flip() => Ok(job),
            _ => {
                let job = self.start_index(&repo.id, options)?;
                self.state.jobs.get(&job)
            }
        }
    }

    /// Waits until the view was replaced or the job has come past that, but not beyond a moment.
    fn await_update(&self, repo: &Registered, view: &LiveView, job: &Job, until: Instant) {
        let was_before = job.is_before_flip();
        let is_past = || job.is_over() || (was_before && !job.is_before_flip());
        let started = Instant::now();
        while Instant::now() < until && !is_past() && !self.is_replaced(repo, view) {
            std::thread::sleep((started.elapsed() / 10).clamp(POLL, MOST_POLL));
        }
    }

    fn is_replaced(&self, repo: &Registered, view: &LiveView) -> bool {
        let loaded = view.snapshot();
        !self.state.store(repo).is_current(&view.reader)
            || view
                .reader
                .view_version(&loaded.key)
                .is_ok_and(|version| version != Some(loaded.version))
    }
}

impl Freshness {
    fn of(difference: WorktreeDifference) -> Self {
        let mut behind = difference.files;
        let n_behind = behind.len() as u32;
        behind.truncate(MAX_NAMED);
        Self {
            behind,
            n_behind,
            head_moved: difference.head_moved,
            ..Self::default()
        }
    }

    fn noted(self, note: String) -> Self {
        Self { note, ..self }
    }
}

/// Why a job will not bring what is waited for.
fn hopeless(job: &Job) -> Option<String> {
    let progress = job.progress_now();
    match (progress.state, progress.error) {
        (JobState::Failed, Some(error)) => Some(format!("no update: {}", error.message)),
        (JobState::Failed, None) => Some("no update: indexing failed".to_owned()),
        (JobState::Cancelled, _) => Some("the update was cancelled".to_owned()),
        (JobState::Paused, _) => Some("the update is held".to_owned()),
        (JobState::Running | JobState::Done, _) => None,
    }
}

/// Says what is being done about files that nothing was started for.
fn note_of(job: Option<&Job>) -> String {
    let Some(job) = job else {
        return NOT_YET.to_owned();
    };
    hopeless(job).unwrap_or_else(|| late_note(is_working(job), false))
}

/// Whether a job does something, and waits for no other process.
fn is_working(job: &Job) -> bool {
    let progress = job.progress_now();
    progress.stage != JobStage::Waiting || progress.lane == Lane::Vector
}

/// Says what comes of an update that did not end in time; a command's own ends with the command.
fn late_note(is_working: bool, is_own: bool) -> String {
    let note = match (is_working, is_own) {
        (false, _) => "update waits: another process writes the index",
        (true, false) => "update running",
        (true, true) => "the update takes longer: run `whyrank index`",
    };
    note.to_owned()
}

#[cfg(test)]
mod tests {
    use super::late_note;

    #[test]
    fn only_an_update_that_goes_on_is_running() {
        assert_eq!(late_note(true, false), "update running");
        assert!(late_note(true, true).contains("run `whyrank index`"));
        assert!(late_note(false, true).starts_with("update waits"));
    }
}

//! Runs indexers as they were shown, one after another, and takes in what they wrote.
//!
//! An index replaces the one before only when it can be read and has documents: a failed or
//! cancelled run leaves answers as they were.

use super::indexers::{Indexer, by_id};
use super::made::{LIST, MadeIndex, UNFINISHED, made_indexes};
use super::plan::{Site, Step, commands, how_to_get, line};
use crate::Engine;
use crate::api::{
    EngineEvent, IndexerConsent, PreciseProgress, PreciseReport, PreciseState, RepoId,
};
use crate::error::{EngineError, Result};
use crate::registry::{Registered, replace_file};
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use whyrank_external::Budget;
use whyrank_external::scip::read;
use whyrank_system::files::{create_private_folder, last_lines, publish};
use whyrank_system::program::{Ended, Program};

/// Lines of a log that an error quotes.
const N_QUOTED: usize = 3;

/// Runs under way in this process, by repository.
#[derive(Default)]
pub(crate) struct PreciseRuns {
    running: Mutex<HashMap<RepoId, Arc<AtomicBool>>>,
}

/// The right to run indexers for a repository; given back when dropped.
pub(super) struct Claim<'r> {
    runs: &'r PreciseRuns,
    repo: RepoId,
    is_cancelled: Arc<AtomicBool>,
}

impl PreciseRuns {
    fn running(&self) -> MutexGuard<'_, HashMap<RepoId, Arc<AtomicBool>>> {
        self.running.lock()
    }

    pub(super) fn is_running(&self, repo: &RepoId) -> bool {
        self.running().contains_key(repo)
    }

    pub(super) fn claim(&self, repo: &Registered) -> Result<Claim<'_>> {
        let mut running = self.running();
        if running.contains_key(&repo.id) {
            return Err(EngineError::new(
                "busy",
                format!("indexers are running for {}", repo.name),
                "wait for them or cancel them",
            ));
        }
        let is_cancelled = Arc::new(AtomicBool::new(false));
        running.insert(repo.id.clone(), Arc::clone(&is_cancelled));
        Ok(Claim {
            runs: self,
            repo: repo.id.clone(),
            is_cancelled,
        })
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.runs.running().remove(&self.repo);
    }
}

impl Engine {
    /// Runs indexers for a repository and takes in what they write; blocks. The caller has shown
    /// [`Engine::precise_plan`] and was told to go on: indexers may run code of the repository. What
    /// would run now must be what was shown.
    ///
    /// One that fails does not keep the others from running. Progress goes to `progress` and to
    /// subscribers.
    ///
    /// # Errors
    /// `unknown-repository`, `index-missing`; `bad-argument` for an indexer that does not fit or
    /// cannot be had; `plan-changed` when other commands than those shown would run; `busy`.
    pub fn run_indexers(
        &self,
        repo: &RepoId,
        agreed: &[IndexerConsent],
        progress: &mut dyn FnMut(&PreciseProgress),
    ) -> Result<PreciseReport> {
        let registered = self.state.registry.get(repo)?;
        let view = self.state.view_as_of(&registered, None)?;
        let site = Site::new(&registered, &view, &self.state.paths.data_dir);
        let claim = self.state.precise_runs.claim(&registered)?;
        let chosen = chosen(&site, agreed)?;
        let mut tell = |step: &PreciseProgress| {
            progress(step);
            let event = EngineEvent::Precise(step.clone());
            self.state.events.send(&event);
        };
        let mut indexers = Vec::new();
        for (indexer, steps) in chosen {
            let one = OneRun::new(&site, indexer, &claim, &mut tell);
            indexers.push(one.finish(steps));
        }
        drop(claim);
        self.repo_changed(&registered.id);
        Ok(PreciseReport {
            indexers,
            current: self.scip_import(&registered, &view)?,
        })
    }

    /// Ends a run; what answers take in stays as it was.
    ///
    /// # Errors
    /// `not-running`.
    pub fn cancel_indexers(&self, repo: &RepoId) -> Result<()> {
        let running = self.state.precise_runs.running();
        let is_cancelled = running.get(repo).ok_or_else(|| {
            EngineError::new(
                "not-running",
                "no indexer is running for this repository",
                "",
            )
        })?;
        is_cancelled.store(true, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn repo_changed(&self, repo: &RepoId) {
        self.state.events.send(&EngineEvent::RepoChanged {
            repo: repo.to_owned(),
        });
    }
}

type Chosen = (&'static Indexer, Vec<Step>);

fn chosen(site: &Site<'_>, agreed: &[IndexerConsent]) -> Result<Vec<Chosen>> {
    let fitting = site.plans();
    let steps = |consent: &IndexerConsent| {
        let id = &consent.id;
        let fits = fitting.iter().any(|plan| plan.id == *id);
        let Some(indexer) = by_id(id).filter(|_| fits) else {
            let names: Vec<&str> = fitting.iter().map(|plan| plan.id.as_str()).collect();
            return Err(EngineError::bad_argument(
                format!("no indexer `{id}` fits this repository"),
                if names.is_empty() {
                    "none of the known ones does".to_owned()
                } else {
                    format!("those that fit are {}", names.join(", "))
                },
            ));
        };
        let steps = site.steps(indexer).ok_or_else(|| {
            let how = how_to_get(indexer);
            EngineError::bad_argument(format!("{id} is not installed"), how)
        })?;
        if commands(&steps) == consent.commands {
            Ok((indexer, steps))
        } else {
            Err(EngineError::new(
                "plan-changed",
                format!("what {id} would run is not what was shown"),
                "look at the commands again, then agree to those",
            ))
        }
    };
    agreed.iter().map(steps).collect()
}

/// One indexer on its way.
struct OneRun<'r> {
    site: &'r Site<'r>,
    indexer: &'static Indexer,
    claim: &'r Claim<'r>,
    tell: &'r mut dyn FnMut(&PreciseProgress),
    now: PreciseProgress,
    started: Instant,
    log: PathBuf,
}

impl<'r> OneRun<'r> {
    fn new(
        site: &'r Site<'r>,
        indexer: &'static Indexer,
        claim: &'r Claim<'r>,
        tell: &'r mut dyn FnMut(&PreciseProgress),
    ) -> Self {
        let log = site.out.join(format!("{}.log", indexer.id));
        Self {
            site,
            indexer,
            claim,
            tell,
            now: PreciseProgress {
                repo: site.repo.id.clone(),
                indexer: indexer.id.to_owned(),
                state: PreciseState::Running,
                command: String::new(),
                line: String::new(),
                elapsed_s: 0.0,
                log: log.to_string_lossy().into_owned(),
                error: None,
            },
            started: Instant::now(),
            log,
        }
    }

    fn finish(mut self, steps: Vec<Step>) -> PreciseProgress {
        let outcome = self.all(steps);
        self.sweep();
        self.now.state = match &outcome {
            Ok(()) => PreciseState::Done,
            Err(error) if error.code == "cancelled" => PreciseState::Cancelled,
            Err(_) => PreciseState::Failed,
        };
        self.now.error = outcome.err().map(Into::into);
        self.report();
        self.now
    }

    /// Deletes what this indexer left unfinished, now or when it was killed.
    fn sweep(&self) {
        let files = fs::read_dir(&self.site.out).into_iter().flatten().flatten();
        let is_left = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            path.extension().is_some_and(|end| end == UNFINISHED)
                && name.starts_with(&format!("{}-", self.indexer.id))
        };
        for path in files.map(|entry| entry.path()).filter(is_left) {
            drop(fs::remove_file(path));
        }
    }

    fn all(&mut self, steps: Vec<Step>) -> Result<()> {
        self.make_room()?;
        self.sweep();
        let mut made = Vec::new();
        for step in steps {
            self.one(&step.program, step.index.is_none())?;
            if let Some((file, folder)) = step.index {
                check(&file, &self.log)?;
                made.push((file, folder));
            }
        }
        self.take_in(made)
    }

    fn make_room(&self) -> Result<()> {
        let make = |folder: &Path| {
            create_private_folder(folder).map_err(|error| EngineError::io(folder, &error))
        };
        make(&self.site.tools)?;
        make(&self.site.out)?;
        if let Some((file, scratch)) = self.site.scratch(self.indexer).zip(self.indexer.scratch) {
            let root = self.site.repo.root.to_string_lossy().replace('\\', "/");
            let root = serde_json::to_string(&root).expect("a text serialises");
            let text = scratch.text.replace("{root}", root.trim_matches('"'));
            replace_file(&file, text.as_bytes())?;
        }
        fs::write(&self.log, "").map_err(|error| EngineError::io(&self.log, &error))
    }

    fn one(&mut self, program: &Program, installs: bool) -> Result<()> {
        self.now.state = if installs {
            PreciseState::Installing
        } else {
            PreciseState::Running
        };
        self.now.command = line(program);
        self.report();
        let (site, log) = (self.site, self.log.clone());
        let ended = program.run_logged(&site.path, &log, &mut |line| {
            line.clone_into(&mut self.now.line);
            self.report();
            !self.claim.is_cancelled.load(Ordering::Relaxed)
        });
        let ended = ended.map_err(|error| EngineError::io(&program.path, &error))?;
        let name = self.indexer.id;
        let see = format!("see {}", log.display());
        match ended {
            Ended::Well => Ok(()),
            Ended::Cancelled => Err(EngineError::new(
                "cancelled",
                format!("{name} was cancelled"),
                "answers are as they were",
            )),
            Ended::TooMuchOutput => Err(EngineError::new(
                "indexer-failed",
                format!("{name} wrote more than its log may hold, and was stopped"),
                see,
            )),
            Ended::Badly(status) => Err(EngineError::new(
                "indexer-failed",
                format!("{name} ended with {status}: {}", last_lines(&log, N_QUOTED)),
                see,
            )),
        }
    }

    fn report(&mut self) {
        self.now.elapsed_s = self.started.elapsed().as_secs_f64();
        (self.tell)(&self.now);
    }

    /// Puts the new indexes into the place of those that this indexer made before.
    fn take_in(&self, made: Vec<(PathBuf, String)>) -> Result<()> {
        let mut list = made_indexes(&self.site.out);
        let before: Vec<PathBuf> = list
            .extract_if(.., |known| known.indexer == self.indexer.id)
            .map(|known| self.site.out.join(known.file))
            .collect();
        let mut places = Vec::new();
        for (file, folder) in made {
            let place = file.with_extension("");
            publish(&file, &place).map_err(|error| EngineError::io(&place, &error))?;
            let name = place.file_name().unwrap_or_default();
            list.push(MadeIndex {
                indexer: self.indexer.id.to_owned(),
                file: name.to_string_lossy().into_owned(),
                folder,
            });
            places.push(place);
        }
        let text = serde_json::to_string_pretty(&list).expect("plain data serialises");
        replace_file(&self.site.out.join(LIST), text.as_bytes())?;
        for gone in before.iter().filter(|file| !places.contains(file)) {
            drop(fs::remove_file(gone));
        }
        Ok(())
    }
}

/// Says whether an index has something to say.
fn check(file: &Path, log: &Path) -> Result<()> {
    let opened = File::open(file).map_err(|error| EngineError::io(file, &error))?;
    let n_bytes = opened.metadata().map_or(0, |about| about.len());
    let mut budget = Budget::new(&|| true);
    budget.allow(n_bytes);
    let index = read(&mut BufReader::new(opened), &mut budget);
    if !index.documents.is_empty() {
        return Ok(());
    }
    drop(fs::remove_file(file));
    let why = index.problems.first().cloned();
    let why = why.unwrap_or_else(|| "it covers no file".to_owned());
    Err(EngineError::new(
        "indexer-failed",
        format!("the index that was written is unusable: {why}"),
        format!("see {}", log.display()),
    ))
}

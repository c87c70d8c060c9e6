//! Models: what there is, fetching, checking.

use crate::Engine;
use crate::api::{EngineEvent, ModelPresence, ModelProgress, ModelStage, ModelSummary};
use crate::error::{EngineError, Result};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use whyrank_inference::{
    ImportProgress, InferenceError, ModelEntry, ModelState, Pooling, PullProgress, PullStage,
};

/// Running fetches and their cancel flags.
#[derive(Default)]
pub(crate) struct Pulls {
    running: Mutex<HashMap<String, Arc<AtomicBool>>>,
}

impl Engine {
    /// Lists the models of the lock file.
    ///
    /// # Errors
    /// `model`.
    pub fn models(&self) -> Result<Vec<ModelSummary>> {
        let store = self.state.model_store();
        store
            .lock()
            .entries()
            .map(|entry| self.model_summary(entry, store.state(&entry.name)?))
            .collect()
    }

    fn model_summary(&self, entry: &ModelEntry, state: ModelState) -> Result<ModelSummary> {
        let (state, problems, path) = match state {
            ModelState::Absent => (ModelPresence::Absent, Vec::new(), None),
            ModelState::Present { dir } => (ModelPresence::Present, Vec::new(), Some(dir)),
            ModelState::Damaged { dir, problems } => (ModelPresence::Damaged, problems, Some(dir)),
        };
        let problems = problems.into_iter();
        let problems = problems.map(|found| format!("{}: {}", found.file, found.problem));
        let problems: Vec<String> = problems.collect();
        let note = match state {
            ModelPresence::Present => "ready".to_owned(),
            ModelPresence::Absent => entry.how_to_get(),
            ModelPresence::Damaged => format!("{}; {}", problems.join(", "), entry.how_to_get()),
        };
        Ok(ModelSummary {
            name: entry.name.clone(),
            description: entry.title.clone(),
            roles: entry.roles().into_iter().map(str::to_owned).collect(),
            licence: entry.licence.clone(),
            dimensions: entry
                .token_heads
                .last()
                .map_or(entry.dim, |head| match entry.pooling {
                    Pooling::None => head.dim,
                    Pooling::Mean | Pooling::Cls => entry.dim,
                }) as u32,
            size_bytes: entry.size_bytes() as f64,
            upstream: entry.upstream.clone(),
            state,
            state_note: note,
            problems,
            path: path.map(|path| path.to_string_lossy().into_owned()),
            chosen: self.is_chosen(entry),
            import_only: entry.unpinned().next().is_some(),
        })
    }

    /// Whether the settings use a model for what it does.
    fn is_chosen(&self, entry: &ModelEntry) -> bool {
        let settings = self.state.settings();
        settings.model == entry.name || settings.token_model.as_deref() == Some(entry.name.as_str())
    }

    fn summary_of(&self, name: &str, state: ModelState) -> Result<ModelSummary> {
        let store = self.state.model_store();
        self.model_summary(store.lock().get(name)?, state)
    }

    /// Fetches a model; blocks; progress goes to `progress` and to subscribers.
    ///
    /// # Errors
    /// `cancelled`, `model` with what every source answered, `busy` while it is being fetched.
    pub fn pull_model(
        &self,
        name: &str,
        progress: &mut dyn FnMut(&ModelProgress),
    ) -> Result<ModelSummary> {
        self.watched(name, |cancel| {
            let mut report = self.reporter(progress);
            let store = self.state.model_store();
            let step = &mut |step| report(model_progress(name, step));
            let pulled = store.pull(name, step, &|| cancel.load(Ordering::Relaxed));
            let kept = "what has arrived is kept for the next try";
            pulled.map_err(|error| failed(&mut report, name, error, "fetch", kept))
        })
    }

    /// Sends every step to the caller and to subscribers.
    fn reporter<'a>(
        &'a self,
        progress: &'a mut dyn FnMut(&ModelProgress),
    ) -> impl FnMut(ModelProgress) + 'a {
        |step| {
            progress(&step);
            self.state.events.send(&EngineEvent::ModelProgress(step));
        }
    }

    /// Runs what brings a model's files: one at a time for each model, to be ended by
    /// [`Engine::cancel_pull`].
    fn watched(
        &self,
        name: &str,
        bring: impl FnOnce(&AtomicBool) -> Result<PathBuf>,
    ) -> Result<ModelSummary> {
        let running = || self.state.pulls.running.lock();
        let cancel = Arc::new(AtomicBool::new(false));
        match running().entry(name.to_owned()) {
            Entry::Occupied(_) => {
                return Err(EngineError::new(
                    "busy",
                    format!("{name} is being fetched or imported"),
                    "wait for it or cancel it",
                ));
            }
            Entry::Vacant(free) => drop(free.insert(Arc::clone(&cancel))),
        }
        let outcome = bring(&cancel);
        running().remove(name);
        self.state.live.forget_encoders();
        self.state.events.send(&EngineEvent::ModelsChanged);
        outcome?;
        let store = self.state.model_store();
        self.summary_of(name, store.state(name)?)
    }

    /// Stops a running fetch, of which what has arrived is kept for the next try, or a running import,
    /// of which nothing is kept.
    ///
    /// # Errors
    /// `not-running`.
    pub fn cancel_pull(&self, name: &str) -> Result<()> {
        let running = self.state.pulls.running.lock();
        let cancel = running.get(name).ok_or_else(|| {
            EngineError::new(
                "not-running",
                format!("{name} is not being fetched or imported"),
                "",
            )
        })?;
        cancel.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Hashes a model's files again.
    ///
    /// # Errors
    /// `model` for an unknown name.
    pub fn verify_model(&self, name: &str) -> Result<ModelSummary> {
        let state = self.state.model_store().verify(name)?;
        self.state.live.forget_encoders();
        self.state.events.send(&EngineEvent::ModelsChanged);
        self.summary_of(name, state)
    }

    /// Takes a model's files from a folder, if they are the pinned ones; blocks. Files that nobody has
    /// pinned are taken as they are, and checked against what they were from then on. Progress goes to
    /// `progress` and to subscribers, in bytes copied and hashed.
    ///
    /// # Errors
    /// `model` when a file is missing or not as pinned, `cancelled`, `busy`; nothing is kept of the
    /// files then.
    pub fn import_model(
        &self,
        name: &str,
        folder: &Path,
        progress: &mut dyn FnMut(&ModelProgress),
    ) -> Result<ModelSummary> {
        self.watched(name, |cancel| {
            let mut report = self.reporter(progress);
            let store = self.state.model_store();
            let mut total_bytes = 0.0;
            let mut said = |stage: ModelStage, source: String, done: f64, total: f64| {
                report(ModelProgress {
                    model: name.to_owned(),
                    source,
                    stage,
                    done_bytes: done,
                    total_bytes: total,
                    error: None,
                });
            };
            let step = &mut |step: ImportProgress| {
                total_bytes = step.total_bytes as f64;
                let source = folder.join(&step.file).display().to_string();
                said(
                    ModelStage::Copy,
                    source,
                    step.done_bytes as f64,
                    total_bytes,
                );
            };
            let imported = store.import(name, folder, step, &|| cancel.load(Ordering::Relaxed));
            match imported {
                Ok(dir) => {
                    let source = folder.display().to_string();
                    said(ModelStage::Done, source, total_bytes, total_bytes);
                    Ok(dir)
                }
                Err(error) => {
                    let kept = "nothing of it was kept";
                    Err(failed(&mut report, name, error, "import", kept))
                }
            }
        })
    }
}

/// Reports the end of what did not succeed; `what` and what is kept of it when it was cancelled.
fn failed(
    report: &mut dyn FnMut(ModelProgress),
    name: &str,
    error: InferenceError,
    what: &str,
    kept: &str,
) -> EngineError {
    let was_cancelled = matches!(error, InferenceError::Cancelled);
    let error = if was_cancelled {
        EngineError::new("cancelled", format!("the {what} was cancelled"), kept)
    } else {
        EngineError::from(error)
    };
    report(ModelProgress {
        model: name.to_owned(),
        source: String::new(),
        stage: if was_cancelled {
            ModelStage::Cancelled
        } else {
            ModelStage::Failed
        },
        done_bytes: 0.0,
        total_bytes: 0.0,
        error: Some(error.clone().into()),
    });
    error
}

fn model_progress(name: &str, step: PullProgress) -> ModelProgress {
    let (stage, error) = match step.stage {
        PullStage::Waiting => (ModelStage::Waiting, None),
        PullStage::Downloading => (ModelStage::Fetch, None),
        PullStage::Checking => (ModelStage::Verify, None),
        PullStage::Done => (ModelStage::Done, None),
        PullStage::SourceFailed { reason } => (
            ModelStage::SourceFailed,
            Some(EngineError::new(
                "model",
                reason,
                "the next source is tried",
            )),
        ),
    };
    ModelProgress {
        model: name.to_owned(),
        source: step.source,
        stage,
        done_bytes: step.done_bytes as f64,
        total_bytes: step.total_bytes as f64,
        error: error.map(Into::into),
    }
}

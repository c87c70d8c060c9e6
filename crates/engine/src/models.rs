//! Models: what there is, fetching, checking.

use crate::Engine;
use crate::api::{EngineEvent, ModelProgress, ModelSummary, RerankMode};
use crate::error::{EngineError, Result};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use whyrank_inference::{
    Architecture, InferenceError, ModelEntry, ModelState, Pooling, PullProgress, PullStage,
};

/// Running fetches and their cancel flags.
#[derive(Default)]
pub(crate) struct Pulls {
    running: Mutex<HashMap<String, Arc<AtomicBool>>>,
}

impl Engine {
    /// Models of the lock file.
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
        let (word, note, path) = match state {
            ModelState::Absent => ("absent", entry.how_to_get(), None),
            ModelState::Present { dir } => ("present", "ready".to_owned(), Some(dir)),
            ModelState::Damaged { dir, problems } => {
                let problems: Vec<String> = problems
                    .iter()
                    .map(|found| format!("{}: {}", found.file, found.problem))
                    .collect();
                (
                    "damaged",
                    format!("{}; {}", problems.join(", "), entry.how_to_get()),
                    Some(dir),
                )
            }
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
            state: word.to_owned(),
            state_note: note,
            path: path.map(|path| path.to_string_lossy().into_owned()),
            active: self.is_chosen(entry) && word == "present",
            import_only: entry.unpinned().next().is_some(),
        })
    }

    /// Whether the settings use a model for what it does.
    fn is_chosen(&self, entry: &ModelEntry) -> bool {
        let settings = self.state.settings();
        match entry.arch {
            Architecture::Gguf => {
                let set = &settings.rerank;
                set.mode == RerankMode::Local && set.model == entry.name
            }
            _ => {
                settings.model == entry.name
                    || settings.token_model.as_deref() == Some(entry.name.as_str())
                    || settings.sparse_model.as_deref() == Some(entry.name.as_str())
            }
        }
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
        let cancel = Arc::new(AtomicBool::new(false));
        {
            let mut running = self
                .state
                .pulls
                .running
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if running.contains_key(name) {
                return Err(EngineError::new(
                    "busy",
                    format!("{name} is being fetched"),
                    "wait for it or cancel it",
                ));
            }
            running.insert(name.to_owned(), Arc::clone(&cancel));
        }
        let outcome = self.pull(name, progress, &cancel);
        self.state
            .pulls
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(name);
        self.state.live.forget_encoders();
        self.state.events.send(&EngineEvent::ModelsChanged);
        outcome
    }

    fn pull(
        &self,
        name: &str,
        progress: &mut dyn FnMut(&ModelProgress),
        cancel: &AtomicBool,
    ) -> Result<ModelSummary> {
        let mut report = |step: ModelProgress| {
            progress(&step);
            self.state.events.send(&EngineEvent::ModelProgress(step));
        };
        let store = self.state.model_store();
        let pulled = store.pull(
            name,
            &mut |step| report(model_progress(name, step)),
            &|| cancel.load(Ordering::Relaxed),
        );
        match pulled {
            Ok(_) => self.summary_of(name, store.state(name)?),
            Err(error) => {
                let was_cancelled = matches!(error, InferenceError::Cancelled);
                let error = if was_cancelled {
                    EngineError::new(
                        "cancelled",
                        "the fetch was cancelled",
                        "what has arrived is kept for the next try",
                    )
                } else {
                    EngineError::from(error)
                };
                report(ModelProgress {
                    model: name.to_owned(),
                    source: String::new(),
                    stage: if was_cancelled { "cancelled" } else { "failed" }.to_owned(),
                    done_bytes: 0.0,
                    total_bytes: 0.0,
                    error: Some(error.clone().into()),
                });
                Err(error)
            }
        }
    }

    /// Stops a running fetch; what has arrived is kept for the next try.
    ///
    /// # Errors
    /// `not-running`.
    pub fn cancel_pull(&self, name: &str) -> Result<()> {
        let running = self
            .state
            .pulls
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let cancel = running.get(name).ok_or_else(|| {
            EngineError::new("not-running", format!("{name} is not being fetched"), "")
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

    /// Takes a model's files from a folder, if they are the pinned ones. Files that nobody has pinned
    /// are taken as they are, and checked against what they were from then on.
    ///
    /// # Errors
    /// `model` when a file is missing or not as pinned.
    pub fn import_model(&self, name: &str, folder: &std::path::Path) -> Result<ModelSummary> {
        let store = self.state.model_store();
        let said = |stage: &str| {
            let step = ModelProgress {
                model: name.to_owned(),
                source: folder.display().to_string(),
                stage: stage.to_owned(),
                done_bytes: 0.0,
                total_bytes: 0.0,
                error: None,
            };
            self.state.events.send(&EngineEvent::ModelProgress(step));
        };
        said("verify");
        let imported = store.import(name, folder);
        said("done");
        imported?;
        self.state.live.forget_encoders();
        self.state.events.send(&EngineEvent::ModelsChanged);
        self.summary_of(name, store.state(name)?)
    }
}

fn model_progress(name: &str, step: PullProgress) -> ModelProgress {
    let (stage, error) = match step.stage {
        PullStage::Waiting => ("waiting", None),
        PullStage::Downloading => ("fetch", None),
        PullStage::Checking => ("verify", None),
        PullStage::Done => ("done", None),
        PullStage::SourceFailed { reason } => (
            "source-failed",
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
        stage: stage.to_owned(),
        done_bytes: step.done_bytes as f64,
        total_bytes: step.total_bytes as f64,
        error: error.map(Into::into),
    }
}

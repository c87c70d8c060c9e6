//! A reranker on this machine: a GGUF file through `whyrank-inference`.

use super::failure::failed;
use crate::Engine;
use crate::error::{EngineError, Result};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use whyrank_inference::{Architecture, Chat, Generator, InferenceError};
use whyrank_retrieval::{NoAnswer, Prompt, Ranker, RerankLimits, parse_answer};

/// How often a waiting call looks whether it is its turn.
const POLL: Duration = Duration::from_millis(20);

/// The model that was loaded last; it stays until another is asked for.
#[derive(Default)]
pub(super) struct LoadedGenerator {
    loaded: Mutex<Option<(PathBuf, Arc<Generator>)>>,
    /// Held while a model works: two at once would take twice as long each.
    turn: Arc<Mutex<()>>,
}

impl LoadedGenerator {
    fn get(&self, path: &Path) -> Result<Arc<Generator>> {
        let mut slot = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, generator)) = slot.as_ref()
            && known == path
        {
            return Ok(Arc::clone(generator));
        }
        // The old one goes first: there may not be room for two.
        *slot = None;
        let generator = Arc::new(Generator::open(path)?);
        *slot = Some((path.to_owned(), Arc::clone(&generator)));
        Ok(generator)
    }
}

impl Engine {
    pub(super) fn local_ranker(&self, model: &str) -> Result<LocalRanker> {
        let path = self.generator_path(model)?;
        let loaded = &self.state.rerankers.local;
        Ok(LocalRanker {
            generator: loaded.get(&path)?,
            turn: Arc::clone(&loaded.turn),
        })
    }

    /// The GGUF file that a model of the settings means: a path, or a name in the lock file.
    pub(super) fn generator_path(&self, model: &str) -> Result<PathBuf> {
        let path = Path::new(model);
        if model.to_lowercase().ends_with(".gguf") || path.is_absolute() {
            return if path.is_file() {
                Ok(path.to_owned())
            } else {
                Err(EngineError::new(
                    "model",
                    format!("there is no file {model}"),
                    "give the path of a GGUF file, or the name of a model that `whyrank models` lists",
                ))
            };
        }
        let store = self.state.model_store();
        let entry = store.lock().get(model)?;
        let file = entry.files.iter().find(|file| file.name.ends_with(".gguf"));
        match (entry.arch, file) {
            (Architecture::Gguf, Some(file)) => Ok(store.path(model)?.join(&file.name)),
            _ => Err(EngineError::bad_argument(
                format!("{model} is not a language model"),
                "name one, such as smollm2-135m, or the path of a GGUF file",
            )),
        }
    }
}

pub(super) struct LocalRanker {
    generator: Arc<Generator>,
    turn: Arc<Mutex<()>>,
}

impl Ranker for LocalRanker {
    fn name(&self) -> String {
        format!("{} on this machine", self.generator.name())
    }

    fn context_tokens(&self) -> usize {
        self.generator.context_tokens()
    }

    fn n_tokens(&self, text: &str) -> usize {
        self.generator.n_tokens(text)
    }

    fn cut<'t>(&self, text: &'t str, max_tokens: usize) -> &'t str {
        self.generator.cut(text, max_tokens)
    }

    fn answer(
        &self,
        prompt: &Prompt,
        limits: &RerankLimits<'_>,
    ) -> std::result::Result<String, NoAnswer> {
        let _turn = loop {
            match self.turn.try_lock() {
                Ok(turn) => break turn,
                Err(std::sync::TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
                Err(std::sync::TryLockError::WouldBlock) => {}
            }
            if let Some(reason) = limits.stop() {
                return Err(reason);
            }
            std::thread::sleep(POLL);
        };
        let chat = Chat {
            system: &prompt.system,
            user: &prompt.user,
            max_tokens: prompt.answer_tokens,
        };
        let n = prompt.n_candidates;
        // `[1` may go on as `[10]`.
        let is_whole = |text: &str| text.ends_with(']') && parse_answer(text, n).n_named == n;
        match self
            .generator
            .answer(&chat, &is_whole, &|| limits.stop().is_some())
        {
            Ok(text) => Ok(text),
            Err(InferenceError::Cancelled) => Err(limits.stop().unwrap_or(NoAnswer::Cancelled)),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}

//! Opening views and encoders.

use super::State;
use crate::clock::now_s;
use crate::error::{EngineError, Result};
use crate::registry::Registered;
use crate::views::{COVERAGE_AGE, LiveView, LoadedModel};
use roaring::RoaringBitmap;
use std::sync::Arc;
use std::time::Instant;
use whyrank_index::{Store, ViewKey};
use whyrank_inference::{BiEncoder, EncoderSpec, EncoderSpecs, ModelEntry, ModelState, ModelStore};
use whyrank_retrieval::{Coverage, SearchIndex};
use whyrank_system::heap;

/// Files of a view from which on what questions read of it is let go once it is much.
const LEAST_LET_GO: usize = 10_000;

/// An encoder, or why there is none.
type Encoder = std::result::Result<Arc<dyn BiEncoder>, String>;
/// What vectors and token vectors of a model depend on, or why there are none.
type ModelSpecs = std::result::Result<EncoderSpecs, String>;

impl State {
    pub(crate) fn store(&self, repo: &Registered) -> Store {
        Store::at(&self.paths.stores_dir().join(repo.store_key()))
    }

    /// The current view of a repository's working tree, loaded.
    pub(crate) fn worktree_view(&self, repo: &Registered) -> Result<Arc<LiveView>> {
        self.live_view(repo, &repo.view_key())
    }

    /// A view, loaded; the one at hand when it is still current. What is damaged is taken away, to be
    /// rebuilt.
    pub(crate) fn live_view(&self, repo: &Registered, key: &ViewKey) -> Result<Arc<LiveView>> {
        match self.open_view(repo, key) {
            Err(error) if error.code == "index-damaged" => {
                self.repair(repo, &error)?;
                self.open_view(repo, key)
            }
            outcome => outcome,
        }
    }

    /// Takes away what is damaged of an index. `seen` is what came of it, and what is told where another
    /// process writes.
    pub(crate) fn repair(&self, repo: &Registered, seen: &EngineError) -> Result<()> {
        let found = self.store(repo).repair().map_err(|_| seen.clone())?;
        for part in &found {
            tracing::warn!(repo = %repo.name, path = %part.path.display(), part.detail, "damaged");
        }
        self.live.forget(&repo.store_key());
        self.to_mend.lock().insert(repo.id.clone(), None);
        Ok(())
    }

    fn open_view(&self, repo: &Registered, key: &ViewKey) -> Result<Arc<LiveView>> {
        let store = self.store(repo);
        let slot = (repo.store_key(), key.clone());
        let mut at_hand = self.live.at_hand(&slot);
        if at_hand
            .as_ref()
            .is_some_and(|view| view.reader.met_damage())
        {
            self.live.forget(&repo.store_key());
            return Err(EngineError::new(
                "index-damaged",
                "the index is damaged",
                "run `whyrank index` to repair it",
            ));
        }
        if let Some(path) = at_hand.as_ref().and_then(|view| view.reader.altered_file()) {
            tracing::warn!(repo = %repo.name, path = %path.display(), "altered by somebody else");
            self.live.forget(&repo.store_key());
            at_hand = None;
        }
        let mut is_overgrown = false;
        if let Some(view) = &at_hand
            && store.is_current(&view.reader)
            && view.reader.view_version(key)? == Some(view.version)
        {
            is_overgrown = self.is_overgrown(view);
            if !is_overgrown {
                return Ok(Arc::clone(view));
            }
        }
        let reader = match at_hand.filter(|view| store.is_current(&view.reader)) {
            Some(view) => Arc::clone(&view.reader),
            None => Arc::new(store.reader()?),
        };
        let index = SearchIndex::new(Arc::new(reader.view(key)?));
        let view = Arc::new(LiveView::new(reader, index));
        self.live.keep(slot, Arc::clone(&view));
        if is_overgrown {
            heap::give_back();
        }
        Ok(view)
    }

    /// Whether what questions read of a large view is to be let go, to be read again where it is needed: a
    /// server that answers for days would end up with all of it.
    fn is_overgrown(&self, view: &LiveView) -> bool {
        if view.files.len() < LEAST_LET_GO || self.jobs.is_any_running() {
            return false;
        }
        let most = self.memory_ceiling().bytes() / 2;
        heap::own_bytes().is_some_and(|bytes| bytes > most) && self.live.may_let_go()
    }

    /// The encoder of the settings, or why there is none. Loaded at first need.
    pub(crate) fn encoder(&self) -> Encoder {
        self.encoders(&self.settings().model)?.bi.clone()
    }

    /// The encoders of a model. Loaded at first need.
    pub(crate) fn encoders(&self, name: &str) -> LoadedModel {
        let mut encoders = self.live.encoders();
        if let Some(Ok(encoder)) = encoders.get(name) {
            return Ok(Arc::clone(encoder));
        }
        let loaded = self.load_encoders(name);
        encoders.insert(name.to_owned(), loaded.clone());
        loaded
    }

    /// What the vectors of a model depend on, or why there are none; nothing is loaded for it.
    pub(crate) fn model_specs(&self, name: &str) -> ModelSpecs {
        let (store, entry) = self.installed_model(name)?;
        Ok(whyrank_inference::specs_of(&store.as_stored(&entry)))
    }

    fn load_encoders(&self, name: &str) -> LoadedModel {
        let (store, entry) = self.installed_model(name)?;
        whyrank_inference::load_encoders(&store, &entry)
            .map(Arc::new)
            .map_err(|error| error.to_string())
    }

    fn installed_model(&self, name: &str) -> std::result::Result<(ModelStore, ModelEntry), String> {
        let store = self.model_store();
        let entry = store.lock().get(name).map_err(|error| error.to_string())?;
        if matches!(store.state(name), Ok(ModelState::Absent)) {
            return Err(match entry.unpinned().next() {
                None => {
                    let left = match self.static_encoder() {
                        Ok(_) => "static vectors alone",
                        Err(_) => "lexical channels only",
                    };
                    format!("no embedding model (`whyrank models pull {name}`): {left}")
                }
                Some(_) => format!("{name} is not installed: {}", entry.how_to_get()),
            });
        }
        let entry = entry.clone();
        Ok((store, entry))
    }

    /// How much of a view each lane has reached.
    pub(crate) fn coverage(&self, view: &LiveView, n_skipped: u32) -> Coverage {
        let loaded = view.snapshot();
        let lexical = f64::from(loaded.files.len() as u32) / f64::from(loaded.n_expected.max(1));
        let spec = self.model_specs(&self.settings().model);
        let spec = spec.and_then(|specs| specs.bi);
        let vector_model = spec.as_ref().ok().map(|spec| spec.name.clone());
        let (vector, vector_note) = match spec {
            Ok(spec) => self.vector_coverage(view, &spec),
            Err(reason) => (0.0, Some(reason)),
        };
        let lexical = if loaded.n_expected == 0 {
            1.0
        } else {
            lexical.min(1.0)
        };
        let (tokens, tokens_note) = self.token_coverage(view);
        Coverage {
            lexical,
            vector,
            vector_note,
            vector_model,
            tokens,
            tokens_note,
            static_vectors: self.static_coverage(view),
            n_skipped,
        }
    }

    fn vector_coverage(&self, view: &LiveView, spec: &EncoderSpec) -> (f64, Option<String>) {
        let visible = &view.visible;
        let total = visible.len();
        let fingerprint = &spec.fingerprint;
        let mut slot = view.covered.lock();
        let known = slot.as_ref().filter(|(at, of, n)| {
            of == fingerprint && (*n == total || at.elapsed() < COVERAGE_AGE)
        });
        let n_covered = match known {
            Some((_, _, n_covered)) => *n_covered,
            None => {
                let covered = view.reader.vector_coverage(spec).unwrap_or_default();
                let n_covered = (covered.as_ref() & visible.as_ref() as &RoaringBitmap).len();
                *slot = Some((Instant::now(), fingerprint.clone(), n_covered));
                n_covered
            }
        };
        let share = if total == 0 {
            1.0
        } else {
            n_covered as f64 / total as f64
        };
        (share, self.lane_note(n_covered, total, "a vector"))
    }

    /// Why not all chunks of a view have what a lane makes; `None` where all do.
    pub(super) fn lane_note(&self, n_covered: u64, total: u64, what: &str) -> Option<String> {
        let most = u64::from(self.settings().max_vectors);
        if n_covered >= total {
            return None;
        }
        let have = format!("{n_covered} of {total} chunks have {what}");
        Some(if most > 0 && n_covered >= most {
            format!("{have}, those of files in use and central ones: `max-vectors` sets how many")
        } else {
            format!("{have}; run `whyrank index` to go on")
        })
    }

    /// Whether vectors and token vectors of a view are made, as far as the settings want them.
    pub(crate) fn is_encoded(&self, view: &LiveView) -> bool {
        let coverage = self.coverage(view, 0);
        let total = view.visible.len();
        let most = match self.settings().max_vectors {
            0 => total,
            most => total.min(most.into()),
        };
        let has_most = |share: f64| (share * total as f64).round() as u64 >= most;
        let is_made = |share: f64, note: &Option<String>| note.is_none() || has_most(share);
        is_made(coverage.vector, &coverage.vector_note)
            && is_made(coverage.tokens, &coverage.tokens_note)
    }

    /// A revision's view: the working tree for `None`, else the commit's, which is made if it is missing.
    pub(crate) fn view_as_of(
        &self,
        repo: &Registered,
        as_of: Option<&str>,
    ) -> Result<Arc<LiveView>> {
        let Some(revision) = as_of else {
            return self.worktree_view(repo);
        };
        let repository = whyrank_source::Repository::discover(&repo.root)?;
        let commit = repository.resolve(revision)?;
        let key = ViewKey::Commit(commit.to_string());
        let view = match self.live_view(repo, &key) {
            Err(error) if error.code == "index-missing" => None,
            outcome => Some(outcome?),
        };
        // What the user hides today an older view may still show.
        if let Some(view) = view
            && view.reader.view_fingerprint(&key)? == Some(repository.hidden_digest())
        {
            return Ok(view);
        }
        self.index_commit(repo, &repository, &key)?;
        self.live_view(repo, &key)
    }

    fn index_commit(
        &self,
        repo: &Registered,
        repository: &whyrank_source::Repository,
        key: &ViewKey,
    ) -> Result<()> {
        if !self.store(repo).exists() {
            return Err(EngineError::from(whyrank_index::IndexError::Missing));
        }
        let mut writer = self.writer_soon(repo)?;
        writer.update_view(repository, key, now_s(), &whyrank_index::Unattended)?;
        writer.graph_view(key, &whyrank_index::Unattended)?;
        writer.sweep()?;
        writer.finish()?;
        self.keep_symbol_graph(repo, key);
        Ok(())
    }

    /// Makes the graph of a view that was just written. Search works without it, so what fails here
    /// is no failure of indexing.
    pub(crate) fn keep_symbol_graph(&self, repo: &Registered, key: &ViewKey) {
        let made = self
            .live_view(repo, key)
            .and_then(|view: Arc<LiveView>| view.make_symbol_graph(self.memory_ceiling()));
        if let Err(error) = made {
            tracing::warn!(repo = %repo.name, %error, "the symbol graph was not made");
        }
    }
}

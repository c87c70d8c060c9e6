//! What is open: loaded views with their readers, and encoders. Loaded once, replaced when outdated.
//!
//! What features work out of a view once hangs on the view as a part of its own type, so that no feature
//! is named here.

use elsa::sync::FrozenMap;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use whyrank_graph::SymbolTable;
use whyrank_index::{Reader, ViewKey};
use whyrank_inference::{CrossEncoder, Encoders, SparseEncoder};
use whyrank_retrieval::{SearchIndex, SymbolGraph};

/// How long a coverage figure is believed while vectors are still being made.
pub(crate) const COVERAGE_AGE: Duration = Duration::from_millis(500);
/// Loaded views kept; the least recently used goes first.
const MAX_VIEWS: usize = 6;

/// A loaded view with its reader.
pub(crate) struct LiveView {
    pub(crate) reader: Arc<Reader>,
    pub(crate) index: SearchIndex,
    /// Chunks with vectors: when and for which model that was counted.
    pub(crate) covered: Mutex<Option<(Instant, String, u64)>>,
    /// The same for token vectors.
    pub(crate) with_tokens: Mutex<Option<(Instant, String, u64)>>,
    /// The same for sparse vectors.
    pub(crate) with_sparse: Mutex<Option<(Instant, String, u64)>>,
    /// The kept symbol graph was found to be whole.
    pub(crate) has_kept_graph: AtomicBool,
    /// Definitions by name, at first need.
    pub(crate) table: OnceLock<Arc<SymbolTable>>,
    /// The symbol graph that search walks.
    pub(crate) graph: OnceLock<SymbolGraph>,
    /// One of each type.
    parts: FrozenMap<TypeId, Box<dyn Any + Send + Sync>>,
}

impl LiveView {
    pub(crate) fn new(reader: Arc<Reader>, index: SearchIndex) -> Self {
        Self {
            reader,
            index,
            covered: Mutex::default(),
            with_tokens: Mutex::default(),
            with_sparse: Mutex::default(),
            has_kept_graph: AtomicBool::new(false),
            table: OnceLock::new(),
            graph: OnceLock::new(),
            parts: FrozenMap::new(),
        }
    }

    /// What a feature keeps with the view: its own type, which begins as its default and goes with the
    /// view.
    pub(crate) fn part<T: Any + Default + Send + Sync>(&self) -> &T {
        let made = || Box::new(T::default()) as Box<dyn Any + Send + Sync>;
        let part = self.parts.get(&TypeId::of::<T>());
        let part = part.unwrap_or_else(|| self.parts.insert(TypeId::of::<T>(), made()));
        part.downcast_ref().expect("a part lies under its own type")
    }
}

/// Store and view.
pub(crate) type Slot = (String, ViewKey);
/// A model's encoders, or why there are none.
pub(crate) type LoadedModel = Result<Arc<Encoders>, String>;
/// A sparse encoder, or why there is none.
pub(crate) type Sparse = Result<Arc<dyn SparseEncoder>, String>;

/// A cross-encoder, or why it cannot be used; `None` where there are no weights.
pub(crate) type Cross = Option<Result<Arc<dyn CrossEncoder>, String>>;

#[derive(Default)]
pub(crate) struct LiveViews {
    /// Most recently used last.
    views: Mutex<Vec<(Slot, Arc<LiveView>)>>,
    encoders: Mutex<HashMap<String, LoadedModel>>,
    /// The sparse encoder by name.
    sparse: Mutex<Option<(String, Sparse)>>,
    /// The cross-encoder by the model below it and the file of its weights.
    cross: Mutex<Option<(String, Cross)>>,
}

impl LiveViews {
    fn views(&self) -> MutexGuard<'_, Vec<(Slot, Arc<LiveView>)>> {
        self.views.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A view that was loaded before, current or not.
    pub(crate) fn at_hand(&self, slot: &Slot) -> Option<Arc<LiveView>> {
        let views = self.views();
        let found = views.iter().find(|(known, _)| known == slot);
        found.map(|(_, view)| Arc::clone(view))
    }

    /// Keeps a view in the place of what was loaded before.
    pub(crate) fn keep(&self, slot: Slot, view: Arc<LiveView>) {
        let mut views = self.views();
        views.retain(|(known, _)| *known != slot);
        views.push((slot, view));
        if views.len() > MAX_VIEWS {
            views.remove(0);
        }
    }

    /// Forgets the views of a store that was deleted.
    pub(crate) fn forget(&self, store_key: &str) {
        self.views().retain(|((key, _), _)| key != store_key);
    }

    pub(crate) fn sparse(&self) -> MutexGuard<'_, Option<(String, Sparse)>> {
        self.sparse.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn cross(&self) -> MutexGuard<'_, Option<(String, Cross)>> {
        self.cross.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Models by name.
    pub(crate) fn encoders(&self) -> MutexGuard<'_, HashMap<String, LoadedModel>> {
        self.encoders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn forget_encoders(&self) {
        *self.sparse() = None;
        *self.cross() = None;
        self.encoders().clear();
    }
}

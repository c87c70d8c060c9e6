//! What is open: loaded views with their readers, and encoders. Loaded once, replaced when outdated.

use super::live_view::{LivePart, LivePool, LiveView, Slot};
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use whyrank_inference::{CrossEncoder, Encoders};

/// How long a coverage figure is believed while vectors are still being made.
pub(crate) const COVERAGE_AGE: Duration = Duration::from_millis(500);
/// Loaded views kept; the least recently used goes first.
const MAX_VIEWS: usize = 6;
/// Between two times at which a large view is opened anew to free memory.
const LET_GO_EVERY: Duration = Duration::from_secs(10);
/// Pools kept; what they join stays loaded with them.
const MAX_POOLS: usize = 2;

/// A model's encoders, or why there are none.
pub(crate) type LoadedModel = Result<Arc<Encoders>, String>;

/// A cross-encoder, or why it cannot be used; `None` where there are no weights.
pub(crate) type Cross = Option<Result<Arc<dyn CrossEncoder>, String>>;

#[derive(Default)]
pub(crate) struct LiveViews {
    /// Most recently used last.
    views: Mutex<Vec<(Slot, Arc<LiveView>)>>,
    /// Pools asked last, the most recent last; their views are at hand too.
    pools: Mutex<Vec<Arc<LivePool>>>,
    /// Views over several repositories with the imports between them, the most recent last.
    linked: Mutex<Vec<Arc<LiveView>>>,
    encoders: Mutex<HashMap<String, LoadedModel>>,
    /// The cross-encoder by the model below it and the file of its weights.
    cross: Mutex<Option<(String, Cross)>>,
    /// When what questions had read was last let go.
    let_go_at: Mutex<Option<Instant>>,
}

impl LiveViews {
    /// Whether enough time has passed since memory was last given back: what else the process holds may be
    /// too much by itself.
    pub(crate) fn may_let_go(&self) -> bool {
        let mut last = self.let_go_at.lock();
        let is_due = last.is_none_or(|last| last.elapsed() >= LET_GO_EVERY);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }

    fn views(&self) -> MutexGuard<'_, Vec<(Slot, Arc<LiveView>)>> {
        self.views.lock()
    }

    fn pools(&self) -> MutexGuard<'_, Vec<Arc<LivePool>>> {
        self.pools.lock()
    }

    /// A view that was loaded before, current or not.
    pub(crate) fn at_hand(&self, slot: &Slot) -> Option<Arc<LiveView>> {
        let mut views = self.views();
        let found = views.iter().position(|(known, _)| known == slot);
        if let Some(at) = found {
            let used = views.remove(at);
            let view = Arc::clone(&used.1);
            views.push(used);
            return Some(view);
        }
        drop(views);
        let pools = self.pools();
        pools.iter().rev().find_map(|pool| pool.view(slot))
    }

    /// Joins current views, or returns the pool that did.
    pub(crate) fn pool(&self, parts: Vec<LivePart>) -> Arc<LivePool> {
        if parts.len() < 2 {
            return Arc::new(LivePool::new(parts));
        }
        let mut pools = self.pools();
        let known = pools.iter().position(|pool| pool.is_of(&parts));
        let pool = match known {
            Some(at) => pools.remove(at),
            None => Arc::new(LivePool::new(parts)),
        };
        if pools.len() >= MAX_POOLS {
            pools.remove(0);
        }
        pools.push(Arc::clone(&pool));
        pool
    }

    /// The view over a pool with the imports between its repositories; `link` makes it.
    pub(crate) fn linked(
        &self,
        pool: &Arc<LivePool>,
        link: impl FnOnce() -> crate::Result<LiveView>,
    ) -> crate::Result<Arc<LiveView>> {
        let mut linked = self.linked.lock();
        let is_of = |view: &Arc<LiveView>| {
            let known = view.pool.as_ref();
            known.is_some_and(|known| known.is_of(&pool.parts))
        };
        let view = match linked.iter().position(is_of) {
            Some(at) => linked.remove(at),
            None => Arc::new(link()?),
        };
        if linked.len() >= MAX_POOLS {
            linked.remove(0);
        }
        linked.push(Arc::clone(&view));
        Ok(view)
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

    /// Counts vectors anew when they are asked for next: a job that ended has made some.
    pub(crate) fn recount_vectors(&self) {
        for (_, view) in self.views().iter() {
            for counted in [&view.covered, &view.with_tokens] {
                *counted.lock() = None;
            }
        }
    }

    /// Forgets the views of a store that was deleted.
    pub(crate) fn forget(&self, store_key: &str) {
        self.views().retain(|((key, _), _)| key != store_key);
        self.pools().retain(|pool| !pool.is_in_store(store_key));
        let mut linked = self.linked.lock();
        linked.retain(|view| {
            let pool = view.pool.as_ref();
            pool.is_some_and(|pool| !pool.is_in_store(store_key))
        });
    }

    pub(crate) fn cross(&self) -> MutexGuard<'_, Option<(String, Cross)>> {
        self.cross.lock()
    }

    /// Models by name.
    pub(crate) fn encoders(&self) -> MutexGuard<'_, HashMap<String, LoadedModel>> {
        self.encoders.lock()
    }

    pub(crate) fn forget_encoders(&self) {
        *self.cross() = None;
        self.encoders().clear();
    }
}

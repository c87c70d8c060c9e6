//! The graph of a view's definitions, as search walks it.

use parking_lot::{Mutex, MutexGuard};
use whyrank_graph::{PushScratch, RelationGraph};

/// The relations of a view with working memory for walks. Make it once for each view version, from
/// relations that were made with [`SearchIndex::walk_shares`](crate::SearchIndex::walk_shares).
#[derive(Debug, Default)]
pub struct SymbolGraph {
    pub(crate) relations: RelationGraph,
    scratch: Mutex<PushScratch>,
}

impl SymbolGraph {
    /// Takes the relations of a view.
    pub fn new(relations: RelationGraph) -> Self {
        Self {
            relations,
            scratch: Mutex::default(),
        }
    }

    /// Whether a part of it could not be read.
    pub fn met_damage(&self) -> bool {
        self.relations.met_damage()
    }

    /// Walks at the same time wait for each other: each takes less than a millisecond.
    pub(crate) fn scratch(&self) -> MutexGuard<'_, PushScratch> {
        self.scratch.lock()
    }
}

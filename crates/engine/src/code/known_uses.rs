//! The uses of a view with what they mean, as far as that is known.

use std::sync::{Arc, OnceLock};
use whyrank_graph::{Implementations, NeighbourCache, ReferenceIndex, SymbolRanks, SymbolTable};

/// What is worked out once for a view.
pub(crate) struct KnownUses {
    pub(crate) table: Arc<SymbolTable>,
    pub(super) uses: ReferenceIndex,
    pub(crate) ranks: SymbolRanks,
    pub(crate) links: NeighbourCache,
    pub(super) implementations: OnceLock<Implementations>,
}

impl KnownUses {
    pub(super) fn met_damage(&self) -> bool {
        let implementations = self.implementations.get();
        self.uses.met_damage() || implementations.is_some_and(Implementations::met_damage)
    }
}

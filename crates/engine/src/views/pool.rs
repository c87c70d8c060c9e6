//! Pools that are open: views of several repositories, searched as one.

use super::live_view::{LivePart, LivePool, LiveView, Slot};
use std::sync::Arc;
use whyrank_graph::ImportGraph;
use whyrank_index::Pool;
use whyrank_retrieval::{SearchIndex, SymbolGraph};

impl LivePart {
    fn slot(&self) -> Slot {
        (self.repo.store_key(), self.view.snapshot().key.clone())
    }
}

fn joined_index(parts: &[LivePart], imports: Option<ImportGraph>) -> SearchIndex {
    let parts = parts.iter();
    let indexes = parts.map(|part| (part.name.clone(), Arc::clone(&part.view.index)));
    SearchIndex::pooled(indexes.collect(), imports)
}

impl LivePool {
    /// Joins views; a single one keeps its own index. O(files).
    pub(crate) fn new(parts: Vec<LivePart>) -> Self {
        let index = match parts.as_slice() {
            [one] => Arc::clone(&one.view.index),
            several => Arc::new(joined_index(several, None)),
        };
        Self { parts, index }
    }

    /// The index over all with the imports between them.
    pub(crate) fn with_imports(&self, imports: ImportGraph) -> SearchIndex {
        joined_index(&self.parts, Some(imports))
    }

    /// Whether it joins these views under these names.
    pub(super) fn is_of(&self, parts: &[LivePart]) -> bool {
        let is_same = |(known, asked): (&LivePart, &LivePart)| {
            known.name == asked.name && Arc::ptr_eq(&known.view, &asked.view)
        };
        self.parts.len() == parts.len() && self.parts.iter().zip(parts).all(is_same)
    }

    pub(super) fn view(&self, slot: &Slot) -> Option<Arc<LiveView>> {
        let mut parts = self.parts.iter();
        let part = parts.find(|part| part.slot() == *slot)?;
        Some(Arc::clone(&part.view))
    }

    pub(super) fn is_in_store(&self, store_key: &str) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| part.repo.store_key() == store_key)
    }

    /// Whether several repositories are asked.
    pub(crate) fn is_pooled(&self) -> bool {
        self.parts.len() > 1
    }

    /// The part of a name, or the only one.
    pub(crate) fn part(&self, name: Option<&str>) -> Option<&LivePart> {
        let mut parts = self.parts.iter();
        parts.find(|part| name.is_none_or(|name| part.name == name))
    }

    /// The stores of all.
    pub(crate) fn stores(&self) -> Pool<'_> {
        let parts = self.parts.iter();
        Pool::new(parts.map(|part| (part.view.reader.as_ref(), part.view.snapshot())))
    }

    /// Says whether a part of a symbol graph could not be read; who asks next gets a view without it.
    pub(crate) fn met_damage(&self) -> bool {
        let mut is_any = false;
        for part in &self.parts {
            let graph = part.view.search_graph.get();
            if graph.is_some_and(SymbolGraph::met_damage) {
                part.view.reader.note_damage();
                is_any = true;
            }
        }
        is_any
    }

    /// The symbol graphs that are there; why there is none, where no repository has one.
    pub(crate) fn symbol_graphs(&self) -> Result<Vec<Option<&SymbolGraph>>, String> {
        let graphs: Vec<_> = (self.parts.iter())
            .map(|part| part.view.symbol_graph())
            .collect();
        if graphs.iter().all(Result::is_err) {
            return Err(graphs.into_iter().find_map(Result::err).unwrap_or_default());
        }
        Ok(graphs.into_iter().map(Result::ok).collect())
    }
}

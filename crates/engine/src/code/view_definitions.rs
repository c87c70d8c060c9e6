//! The definitions of a view by name, as its search index looks them up.

use std::sync::Arc;
use whyrank_graph::{DefinitionSource, SymbolId};
use whyrank_retrieval::SearchIndex;
use whyrank_syntax::Symbol;

/// The definitions of a view whose names are mapped.
#[derive(Debug)]
pub(super) struct ViewDefinitions(Arc<SearchIndex>);

impl ViewDefinitions {
    pub(super) fn of(index: &Arc<SearchIndex>) -> Option<Self> {
        let is_mapped = index.view.names().is_some();
        is_mapped.then(|| Self(Arc::clone(index)))
    }
}

impl DefinitionSource for ViewDefinitions {
    fn named(&self, name: &str) -> Vec<SymbolId> {
        self.0.named(name)
    }

    fn folded(&self, lower: &str) -> Vec<String> {
        self.0.names_of(lower)
    }

    fn each(&self, each: &mut dyn FnMut(SymbolId, &str)) {
        self.0.each_name(each);
    }

    fn alike(
        &self,
        name: &str,
        is_like: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(SymbolId, &str),
    ) {
        self.0.alike(name, is_like, each);
    }

    fn read(&self, file: u32, read: &mut dyn FnMut(&[Symbol])) {
        read(&self.0.view.files[file as usize].outline().symbols);
    }
}

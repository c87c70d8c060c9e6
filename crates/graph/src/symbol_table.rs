//! Names and what they define: a view's files in, definitions by name out.

use crate::{
    import_graph::ImportGraph,
    input::{FileInput, SymbolId},
};

/// The definitions of a view by name.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {}

impl SymbolTable {
    /// Reads the symbols of all files; `graph` ranks the files.
    pub fn new(files: &[FileInput<'_>], graph: &ImportGraph) -> Self {
        let _ = (files, graph);
        Self {}
    }

    /// The definitions that a query means, best first.
    pub fn definitions(&self, query: &str) -> Vec<SymbolId> {
        let _ = query;
        Vec::new()
    }

    /// Definitions with a name like the query's, nearest first.
    pub fn near(&self, query: &str, limit: usize) -> Vec<SymbolId> {
        let _ = (query, limit);
        Vec::new()
    }
}

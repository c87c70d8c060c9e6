//! Which uses of a name mean a definition.

use serde::{Deserialize, Serialize};
use whyrank_syntax::ReferenceKind;

use crate::{
    import_graph::ImportGraph,
    input::{FileInput, SymbolId},
    symbol_table::SymbolTable,
};

/// How sure it is that a use means the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Confidence {
    /// Scope, import or type lead to it.
    Resolved,
    /// Several definitions bear the name and nothing tells them apart.
    Ambiguous,
    /// Only this definition bears the name, but no import leads to it.
    NameOnly,
}

/// A use of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceHit {
    /// Index of the file in the view.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// How it is used.
    pub kind: ReferenceKind,
    /// The innermost symbol around it.
    pub enclosing: Option<SymbolId>,
    /// How sure it is.
    pub confidence: Confidence,
}

/// Finds the uses of the target definitions, by path and line.
pub fn references(
    files: &[FileInput<'_>],
    graph: &ImportGraph,
    table: &SymbolTable,
    targets: &[SymbolId],
) -> Vec<ReferenceHit> {
    let _ = (files, graph, table, targets);
    Vec::new()
}

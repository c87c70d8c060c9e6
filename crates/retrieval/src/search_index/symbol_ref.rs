//! A definition's place, as search numbers it.

use whyrank_graph::SymbolId;

/// A definition's place: file of the view, definition of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolRef {
    /// Index of the file.
    pub file: u32,
    /// Index of the definition in the file's outline.
    pub symbol: u32,
}

impl From<SymbolRef> for SymbolId {
    fn from(place: SymbolRef) -> Self {
        Self {
            file: place.file,
            symbol: place.symbol,
        }
    }
}

impl From<SymbolId> for SymbolRef {
    fn from(id: SymbolId) -> Self {
        Self {
            file: id.file,
            symbol: id.symbol,
        }
    }
}

//! A view as its uses are worked out from it.

use crate::{
    imports::import_graph::ImportGraph, input::files::FileSource,
    resolution::symbol_table::SymbolTable,
};

/// All that the uses of a view follow from.
#[derive(Clone, Copy)]
pub struct ViewParts<'a> {
    /// The files of the view.
    pub files: &'a dyn FileSource,
    /// Where their imports lead.
    pub imports: &'a ImportGraph,
    /// Their definitions by name.
    pub table: &'a SymbolTable,
    /// A number for each file's content, other than 0; without it nothing is known to be unchanged.
    pub contents: &'a [u64],
}

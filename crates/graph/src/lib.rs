//! Import and symbol graph: resolution, references, PageRank.
//!
//! In: the facts of every file of a view ([`FileInput`]) and its manifests. Out: which file imports
//! which ([`ImportGraph`]), what a name means ([`SymbolTable`], [`references`]) and how central files
//! and symbols are. Pure and deterministic: no disk, no clock, no threads.

mod exports;
mod expression;
mod family;
mod import_graph;
mod input;
mod lookup;
mod members;
mod paths;
mod places;
mod rank;
mod references;
mod resolve;
mod scope;
mod symbol_rank;
mod symbol_table;
mod type_hint;

pub use import_graph::{ImportEdge, ImportGraph};
pub use input::{FileInput, ManifestInput, SymbolId};
pub use rank::{DAMPING, WeightedGraph};
pub use references::{Confidence, ReferenceHit, references};
pub use symbol_rank::{SymbolRanks, symbol_rank};
pub use symbol_table::SymbolTable;

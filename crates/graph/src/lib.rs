//! Import and symbol graph: resolution, references, PageRank.
//!
//! In: the facts of every file of a view ([`FileInput`]) and its manifests. Out: which file imports
//! which ([`ImportGraph`]), what a name means ([`SymbolTable`], [`references`], [`UseGraph`]), who depends on a definition
//! ([`impact`], [`call_path`]), what lies around it ([`neighbourhood()`]) and where to draw that
//! ([`layout()`]), what nothing needs ([`dead_code()`]), how central files and symbols are, and what
//! lies near some of them ([`RelationGraph`], [`WeightedGraph::push`]). Pure and deterministic: no
//! disk, no clock, no threads.

mod clusters;
mod dead_code;
mod expected;
mod exports;
mod expression;
mod extensions;
mod family;
mod held;
mod idioms;
mod impact;
mod implementations;
mod import_graph;
mod import_path;
mod input;
mod layout;
mod library_names;
mod links;
mod locals;
mod lookup;
mod members;
mod mentions;
mod named_in_text;
mod namespaces;
mod neighbourhood;
mod parameters;
mod paths;
mod places;
mod possible;
mod precise;
mod precise_text;
mod proof;
mod push;
mod question;
mod rank;
mod reads;
mod references;
mod relations;
mod resolve;
mod risk;
mod roots;
mod runtime;
mod scope;
mod settle;
mod shown;
mod steps;
mod structure;
mod subtypes;
mod symbol_rank;
mod symbol_table;
mod test_code;
mod tops;
mod type_hint;
mod types;
mod update;
mod use_graph;
mod uses;
mod visible;

pub use clusters::{Cluster, Side};
pub use dead_code::{
    Finding, Sureness, Surroundings, Verdict, can_be_dead, dead_code, is_unused, unused_doubt,
};
pub use idioms::{Idiom, IdiomConfidence, IdiomEvidence, IdiomFinding, IdiomInput, idioms};
pub use impact::{Caller, PathStep, Reach, call_path, impact};
pub use implementations::{Descent, Implementations, Relative};
pub use import_graph::{ImportEdge, ImportGraph};
pub use import_path::{ImportStep, import_path};
pub use input::{FileInput, ManifestInput, SymbolId};
pub use layout::{Frame, Layout, Placed, Route, layout};
pub use links::{EdgeKind, KnownLinks, Link, Links, Node};
pub use mentions::{Mention, MentionFile, Mentions, NamePartAt, ReadMentions};
pub use neighbourhood::{Direction, Edge, Near, Neighbourhood, Wanted, neighbourhood};
pub use paths::is_test_folder;
pub use possible::{PossibleUse, PossibleUses, possible_uses};
pub use precise::{DocumentFit, Precise};
pub use push::{PushLimits, PushOutcome, PushScratch, RESTART};
pub use rank::{DAMPING, WeightedGraph};
pub use references::{Confidence, ReferenceHit, references};
pub use relations::{Relation, RelationGraph, RelationNode, RelationStep};
pub use risk::Exposure;
pub use runtime::{Run, Runtime};
pub use structure::{
    Communities, CycleEdge, Fence, FileCounts, FileEdge, FileGraph, Hub, ImportCycle, LayerBreak,
    Ordinary, Orphan, OrphanReason, SettledUse, SettledUses, Severity, TermTable, TestReach,
    TestUse, TestedBy, communities, entry_points, file_counts, import_cycles, is_telling,
    layer_breaks, orphans, test_map, testable,
};
pub use symbol_rank::{SymbolRanks, symbol_rank};
pub use symbol_table::SymbolTable;
pub use test_code::in_test_module;
pub use update::{Parts, Updated};
pub use use_graph::{Meant, RULES, UseEdge, UseGraph};
pub use uses::Uses;

//! Import and symbol graph: resolution, references, PageRank.
//!
//! In: the facts of every file of a view ([`FileInput`]) and its manifests. Out: which file imports
//! which ([`ImportGraph`]), what a name means ([`SymbolTable`], [`references`], [`ReferenceIndex`]), who depends on a definition
//! ([`impact`], [`call_path`]), what lies around it ([`neighbourhood()`]) and where to draw that
//! ([`layout()`]), what nothing needs ([`dead_code()`]), how central files and symbols are, and what
//! lies near some of them ([`RelationGraph`], [`WeightedGraph::push`]). Pure and deterministic: no
//! disk, no clock, no threads.

mod analysis;
#[cfg(test)]
mod growth;
mod imports;
mod input;
mod languages;
mod pagerank;
mod references;
mod resolution;
mod steps;

pub use analysis::clusters::{Cluster, Side};
pub use analysis::coverage::{Execution, ExecutionCoverage};
pub use analysis::dead_code::{
    Finding, Surroundings, Verdict, VerdictConfidence, can_be_dead, dead_code, is_unused,
    unused_doubt,
};
pub use analysis::design_patterns::{
    DesignPattern, DesignPatternFinding, DesignPatternInput, PatternConfidence, PatternEvidence,
    design_patterns,
};
pub use analysis::impact::{Caller, PathStep, Reach, call_path, impact};
pub use analysis::layout::{Layout, NodeFrame, Placed, Route, layout};
pub use analysis::mentions::{Mention, MentionFile, Mentions, NamePartAt, ReadMentions};
pub use analysis::neighbourhood::{
    Edge, Near, Neighbourhood, NeighbourhoodDirection, NeighbourhoodRequest, neighbourhood,
};
pub use analysis::possible::{PossibleUse, PossibleUses, possible_uses, rulings};
pub use analysis::relation_graph::{
    RELATION_SECTIONS, Relation, RelationGraph, RelationNode, RelationStep,
};
pub use analysis::risk::Exposure;
pub use analysis::ruling::{RuledPlace, Ruling};
pub use analysis::structure::{
    Communities, CycleEdge, Fence, FileCounts, FileEdge, FileGraph, Hub, ImportCycle, LayerBreak,
    Ordinary, Orphan, OrphanReason, SettledUse, SettledUses, Severity, TermTable, TestReach,
    TestUse, TestedBy, communities, entry_points, file_counts, import_cycles, is_telling,
    layer_breaks, orphans, test_map, testable,
};
pub use analysis::surface::is_public;
pub use analysis::symbol_rank::{SymbolRanks, symbol_rank, symbol_rank_of};
pub use imports::aliases::DependencyAliases;
pub use imports::import_graph::{ImportEdge, ImportGraph};
pub use imports::import_path::{ImportStep, import_path};
pub use imports::provided::ProvidedModules;
pub use imports::view_imports::LinkedPart;
pub use input::files::{Facts, FileInput, FileSource, ManifestInput, OpenFiles, SymbolId};
pub use input::test_code::in_test_module;
pub use pagerank::numbers::Sections;
pub use pagerank::personalized_pagerank::{PushLimits, PushOutcome, PushScratch, RESTART};
pub use pagerank::weighted_graph::{DAMPING, WeightedGraph};
pub use references::find_references::{Confidence, ReferenceHit, references, references_of_each};
pub use references::implementations::{Descent, Implementations, Relative};
pub use references::names_in_file::NameInFile;
pub use references::neighbours::{EdgeKind, Neighbour, NeighbourCache, Neighbours, Node};
pub use references::observed_calls::{ObservedCall, ObservedCalls};
pub use references::overlay::UsesOverlay;
pub use references::reference_index::{RULES, ReferenceIndex};
pub use references::reference_query::{ReferenceQuery, is_naming};
pub use references::renumbering::Renumbering;
pub use references::scip_overlay::{DocumentFit, ScipOverlay};
pub use references::stored_uses::{SectionSink, USES_SECTIONS};
pub use references::update::Updated;
pub use references::uses::{Target, UseEdge};
pub use references::uses_journal::{MemoryJournal, PackedFile, UsesJournal};
pub use references::view_parts::ViewParts;
pub use resolution::definition_names::DefinitionSource;
pub use resolution::symbol_table::SymbolTable;

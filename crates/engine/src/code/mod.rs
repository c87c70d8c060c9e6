//! What code is: definitions, their uses, and the structure of the whole.

mod by_name_only;
mod call_path;
mod context;
mod dead_code;
pub(crate) mod deps;
mod design_patterns;
mod execution;
mod graph;
mod graph_view;
pub(crate) mod implementations;
mod linked;
mod mentions;
mod name_uses;
mod narrowing;
pub(crate) mod precise;
pub(crate) mod reports;
mod structural_search;
mod structure;
mod symbol_graph;
pub(crate) mod symbols;
mod tasks;
mod tests_to_run;
mod undefined;
mod use_hits;
mod view_definitions;
mod whole;

pub(crate) use execution::ExecutionCache;
pub(crate) use graph::KnownUses;
pub(crate) use graph_view::History;
pub(crate) use linked::Outside;
pub(crate) use precise::overlay::ScipCache;
pub(crate) use structure::KnownStructure;
pub(crate) use symbols::GraphFacts;

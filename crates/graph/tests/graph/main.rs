//! The crate from outside: facts in, imports, definitions, references and ranks out.

mod bounds;
mod certainty;
mod coverage;
mod dead;
mod design_patterns;
mod far_names;
mod impact;
mod implementations;
mod imports;
mod languages;
mod layout;
mod named_spaces;
mod names;
mod neighbourhood;
mod personalized_pagerank;
mod ranks;
mod receivers;
mod relation_graph;
mod runs;
mod scip_overlay;
mod sections;
mod speed;
mod structure;
mod support;
mod updates;
mod uses;

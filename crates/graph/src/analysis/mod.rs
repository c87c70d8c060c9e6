//! What follows from uses and imports: dead code, impact, structure, patterns, pictures.
//!
//! What for: answers about a view as a whole. What not: nothing here decides what a name means.

pub(crate) mod clusters;
mod conventions;
pub(crate) mod coverage;
pub(crate) mod dead_code;
pub(crate) mod design_patterns;
mod doubt;
mod file_lines;
mod finding;
pub(crate) mod impact;
pub(crate) mod layout;
pub(crate) mod mentions;
pub(crate) mod neighbourhood;
mod other_spellings;
mod outer_bases;
pub(crate) mod possible;
pub(crate) mod proof;
pub(crate) mod question;
mod receivers;
mod relation;
pub(crate) mod relation_graph;
pub(crate) mod risk;
pub(crate) mod roots;
pub(crate) mod ruling;
pub(crate) mod runs;
pub(crate) mod settle;
mod structural;
pub(crate) mod structure;
pub(crate) mod surface;
pub(crate) mod symbol_rank;
mod ties;
mod type_doubts;

//! The uses of every definition of a view: worked out, kept up to date, overlaid by SCIP, asked.
//!
//! What for: who uses what, and how sure that is. What not: no verdict on what the uses mean for
//! the code.

pub(crate) mod declaration_groups;
mod file_resolution;
pub(crate) mod find_references;
pub(crate) mod implementations;
pub(crate) mod lists;
mod name_reach;
pub(crate) mod names_in_file;
pub(crate) mod neighbours;
pub(crate) mod new_names;
pub(crate) mod observed_calls;
pub(crate) mod overlay;
mod overlaying;
pub(crate) mod previous_graph;
pub(crate) mod reference_index;
pub(crate) mod reference_query;
pub(crate) mod renumbering;
pub(crate) mod scip_overlay;
pub(crate) mod scip_text;
pub(crate) mod stored_uses;
pub(crate) mod update;
pub(crate) mod uses;
pub(crate) mod uses_journal;
pub(crate) mod view_parts;

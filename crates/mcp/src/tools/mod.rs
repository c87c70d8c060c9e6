//! The tools, a file for what belongs together: the arguments of each, what is said of it, and what it
//! does with the engine's answer.

pub(crate) mod cached_results;
pub(crate) mod explain;
pub(crate) mod memory;
pub(crate) mod repos;
mod respond;
pub(crate) mod review;
pub(crate) mod search;
pub(crate) mod structure;
pub(crate) mod tasks;
pub(crate) mod uses;

/// What every tool is written with.
mod prelude {
    pub(super) use schemars::JsonSchema;
    pub(super) use serde::Deserialize;

    pub(super) use super::respond::{hit_result, not_found, require, write};
    pub(super) use crate::answer::{ToolAnswer, ToolError, ToolResult};
    pub(super) use crate::args::{Common, Format, Many, choices, path_globs};
    pub(super) use crate::present;
    pub(super) use crate::session::Call;
    pub(super) use crate::tool::{About, Answer, Effect, Family, Profile, Several, Tool};
}

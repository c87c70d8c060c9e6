//! The arguments of the tools that bring several questions together.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Common, choices, one_or_many};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ContextArgs {
    /// What you are about to do
    pub(crate) task: String,
    /// Globs or folders
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) path: Vec<String>,
    /// At most, in whole definitions
    pub(crate) lines: Option<u32>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct InvestigateArgs {
    pub(crate) query: String,
    /// Globs or folders
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) path: Vec<String>,
    /// Neighbours, default true
    pub(crate) expand_graph: Option<bool>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AskArgs {
    pub(crate) query: String,
    /// Tool to use instead of the one chosen
    pub(crate) mode: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SearchIterativeArgs {
    /// First call
    pub(crate) query: Option<String>,
    /// Later calls: narrow this pool
    pub(crate) handle: Option<String>,
    /// Globs or folders
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) path: Vec<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(schema_with = "choices::hit_kinds")]
    pub(crate) kind: Vec<String>,
    /// Shown, default 10
    pub(crate) limit: Option<u32>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

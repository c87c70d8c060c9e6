//! The arguments of the tools about changes and claims.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Common, one_or_many};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReviewDiffArgs {
    /// Branch, tag, commit; default HEAD
    #[serde(rename = "ref")]
    pub(crate) reference: Option<String>,
    /// Folder or file
    pub(crate) path: Option<String>,
    pub(crate) max_files: Option<u32>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DiffSearchArgs {
    pub(crate) query: String,
    /// Branch, tag, commit; default HEAD
    #[serde(rename = "ref")]
    pub(crate) reference: Option<String>,
    /// Also users of what changed
    pub(crate) include_callers: Option<bool>,
    /// Default 10
    pub(crate) limit: Option<u32>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct VerifyArgs {
    /// From format=detailed, or path:10-20
    #[serde(default, deserialize_with = "one_or_many")]
    pub(crate) evidence_ids: Vec<String>,
    /// What they shall show
    pub(crate) claim: Option<String>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CritiqueArgs {
    /// Names in backticks
    pub(crate) claim: String,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) evidence_ids: Vec<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) symbols: Vec<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

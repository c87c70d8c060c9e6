//! The arguments of the tools about the shape of a code base.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Common, choices, one_or_many};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AuditArgs {
    /// Folder or file; default: all
    pub(crate) path: Option<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(schema_with = "choices::audit_kinds")]
    pub(crate) kinds: Vec<String>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ClustersArgs {
    /// Members at least, default 3
    pub(crate) min_size: Option<u32>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ConceptsArgs {
    /// A few words
    pub(crate) query: String,
    /// Topics, default 5
    pub(crate) limit: Option<u32>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ExportArgs {
    /// Folder or file; default: all
    pub(crate) path: Option<String>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct TestMapArgs {
    /// What changed since: branch, tag, commit; default HEAD
    #[serde(rename = "ref")]
    pub(crate) reference: Option<String>,
    /// Only this definition
    pub(crate) symbol: Option<String>,
    /// Folder or file; without ref: all in it
    pub(crate) path: Option<String>,
    /// Steps from a test, default 4
    pub(crate) depth: Option<u32>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

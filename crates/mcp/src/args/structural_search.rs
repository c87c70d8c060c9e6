//! Arguments of structural search and of recurring roles.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Common, one_or_many};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AstGrepArgs {
    /// Code with $X (one node), $$$ARGS (any number); same name = same text
    pub(crate) pattern: String,
    /// Default: all in which it parses
    pub(crate) language: Option<String>,
    /// Globs or folders; leading ! excludes
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) path: Vec<String>,
    /// Default 200
    pub(crate) limit: Option<u32>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct PatternsArgs {
    /// factory, middleware, observer, …; default: which there are
    pub(crate) pattern: Option<String>,
    /// Globs or folders; leading ! excludes
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) path: Vec<String>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

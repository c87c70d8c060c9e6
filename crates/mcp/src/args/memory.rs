//! The arguments of the tools of memory.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Common, choices, one_or_many};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RememberArgs {
    pub(crate) content: String,
    #[serde(default)]
    #[schemars(schema_with = "choices::memo_kind")]
    pub(crate) kind: Option<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) tags: Vec<String>,
    /// path, path:12-30, path#symbol
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) anchors: Vec<String>,
    pub(crate) confidence: Option<f64>,
    #[serde(default)]
    #[schemars(schema_with = "choices::memo_tier")]
    pub(crate) tier: Option<String>,
    /// Id of the memo it replaces
    pub(crate) supersedes: Option<String>,
    pub(crate) repo: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RecallArgs {
    /// Empty: what matters most
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(crate) query: String,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(schema_with = "choices::memo_includes")]
    pub(crate) include: Vec<String>,
    /// Commit
    pub(crate) as_of: Option<String>,
    /// Date, or 3d
    pub(crate) known_at: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoriesArgs {
    #[serde(default)]
    #[schemars(schema_with = "choices::memo_state")]
    pub(crate) show: Option<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(schema_with = "choices::memo_kinds")]
    pub(crate) kinds: Vec<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) tags: Vec<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AsOfArgs {
    /// Branch, tag or commit; default: HEAD
    pub(crate) commit: Option<String>,
    /// As known then: date, or 3d ago
    pub(crate) known_at: Option<String>,
    /// Only what answers this
    pub(crate) query: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoArgs {
    /// Of a memo
    pub(crate) id: String,
    pub(crate) repo: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WakeupArgs {
    #[serde(flatten)]
    pub(crate) common: Common,
}

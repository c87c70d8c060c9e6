//! The arguments of the tools of memory.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Common, one_or_many};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RememberArgs {
    pub(crate) content: String,
    /// decision, preference, pattern, context, todo, procedure, correction
    pub(crate) kind: Option<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) tags: Vec<String>,
    /// path, path:12-30, path#symbol
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) anchors: Vec<String>,
    pub(crate) confidence: Option<f64>,
    /// core, normal, archive
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
    /// superseded, drifted, archived
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
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
    /// valid, conflicts, drifted, superseded, forgotten, elsewhere, pinned, all
    pub(crate) show: Option<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
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

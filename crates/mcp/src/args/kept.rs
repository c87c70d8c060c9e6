//! The arguments of the tools over earlier answers.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Common;

// What these tools take besides their own.
fn within(max_tokens: Option<u32>) -> Common {
    Common {
        max_tokens,
        ..Common::default()
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct HeadResultsArgs {
    pub(crate) handle: String,
    pub(crate) offset: Option<u32>,
    /// Default 20
    pub(crate) limit: Option<u32>,
    pub(crate) max_tokens: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct GrepResultsArgs {
    pub(crate) handle: String,
    /// Regex over path, kind, name
    pub(crate) pattern: String,
    pub(crate) max_tokens: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CtxPeekArgs {
    pub(crate) handle: String,
    pub(crate) max_tokens: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CtxSliceArgs {
    pub(crate) handle: String,
    /// First line
    pub(crate) from: u32,
    /// Last line
    pub(crate) to: u32,
    pub(crate) max_tokens: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CtxGrepArgs {
    pub(crate) handle: String,
    /// Regex
    pub(crate) pattern: String,
    /// Lines around
    pub(crate) context: Option<u32>,
    pub(crate) max_tokens: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CtxStatsArgs {
    pub(crate) handle: Option<String>,
}

impl HeadResultsArgs {
    pub(crate) fn common(&self) -> Common {
        within(self.max_tokens)
    }
}

impl GrepResultsArgs {
    pub(crate) fn common(&self) -> Common {
        within(self.max_tokens)
    }
}

impl CtxPeekArgs {
    pub(crate) fn common(&self) -> Common {
        within(self.max_tokens)
    }
}

impl CtxSliceArgs {
    pub(crate) fn common(&self) -> Common {
        within(self.max_tokens)
    }
}

impl CtxGrepArgs {
    pub(crate) fn common(&self) -> Common {
        within(self.max_tokens)
    }
}

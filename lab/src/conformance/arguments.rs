//! Arguments of a call, and the content of its answer.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ClientCapabilities, ContentBlock};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A client that does not declare what an answer needs is told so.
pub(super) fn missing(capabilities: Value) -> ErrorData {
    let needed: ClientCapabilities = serde_json::from_value(capabilities).unwrap_or_default();
    ErrorData::missing_required_client_capability(needed)
}

pub(super) fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

pub(super) fn read<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(format!("a broken fixture: {error}"), None))
}

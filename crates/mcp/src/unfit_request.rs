//! What to answer a request that is none of the protocol's, or has parameters that do not fit it.

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CancelTaskParams, CompleteRequestParams, CustomRequest, ErrorCode,
    GetPromptRequestParams, GetTaskParams, InitializeRequestParams, ReadResourceRequestParams,
    UpdateTaskParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Says why a request could not be read as one of those that are served: a known method has come
/// here because of its parameters.
pub(crate) fn unfit_request(request: CustomRequest) -> ErrorData {
    let CustomRequest { method, params, .. } = request;
    let params = params.unwrap_or(Value::Null);
    let why = match method.as_str() {
        "initialize" => misfit::<InitializeRequestParams>(params),
        "tools/call" => misfit::<CallToolRequestParams>(params),
        "prompts/get" => misfit::<GetPromptRequestParams>(params),
        "resources/read" => misfit::<ReadResourceRequestParams>(params),
        "completion/complete" => misfit::<CompleteRequestParams>(params),
        "tasks/get" => misfit::<GetTaskParams>(params),
        "tasks/update" => misfit::<UpdateTaskParams>(params),
        "tasks/cancel" => misfit::<CancelTaskParams>(params),
        _ => return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None),
    };
    ErrorData::invalid_params(format!("the params of `{method}` do not fit: {why}"), None)
}

fn misfit<T: DeserializeOwned>(params: Value) -> String {
    if params.is_null() {
        return "there are none".to_owned();
    }
    match serde_json::from_value::<T>(params) {
        Err(error) => error.to_string(),
        Ok(_) => "they cannot be read".to_owned(),
    }
}

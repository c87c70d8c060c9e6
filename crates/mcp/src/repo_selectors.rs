//! Repositories that a call names: one, or several as a list, with commas or by a workspace.

use serde_json::Value;

use crate::answer::ToolError;
use crate::session::Call;

/// Returns the selectors of a call that names more than one repository, `None` for one or none.
///
/// # Errors
/// `registry-damaged`, `io`.
pub fn named_repositories(
    call: &Call<'_>,
    repo: Option<&Value>,
) -> Result<Option<Vec<String>>, ToolError> {
    let words = |text: &str| -> Vec<String> {
        let words = text
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let selectors = match repo {
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        // A folder may have a comma in its name.
        Some(Value::String(text)) if text.contains(',') && !is_one(call, text) => words(text),
        Some(Value::String(text)) => vec![text.trim().to_owned()],
        _ => Vec::new(),
    };
    match selectors.as_slice() {
        [] => Ok(None),
        [one] if !call.engine().is_several(one)? => Ok(None),
        _ => Ok(Some(selectors)),
    }
}

fn is_one(call: &Call<'_>, selector: &str) -> bool {
    matches!(call.engine().known_repo(selector), Ok(Some(_)))
}

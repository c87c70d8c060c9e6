//! Values against a tool's schema: what means the same is taken as such, what does not is named.

use serde_json::{Map, Value, json};

use crate::answer::ToolError;

/// A value in an error is cut to so many characters.
const SHOWN: usize = 60;

/// Brings each argument to the type that the schema gives it: models write numbers and booleans as
/// text, and one value where a list is meant. A null is an argument that was left out.
///
/// # Errors
///
/// `bad-argument` with the argument, what it is, and what it can be.
pub(crate) fn fit(
    schema: &Map<String, Value>,
    args: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    args.retain(|_, value| !value.is_null());
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, value) in args.iter_mut() {
        let Some(property) = properties.and_then(|properties| properties.get(name)) else {
            continue;
        };
        let kind = property
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if let Some(meant) = meant(kind, value) {
            *value = meant;
        }
        if !is_a(kind, value) {
            return Err(misfit(name, value, &wanted(kind)));
        }
        check_choice(name, property, value)?;
    }
    Ok(())
}

fn meant(kind: &str, value: &Value) -> Option<Value> {
    match (kind, value) {
        ("integer", Value::String(text)) => text.trim().parse::<i64>().ok().map(Value::from),
        ("integer", Value::Number(number)) => number
            .as_f64()
            .filter(|number| number.fract() == 0.0 && number.abs() < 1e15)
            .map(|number| json!(number as i64)),
        ("number", Value::String(text)) => text.trim().parse::<f64>().ok().map(Value::from),
        ("boolean", Value::String(text)) => text
            .trim()
            .to_lowercase()
            .parse::<bool>()
            .ok()
            .map(Value::from),
        ("array", Value::String(text)) => Some(json!([text])),
        ("array", Value::Object(_)) => Some(json!([value])),
        _ => None,
    }
}

fn is_a(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value
            .as_u64()
            .is_some_and(|number| number <= u64::from(u32::MAX)),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        _ => true,
    }
}

fn wanted(kind: &str) -> String {
    match kind {
        "integer" => "a whole number from 0 on".to_owned(),
        "array" => "a list".to_owned(),
        "string" => "a text".to_owned(),
        "boolean" => "true or false".to_owned(),
        kind => format!("a {kind}"),
    }
}

/// One of the values that the schema lists, whatever its case.
fn check_choice(name: &str, property: &Value, value: &mut Value) -> Result<(), ToolError> {
    let Some(choices) = property.get("enum").and_then(Value::as_array) else {
        return Ok(());
    };
    let given = value.as_str().unwrap_or_default().to_lowercase();
    let mut choices = choices.iter().filter_map(Value::as_str);
    match choices
        .clone()
        .find(|choice| choice.to_lowercase() == given)
    {
        Some(choice) => *value = choice.into(),
        None => {
            let first = choices.next().unwrap_or_default().to_owned();
            let all = choices.fold(first, |all, choice| format!("{all}, {choice}"));
            return Err(misfit(name, value, &format!("one of {all}")));
        }
    }
    Ok(())
}

fn misfit(name: &str, value: &Value, wanted: &str) -> ToolError {
    let shown: String = value.to_string().chars().take(SHOWN).collect();
    ToolError::new(
        "bad-argument",
        format!("`{name}` is {shown}"),
        format!("it takes {wanted}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::find_tool;

    fn fitted(tool: &str, args: Value) -> Result<Value, ToolError> {
        let Value::Object(mut args) = args else {
            unreachable!()
        };
        let schema = find_tool(tool).unwrap().schema();
        fit(&schema, &mut args).map(|()| Value::Object(args))
    }

    #[test]
    fn what_means_the_same_is_taken() {
        let args =
            json!({"query": "x", "limit": "5", "no_tests": "True", "path": null, "format": "JSON"});
        assert_eq!(
            fitted("search", args).unwrap(),
            json!({"query": "x", "limit": 5, "no_tests": true, "format": "json"})
        );
        let one = fitted("refs", json!({"symbol": "f", "kinds": "call", "line": 3.0})).unwrap();
        assert_eq!(one, json!({"symbol": "f", "kinds": ["call"], "line": 3}));
    }

    #[test]
    fn what_does_not_is_named_with_what_would() {
        let error = fitted("search", json!({"query": 5})).unwrap_err();
        assert_eq!(
            (error.message.as_str(), error.hint.as_str()),
            ("`query` is 5", "it takes a text")
        );
        let error = fitted("search", json!({"query": "x", "limit": -1})).unwrap_err();
        assert_eq!(error.hint, "it takes a whole number from 0 on");
        let error = fitted("search", json!({"query": "x", "format": "xml"})).unwrap_err();
        assert_eq!(error.hint, "it takes one of concise, detailed, json");
    }
}

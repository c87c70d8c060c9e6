//! Arguments that a tool could not read: what means the same is taken as such, what does not is named.

use serde_json::{Map, Value, json};

use crate::answer::ToolError;

/// A value in an error is cut to so many characters.
const SHOWN: usize = 60;

/// Brings each argument to the type that the schema gives it: models write numbers and booleans as
/// text, one value where a list is meant, a choice in capitals, and null for what they leave out.
pub(crate) fn fit(schema: &Map<String, Value>, args: &mut Map<String, Value>) {
    args.retain(|_, value| !value.is_null());
    for (name, value) in args.iter_mut() {
        let Some(property) = property(schema, name) else {
            continue;
        };
        if let Some(meant) = meant(kind(property), value) {
            *value = meant;
        }
        if let Some(choice) = chosen(property, value) {
            *value = choice.into();
        }
    }
}

/// The first argument that is not what the schema says: what it is, and what it takes.
pub(crate) fn misfit(schema: &Map<String, Value>, args: &Map<String, Value>) -> Option<ToolError> {
    let mut args = args.iter();
    args.find_map(|(name, value)| {
        let property = property(schema, name)?;
        let wanted = match choices(property) {
            Some(choices) if chosen(property, value).is_none() => {
                format!("one of {}", choices.join(", "))
            }
            _ if !is_a(kind(property), value) => wanted(kind(property)),
            _ => return None,
        };
        let shown: String = value.to_string().chars().take(SHOWN).collect();
        let message = format!("`{name}` is {shown}");
        let hint = format!("it takes {wanted}");
        Some(ToolError::new("bad-argument", message, hint))
    })
}

fn property<'a>(schema: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    schema.get("properties")?.get(name)
}

fn kind(property: &Value) -> &str {
    let kind = property.get("type").and_then(Value::as_str);
    kind.unwrap_or_default()
}

fn choices(property: &Value) -> Option<Vec<&str>> {
    let choices = property.get("enum")?.as_array()?;
    Some(choices.iter().filter_map(Value::as_str).collect())
}

/// The choice that a value means, whatever its case.
fn chosen<'a>(property: &'a Value, value: &Value) -> Option<&'a str> {
    let given = value.as_str()?.to_lowercase();
    let choices = choices(property)?;
    choices
        .into_iter()
        .find(|choice| choice.to_lowercase() == given)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::find_tool;

    fn asked(tool: &str, args: Value) -> (Map<String, Value>, Map<String, Value>) {
        let Value::Object(mut args) = args else {
            unreachable!()
        };
        let schema = find_tool(tool).unwrap().schema();
        fit(&schema, &mut args);
        (schema, args)
    }

    #[test]
    fn what_means_the_same_is_taken() {
        let args =
            json!({"query": "x", "limit": "5", "no_tests": "True", "path": null, "format": "JSON"});
        assert_eq!(
            Value::Object(asked("search", args).1),
            json!({"query": "x", "limit": 5, "no_tests": true, "format": "json"})
        );
        let (_, one) = asked("refs", json!({"symbol": "f", "line": 3.0}));
        assert_eq!(Value::Object(one), json!({"symbol": "f", "line": 3}));
    }

    #[test]
    fn what_does_not_is_named_with_what_would() {
        let said = |args| {
            let (schema, args) = asked("search", args);
            let error = misfit(&schema, &args).unwrap();
            format!("{}; {}", error.message, error.hint)
        };
        assert_eq!(said(json!({"query": 5})), "`query` is 5; it takes a text");
        assert_eq!(
            said(json!({"query": "x", "limit": -1})),
            "`limit` is -1; it takes a whole number from 0 on"
        );
        assert_eq!(
            said(json!({"query": "x", "format": "xml"})),
            "`format` is \"xml\"; it takes one of concise, detailed, json"
        );
    }
}

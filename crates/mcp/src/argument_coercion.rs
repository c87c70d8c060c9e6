//! Arguments that a tool could not read: what means the same is taken as such, what does not is named.

use serde_json::{Map, Value, json};

use crate::answer::ToolError;

/// A value in an error is cut to this many characters.
const SHOWN: usize = 60;

/// Brings each argument to the type that the schema gives it: models write numbers and booleans as
/// text, one value where a list is meant and the other way round, a choice in their own words, and null
/// for what they leave out.
pub(crate) fn fit(schema: &Map<String, Value>, args: &mut Map<String, Value>) {
    let is_left_out = |name: &str, value: &Value| {
        let has_choices = || property(schema, name).and_then(choices).is_some();
        value.is_null() || (is_blank(value) && has_choices())
    };
    args.retain(|name, value| !is_left_out(name, value));
    for (name, value) in args.iter_mut() {
        let Some(property) = property(schema, name) else {
            continue;
        };
        if let Some(meant) = meant(kind(property), value) {
            *value = meant;
        }
        match value {
            Value::Array(items) => fit_items(property, items),
            value => {
                if let Some(choice) = chosen(property, value) {
                    *value = choice.into();
                }
            }
        }
    }
}

/// Choices of a list; several may stand in one text.
fn fit_items(property: &Value, items: &mut Vec<Value>) {
    if choices(property).is_none() {
        return;
    }
    let words = |item: &Value| -> Vec<Value> {
        match item.as_str() {
            Some(text) => text
                .split(',')
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .map(Value::from)
                .collect(),
            None => vec![item.clone()],
        }
    };
    *items = items.iter().flat_map(words).collect();
    for item in items {
        if let Some(choice) = chosen(property, item) {
            *item = choice.into();
        }
    }
}

/// The first argument that is not what the schema says: what it is, and what it takes.
pub(crate) fn misfit(schema: &Map<String, Value>, args: &Map<String, Value>) -> Option<ToolError> {
    let mut args = args.iter();
    args.find_map(|(name, value)| {
        let property = property(schema, name)?;
        let list = value.as_array();
        let is_chosen = |value: &&Value| chosen(property, value).is_some();
        let unknown = match list {
            Some(items) => items.iter().find(|item| !is_chosen(item)),
            None => Some(value).filter(|value| !is_chosen(value) && !is_blank(value)),
        };
        let (shown, wanted) = match (choices(property), unknown) {
            _ if !is_a(kind(property), value) => (value, wanted(kind(property))),
            (Some(choices), Some(unknown)) => (unknown, format!("one of {}", choices.join(", "))),
            (None, _) => {
                let mut items = list.into_iter().flatten();
                let odd = items.find(|item| !is_text_or_named(item))?;
                (odd, "a list of texts".to_owned())
            }
            _ => return None,
        };
        let shown: String = shown.to_string().chars().take(SHOWN).collect();
        let message = format!("`{name}` is {shown}");
        let hint = format!("it takes {wanted}");
        Some(ToolError::new("bad-argument", message, hint))
    })
}

/// An empty text is as good as leaving the argument out.
fn is_blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// What a list may hold: texts, and symbols with their places.
fn is_text_or_named(item: &Value) -> bool {
    item.is_string()
        || ["symbol", "name"]
            .iter()
            .any(|key| item.get(key).is_some_and(Value::is_string))
}

fn property<'a>(schema: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    schema.get("properties")?.get(name)
}

fn kind(property: &Value) -> &str {
    let kind = property.get("type").and_then(Value::as_str);
    kind.unwrap_or_default()
}

/// What a value, or each of a list, is chosen from.
fn choices(property: &Value) -> Option<Vec<&str>> {
    let of_items = || property.get("items")?.get("enum");
    let choices = property.get("enum").or_else(of_items)?.as_array()?;
    Some(choices.iter().filter_map(Value::as_str).collect())
}

/// The choice that a value means.
fn chosen<'a>(property: &'a Value, value: &Value) -> Option<&'a str> {
    whyrank_engine::choices::choice(&choices(property)?, value.as_str()?)
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
        ("array", Value::String(text)) if text.trim().is_empty() => Some(json!([])),
        ("array", Value::String(text)) => Some(json!([text])),
        ("string", Value::Array(items)) => match items.as_slice() {
            [Value::String(only)] => Some(json!(only)),
            _ => None,
        },
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
    fn other_words_for_a_choice_are_that_choice() {
        let (_, args) = asked("refs", json!({"symbol": "f", "kinds": "calls, Extends"}));
        assert_eq!(args["kinds"], json!(["call", "extends"]));
        let (_, args) = asked("lookup", json!({"symbol": ["f"], "kind": "funcs"}));
        assert_eq!(
            Value::Object(args),
            json!({"symbol": "f", "kind": "function"})
        );
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
        assert_eq!(
            said(json!({"query": "x", "language": [["a"]]})),
            "`language` is [\"a\"]; it takes a list of texts"
        );
    }
}

//! JSON schemas as small as every client takes them.
//!
//! What schemars writes trips clients (`format: uint32`, null unions, `$defs`) and costs tokens;
//! one pass removes it from all tools alike.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

/// The input schema of `A`: an object with `properties` and, where there are any, `required`.
pub(crate) fn schema_of<A: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = SchemaGenerator::new(settings)
        .into_root_schema_for::<A>()
        .to_value();
    slim(&mut schema);
    match schema {
        Value::Object(mut object) => {
            object.remove("description");
            object
        }
        _ => Map::new(),
    }
}

/// Names of the arguments that a schema knows.
pub(crate) fn argument_names(schema: &Map<String, Value>) -> Vec<&str> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .map(|properties| properties.keys().map(String::as_str).collect())
        .unwrap_or_default()
}

fn slim(schema: &mut Value) {
    let Value::Object(object) = schema else {
        return;
    };
    for key in [
        "$schema",
        "$defs",
        "title",
        "format",
        "default",
        "additionalProperties",
    ] {
        object.remove(key);
    }
    if object.get("description").is_some_and(Value::is_null) {
        object.remove("description");
    }
    if object.get("minimum").and_then(Value::as_f64) == Some(0.0) {
        object.remove("minimum");
    }
    drop_null(object);
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(slim);
    }
    if let Some(items) = object.get_mut("items") {
        slim(items);
    }
}

/// `["integer", "null"]` is `"integer"` for someone who may leave the argument out; likewise
/// `anyOf: [X, null]` and an `enum` with null.
fn drop_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(mut variants)) = object.remove("anyOf") else {
        return;
    };
    variants.retain(|variant| variant.get("type").and_then(Value::as_str) != Some("null"));
    if variants.len() == 1 {
        if let Some(Value::Object(only)) = variants.pop() {
            let description = object.get("description").cloned();
            object.extend(only);
            object.extend(description.map(|text| ("description".to_owned(), text)));
        }
        drop_null(object);
        return;
    }
    variants.iter_mut().for_each(slim);
    object.insert("anyOf".to_owned(), Value::Array(variants));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Inner {
        depth: u32,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Sample {
        /// What to find.
        query: String,
        limit: Option<u32>,
        inner: Option<Inner>,
    }

    #[test]
    fn a_schema_is_free_of_what_clients_trip_over() {
        let expected = json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to find."},
                "limit": {"type": "integer"},
                "inner": {
                    "type": "object",
                    "properties": {"depth": {"type": "integer"}},
                    "required": ["depth"],
                },
            },
            "required": ["query"],
        });
        assert_eq!(Value::Object(schema_of::<Sample>()), expected);
    }
}

//! JSON with comments and trailing commas, edited as a concrete syntax tree.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value;

use super::slot::{Broken, Slot};
use crate::entry::{Entry, FieldValue};

/// Comments and trailing commas are let through; what no client takes is not.
fn options() -> ParseOptions {
    ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        ..ParseOptions::default()
    }
}

pub(super) fn value(text: &str) -> Result<Value, Broken> {
    let root = parse(text)?;
    match root.to_serde_value() {
        Some(value @ Value::Object(_)) => Ok(value),
        None => Ok(Value::Object(serde_json::Map::new())),
        Some(_) => Err(Broken::at(1, "the file holds no JSON object")),
    }
}

pub(super) fn put(text: &str, slot: &Slot<'_>, entry: &Entry) -> Result<String, Broken> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = parse(text)?;
    let mut object = root_object(&root)?;
    for key in slot.key {
        object.ensure_multiline();
        object = object
            .object_value_or_create(key)
            .ok_or_else(|| no_object(text, key))?;
    }
    object.ensure_multiline();
    match object.get(slot.name) {
        None => {
            object.append(slot.name, input(entry));
        }
        Some(property) => {
            let old = property
                .object_value()
                .ok_or_else(|| no_object(text, slot.name))?;
            merge(&old, entry);
        }
    }
    Ok(root.to_string())
}

fn merge(old: &CstObject, entry: &Entry) {
    for (name, value) in &entry.0 {
        match old.get(name) {
            Some(property) => {
                let held = property.value().and_then(|held| held.to_serde_value());
                if held != Some(value.to_value()) {
                    property.set_value(input_value(value));
                }
            }
            None => drop(old.append(name, input_value(value))),
        }
    }
}

pub(super) fn take(text: &str, slot: &Slot<'_>) -> Result<String, Broken> {
    let root = parse(text)?;
    let mut object = root_object(&root)?;
    for key in slot.key {
        match object.object_value(key) {
            Some(inner) => object = inner,
            None => return Ok(text.to_owned()),
        }
    }
    if let Some(property) = object.get(slot.name) {
        property.remove();
    }
    Ok(root.to_string())
}

pub(super) fn put_items(
    text: &str,
    key: &[String],
    items: &[Value],
    is_older: &dyn Fn(&Value) -> bool,
) -> Result<String, Broken> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = parse(text)?;
    let mut object = root_object(&root)?;
    let Some((last, folders)) = key.split_last() else {
        return Ok(text.to_owned());
    };
    for key in folders {
        object.ensure_multiline();
        object = object
            .object_value_or_create(key)
            .ok_or_else(|| no_object(text, key))?;
    }
    object.ensure_multiline();
    let list = object
        .array_value_or_create(last)
        .ok_or_else(|| Broken::at(line_of_key(text, last), format!("`{last}` is not a list")))?;
    let mut held = Vec::new();
    for element in list.elements() {
        match CstNode::to_serde_value(&element) {
            Some(value) if is_older(&value) && !items.contains(&value) => element.remove(),
            value => held.extend(value),
        }
    }
    list.ensure_multiline();
    for item in items {
        if !held.contains(item) {
            list.append(value_input(item));
        }
    }
    Ok(root.to_string())
}

pub(super) fn take_items(
    text: &str,
    key: &[String],
    is_ours: &dyn Fn(&Value) -> bool,
) -> Result<String, Broken> {
    let root = parse(text)?;
    let Some((last, folders)) = key.split_last() else {
        return Ok(text.to_owned());
    };
    let mut object = Some(root_object(&root)?);
    for key in folders {
        object = object.and_then(|object| object.object_value(key));
    }
    let list = object.and_then(|object| object.array_value(last));
    for element in list.iter().flat_map(|list| list.elements()) {
        if element.to_serde_value().is_some_and(|held| is_ours(&held)) {
            element.remove();
        }
    }
    Ok(root.to_string())
}

fn parse(text: &str) -> Result<CstRootNode, Broken> {
    CstRootNode::parse(text, &options())
        .map_err(|error| Broken::at(error.line_display(), error.kind().to_string()))
}

fn root_object(root: &CstRootNode) -> Result<CstObject, Broken> {
    root.object_value_or_create()
        .ok_or_else(|| Broken::at(1, "the file holds no JSON object"))
}

fn no_object(text: &str, key: &str) -> Broken {
    Broken::at(line_of_key(text, key), format!("`{key}` is not an object"))
}

fn line_of_key(text: &str, key: &str) -> usize {
    let at = text.find(&format!("\"{key}\"")).unwrap_or_default();
    super::line_of(text, at)
}

fn input(entry: &Entry) -> CstInputValue {
    let fields = entry.0.iter();
    CstInputValue::Object(
        fields
            .map(|(name, value)| (name.clone(), input_value(value)))
            .collect(),
    )
}

fn input_value(value: &FieldValue) -> CstInputValue {
    match value {
        FieldValue::Text(text) => CstInputValue::String(text.clone()),
        FieldValue::Flag(flag) => CstInputValue::Bool(*flag),
        FieldValue::Number(number) => CstInputValue::Number(number.to_string()),
        FieldValue::List(items) => {
            let items = items.iter().cloned();
            CstInputValue::Array(items.map(CstInputValue::String).collect())
        }
        FieldValue::Table(fields) => {
            let fields = fields.iter().cloned();
            CstInputValue::Object(
                fields
                    .map(|(name, value)| (name, CstInputValue::String(value)))
                    .collect(),
            )
        }
    }
}

fn value_input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(value_input).collect()),
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| (name.clone(), value_input(value)));
            CstInputValue::Object(fields.collect())
        }
    }
}

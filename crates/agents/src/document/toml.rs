//! TOML, edited with its decoration.

use serde_json::Value;
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike};

use super::slot::{Broken, Slot, line_of};
use crate::entry::{Entry, FieldValue};

pub(super) fn value(text: &str) -> Result<Value, Broken> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        Broken::at(line_of(text, at), error.message().to_owned())
    })
}

pub(super) fn put(text: &str, slot: &Slot<'_>, entry: &Entry) -> Result<String, Broken> {
    let mut document = parse(text)?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for key in slot.key {
        let item = table.entry(key).or_insert_with(|| {
            let mut folder = Table::new();
            // Only `[mcp_servers.whyrank]` is written, not a head for the folder.
            folder.set_implicit(true);
            Item::Table(folder)
        });
        table = item
            .as_table_like_mut()
            .ok_or_else(|| Broken::at(1, format!("`{key}` is not a table")))?;
    }
    let is_new = table.get(slot.name).is_none();
    if is_new {
        table.insert(slot.name, Item::Table(Table::new()));
    }
    let held = table
        .get_mut(slot.name)
        .and_then(Item::as_table_like_mut)
        .ok_or_else(|| Broken::at(1, format!("`{}` is not a table", slot.name)))?;
    for (name, value) in &entry.0 {
        let value = item(value);
        let same = held
            .get(name)
            .is_some_and(|old| old.to_string().trim() == value.to_string().trim());
        if !same {
            held.insert(name, value);
        }
    }
    Ok(document.to_string())
}

pub(super) fn take(text: &str, slot: &Slot<'_>) -> Result<String, Broken> {
    let mut document = parse(text)?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for key in slot.key {
        match table.get_mut(key).and_then(Item::as_table_like_mut) {
            Some(inner) => table = inner,
            None => return Ok(text.to_owned()),
        }
    }
    table.remove(slot.name);
    Ok(document.to_string())
}

fn parse(text: &str) -> Result<DocumentMut, Broken> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let at = error.span().map_or(0, |span| span.start);
        Broken::at(line_of(text, at), error.message().to_owned())
    })
}

fn item(value: &FieldValue) -> Item {
    toml_edit::value(match value {
        FieldValue::Text(text) => toml_edit::Value::from(text.clone()),
        FieldValue::Flag(flag) => toml_edit::Value::from(*flag),
        FieldValue::Number(number) => toml_edit::Value::from(*number),
        FieldValue::List(items) => items.iter().collect::<toml_edit::Array>().into(),
        FieldValue::Table(fields) => {
            let fields = fields.iter().map(|(name, value)| (name, value.as_str()));
            InlineTable::from_iter(fields).into()
        }
    })
}

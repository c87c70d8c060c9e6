//! YAML in block style, edited as lines: an entry is a run of lines below its folder.
//!
//! There is no editor for YAML that keeps comments; so only the plain shape is edited, in which the
//! folder is a key at the left edge with its entries below it. Anything else is refused.

use serde_json::Value;
use yaml_rust2::{Yaml, YamlLoader};

use super::slot::{Broken, Slot};
use crate::entry::{Entry, FieldValue};
use crate::quoting::quoted;

/// Steps of indentation of an entry that is the first.
const INDENT: usize = 2;

pub(super) fn value(text: &str) -> Result<Value, Broken> {
    let documents = YamlLoader::load_from_str(text)
        .map_err(|error| Broken::at(error.marker().line(), error.info().to_owned()))?;
    match documents.as_slice() {
        [] => Ok(Value::Object(serde_json::Map::new())),
        [Yaml::Null] => Ok(Value::Object(serde_json::Map::new())),
        [document @ Yaml::Hash(_)] => Ok(json(document)),
        [_] => Err(Broken::at(1, "the file holds no mapping")),
        _ => Err(Broken::at(1, "the file holds several documents")),
    }
}

pub(super) fn put(text: &str, slot: &Slot<'_>, entry: &Entry) -> Result<String, Broken> {
    let is_there = slot.read(text)?.is_some();
    let text = if is_there {
        take(text, slot)?
    } else {
        text.to_owned()
    };
    let folder = slot.key.first().map_or("", String::as_str);
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let Some(at) = head_of(&lines, 0, folder) else {
        if slot.read(&text).is_ok() && value(&text)?.get(folder).is_some() {
            return Err(not_plain(&lines, folder));
        }
        let gap = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        return Ok(format!(
            "{text}{gap}{folder}:\n{}",
            block(slot, entry, INDENT)
        ));
    };
    let rest = after_colon(&lines[at]);
    if rest == "{}" {
        lines[at] = format!("{folder}:\n");
    } else if !rest.is_empty() && !rest.starts_with('#') {
        return Err(not_plain(&lines, folder));
    }
    if !lines[at].ends_with('\n') {
        lines[at].push('\n');
    }
    let first = lines[at + 1..].iter().find(|line| !is_blank(line));
    let indent = first.map_or(0, |line| indent_of(line));
    let indent = if indent == 0 { INDENT } else { indent };
    lines.insert(at + 1, block(slot, entry, indent));
    Ok(lines.concat())
}

pub(super) fn take(text: &str, slot: &Slot<'_>) -> Result<String, Broken> {
    let folder = slot.key.first().map_or("", String::as_str);
    let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let entry = head_of(&lines, 0, folder).and_then(|at| {
        let below = &lines[at + 1..];
        let end = below
            .iter()
            .position(|line| !is_blank(line) && indent_of(line) == 0);
        let below = &below[..end.unwrap_or(below.len())];
        let indent = below
            .iter()
            .find(|line| !is_blank(line))
            .map(|line| indent_of(line))?;
        let start = head_of(below, indent, slot.name)?;
        let length = below[start + 1..]
            .iter()
            .position(|line| is_blank(line) || indent_of(line) <= indent);
        let end = length.map_or(below.len(), |length| start + 1 + length);
        Some(at + 1 + start..at + 1 + end)
    });
    let Some(entry) = entry else {
        return Err(not_plain(&lines, folder));
    };
    let kept = lines
        .iter()
        .enumerate()
        .filter(|(at, _)| !entry.contains(at));
    Ok(kept.map(|(_, line)| line.as_str()).collect())
}

/// The line that opens `key` at an indentation.
fn head_of(lines: &[String], indent: usize, key: &str) -> Option<usize> {
    lines.iter().position(|line| {
        let body = line.trim_start();
        let rest = body
            .strip_prefix(key)
            .and_then(|rest| rest.strip_prefix(':'));
        indent_of(line) == indent
            && rest.is_some_and(|rest| {
                rest.trim_end() == rest.trim() && (rest.trim().is_empty() || rest.starts_with(' '))
            })
    })
}

fn after_colon(line: &str) -> &str {
    line.split_once(':').map_or("", |(_, rest)| rest.trim())
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_blank(line: &str) -> bool {
    let body = line.trim();
    body.is_empty() || body.starts_with('#')
}

fn not_plain(lines: &[String], folder: &str) -> Broken {
    let at = lines.iter().position(|line| line.starts_with(folder));
    let line = at.map_or(1, |at| at + 1);
    Broken::at(line, format!("`{folder}` is not written as a plain block"))
}

fn block(slot: &Slot<'_>, entry: &Entry, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let fields = entry
        .0
        .iter()
        .map(|(name, value)| format!("{pad}{}{name}: {}\n", " ".repeat(INDENT), scalar(value)));
    format!("{pad}{}:\n{}", slot.name, fields.collect::<String>())
}

/// JSON is YAML, and on one line it needs no indentation.
fn scalar(value: &FieldValue) -> String {
    match value {
        FieldValue::Text(text) => {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "/_.-".contains(c);
            let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
            let is_word = !matches!(
                text.as_str(),
                "true" | "false" | "yes" | "no" | "null" | "on" | "off"
            );
            if starts_well && is_word && text.chars().all(is_plain) {
                text.clone()
            } else {
                quoted(text)
            }
        }
        other => other.to_value().to_string(),
    }
}

fn json(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Integer(number) => Value::from(*number),
        Yaml::Boolean(flag) => Value::from(*flag),
        Yaml::Real(text) | Yaml::String(text) => Value::from(text.clone()),
        Yaml::Array(items) => items.iter().map(json).collect(),
        Yaml::Hash(fields) => fields
            .iter()
            .map(|(name, value)| {
                let name = match json(name) {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                (name, json(value))
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Yaml::Alias(_) | Yaml::Null | Yaml::BadValue => Value::Null,
    }
}

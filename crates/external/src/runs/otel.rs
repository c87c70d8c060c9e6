//! OpenTelemetry's traces as JSON (OTLP): spans that name the code they cover.
//!
//! The attributes are those of the semantic conventions, in their new and old names: `code.function.name`
//! (`code.function`, `code.namespace`), `code.file.path` (`code.filepath`), `code.line.number`
//! (`code.lineno`). A collector writes one object a line.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::collector::Collector;
use super::run::{CallNode, RunFunction, Scope};
use super::{json, symbol_name};
use crate::coverage::At;

/// The keys that lead to the spans; the second one had another name.
const SPANS: &[&[&str]] = &[
    &["resourceSpans"],
    &["scopeSpans", "instrumentationLibrarySpans"],
    &["spans"],
];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Span<'a> {
    #[serde(borrow, default)]
    trace_id: Cow<'a, str>,
    #[serde(borrow, default)]
    span_id: Cow<'a, str>,
    #[serde(borrow, default)]
    parent_span_id: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default, deserialize_with = "json::few")]
    attributes: Vec<Attribute<'a>>,
}

#[derive(Deserialize)]
struct Attribute<'a> {
    #[serde(borrow, default)]
    key: Cow<'a, str>,
    #[serde(borrow, default)]
    value: AttributeValue<'a>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AttributeValue<'a> {
    #[serde(borrow)]
    string_value: Option<Cow<'a, str>>,
    #[serde(borrow)]
    int_value: Option<Number<'a>>,
}

/// The JSON of protocol buffers writes numbers of 64 bits as texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number<'a> {
    Plain(u32),
    #[serde(borrow)]
    Text(Cow<'a, str>),
    Other(IgnoredAny),
}

/// A span, when all of its trace is there.
struct CompleteSpan {
    id: (String, String),
    parent: String,
    function: u32,
}

pub(super) fn read(bytes: &[u8], found: &mut Collector<'_, '_>) {
    let mut seen: Vec<CompleteSpan> = Vec::new();
    json::each(bytes, SPANS, found, |span: Span<'_>, found| {
        let function = found.function(function(&span), At::Byte(0));
        seen.extend(function.map(|function| CompleteSpan {
            id: (span.trace_id.into_owned(), span.span_id.into_owned()),
            parent: span.parent_span_id.into_owned(),
            function,
        }));
        found.has_room(seen.len(), At::Byte(0))
    });
    let by_id: HashMap<(&str, &str), usize> = seen
        .iter()
        .zip(0..)
        .map(|(span, at)| ((span.id.0.as_str(), span.id.1.as_str()), at))
        .collect();
    let parent = |at: usize| -> Option<usize> {
        let span = &seen[at];
        let parent = (span.id.0.as_str(), span.parent.as_str());
        by_id.get(&parent).copied().filter(|parent| *parent != at)
    };
    let mut calls: Vec<Option<Option<u32>>> = vec![None; seen.len()];
    for at in 0..seen.len() {
        give(at, &seen, &parent, &mut calls, found);
    }
}

/// Gives a span after those above it; spans that are their own ancestors start over.
fn give(
    at: usize,
    seen: &[CompleteSpan],
    parent: &impl Fn(usize) -> Option<usize>,
    calls: &mut [Option<Option<u32>>],
    found: &mut Collector<'_, '_>,
) {
    let mut way = Vec::new();
    let mut next = Some(at);
    while let Some(at) = next.filter(|at| calls[*at].is_none()) {
        // Nobody calls it until those above it are found; a circle ends here.
        calls[at] = Some(None);
        way.push(at);
        next = parent(at);
    }
    let mut above = next.and_then(|at| calls[at].flatten());
    for at in way.into_iter().rev() {
        let call = CallNode {
            function: seen[at].function,
            parent: above,
            n: 1,
            line: 0,
        };
        above = found.call(call, At::Byte(0));
        calls[at] = Some(above);
    }
}

fn function(span: &Span<'_>) -> RunFunction {
    let text = |keys: [&str; 2]| {
        let mut values = span
            .attributes
            .iter()
            .filter(|one| keys.contains(&one.key.as_ref()));
        let value = values
            .next()
            .and_then(|one| one.value.string_value.as_deref());
        value.unwrap_or_default()
    };
    let line = || {
        let keys = ["code.line.number", "code.lineno"];
        let mut values = span
            .attributes
            .iter()
            .filter(|one| keys.contains(&one.key.as_ref()));
        match values.next()?.value.int_value.as_ref()? {
            Number::Plain(number) => Some(*number),
            Number::Text(text) => text.parse().ok(),
            Number::Other(_) => None,
        }
    };
    let name = text(["code.function.name", "code.function"]);
    let path = text(["code.file.path", "code.filepath"]);
    if name.is_empty() {
        return symbol_name::foreign(&span.name);
    }
    let namespace = text(["code.namespace", "code.namespace"]);
    let parts = |text: &str| -> Vec<String> {
        let plain = text.split('(').next().unwrap_or(text);
        let parts = plain.split(['.', ':', '\\', '#', '/', '$']);
        parts
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let mut named = parts(namespace);
    named.extend(parts(name));
    let own = named.pop().unwrap_or_default();
    RunFunction {
        path: path.to_owned(),
        name: own,
        container: named.pop().unwrap_or_default(),
        line: line().unwrap_or(0),
        scope: Scope::Function,
    }
}

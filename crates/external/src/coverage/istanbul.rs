//! Istanbul's `coverage-final.json`: maps from numbers to places, and from numbers to counts.

use serde::Deserialize;
use std::collections::BTreeMap;

use super::count::{Count, SOMEWHERE, line};
use super::{Collector, Format};

/// A file, or a value that is none.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    File(Box<File>),
    Other(serde::de::IgnoredAny),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct File {
    #[serde(default)]
    path: Option<String>,
    statement_map: BTreeMap<String, Span>,
    #[serde(default)]
    fn_map: BTreeMap<String, Function>,
    s: BTreeMap<String, Count>,
    #[serde(default)]
    f: BTreeMap<String, Count>,
}

#[derive(Deserialize)]
struct Span {
    start: Point,
}

#[derive(Deserialize)]
struct Point {
    #[serde(default)]
    line: Count,
}

#[derive(Deserialize)]
struct Function {
    #[serde(default)]
    name: String,
    #[serde(default)]
    decl: Option<Span>,
    #[serde(default)]
    loc: Option<Span>,
}

pub(super) fn file(found: &mut Collector, key: &str, entry: Entry) {
    let Entry::File(file) = entry else {
        return;
    };
    found.format = Some(Format::Istanbul);
    found.file(file.path.as_deref().unwrap_or(key), SOMEWHERE);
    for (number, span) in &file.statement_map {
        if let Some(hits) = file.s.get(number) {
            let at = line(span.start.line);
            found.line(at, at, hits.0, SOMEWHERE);
        }
    }
    for (number, function) in &file.fn_map {
        let span = function.decl.as_ref().or(function.loc.as_ref());
        if let (Some(span), Some(hits)) = (span, file.f.get(number)) {
            found.function(&function.name, line(span.start.line), hits.0, SOMEWHERE);
        }
    }
}

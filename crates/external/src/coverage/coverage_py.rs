//! coverage.py's `coverage json`: lines that ran and lines that did not, by file and function.

use serde::Deserialize;
use std::collections::BTreeMap;

use super::count::{Count, SOMEWHERE, line};
use super::{Collector, Format};

#[derive(Deserialize)]
pub(super) struct Meta {
    #[serde(default)]
    timestamp: Option<String>,
}

impl Meta {
    /// The stamp is local time without a zone, so it dates nothing; it only speaks for the format.
    pub(super) fn note(&self, found: &mut Collector) {
        if self.timestamp.is_some() {
            found.format = Some(Format::CoveragePy);
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Entry {
    #[serde(default)]
    executed_lines: Vec<Count>,
    #[serde(default)]
    missing_lines: Vec<Count>,
    /// Since 7.6; their lines are those of the body.
    #[serde(default)]
    functions: BTreeMap<String, Lines>,
}

#[derive(Deserialize)]
struct Lines {
    #[serde(default)]
    executed_lines: Vec<Count>,
    #[serde(default)]
    missing_lines: Vec<Count>,
}

pub(super) fn file(found: &mut Collector, path: &str, entry: Entry) {
    found.format = Some(Format::CoveragePy);
    found.file(path, SOMEWHERE);
    for (lines, hits) in [(&entry.executed_lines, 1), (&entry.missing_lines, 0)] {
        for at in lines {
            found.line(line(*at), line(*at), hits, SOMEWHERE);
        }
    }
    for (name, function) in &entry.functions {
        let lines = function
            .executed_lines
            .iter()
            .chain(&function.missing_lines);
        let first = lines.map(|at| line(*at)).min();
        // The entry without a name is what stands outside of functions.
        if let (Some(first), false) = (first, name.is_empty()) {
            let hits = u64::from(!function.executed_lines.is_empty());
            found.function(name, first, hits, SOMEWHERE);
        }
    }
}

//! V8's precise coverage (`NODE_V8_COVERAGE`, c8's `coverage/tmp`): functions by place in the text.

use serde::Deserialize;

use super::count::{Count, SOMEWHERE, line};
use super::{Collector, FileCoverage, Format, FunctionHits, OffsetHits};

#[derive(Deserialize)]
pub(super) struct Script {
    #[serde(default)]
    url: String,
    #[serde(default)]
    functions: Vec<Function>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Function {
    #[serde(default)]
    function_name: String,
    #[serde(default)]
    ranges: Vec<Range>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Range {
    start_offset: Count,
    end_offset: Count,
    count: Count,
}

pub(super) fn script(found: &mut Collector, script: Script) {
    found.format = Some(Format::V8);
    // Node's own modules have no place on disk.
    if !script.url.starts_with("file:") && !script.url.starts_with('/') {
        return;
    }
    found.file(&script.url, SOMEWHERE);
    for function in script.functions {
        // The first range is the function, the others are blocks in it.
        let Some(whole) = function.ranges.first() else {
            continue;
        };
        let hits = OffsetHits {
            start: line(whole.start_offset),
            end: line(whole.end_offset),
            hits: whole.count.0,
            name: function.function_name,
        };
        // The script itself is a function, too.
        if !(hits.name.is_empty() && hits.start == 0) {
            found.offset(hits, SOMEWHERE);
        }
    }
}

impl FileCoverage {
    /// What stands by offsets, by lines of the text that was measured.
    ///
    /// `None` when the text is shorter than the measured one. O(text + functions).
    pub fn in_lines(&self, text: &str) -> Option<Vec<FunctionHits>> {
        // Units at which each line starts.
        let mut starts = vec![0u32];
        let mut n_units = 0u32;
        for char in text.chars() {
            n_units += char.len_utf16() as u32;
            if char == '\n' {
                starts.push(n_units);
            }
        }
        let is_inside = |hits: &OffsetHits| hits.start <= hits.end && hits.end <= n_units;
        if !self.offsets.iter().all(is_inside) {
            return None;
        }
        let line = |unit: u32| starts.partition_point(|start| *start <= unit) as u32;
        let functions = self.offsets.iter().map(|hits| FunctionHits {
            name: hits.name.clone(),
            line: line(hits.start),
            hits: hits.hits,
        });
        Some(functions.collect())
    }
}

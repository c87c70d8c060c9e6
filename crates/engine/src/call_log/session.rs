//! A session of an agent, call by call: what it asked, what that cost, and which places it was shown.

use super::{CallLine, totals, unreadable};
use crate::Engine;
use crate::api::{CallSession, CallsRequest, ReasonCount, SessionCall, ShownPlace};
use crate::error::Result;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Calls of a session that are shown; as many as have their answers kept.
const MAX_CALLS: u32 = 500;
/// Places of an answer that are counted.
const MAX_PLACES: usize = 200;

/// How answers write a place: `src/a.rs:12` or `src/a.rs:12-40`, in front of a line or after a space.
static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?m)(?:^|[\s"'`(\[])((?:[\w@.+-]+/)*[\w@+-][\w@.+-]*\.\w+):(\d{1,7})(?:-(\d{1,7}))?"#,
    )
    .ok()
});

impl Engine {
    /// Returns a session of the log, oldest call first.
    ///
    /// # Errors
    /// `calls` when the log cannot be read.
    pub fn call_session(&self, session: &str) -> Result<CallSession> {
        let log = self.calls(&CallsRequest {
            session: session.to_owned(),
            limit: MAX_CALLS,
            ..CallsRequest::default()
        })?;
        let mut calls = Vec::new();
        for line in log.calls.into_iter().rev() {
            let text = self.state.calls.text(line.id);
            let shown = text.map_err(|error| unreadable(&error))?;
            calls.push(SessionCall {
                shown: shown.map(|text| places(&text)),
                line,
            });
        }
        let lines: Vec<&CallLine> = calls.iter().map(|call| &call.line).collect();
        Ok(CallSession {
            waited_ms: lines.iter().map(|line| line.ms).sum(),
            total: totals(session, &lines),
            files: files(&calls),
            calls,
        })
    }
}

/// The places that an answer shows, each once.
fn places(text: &str) -> Vec<ShownPlace> {
    let mut seen = BTreeSet::new();
    let found = PLACE.iter().flat_map(|pattern| pattern.captures_iter(text));
    let place = |one: regex::Captures<'_>| {
        let line = |at: usize| one.get(at).and_then(|found| found.as_str().parse().ok());
        let start_line: u32 = line(2)?;
        let path = one.get(1)?.as_str().to_owned();
        let end_line = line(3).unwrap_or(start_line).max(start_line);
        Some(ShownPlace {
            path,
            start_line,
            end_line,
        })
    };
    let once = found
        .filter_map(place)
        .filter(|place| seen.insert(place.clone()));
    once.take(MAX_PLACES).collect()
}

/// Files by how many calls showed them.
fn files(calls: &[SessionCall]) -> Vec<ReasonCount> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for shown in calls.iter().filter_map(|call| call.shown.as_ref()) {
        let paths: BTreeSet<&str> = shown.iter().map(|place| place.path.as_str()).collect();
        for path in paths {
            *counts.entry(path).or_default() += 1;
        }
    }
    let mut files: Vec<ReasonCount> = counts
        .into_iter()
        .map(|(path, count)| ReasonCount {
            reason: path.to_owned(),
            count,
        })
        .collect();
    files.sort_by(|a, b| b.count.cmp(&a.count).then(a.reason.cmp(&b.reason)));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_out_of_an_answer_each_once() {
        let text = "src/http/retry.ts:12-40 function retry\n  18: await backoff\n\
                    callers: src/http/retry.ts:12-40, (lib/a-b.test.js:7)\nat 12:30:15, x.y: 3\n\
                    https://example.com:8080/ Makefile:3";
        let found: Vec<String> = places(text)
            .iter()
            .map(|one| format!("{}:{}-{}", one.path, one.start_line, one.end_line))
            .collect();
        assert_eq!(found, ["src/http/retry.ts:12-40", "lib/a-b.test.js:7-7"]);
    }
}

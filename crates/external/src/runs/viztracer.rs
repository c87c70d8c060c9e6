//! VizTracer's JSON (Chrome's trace events): calls with start and duration, nested by time.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::collector::{Collector, MAX_DEPTH};
use super::run::{CallNode, RunFunction};
use super::{json, symbol_name};
use crate::coverage::At;

/// A complete event (`ph` is `X`); others lack what is asked for here.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    ph: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    dur: f64,
    #[serde(default)]
    pid: Id,
    #[serde(default)]
    tid: Id,
}

/// Of a process or thread: a number, and anything else is one thread.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Other(IgnoredId),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct IgnoredId;

impl<'de> Deserialize<'de> for IgnoredId {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(from).map(|_| Self)
    }
}

impl Default for Id {
    fn default() -> Self {
        Self::Other(IgnoredId)
    }
}

pub(super) fn read(bytes: &[u8], found: &mut Collector<'_, '_>) {
    let mut threads: BTreeMap<(Id, Id), Vec<Event<'_>>> = BTreeMap::new();
    let mut n_calls = 0;
    json::each(
        bytes,
        &[&["traceEvents"]],
        found,
        |event: Event<'_>, found| {
            let is_timed = event.ts.is_finite() && event.dur.is_finite() && event.dur >= 0.0;
            if event.ph == "X" && is_timed {
                n_calls += 1;
                let thread = threads.entry((event.pid, event.tid)).or_default();
                thread.push(event);
            }
            found.has_room(n_calls, At::Byte(0))
        },
    );
    for events in threads.values_mut() {
        thread(events, found);
    }
}

/// A call lies in the one that had begun and not ended when it began.
fn thread(events: &mut [Event<'_>], found: &mut Collector<'_, '_>) {
    let key = |event: &Event<'_>| (event.ts, -event.dur);
    events.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    // End, and the call where there was room for it.
    let mut open: Vec<(f64, Option<u32>)> = Vec::new();
    for event in events {
        if found.is_over() {
            return;
        }
        let end = event.ts + event.dur;
        // Times are rounded: the end of a call may lie a hair behind the start of the next.
        let is_over = |(last, _): &(f64, Option<u32>)| *last <= event.ts || end > *last + 1.0;
        while open.last().is_some_and(is_over) {
            open.pop();
        }
        let parent = open.last().and_then(|(_, call)| *call);
        if open.len() < MAX_DEPTH {
            let function = found.function(function(&event.name), At::Byte(0));
            let call = function.and_then(|function| {
                let call = CallNode {
                    function,
                    parent,
                    n: 1,
                    line: 0,
                };
                found.call(call, At::Byte(0))
            });
            open.push((end, call));
        }
    }
}

/// `Router.match (/app/router.py:12)`; what is built in has no place.
fn function(name: &str) -> RunFunction {
    let place = name.strip_suffix(')').and_then(|name| {
        let (name, place) = name.rsplit_once(" (")?;
        let (path, line) = place.rsplit_once(':')?;
        Some((name, path, line.parse().ok()?))
    });
    match place {
        Some((name, path, line)) => symbol_name::python(name, path, line),
        None => symbol_name::foreign(name),
    }
}

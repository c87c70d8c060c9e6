//! What Python's `cProfile` and `profile` dump: a marshalled dictionary of functions with their callers.

use super::collector::{Collector, MAX_NAME_BYTES};
use super::marshal::{self, Value};
use super::run::CallNode;
use super::symbol_name;
use crate::coverage::At;

/// A dictionary whose first key is a tuple, with or without the mark of a shared object.
pub(super) fn is_pstats(bytes: &[u8]) -> bool {
    let is = |at: usize, kinds: &[u8]| bytes.get(at).is_some_and(|b| kinds.contains(&(b & 0x7f)));
    is(0, b"{") && is(1, b"()")
}

pub(super) fn read(bytes: &[u8], found: &mut Collector<'_, '_>) {
    let (stats, problem) = marshal::read(bytes, &mut || found.step(1, At::Byte(0)));
    if let Some((at, message)) = problem {
        found.problem(At::Byte(at), message);
    }
    for (function, entry) in stats.iter().flat_map(Value::entries) {
        let (Some(callee), Some(entry)) = (place(function, found), entry.items()) else {
            found.problem(At::Byte(0), "an entry that is not a function with counts");
            continue;
        };
        let callers = entry.get(4).map(Value::entries).unwrap_or_default();
        let mut n_called = 0_u64;
        for (caller, counts) in callers {
            if !found.step(1, At::Byte(0)) {
                return;
            }
            let n = count(counts);
            n_called = n_called.saturating_add(n);
            let Some(caller) = place(caller, found) else {
                continue;
            };
            let top = call(found, caller, None, 0);
            if top.is_some() {
                call(found, callee, top, n);
            }
        }
        // What nothing measured called: the first call, callbacks of threads.
        let total = entry.get(1).and_then(Value::count).unwrap_or(0);
        if total > n_called {
            call(found, callee, None, total - n_called);
        }
    }
}

fn call(found: &mut Collector<'_, '_>, function: u32, parent: Option<u32>, n: u64) -> Option<u32> {
    let call = CallNode {
        function,
        parent,
        n,
        line: 0,
    };
    found.call(call, At::Byte(0))
}

/// Calls in all; `profile` writes them as one number, `cProfile` first of four.
fn count(counts: &Value) -> u64 {
    let first = counts.items().and_then(|counts| counts.first());
    first.unwrap_or(counts).count().unwrap_or(0)
}

/// `(path, line, name)`; `~` is no file.
fn place(function: &Value, found: &mut Collector<'_, '_>) -> Option<u32> {
    let [path, line, name] = function.items()? else {
        return None;
    };
    let (path, name) = (path.text()?, name.text()?);
    // Texts may be shared: a long one is not copied for each that names it.
    let n_bytes = path.len() + name.len();
    if n_bytes > MAX_NAME_BYTES || !found.step_of_name(n_bytes, At::Byte(0)) {
        return None;
    }
    let line = u32::try_from(line.count()?).ok()?;
    let function = if path == "~" {
        symbol_name::foreign(name)
    } else {
        symbol_name::python(name, path, line)
    };
    found.function(function, At::Byte(0))
}

//! The text of `perf script`: a head line a sample, then its frames, leaf first, then an empty line.
//!
//! Frames have names and no files, unless a run-time system writes both into the name (Node.js with
//! `--perf-basic-prof`, Python with `-X perf`). Lines of sources (`-F +srcline`) are taken where they are.

use super::collector::{Collector, Frame};
use super::run::{RunFunction, Scope};
use super::symbol_name;
use crate::coverage::At;

/// This many lines are looked at to recognise the format.
const HEAD_LINES: usize = 100;
/// Folders of the system's libraries, and brackets for the kernel.
const SYSTEM: [&str; 5] = ["[", "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"];

/// Recognised by a frame below a line that starts at the margin.
pub(super) fn is_perf(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').take(HEAD_LINES);
    let mut has_head = false;
    lines.any(|line| {
        let text = String::from_utf8_lossy(line);
        let is_frame = has_head && text.starts_with(char::is_whitespace) && frame(&text).is_some();
        has_head |= is_head(&text);
        is_frame
    })
}

fn is_head(line: &str) -> bool {
    let is_margin = !line.is_empty() && !line.starts_with([' ', '\t', '#']);
    is_margin && line.trim_end().ends_with(':')
}

pub(super) fn read(bytes: &[u8], found: &mut Collector<'_, '_>) {
    let mut stack: Vec<Frame> = Vec::new();
    for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1u64..) {
        if found.is_over() {
            return;
        }
        let at = At::Line(number);
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        if text.is_empty() {
            sample(&mut stack, found, at);
        } else if text.starts_with(char::is_whitespace) {
            inside(text, &mut stack, found, at);
        } else if is_head(text) {
            sample(&mut stack, found, at);
        }
    }
    sample(&mut stack, found, At::Byte(bytes.len() as u64));
}

fn sample(stack: &mut Vec<Frame>, found: &mut Collector<'_, '_>, at: At) {
    if !stack.is_empty() {
        stack.reverse();
        found.stack(stack, 1, at);
        stack.clear();
    }
}

fn inside(text: &str, stack: &mut Vec<Frame>, found: &mut Collector<'_, '_>, at: At) {
    if let Some((name, object)) = frame(text) {
        let function = function(name, object);
        stack.extend(
            found
                .function(function, at)
                .map(|function| Frame { function, line: 0 }),
        );
        return;
    }
    // `  server.c:120` below a frame.
    let place = text.trim().rsplit_once(':');
    let line = place.and_then(|(_, line)| line.parse().ok());
    match (line, stack.last_mut()) {
        (Some(line), Some(frame)) => frame.line = line,
        _ => found.problem(at, "a line that is not a frame"),
    }
}

/// `    55d0 name+0x10 (object)`: the name, without its offset, and the object.
fn frame(text: &str) -> Option<(&str, &str)> {
    let (address, rest) = text.trim().split_once(' ')?;
    let is_address = address.len() <= 16 && address.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (name, object) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    let name = match name.rsplit_once("+0x") {
        Some((name, offset)) if offset.bytes().all(|byte| byte.is_ascii_hexdigit()) => name,
        _ => name,
    };
    is_address.then(|| (name.trim(), object))
}

fn function(name: &str, object: &str) -> RunFunction {
    if let Some(function) = of_run_time_system(name) {
        return function;
    }
    if name == "[unknown]" || SYSTEM.iter().any(|system| object.starts_with(system)) {
        return symbol_name::foreign(name);
    }
    let (name, container) = if is_go(name) {
        symbol_name::go(name)
    } else {
        symbol_name::native(name)
    };
    RunFunction {
        name,
        container,
        ..RunFunction::default()
    }
}

/// Go's names have a package before a dot, and no `::`.
fn is_go(name: &str) -> bool {
    let plain = name.split(['(', '[']).next().unwrap_or(name);
    !name.contains("::")
        && plain.contains('.')
        && !plain.contains(".constprop.")
        && !plain.contains(".part.")
        && !plain.contains(".isra.")
        && !plain.contains(".cold")
}

/// `py::match:/app/router.py`, `LazyCompile:*match /app/router.js:12:3`.
fn of_run_time_system(name: &str) -> Option<RunFunction> {
    if let Some(rest) = name.strip_prefix("py::") {
        let (name, path) = rest.split_once(':')?;
        return Some(symbol_name::python(name, path, 0));
    }
    let (kind, rest) = name.split_once(':')?;
    if !matches!(
        kind,
        "LazyCompile" | "Function" | "JS" | "Script" | "Eval" | "Builtin"
    ) {
        return None;
    }
    let (name, place) = rest.rsplit_once(' ').unwrap_or(("", rest));
    let mut parts = place.rsplitn(3, ':');
    let (_column, line) = (
        parts.next(),
        parts.next().and_then(|line| line.parse().ok()),
    );
    let (Some(path), Some(line)) = (parts.next(), line) else {
        return Some(symbol_name::foreign(rest));
    };
    // Marks of the compiler that made it.
    let name = name.trim_start_matches(['*', '~', '^', '+']).trim();
    Some(RunFunction {
        path: path.to_owned(),
        name: name.rsplit(['.', ' ']).next().unwrap_or(name).to_owned(),
        line,
        scope: match kind {
            "Script" => Scope::TopLevel,
            _ => Scope::Function,
        },
        ..RunFunction::default()
    })
}

//! lcov's tracefiles (`geninfo(1)`): a record a file, a line a fact.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Collector;
use super::report::{At, CoverageFormat};

/// This many lines are looked at to recognise the format.
const HEAD_LINES: usize = 50;

pub(super) fn is_lcov(bytes: &[u8]) -> bool {
    let mut head = bytes.split(|byte| *byte == b'\n').take(HEAD_LINES);
    head.any(|line| line.starts_with(b"SF:") || line.starts_with(b"TN:"))
}

/// The functions of a record: their lines come apart from their counts.
#[derive(Default)]
struct Functions {
    by_name: HashMap<String, u32>,
    /// lcov 2.2 numbers them.
    by_number: HashMap<u32, u32>,
}

pub(super) fn read(bytes: &[u8], found: &mut Collector<'_, '_>) {
    found.format = Some(CoverageFormat::Lcov);
    let mut functions = Functions::default();
    let mut inside = false;
    let mut n_lines = 0;
    for (text, number) in bytes.split(|byte| *byte == b'\n').zip(1u64..) {
        let at = At::Line(number);
        if !found.step(at) {
            return;
        }
        let text = String::from_utf8_lossy(text.trim_ascii());
        n_lines = number;
        if text == "end_of_record" {
            inside = false;
            continue;
        }
        let Some((tag, rest)) = text.split_once(':') else {
            if !text.is_empty() && !text.starts_with('#') {
                found.problem(at, &format!("`{}` is not a record", head(&text)));
            }
            continue;
        };
        if tag == "SF" {
            found.file(rest, at);
            functions = Functions::default();
            inside = true;
        } else if inside && fact(tag, rest, &mut functions, found, at).is_none() {
            found.problem(at, &format!("`{}` cannot be read", head(&text)));
        }
    }
    if inside {
        found.problem(At::Line(n_lines), "the file ends within a record");
    }
}

/// `None` for what should be a fact and is not.
fn fact(
    tag: &str,
    rest: &str,
    functions: &mut Functions,
    found: &mut Collector<'_, '_>,
    at: At,
) -> Option<()> {
    let mut fields = rest.split(',');
    match tag {
        "DA" => {
            let line = fields.next()?.parse().ok()?;
            let hits = count(fields.next()?)?;
            found.line(line, line, hits, at);
        }
        "FN" => {
            let (line, name) = rest.split_once(',')?;
            // Newer versions put the last line between.
            let name = match name.split_once(',') {
                Some((end, name)) if end.parse::<u32>().is_ok() => name,
                _ => name,
            };
            let line = line.parse().ok()?;
            if found.has_room(at) {
                functions.by_name.insert(name.to_owned(), line);
            }
        }
        "FNDA" => {
            let (hits, name) = rest.split_once(',')?;
            let hits = count(hits)?;
            if let Some(line) = functions.by_name.get(name) {
                found.function(name, *line, hits, at);
            }
        }
        "FNL" => {
            let number = fields.next()?.parse().ok()?;
            let line = fields.next()?.parse().ok()?;
            if found.has_room(at) {
                functions.by_number.insert(number, line);
            }
        }
        "FNA" => {
            let number: u32 = fields.next()?.parse().ok()?;
            let hits = count(fields.next()?)?;
            let name = rest.splitn(3, ',').nth(2)?;
            found.function(name, *functions.by_number.get(&number)?, hits, at);
        }
        // Sums, branches, and what later versions add.
        _ => {}
    }
    Some(())
}

/// Compilers have written counts below zero.
fn count(text: &str) -> Option<u64> {
    match text.strip_prefix('-') {
        Some(rest) => rest.parse::<u64>().ok().map(|_| 0),
        None => text.parse().ok(),
    }
}

fn head(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

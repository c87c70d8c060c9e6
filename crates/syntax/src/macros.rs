//! Macros of C and C++ that the grammar cannot read, since their definitions are not there: they are
//! blanked out before parsing, byte for byte, so that every position stays, and told as uses.
//!
//! `class EXPORT_API Name : Base {`, `void f() NOEXCEPT_IT;`, prototypes in the old way
//! (`int f OF((int n));`), and macros alone on their line (`LIB_BEGIN_NAMESPACE`).

use crate::blanked::{Blanked, BlankedName};
use crate::language::Language;
use crate::types::ReferenceKind;

/// Words that a declaration's type begins with.
const OF_TYPES: [&str; 10] = [
    "static", "extern", "const", "unsigned", "signed", "struct", "union", "enum", "inline",
    "volatile",
];
/// What follows a macro behind a parameter list, besides its end.
const AFTER: [&str; 5] = ["override", "final", "const", "noexcept", "= "];

/// Bytes of a parameter list and of what comes before it: more is no declaration, and without a bound
/// brackets that never close would be read again and again.
const MAX_PARAMETERS: usize = 2_000;
const MAX_HEAD: usize = 400;

/// The text to parse; none where there is nothing to blank. O(text).
pub(crate) fn blanked(source: &str, language: Language) -> Option<Blanked> {
    if !matches!(language.name(), "c" | "cpp" | "objective-c" | "cuda") {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    let mut names = Vec::new();
    let mut blank = |start: usize, end: usize| text[start..end].fill(b' ');
    for keyword in ["class ", "struct "] {
        for (at, _) in source.match_indices(keyword) {
            if let Some((start, end)) = before_class_name(source, at, at + keyword.len()) {
                blank(start, end);
                names.push((start, end));
            }
        }
    }
    for (at, _) in source.match_indices("((") {
        if let Some((start, close)) = around_parameters(source, at) {
            blank(start, at + 1);
            blank(close, close + 1);
            names.push((start, at));
            if let Some((start, end)) = storage(source, start) {
                blank(start, end);
                names.push((start, end));
            }
        }
    }
    for (at, _) in source.match_indices(") ") {
        if let Some((start, end)) = after_parameters(source, at + 2) {
            blank(start, end);
            names.push((start, end));
        }
    }
    for (start, end) in alone(source) {
        blank(start, end);
        names.push((start, end));
    }
    names.sort_unstable();
    let text = String::from_utf8(text).ok()?;
    let names = names.into_iter().map(|(start, end)| BlankedName {
        start,
        end,
        kind: ReferenceKind::Read,
    });
    let names: Vec<BlankedName> = names.collect();
    (!names.is_empty()).then_some(Blanked {
        text,
        names,
        ..Blanked::default()
    })
}

/// Where a line begins, unless it is too long to be a declaration's.
fn line_start(source: &str, before: usize) -> Option<usize> {
    let from = before.saturating_sub(MAX_HEAD);
    let head = &source.as_bytes()[from..before];
    let newline = head.iter().rposition(|byte| *byte == b'\n');
    match newline {
        Some(at) => Some(from + at + 1),
        None => (from == 0).then_some(0),
    }
}

/// `EXPORT_API` of `class EXPORT_API Name : Base`, `{` or `final`.
fn before_class_name(source: &str, at: usize, after: usize) -> Option<(usize, usize)> {
    if source[..at].ends_with(is_word) {
        return None;
    }
    let start = after + spaces(&source[after..]);
    let end = start + word(&source[start..])?;
    let name = end + spaces(&source[end..]);
    let name_end = name + word(&source[name..])?;
    if !is_macro(&source[start..end]) || name == end {
        return None;
    }
    let mut rest = source[name_end..].trim_start();
    rest = rest.strip_prefix("final").unwrap_or(rest).trim_start();
    let opens = rest.starts_with('{') || rest.starts_with(':') && !rest.starts_with("::");
    opens.then_some((start, end))
}

/// Start of `OF` and the last bracket of `int f OF((int n));`, by where `((` stands.
fn around_parameters(source: &str, at: usize) -> Option<(usize, usize)> {
    let head = &source[..at];
    let start = head.trim_end_matches(is_word).len();
    if head[start..].is_empty() || head[start..].contains(char::is_lowercase) {
        return None;
    }
    let line = &source[line_start(source, start)?..start];
    let is_declared = line.split_whitespace().count() > 1
        && line.ends_with(char::is_whitespace)
        && line
            .chars()
            .all(|char| is_word(char) || " \t*".contains(char));
    if !is_declared {
        return None;
    }
    let mut depth = 0;
    let close = source[at..].bytes().take(MAX_PARAMETERS).position(|byte| {
        depth += match byte {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        depth == 0
    })? + at;
    let ends = source[close + 1..].trim_start().starts_with(';');
    (ends && source[..close].ends_with(')')).then_some((start, close))
}

/// `local` of `local int f OF((int n));`: the grammar knows no such word.
fn storage(source: &str, before: usize) -> Option<(usize, usize)> {
    let head = &source[..before];
    let line = line_start(source, before)?;
    let words: Vec<&str> = head[line..].split_whitespace().collect();
    let first = words.first().filter(|_| words.len() > 2)?;
    let start = line + spaces(&head[line..]);
    (!OF_TYPES.contains(first)).then_some((start, start + first.len()))
}

/// `NOEXCEPT_IT` of `void f() NOEXCEPT_IT;`.
fn after_parameters(source: &str, start: usize) -> Option<(usize, usize)> {
    let first = source.as_bytes().get(start)?;
    first.is_ascii_uppercase().then_some(())?;
    let end = start + word(&source[start..])?;
    let rest = source[end..].trim_start();
    let ends = rest.starts_with([';', '{']) || AFTER.iter().any(|next| rest.starts_with(next));
    (ends && is_macro(&source[start..end])).then_some((start, end))
}

/// Macros that are all of their line, between whole declarations.
fn alone(source: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut is_whole = true;
    for line in source.split_inclusive('\n') {
        let text = line.trim();
        let goes_on = || {
            let rest = source[at + line.len()..].trim_start();
            rest.starts_with(|char: char| is_word(char) || "[~#/".contains(char))
        };
        if is_whole && is_macro(text) && goes_on() {
            let start = at + line.len() - line.trim_start().len();
            found.push((start, start + text.len()));
        } else if !text.is_empty() {
            let ends = text.ends_with([';', '{', '}', ':']) || text.ends_with("*/");
            is_whole = ends || text.starts_with('#') || text.starts_with("//");
        }
        at += line.len();
    }
    found
}

/// `LIB_API`: letters without a small one, in parts.
fn is_macro(word: &str) -> bool {
    let is_part = |char: char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_';
    word.len() > 3 && word.contains('_') && word.chars().all(is_part)
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

fn word(text: &str) -> Option<usize> {
    let length = text.len() - text.trim_start_matches(is_word).len();
    (length > 0).then_some(length)
}

//! Expressions as text that the graph can follow: what is in brackets is left out, and comments.

use std::borrow::Cow;

/// Longest expression that is kept.
pub(crate) const MAX_TEXT: usize = 160;

/// Go: a struct without a name, written as `$struct` behind what holds it.
pub(crate) fn anonymous(text: &str) -> Option<String> {
    let (held_in, rest) = text.split_once("struct")?;
    let is_struct = rest.trim_start().starts_with('{') && !held_in.contains(['{', '(', ' ']);
    is_struct.then(|| format!("{held_in}$struct"))
}

/// What is longer is not read: of a megabyte of nested blocks each holds all that follow.
const MAX_READ_BYTES: usize = 32 << 10;

/// A text with white space in place of the comments in it. One that begins with `//` or `#` ends with its line:
/// where the text ends first, these are signs of something else.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    let is_read = text.len() <= MAX_READ_BYTES;
    if !is_read || !["/*", "//", "# "].iter().any(|mark| text.contains(mark)) {
        return Cow::Borrowed(text);
    }
    let (mut bare, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let is_after_space = bare.ends_with(char::is_whitespace);
        let length = match first {
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map(|end| end + 4),
            '/' if rest.starts_with("//") => rest.find('\n'),
            '#' if is_after_space && rest.starts_with("# ") => rest.find('\n'),
            _ => None,
        };
        if let Some(length) = length {
            bare.push(' ');
            rest = &rest[length..];
            continue;
        }
        let kept = match first {
            '"' | '\'' | '`' => string_end(rest, first).unwrap_or(1),
            _ => first.len_utf8(),
        };
        bare.push_str(&rest[..kept]);
        rest = &rest[kept..];
    }
    Cow::Owned(bare)
}

/// The end of a string on one line that begins a text.
fn string_end(text: &str, quote: char) -> Option<usize> {
    let line = text.split('\n').next().unwrap_or(text);
    let mut last = ' ';
    for (at, c) in line.char_indices().skip(1) {
        if c == quote && last != '\\' {
            return Some(at + 1);
        }
        last = c;
    }
    None
}

/// An expression on one line without what is in brackets; none when it is long.
pub(crate) fn plain(text: &str) -> Option<String> {
    if text.len() > MAX_READ_BYTES {
        return None;
    }
    let text = &*without_comments(text);
    let mut kept = String::with_capacity(text.len().min(MAX_TEXT));
    let mut depth = 0u32;
    let mut gap = false;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '('
            && depth == 0
            && let Some(held) = kept_arguments(&kept, chars.as_str())
        {
            kept.extend(["(", held, ")"]);
            chars = chars.as_str()[held.len() + 1..].chars();
            gap = false;
            continue;
        }
        if kept.len() > MAX_TEXT {
            return None;
        }
        if matches!(c, '"' | '`') && depth > 0 {
            skip_string(&mut chars, c);
            continue;
        }
        match c {
            '(' | '[' | '{' => {
                if depth == 0 {
                    kept.push(c);
                }
                depth += 1;
                gap = false;
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    kept.push(c);
                }
            }
            _ if depth > 0 => {}
            c if c.is_whitespace() => gap = true,
            c => {
                let both = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                if gap && both(c) && kept.ends_with(both) {
                    kept.push(' ');
                }
                gap = false;
                kept.push(c);
            }
        }
    }
    Some(kept)
}

/// Functions that make a container of what they get.
const MAKERS: &[&str] = &[
    "arrayListOf",
    "arrayOf",
    "hashSetOf",
    "linkedSetOf",
    "List",
    "listOf",
    "listOfNotNull",
    "mutableListOf",
    "mutableSetOf",
    "Option",
    "Seq",
    "sequenceOf",
    "Set",
    "setOf",
    "Some",
    "Vector",
];
const MAX_KEPT: usize = 40;

/// What stands in the bracket that is open before the rest, where the container that it makes holds it:
/// short names and calls without arguments alone.
fn kept_arguments<'s>(before: &str, rest: &'s str) -> Option<&'s str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let around = before.trim_end_matches(is_word);
    let maker = &before[around.len()..];
    if let Some(literal) = class_literal(rest) {
        return Some(literal);
    }
    if around.ends_with(['.', '>']) || !MAKERS.contains(&maker) {
        return None;
    }
    let mut depth = 0u32;
    let end = rest.find(|c| {
        depth += u32::from(c == '(');
        let is_end = c == ')' && depth == 0;
        depth = depth.saturating_sub(u32::from(c == ')'));
        is_end
    })?;
    let held = &rest[..end];
    let bare = held.replace("()", "").replace(", ", ",");
    let is_plain = bare.chars().all(|c| is_word(c) || ",.".contains(c));
    (is_plain && held.len() <= MAX_KEPT && held.starts_with(char::is_alphabetic)).then_some(held)
}

/// The only argument of a call, where it is a type as a value: `Type::class`, `Type.class`.
fn class_literal(rest: &str) -> Option<&str> {
    let held = rest.split(')').next()?;
    let path = held.strip_suffix(".java").unwrap_or(held);
    let path = path
        .strip_suffix("::class")
        .or(path.strip_suffix(".class"))?;
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    (held.len() <= MAX_KEPT && path.chars().all(is_path)).then_some(held)
}

fn skip_string(chars: &mut std::str::Chars<'_>, quote: char) {
    while let Some(c) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn an_expression_keeps_its_names_and_brackets() {
        for (text, expected) in [
            ("new Foo(a, b)\n  .bar", "new Foo().bar"),
            ("a\n .b(x => { return 1 })\n .c[0]", "a.b().c[]"),
            ("f(\"(\", y).g", "f().g"),
            ("Foo { a: 1 }", "Foo{}"),
            ("listOf(a.b, c()).map(f)", "listOf(a.b, c()).map()"),
            ("listOf(\"x\")", "listOf()"),
            ("x.List(a)", "x.List()"),
            ("x.of(A::class).f(b)", "x.of(A::class).f()"),
            ("x.of(a.A.class)", "x.of(a.A.class)"),
        ] {
            assert_eq!(plain(text).as_deref(), Some(expected));
        }
        assert_eq!(plain(&"x".repeat(300)), None);
        assert_eq!(plain(&format!("f({})", "x, ".repeat(20_000))), None);
    }
}

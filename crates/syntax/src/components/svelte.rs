//! Templates of Svelte: `{expressions}`, blocks, directives, snippets and stores.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::markup::{Attribute, Markup, Part, Tag, Value};
use super::nesting::closing;
use super::template::Template;
use crate::lines::Lines;
use crate::types::{FileFacts, Symbol, SymbolKind};

const MAX_SIGNATURE: usize = 200;
/// Brackets of a pattern that may stand before a key.
const MAX_BRACKETS: usize = 32;

/// Functions of the compiler, which no store can hide.
const RUNES: [&str; 7] = [
    "state", "derived", "effect", "props", "bindable", "inspect", "host",
];
static STORE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:^|\.\.\.|[^\w$.'"`/@])(\$)([A-Za-z_]\w*)"#).ok());

static REACTIVE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^[ \t]*\$:\s*([A-Za-z_]\w*)\s*=[^=]").ok());

/// `$: area = w * h` defines `area` where nothing else does.
pub(crate) fn add_reactive(source: &str, scripts: &[Range<usize>], facts: &mut FileFacts) {
    let lines = Lines::new(source);
    let found = REACTIVE.iter().flat_map(|set| set.captures_iter(source));
    let mut defined: HashSet<String> = HashSet::new();
    for symbol in &facts.symbols {
        defined.insert(symbol.name.clone());
    }
    for name in found.filter_map(|set| set.get(1)) {
        let is_script = scripts.iter().any(|script| script.contains(&name.start()));
        if !is_script || !defined.insert(name.as_str().to_owned()) {
            continue;
        }
        let line = lines.line_at(name.start());
        facts.symbols.push(Symbol {
            name: name.as_str().to_owned(),
            qualified: name.as_str().to_owned(),
            kind: SymbolKind::Variable,
            span: lines.span(line, line),
            name_line: line,
            signature: lines
                .text(line)
                .trim()
                .chars()
                .take(MAX_SIGNATURE)
                .collect(),
            doc: None,
            parent: None,
            exported: false,
        });
    }
}

/// Makes code of a template.
pub(crate) fn make(template: &mut Template<'_>) {
    let mut markup = Markup::new(template.source, 0, "{");
    for part in &mut markup {
        template.reach(&part);
        match part {
            Part::Open(tag) => open(template, &tag),
            Part::Close(name) => {
                let name = template.text(&name);
                template.close_element(name);
            }
            Part::Braces(inside) => braces(template, inside),
        }
    }
}

/// `$count` is what the store `count` holds: blanks the mark, so that the name is a use of the store.
pub(crate) fn without_marks(code: &str) -> String {
    let mut text = code.to_owned().into_bytes();
    for store in STORE.iter().flat_map(|store| store.captures_iter(code)) {
        let (Some(mark), Some(name)) = (store.get(1), store.get(2)) else {
            continue;
        };
        let is_called = code[name.end()..].starts_with(['(', '.', '<']);
        if !(is_called && RUNES.contains(&name.as_str())) {
            text[mark.start()] = b' ';
        }
    }
    // A space stands for an ASCII character.
    String::from_utf8(text).unwrap_or_else(|_| code.to_owned())
}

fn open(template: &mut Template<'_>, tag: &Tag) {
    let name = template.text(&tag.name);
    if matches!(name, "script" | "style") {
        return;
    }
    if name.starts_with(char::is_uppercase) || name.contains('.') {
        template.component(tag);
    }
    let mut ends = String::new();
    for attribute in &tag.attributes {
        if template.text(&attribute.name).starts_with("let:") {
            given(template, attribute, &mut ends);
        } else {
            self::attribute(template, attribute);
        }
    }
    if tag.is_empty {
        template.made.say(&ends);
    } else {
        template.open_element(name, ends);
    }
}

/// `let:item` and `let:item={pattern}`: what a slot gives.
fn given(template: &mut Template<'_>, attribute: &Attribute, ends: &mut String) {
    let name = attribute.name.start + "let:".len()..attribute.name.end;
    let pattern = match &attribute.value {
        Value::Braces(inside) => inside.clone(),
        _ => name,
    };
    if template.between("((", pattern, ")=>{\n") {
        ends.push_str("});\n");
    }
}

fn attribute(template: &mut Template<'_>, attribute: &Attribute) {
    let name = template.text(&attribute.name);
    let (directive, rest) = name.split_once(':').unwrap_or(("", name));
    let bare = rest.split('|').next().unwrap_or(rest);
    let start = attribute.name.end - rest.len();
    let own = start..start + bare.len();
    let is_shorthand = matches!(attribute.value, Value::None);
    match directive {
        "use" | "transition" | "in" | "out" | "animate" => {
            template.between("", own, ";\n");
        }
        "bind" | "class" | "style" if is_shorthand && is_identifier(bare) => {
            template.expression(own);
        }
        _ => {}
    }
    match &attribute.value {
        Value::Braces(inside) => value(template, inside.clone()),
        Value::Quoted(text) => quoted(template, text),
        Value::None | Value::Template(_) => {}
    }
}

fn is_identifier(name: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
    !name.is_empty() && name.chars().all(is_part)
}

/// `{name}`, `{...all}`, `{@attach made()}`.
fn value(template: &mut Template<'_>, inside: Range<usize>) {
    let inside = template.trimmed(inside);
    let text = template.text(&inside);
    let n_mark = ["...", "@attach "]
        .iter()
        .find(|mark| text.starts_with(**mark))
        .map_or(0, |mark| mark.len());
    template.expression(inside.start + n_mark..inside.end);
}

/// Braces in the text of a value.
fn quoted(template: &mut Template<'_>, text: &Range<usize>) {
    let mut at = text.start;
    while let Some(found) = template.text(&(at..text.end)).find('{') {
        let start = at + found;
        let Some(end) = closing(template.source, start).filter(|end| *end < text.end) else {
            return;
        };
        template.expression(start + 1..end);
        at = end + 1;
    }
}

fn braces(template: &mut Template<'_>, inside: Range<usize>) {
    let inside = template.trimmed(inside);
    let text = template.text(&inside);
    let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    let rest = template.trimmed(inside.end - rest.len()..inside.end);
    match word {
        "#if" => condition(template, "if", rest),
        ":else" if template.text(&rest).starts_with("if ") => {
            template.next_branch("}\n");
            template.made.say("{");
            template.expression(rest.start + "if ".len()..rest.end);
        }
        ":else" => {
            template.next_branch("}\n");
            template.made.say("{\n");
        }
        "#key" => condition(template, "key", rest),
        "#each" => each(template, rest),
        "#await" => await_block(template, rest),
        ":then" | ":catch" => branch(template, word, rest),
        "#snippet" => snippet(template, rest),
        "@const" => {
            template.between("const ", rest, ";\n");
        }
        "@html" | "@render" | "@debug" | "@attach" => template.expression(rest),
        _ => match word.strip_prefix('/') {
            Some(name @ ("if" | "each" | "await" | "key" | "snippet")) => {
                template.close_block(name);
            }
            _ => template.expression(inside),
        },
    }
}

fn condition(template: &mut Template<'_>, name: &'static str, subject: Range<usize>) {
    template.made.say("{");
    template.expression(subject);
    template.open_block(name, "}\n", 0..0);
}

/// `items as item, index (key)`; the item may be a pattern, or missing.
fn each(template: &mut Template<'_>, rest: Range<usize>) {
    let (of, rest) = match template.words(&rest, "as").last() {
        Some(at) => (rest.start..*at, at + "as".len()..rest.end),
        None => {
            let mut items = template.items(rest);
            let of = items.remove(0);
            let index = items.first().cloned();
            (of, index.map_or(0..0, |index| index.start - 1..index.end))
        }
    };
    let key = key_start(template.text(&rest)).map_or(rest.end, |key| rest.start + key);
    let mut items = template.items(rest.start..key);
    let pattern = items.remove(0);
    let is_open = template.each(pattern, of);
    if !is_open {
        template.made.say("{\n");
    }
    if let Some(index) = items.into_iter().next() {
        template.between("let ", index, ";\n");
    }
    template.expression(key..rest.end);
    template.open_block("each", "}\n", 0..0);
}

/// Where the key at the end of an `each` begins, with its bracket.
fn key_start(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let mut opened = text.match_indices('(').take(MAX_BRACKETS);
    let key = opened.find(|(at, _)| closing(text, *at) == Some(text.len() - 1));
    key.map(|(at, _)| at)
}

/// `#await promise`, with `then value` or `catch error` on the same line.
fn await_block(template: &mut Template<'_>, rest: Range<usize>) {
    let then = template.words(&rest, "then").pop();
    let catch = template.words(&rest, "catch").pop();
    let end = then.or(catch).unwrap_or(rest.end);
    let subject = template.trimmed(rest.start..end);
    template.made.say("{");
    template.expression(subject.clone());
    template.open_block("await", "}\n", subject);
    match (then, catch) {
        (Some(at), _) => branch(template, ":then", at + "then".len()..rest.end),
        (None, Some(at)) => branch(template, ":catch", at + "catch".len()..rest.end),
        (None, None) => {}
    }
}

/// `:then value`, `:catch error`.
fn branch(template: &mut Template<'_>, word: &str, pattern: Range<usize>) {
    let subject = template.next_branch("}\n").unwrap_or(0..0);
    template.made.say("{\n");
    let pattern = template.trimmed(pattern);
    if pattern.is_empty() {
        return;
    }
    if word == ":then" && !subject.is_empty() {
        if template.between("const ", pattern, "=await ") {
            template.made.copy(subject);
            template.made.say(";\n");
        }
    } else {
        template.between("let ", pattern, "=$;\n");
    }
}

/// `row(item, index)`: a function of the template.
fn snippet(template: &mut Template<'_>, rest: Range<usize>) {
    let text = template.text(&rest);
    let name = text.find(['(', '<']).unwrap_or(text.len());
    let is_whole = template.between("const ", rest.start..rest.start + name, "=")
        && template.between("", rest.start + name..rest.end, "=>{\n");
    if !is_whole {
        template.made.say("(()=>{\n");
    }
    let ends = if is_whole { "};\n" } else { "});\n" };
    template.open_block("snippet", ends, 0..0);
}

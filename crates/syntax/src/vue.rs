//! Vue and Svelte: the `<script>` blocks are TypeScript or JavaScript, the template uses names.

use crate::language::Language;
use crate::languages;
use crate::lexical;
use crate::lines::Lines;
use crate::parse::read_ranges;
use crate::types::{FileFacts, Reference, ReferenceKind};
use crate::walk::NO_BREAK;
use regex::Regex;
use std::sync::LazyLock;
use tree_sitter::{Point, Range};

static SCRIPT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?is)<script\b([^>]*)>(.*?)</script\s*>").ok());
static USES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let tag = r"<(?<tag>[A-Z]\w*|[a-z]\w*(?:-\w+)+)";
    let bound = r#"(?:[:@#]|v-)[\w.:\[\]-]*\s*=\s*"(?<bound>[^"]*)""#;
    Regex::new(&format!(r"(?s){tag}|{bound}|\{{\{{(?<text>.*?)\}}\}}")).ok()
});

/// Facts of the scripts, at their place in the whole file, and the names that the template uses.
pub(crate) fn read(source: &str) -> (FileFacts, Vec<u16>) {
    let lines = Lines::new(source);
    let (language, ranges) = scripts(source);
    let spec = Language::from_name(language).and_then(languages::spec_of);
    let read = match spec {
        Some(spec) if !ranges.is_empty() => read_ranges(source, &ranges, spec),
        _ => None,
    };
    let (mut facts, mut breaks) =
        read.unwrap_or_else(|| (FileFacts::default(), vec![NO_BREAK; lines.count() as usize]));
    template(source, &lines, &ranges, &mut facts);
    // Outside the scripts no tree says where to cut: indentation does.
    if ranges.is_empty() {
        breaks.clear();
    }
    (facts, breaks)
}

/// The language of the scripts, and where they are.
pub(crate) fn scripts(source: &str) -> (&'static str, Vec<Range>) {
    let mut language = "javascript";
    let mut ranges = Vec::new();
    let Some(script) = SCRIPT.as_ref() else {
        return (language, ranges);
    };
    let lines = Lines::new(source);
    for block in script.captures_iter(source) {
        let attributes = block.get(1).map_or("", |found| found.as_str());
        if attributes.contains("\"ts") || attributes.contains("'ts") {
            language = if attributes.contains("tsx") {
                "tsx"
            } else {
                "typescript"
            };
        }
        let body = block.get(2);
        ranges.extend(body.map(|body| range(&lines, body.start(), body.end())));
    }
    (language, ranges)
}

fn range(lines: &Lines<'_>, start: usize, end: usize) -> Range {
    Range {
        start_byte: start,
        end_byte: end,
        start_point: point(lines, start),
        end_point: point(lines, end),
    }
}

fn point(lines: &Lines<'_>, byte: usize) -> Point {
    let line = lines.line_at(byte);
    Point {
        row: line as usize - 1,
        column: byte - lines.start(line) as usize,
    }
}

fn template(source: &str, lines: &Lines<'_>, scripts: &[Range], facts: &mut FileFacts) {
    let Some(pattern) = USES.as_ref() else { return };
    for found in pattern.captures_iter(source) {
        let Some(whole) = found.get(0) else { continue };
        if scripts
            .iter()
            .any(|script| (script.start_byte..script.end_byte).contains(&whole.start()))
        {
            continue;
        }
        if let Some(tag) = found.name("tag") {
            let name = pascal(tag.as_str());
            push(facts, lines, tag.start(), (name, ""), ReferenceKind::Call);
        }
        for text in [found.name("bound"), found.name("text")]
            .into_iter()
            .flatten()
        {
            for token in lexical::uses(text.as_str(), KEYWORDS) {
                let line_start = lines.line_at(text.start()) + token.row;
                let base = if token.row == 0 {
                    text.start()
                } else {
                    lines.start(line_start) as usize
                };
                let at = base + token.column as usize;
                push(
                    facts,
                    lines,
                    at,
                    (token.name.to_owned(), token.qualifier),
                    token.kind,
                );
            }
        }
    }
}

const KEYWORDS: &[&str] = &[
    "in",
    "of",
    "true",
    "false",
    "null",
    "undefined",
    "typeof",
    "new",
];

fn push(
    facts: &mut FileFacts,
    lines: &Lines<'_>,
    at: usize,
    name: (String, &str),
    kind: ReferenceKind,
) {
    let line = lines.line_at(at);
    facts.references.push(Reference {
        name: name.0,
        qualifier: name.1.to_owned(),
        kind,
        line,
        column: at as u32 - lines.start(line),
        enclosing: None,
        n_args: None,
    });
}

/// `base-button` is the component `BaseButton`.
fn pascal(tag: &str) -> String {
    if tag.starts_with(char::is_uppercase) {
        return tag.to_owned();
    }
    tag.split('-')
        .flat_map(|part| {
            let mut chars = part.chars();
            let first = chars.next().map(|c| c.to_ascii_uppercase());
            first.into_iter().chain(chars).collect::<Vec<char>>()
        })
        .collect()
}

//! Vue, Svelte and Astro: scripts in TypeScript or JavaScript, and templates whose expressions are code of
//! the same scope.
//!
//! The expressions are written out as code behind the scripts, with blocks for what the template declares,
//! and both are read together: a name means in the template what it means in the script.

mod astro;
mod made;
mod markup;
mod nesting;
mod options;
mod svelte;
mod template;
mod vue;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Point;

use crate::language::Language;
use crate::languages;
use crate::lines::Lines;
use crate::parse::parse;
use crate::tables::IndexedSpec;
use crate::types::FileFacts;
use crate::walk;
use made::Made;
use template::Template;

static SCRIPT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?is)<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>(.*?)</script\s*>"#).ok()
});

/// Says whether files of a language are components: scripts and a template.
pub fn is_component(language: Language) -> bool {
    matches!(language.name(), "vue" | "svelte" | "astro")
}

/// Facts of a component, and the break depth of each line of its scripts; none where there are no scripts:
/// indentation says where to cut.
pub(crate) fn read(source: &str, language: Language) -> (FileFacts, Vec<u16>) {
    let (grammar, scripts) = script_parts(source, language);
    let grammar = match language.name() {
        "astro" => "tsx",
        _ => grammar,
    };
    let made = made(source, language, &scripts);
    let Some((mut facts, mut breaks)) = read_made(&made, grammar) else {
        let only_scripts = Made::new(source, &scripts);
        let read = read_made(&only_scripts, grammar);
        return read.unwrap_or_default();
    };
    made.place(&mut facts);
    match language.name() {
        "vue" if !has_setup(source) => options::bind(source, &scripts, &mut facts),
        "svelte" => svelte::add_reactive(source, &scripts, &mut facts),
        _ => {}
    }
    if scripts.is_empty() {
        breaks.clear();
    } else {
        breaks.truncate(Lines::new(source).count() as usize);
    }
    (facts, breaks)
}

/// Says whether names of a script are those of the template, as they are and without an object.
fn has_setup(source: &str) -> bool {
    let mut scripts = SCRIPT
        .iter()
        .flat_map(|script| script.captures_iter(source));
    scripts.any(|script| {
        let attributes = script.get(1).map_or("", |found| found.as_str());
        attributes.split_whitespace().any(|word| word == "setup")
    })
}

fn read_made(made: &Made<'_>, grammar: &str) -> Option<(FileFacts, Vec<u16>)> {
    let IndexedSpec { spec, tables } = Language::from_name(grammar).and_then(languages::spec_of)?;
    let tree = parse(&made.text, tables, &[])?;
    Some(walk::walk(&made.text, &tree, spec, tables))
}

/// The scripts, and the code that the template makes.
fn made<'s>(source: &'s str, language: Language, scripts: &[Range<usize>]) -> Made<'s> {
    let mut template = Template::new(source, Made::new(source, scripts));
    match language.name() {
        "svelte" => svelte::make(&mut template),
        "astro" => {
            let start = astro::front_matter(source).map_or(0, |code| code.end + "---".len());
            astro::make(&mut template, start.min(source.len()));
        }
        _ => vue::make(&mut template),
    }
    let mut made = template.end();
    if language.name() == "svelte" {
        made.text = svelte::without_marks(&made.text);
    }
    made
}

/// The language of the scripts, and where they are.
pub(crate) fn scripts(source: &str, language: Language) -> (&'static str, Vec<tree_sitter::Range>) {
    let (name, parts) = script_parts(source, language);
    let lines = Lines::new(source);
    let ranges = parts.into_iter().map(|part| tree_sitter::Range {
        start_byte: part.start,
        end_byte: part.end,
        start_point: point(&lines, part.start),
        end_point: point(&lines, part.end),
    });
    (name, ranges.collect())
}

fn script_parts(source: &str, language: Language) -> (&'static str, Vec<Range<usize>>) {
    let (mut name, mut parts) = ("javascript", Vec::new());
    if language.name() == "astro" {
        name = "typescript";
        parts.extend(astro::front_matter(source));
    }
    let start = parts.last().map_or(0, |code| code.end);
    for script in SCRIPT
        .iter()
        .flat_map(|script| script.captures_iter(&source[start..]))
    {
        let attributes = script.get(1).map_or("", |found| found.as_str());
        if attributes.contains("\"ts") || attributes.contains("'ts") {
            name = if attributes.contains("tsx") {
                "tsx"
            } else {
                "typescript"
            };
        }
        let body = script.get(2);
        parts.extend(body.map(|body| start + body.start()..start + body.end()));
    }
    (name, parts)
}

fn point(lines: &Lines<'_>, byte: usize) -> Point {
    let line = lines.line_at(byte);
    Point {
        row: line as usize - 1,
        column: byte - lines.start(line) as usize,
    }
}

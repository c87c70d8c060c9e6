//! PHP that the language reads and the grammar does not: read as something of the same length that says the same.
//!
//! A promoted `readonly` without a visibility is public; the comma before the end of a group, directives behind the
//! first and namespaces before the names of traits in `insteadof` say nothing here; what stands behind
//! `__halt_compiler();` is no code.

use super::errors::error_bytes;
use crate::parse::parse;
use crate::tables::Tables;
use std::ops::Range;
use tree_sitter::Tree;

const MAX_STATEMENT: usize = 2_000;
const HALT: &str = "__halt_compiler();";

/// The tree of a text with such places, where the grammar can read it so no worse.
pub(crate) fn read_again(source: &str, tree: &Tree, tables: &Tables) -> Option<Tree> {
    let is_halted = source.contains(HALT);
    if !tree.root_node().has_error() && !is_halted {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    let mut blank = blanks(source);
    if let Some(offset) = source.find(HALT).filter(|_| is_halted) {
        blank.push(offset + HALT.len()..source.len());
    }
    for offset in promoted(source) {
        text[offset..offset + PROMOTED.len()].copy_from_slice(b"public  ");
    }
    for range in blank {
        let bytes = text[range].iter_mut();
        bytes
            .filter(|byte| **byte != b'\n')
            .for_each(|byte| *byte = b' ');
    }
    let text = String::from_utf8(text).ok().filter(|text| text != source)?;
    let again = parse(&text, tables, &[])?;
    (error_bytes(&again) <= error_bytes(tree)).then_some(again)
}

const PROMOTED: &str = "readonly";

/// The places where `readonly` begins a parameter.
fn promoted(source: &str) -> impl Iterator<Item = usize> {
    source.match_indices(PROMOTED).filter_map(|(offset, word)| {
        let is_first = source[..offset].trim_end().ends_with(['(', ',']);
        let rest = &source[offset + word.len()..];
        let is_apart = rest.starts_with([' ', '\t', '\n']);
        let next = rest.trim_start();
        let is_said = ["public ", "protected ", "private "]
            .iter()
            .any(|word| next.starts_with(word));
        (is_first && is_apart && !is_said).then_some(offset)
    })
}

fn blanks(source: &str) -> Vec<Range<usize>> {
    let mut blank = Vec::new();
    for (offset, _) in source.match_indices("use ") {
        let rest = near(source, offset);
        let statement = &rest[..rest.find(';').unwrap_or(0)];
        let group = statement.trim_end().strip_suffix('}').map(str::trim_end);
        if let Some(group) = group.filter(|group| group.ends_with(',') && group.contains("\\{")) {
            let comma = offset + group.len() - 1;
            blank.push(comma..comma + 1);
        }
    }
    for (offset, _) in source.match_indices("declare(") {
        let end = near(source, offset)
            .find(')')
            .map_or(offset, |end| offset + end);
        let second = source[offset..end].find(',');
        blank.extend(second.map(|second| offset + second..end));
    }
    for (offset, word) in source.match_indices(" insteadof ") {
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\\' | ':');
        let before = source[..offset].trim_end();
        let start = before.trim_end_matches(is_path).len();
        blank.extend(namespace_of(&before[start..], start));
        let behind = offset + word.len();
        let end = near(source, behind).find([';', '}']);
        let end = end.map_or(behind, |end| behind + end);
        let mut start = behind;
        for name in source[behind..end].split(',') {
            let indent = name.len() - name.trim_start().len();
            blank.extend(namespace_of(name.trim(), start + indent));
            start += name.len() + 1;
        }
    }
    for word in ["self:", "static:", "parent:"] {
        for (offset, label) in source.match_indices(word) {
            let is_first = source[..offset].trim_end().ends_with([';', '{', '}']);
            let is_label = is_first && !source[offset + label.len()..].starts_with(':');
            blank.extend(is_label.then(|| offset..offset + label.len()));
        }
    }
    blank
}

/// So much of a text behind a byte as a statement takes.
fn near(source: &str, offset: usize) -> &str {
    &source[offset..source.floor_char_boundary(offset + MAX_STATEMENT)]
}

/// The namespace before a name, by the byte at which the name begins.
fn namespace_of(name: &str, start: usize) -> Option<Range<usize>> {
    let end = name.rfind('\\')?;
    Some(start..start + end + 1)
}

//! Where TypeScript without semicolons reads otherwise to the grammar than to the compiler.
//!
//! In `interface Get { <A>(key: A): X[A]` a second line `<B>(key: B): Y[B]` looks like arguments of the type
//! before it, and a line `in: T` like an operator: a semicolon is put before it. `export type * from` is read
//! as `export * from`, `abstract accessor x` as `abstract x`, `import("m").Type<A>` as a type
//! of a namespace that nothing declares, so that it stays open.

use super::errors::error_bytes;
use crate::parse::parse;
use crate::tables::Tables;
use std::ops::Range;
use tree_sitter::Tree;

/// Bytes of the type parameters of a call signature.
const MAX_PARAMETERS: usize = 4_000;

/// The tree of a text that the grammar could not read, where it can read it so better.
pub(crate) fn read_again(source: &str, tree: &Tree, tables: &Tables) -> Option<Tree> {
    if !tree.root_node().has_error() {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    for offset in signatures(source) {
        text[offset] = b';';
    }
    for (offset, _) in source.match_indices("export type *") {
        text[offset + "export ".len()..offset + "export type".len()].fill(b' ');
    }
    for (offset, _) in source.match_indices("abstract accessor ") {
        text[offset + "abstract ".len()..offset + "abstract accessor".len()].fill(b' ');
    }
    for module in import_types(source) {
        let letters = text[module].iter_mut();
        letters
            .filter(|byte| !byte.is_ascii_alphanumeric())
            .for_each(|byte| *byte = b'_');
    }
    if text == source.as_bytes() {
        return None;
    }
    let again = parse(&String::from_utf8(text).ok()?, tables, &[])?;
    (error_bytes(&again) < error_bytes(tree)).then_some(again)
}

/// The last byte of the indentation of lines that begin with the type parameters of a call signature, or
/// with a member that is called like an operator, and follow a type.
fn signatures(source: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let (mut offset, mut ends_type) = (0, false);
    for line in source.split_inclusive('\n') {
        let text = line.trim();
        let start = offset + line.len() - line.trim_start().len();
        let is_member = || match text.starts_with('<') {
            true => is_signature(&source[start..]),
            false => is_operator_name(text),
        };
        if ends_type && start > offset && is_member() {
            places.push(start - 1);
        }
        if !text.is_empty() && !["//", "/*", "*"].iter().any(|mark| text.starts_with(mark)) {
            ends_type =
                text.ends_with(|char: char| char.is_alphanumeric() || "]>)}_$'\"`".contains(char));
        }
        offset += line.len();
    }
    places
}

/// The `import("m")` before types; those that are loaded at run time have a small letter after them.
fn import_types(source: &str) -> Vec<Range<usize>> {
    let modules = source.match_indices("import(").filter_map(|(start, head)| {
        let rest = &source[start + head.len()..];
        let quote = rest.chars().next().filter(|char| "'\"".contains(*char))?;
        let end = rest[1..].find([quote, '\n'])? + 1;
        let after = rest[end + 1..].strip_prefix(").")?;
        after
            .starts_with(char::is_uppercase)
            .then(|| start..source.len() - after.len() - ".".len())
    });
    modules.collect()
}

/// `in: T`, `instanceof?: T`, `in(): T`.
fn is_operator_name(text: &str) -> bool {
    let rest = text
        .strip_prefix("instanceof")
        .or_else(|| text.strip_prefix("in"));
    rest.is_some_and(|rest| rest.starts_with([':', '(']) || rest.starts_with("?:"))
}

/// `<A extends B<C>>(`.
fn is_signature(text: &str) -> bool {
    let mut depth = 0;
    let mut before = b' ';
    for (offset, byte) in text.bytes().enumerate().take(MAX_PARAMETERS) {
        match byte {
            b'<' => depth += 1,
            b'>' if before != b'=' => depth -= 1,
            _ => {}
        }
        before = byte;
        if depth == 0 {
            return text[offset + 1..].trim_start().starts_with('(');
        }
    }
    false
}

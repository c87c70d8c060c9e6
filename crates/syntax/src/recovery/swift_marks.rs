//! Marks of Swift that the grammar cannot read: they are blanked, byte for byte, where the tree has errors.
//!
//! `$` within a name (`_$id`), a case path (`/Action.view`), `sending` before a type, the conditions of a
//! `typealias` on a line of their own, and the lines of `#if` around nothing but attributes. The tree is read
//! with the text as it is written, so that names stay.

use super::errors::error_bytes;
use crate::parse::parse;
use crate::tables::Tables;
use tree_sitter::Tree;

/// The tree of a text with such marks, where the grammar reads it better without them.
pub(crate) fn read_again(source: &str, tree: &Tree, tables: &Tables) -> Option<Tree> {
    if !tree.root_node().has_error() {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    marks_of_names(&mut text);
    for range in lines(source) {
        text[range].fill(b' ');
    }
    for (mark, n_kept) in [("-> sending ", 3), (": sending ", 2)] {
        for (offset, _) in source.match_indices(mark) {
            text[offset + n_kept..offset + mark.len()].fill(b' ');
        }
    }
    if text == source.as_bytes() {
        return None;
    }
    let text = String::from_utf8(text).ok()?;
    let again = parse(&text, tables, &[])?;
    (error_bytes(&again) < error_bytes(tree)).then_some(again)
}

/// `$` within a name is a letter; `/` before a type at the beginning of an argument is none of it.
fn marks_of_names(text: &mut [u8]) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    for offset in 1..text.len().saturating_sub(1) {
        let (before, next) = (text[offset - 1], text[offset + 1]);
        match text[offset] {
            b'$' if is_word(before) && is_word(next) => text[offset] = b'_',
            b'/' if matches!(before, b'(' | b' ') && next.is_ascii_uppercase() => {
                text[offset] = b' '
            }
            _ => {}
        }
    }
}

/// Lines that are blanked, each by its bytes without its end.
fn lines(source: &str) -> Vec<std::ops::Range<usize>> {
    let mut blank = Vec::new();
    let mut opened: Vec<std::ops::Range<usize>> = Vec::new();
    let (mut start, mut is_behind_alias) = (0, false);
    for line in source.split_inclusive('\n') {
        let text = line.trim();
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        if is_behind_alias && text.starts_with("where ") {
            blank.push(range.clone());
        }
        if !text.is_empty() {
            is_behind_alias = text.split_whitespace().any(|word| word == "typealias");
        }
        let word = text.split_whitespace().next().unwrap_or("");
        match word {
            "#if" => opened = vec![range],
            "#else" | "#elseif" if !opened.is_empty() => opened.push(range),
            "#endif" => {
                // One with a branch or more around attributes alone.
                if !opened.is_empty() {
                    blank.append(&mut opened);
                    blank.push(range);
                }
            }
            _ if text.is_empty() || text.starts_with('@') && ends_as_attribute(text) => {}
            _ => opened.clear(),
        }
    }
    blank
}

/// Says whether a line holds an attribute and nothing behind it.
fn ends_as_attribute(text: &str) -> bool {
    text.ends_with(')') || !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use crate::analyze::analyze;
    use crate::language::detect;

    #[test]
    fn what_the_grammar_does_not_know_is_no_error() {
        let cases = [
            (
                "struct S {\n  var _$id: Int { 3 }\n  func f() { self._$will() }\n}\n",
                "S S._$id S.f",
            ),
            ("func f() { g(/Action.view) }\n", "f"),
            (
                "func f(x: () -> sending R) {}\nfunc g(_ x: sending R) {}\n",
                "f g",
            ),
            (
                "typealias X<R: P> = Y<R.S>\n  where R.S: Q\nfunc a() {}\n",
                "X a",
            ),
            (
                "struct A {\n  #if A\n  @available(iOS 3, *)\n  #else\n  @available(iOS 4, *)\n  #endif\n  func f() {}\n}\n",
                "A A.f",
            ),
        ];
        for (source, expected) in cases {
            let language = detect("S.swift", source.as_bytes()).expect("Swift");
            let facts = analyze(source, language);
            assert!(facts.errors.is_empty(), "{source}: {:?}", facts.errors);
            let names = facts.symbols.iter().map(|symbol| symbol.qualified.as_str());
            assert_eq!(names.collect::<Vec<_>>().join(" "), expected);
        }
    }
}

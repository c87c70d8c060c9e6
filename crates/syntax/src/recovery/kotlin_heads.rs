//! Heads of Kotlin classes that the grammar reads otherwise than the compiler.
//!
//! Where a constructor begins on a line of its own, the grammar ends the class before it, and what follows
//! would be free functions: such a line end is read as a space, and lines are counted as they are written.
//! `class K { val f = 2 }` would hold members of an enumeration: the blank before its end is read as a semicolon.
//! `actual class A { … }` behind an annotation would be a call of `class` on `actual`: the word is blanked. So are annotations on the line before `get()`, which it cannot read.

use super::errors::error_bytes;
use crate::parse::parse;
use crate::tables::Tables;
use tree_sitter::{Point, Range, Tree};

/// What may stand before `constructor`, annotations aside.
const MODIFIERS: [&str; 6] = [
    "actual",
    "expect",
    "internal",
    "private",
    "protected",
    "public",
];

/// Modifiers that are names to the grammar behind an annotation.
const SOFT: [&str; 5] = ["actual ", "expect ", "data ", "annotation ", "inner "];

/// The tree of a text with such heads, where the grammar can read it so no worse.
pub(crate) fn read_again(source: &str, tree: &Tree, tables: &Tables) -> Option<Tree> {
    let mut blank = soft_words(source);
    let (mut ends, mut property_ends) = (Vec::new(), Vec::new());
    if tree.root_node().has_error() {
        ends = line_ends(source);
        blank.extend(accessor_annotations(source));
        property_ends = ends_of_properties(source);
    }
    if ends.is_empty() && blank.is_empty() && property_ends.is_empty() {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    blank.extend(ends.iter().map(|end| end.start_byte..end.end_byte));
    blank.into_iter().for_each(|range| text[range].fill(b' '));
    property_ends
        .into_iter()
        .for_each(|offset| text[offset] = b';');
    let text = String::from_utf8(text).ok()?;
    let ranges = match ends.is_empty() {
        true => Vec::new(),
        false => ranges(&text, &ends),
    };
    let again = parse(&text, tables, &ranges)?;
    (error_bytes(&again) <= error_bytes(tree)).then_some(again)
}

/// Lines, each with the byte that its text begins at, the text without blanks around it, and whether the
/// last line before it that says something is an annotation.
fn texts(source: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let (mut offset, mut is_behind) = (0, false);
    source.split_inclusive('\n').map(move |line| {
        let text = line.trim();
        let start = offset + line.len() - line.trim_start().len();
        let places = (start, text, is_behind);
        offset += line.len();
        if !text.is_empty() {
            is_behind = text.starts_with('@');
        }
        places
    })
}

/// `actual`, `expect` and their like right behind an annotation.
fn soft_words(source: &str) -> Vec<BytesOf> {
    let mut places = Vec::new();
    for (start, text, is_behind) in texts(source) {
        let begins = |word: &&&str| text.starts_with(**word);
        let own = SOFT.iter().find(begins).filter(|_| is_behind);
        places.extend(own.map(|word| start..start + word.len()));
        if text.starts_with('@') {
            let behind = SOFT.iter().filter_map(|word| {
                let offset = start + text.find(&format!(") {word}"))? + ") ".len();
                Some(offset..offset + word.len())
            });
            places.extend(behind);
        }
    }
    places
}

/// Annotations on the line before `get()` and `set(value)`.
fn accessor_annotations(source: &str) -> Vec<BytesOf> {
    let mut places = Vec::new();
    let mut before = 0..0;
    for (start, text, is_behind) in texts(source) {
        let is_accessor = ["get()", "set("].iter().any(|head| text.starts_with(head));
        if is_accessor && is_behind {
            places.push(before.clone());
        }
        if !text.is_empty() {
            before = start..start + text.len();
        }
    }
    places
}

/// The blanks before the ends of types with one property on their line: `class K { val f = 2 }`.
fn ends_of_properties(source: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let mut open = None;
        for (offset, c) in line.char_indices() {
            match c {
                '{' => open = Some(offset),
                '}' => {
                    let inside = open.take().map_or("", |open| &line[open + 1..offset]);
                    let head = inside.split(['=', ':']).next().unwrap_or("");
                    let is_property = head
                        .split_whitespace()
                        .any(|word| matches!(word, "val" | "var"));
                    places
                        .extend((is_property && inside.ends_with(' ')).then(|| start + offset - 1));
                }
                _ => {}
            }
        }
        start += line.len();
    }
    places
}

type BytesOf = std::ops::Range<usize>;

/// A line's end: the bytes, and the number of the line after it, from 0.
struct LineEnd {
    start_byte: usize,
    end_byte: usize,
    next_row: usize,
    column: usize,
}

/// The ends of lines between the name of a class and its constructor.
fn line_ends(source: &str) -> Vec<LineEnd> {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut offset = 0;
    for line in source.split_inclusive('\n') {
        lines.push((offset, line));
        offset += line.len();
    }
    let mut rows: Vec<usize> = Vec::new();
    for (row, (_, line)) in lines.iter().enumerate() {
        if !begins_constructor(line.trim()) {
            continue;
        }
        let before = &lines[..row];
        let is_annotation = |(_, line): &&(usize, &str)| line.trim().starts_with('@');
        let n_between = before.iter().rev().take_while(is_annotation).count();
        let head = row.checked_sub(n_between + 1);
        rows.extend(
            head.filter(|head| ends_in_name(lines[*head].1))
                .into_iter()
                .flat_map(|head| head..row),
        );
    }
    let end = |row: usize| {
        let (start, line) = lines[row];
        let column = line.trim_end_matches(['\n', '\r']).len();
        LineEnd {
            start_byte: start + column,
            end_byte: start + line.len(),
            next_row: row + 1,
            column,
        }
    };
    rows.into_iter().map(end).collect()
}

/// `internal constructor(`, with modifiers and annotations in any order.
fn begins_constructor(line: &str) -> bool {
    let Some((before, after)) = line.split_once("constructor") else {
        return false;
    };
    let mut words = before.split_whitespace();
    after.trim_start().starts_with('(')
        && words.all(|word| word.starts_with('@') || MODIFIERS.contains(&word))
}

/// The head of a class up to its name or its parameters.
fn ends_in_name(line: &str) -> bool {
    let line = line.trim_end();
    line.split_whitespace().any(|word| word == "class")
        && line.ends_with(|char: char| char.is_alphanumeric() || matches!(char, '_' | '>' | '`'))
}

/// The text in parts that go on behind each of the line ends, in the line after it.
fn ranges(text: &str, ends: &[LineEnd]) -> Vec<Range> {
    let mut ranges = Vec::with_capacity(ends.len() + 1);
    let (mut start_byte, mut start_point) = (0, Point::new(0, 0));
    for end in ends {
        let width = end.end_byte - end.start_byte;
        ranges.push(Range {
            start_byte,
            end_byte: end.end_byte,
            start_point,
            end_point: Point::new(end.next_row - 1, end.column + width),
        });
        (start_byte, start_point) = (end.end_byte, Point::new(end.next_row, 0));
    }
    ranges.push(Range {
        start_byte,
        end_byte: text.len(),
        start_point,
        end_point: Point::new(u32::MAX as usize, u32::MAX as usize),
    });
    ranges
}

#[cfg(test)]
mod tests {
    use crate::analyze::analyze;
    use crate::language::detect;

    /// `owner.name:line` of each definition.
    fn defined(source: &str) -> Vec<String> {
        let language = detect("S.kt", source.as_bytes()).expect("Kotlin");
        let facts = analyze(source, language);
        assert!(facts.errors.is_empty(), "{:?}", facts.errors);
        let symbols = facts.symbols.iter();
        symbols
            .map(|symbol| format!("{}:{}", symbol.qualified, symbol.name_line))
            .collect()
    }

    #[test]
    fn a_constructor_on_a_line_of_its_own_belongs_to_its_class() {
        let source = "package p\nclass S\ninternal constructor(\n  internal val data: Int,\n) : Any() {\n  \
                      fun a() = data\n  private fun b() {}\n}\n\
                      open class Box<T>\r\n@Inject\r\nconstructor(val held: T) {\r\n  fun open() = held\r\n}\nfun free() = 1\n";
        let places = defined(source);
        let expected = [
            "S:2",
            "S.data:4",
            "S.a:6",
            "S.b:7",
            "Box:9",
            "Box.held:11",
            "Box.open:12",
            "free:14",
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn a_modifier_behind_an_annotation_is_no_name() {
        let places = defined(
            "@OptIn(U::class)\nactual class A {\n  actual fun a() {}\n}\n\
             @OptIn(U::class) actual class B {\n  @Ann\n  actual fun b() {}\n}\n",
        );
        assert_eq!(places, ["A:2", "A.a:3", "B:5", "B.b:7"]);
        let places = defined(
            "@Suppress(\"x\")\ndata object N { fun q() = 1 }\n@Target(CLASS)\nannotation class T\nfun z() = N.q()\n",
        );
        assert_eq!(places, ["N:2", "N.q:2", "T:4", "z:5"]);
    }

    #[test]
    fn an_accessor_may_be_annotated() {
        let places = defined(
            "class A {\n  val size\n    @JvmName(\"size\")\n    get() = n()\n\n  fun b() = 1\n}\n",
        );
        assert_eq!(places, ["A:1", "A.size:2", "A.b:6"]);
    }

    #[test]
    fn a_type_with_one_property_may_stand_on_one_line() {
        let places = defined(
            "class K { val f = 2 }\nobject O { var g = 2 }\ninterface I { val h: Int }\n\
             private object P { private val i = listOf(1) }\nfun f() = run { val x = 2 }\n",
        );
        let expected = [
            "K:1", "K.f:1", "O:2", "O.g:2", "I:3", "I.h:3", "P:4", "P.i:4", "f:5",
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn what_is_no_constructor_stays_as_it_is() {
        let places =
            defined("class A\nfun constructor(x: Int) = x\nclass B {\n  constructor(x: Int)\n}\n");
        assert_eq!(places[0], "A:1");
        assert!(places.contains(&"constructor:2".to_owned()), "{places:?}");
    }
}

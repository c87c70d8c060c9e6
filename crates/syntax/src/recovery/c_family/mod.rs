//! Corrections of a C or C++ text in which the grammar has lost its way: macros whose definitions are
//! elsewhere, and branches of the preprocessor that cut a statement in two.
//!
//! The errors of the first tree say where to look. Every correction blanks bytes, so that positions stay, and
//! is kept only where its own neighbourhood has fewer errors afterwards; the names that it blanks are told as
//! uses. A file without errors costs nothing; another is parsed up to [`MAX_ROUNDS`] times two more.
#![expect(
    clippy::single_range_in_vec_init,
    reason = "a range is the bytes that are blanked"
)]

mod conditionals;
mod correction;
mod scan;
mod specifiers;
mod tokens;

use std::ops::Range;

use tree_sitter::Tree;

use self::correction::Correction;
use crate::blanked::{Blanked, BlankedName};
use crate::parse::parse;
use crate::spec::Spec;
use crate::tables::Tables;
use crate::types::ReferenceKind;

/// Rounds of corrections: those of a round may bare what the next one corrects.
const MAX_ROUNDS: usize = 5;
/// Bytes that the rounds may parse in all: a large file is corrected once.
const MAX_PARSED: usize = 3 << 20;
/// Corrections of one round; a text with more is no code that somebody wrote.
const MAX_CORRECTIONS: usize = 4_000;

/// The tree of the text with what corrections mend, and the text as it is parsed then.
pub(super) fn corrected(
    source: &str,
    tree: Tree,
    blanked: Option<Blanked>,
    spec: &Spec,
    tables: &Tables,
) -> (Tree, Option<Blanked>) {
    let mut reading = Reading {
        errors: errors(&tree, spec),
        tree,
        text: blanked
            .as_ref()
            .map_or_else(|| source.to_owned(), |blanked| blanked.text.clone()),
        names: Vec::new(),
        branches: Vec::new(),
        is_changed: false,
    };
    let mut is_new = true;
    let n_rounds = MAX_ROUNDS.min(1 + MAX_PARSED / (2 * source.len()).max(1));
    for round in 0..n_rounds {
        if reading.errors.is_empty() || !is_new && round > 1 {
            break;
        }
        // Specifiers first: where they are all, no branch has to go.
        let corrections = match round {
            0 | 2 | 4 => specifiers::corrections(&reading.text, &reading.errors),
            _ => conditionals::corrections(&reading.text, &reading.errors),
        };
        is_new = reading.apply(corrections, spec, tables);
    }
    if !reading.is_changed {
        return (reading.tree, blanked);
    }
    let mut blanked = blanked.unwrap_or_default();
    blanked.text = reading.text;
    blanked.branches = reading.branches;
    blanked.names.extend(reading.names);
    blanked.names.sort_unstable();
    (reading.tree, Some(blanked))
}

/// A text, its tree, and the places where the grammar could not read it.
struct Reading {
    text: String,
    tree: Tree,
    errors: Vec<Range<usize>>,
    names: Vec<BlankedName>,
    /// Lines of branches that are not read.
    branches: Vec<Range<usize>>,
    is_changed: bool,
}

impl Reading {
    /// Applies the corrections that help, and tells whether there was one.
    fn apply(&mut self, corrections: Vec<Correction>, spec: &Spec, tables: &Tables) -> bool {
        let Some((tree, text)) = self.parsed_with(&corrections, tables) else {
            return false;
        };
        let after = errors(&tree, spec);
        let n_proposed = corrections.len();
        let helps = |correction: &Correction| {
            let own = correction.own_line(&self.text);
            weight(&after, &correction.area) < weight(&self.errors, &correction.area)
                && weight(&after, &own) <= weight(&self.errors, &own)
        };
        let kept: Vec<Correction> = corrections.into_iter().filter(helps).collect();
        let reread = match kept.len() {
            n if n == n_proposed => Some((tree, text)),
            // Innocent ones would blank what the grammar reads.
            _ => self.parsed_with(&kept, tables),
        };
        let Some((tree, text)) = reread else {
            return false;
        };
        let after = errors(&tree, spec);
        if total(&after) >= total(&self.errors) {
            return false;
        }
        let blanks = kept.into_iter().flat_map(|correction| correction.blanks);
        for blank in blanks {
            let start = blank.start;
            if self.text[blank.clone()].contains("\n") && self.text[start..].starts_with('#') {
                self.branches.push(blank.clone());
            }
            let names = tokens::names(&self.text[blank]);
            let names = names.into_iter();
            let names =
                names.map(|word| blanked_name(&self.text, start + word.start, start + word.end));
            self.names.extend(names);
        }
        (self.tree, self.text, self.errors) = (tree, text, after);
        self.is_changed = true;
        true
    }

    /// The tree of the text with corrections; none without one.
    fn parsed_with(&self, corrections: &[Correction], tables: &Tables) -> Option<(Tree, String)> {
        if corrections.is_empty() || corrections.len() > MAX_CORRECTIONS {
            return None;
        }
        let mut bytes = self.text.clone().into_bytes();
        for correction in corrections {
            for blank in &correction.blanks {
                let is_kept = |byte: u8| matches!(byte, b'\n' | b'\r');
                let blank = bytes[blank.clone()].iter_mut();
                blank
                    .filter(|byte| !is_kept(**byte))
                    .for_each(|byte| *byte = b' ');
            }
            for (place, sign) in &correction.puts {
                bytes[*place] = *sign;
            }
        }
        // Blanks begin and end where tokens do.
        let text = String::from_utf8(bytes).ok()?;
        Some((parse(&text, tables, &[])?, text))
    }
}

/// A name as its neighbours show what it is: behind a tag a type, behind an object a member, before a bracket a call.
fn blanked_name(text: &str, start: usize, end: usize) -> BlankedName {
    let before = text[..start].trim_end();
    let word = before.trim_end_matches(|char: char| char.is_alphanumeric() || char == '_');
    let is_tagged = matches!(&before[word.len()..], "class" | "enum" | "struct" | "union");
    let is_called = text[end..].trim_start().starts_with('(');
    BlankedName {
        start,
        end,
        kind: match (is_tagged, is_called) {
            (true, _) => ReferenceKind::Type,
            (false, true) => ReferenceKind::Call,
            (false, false) => ReferenceKind::Read,
        },
        is_member: before.ends_with('.') || before.ends_with("->"),
    }
}

/// The bytes that the outermost errors of a tree cover, in order; what is missing covers one.
fn errors(tree: &Tree, spec: &Spec) -> Vec<Range<usize>> {
    let mut open = vec![(tree.root_node(), None)];
    let mut errors = Vec::new();
    while let Some((node, parent)) = open.pop() {
        if node.is_error() || node.is_missing() {
            if !(spec.is_harmless)(node, [parent, None]) {
                errors.push(node.start_byte()..node.end_byte().max(node.start_byte() + 1));
            }
        } else if node.has_error() {
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor).map(|child| (child, Some(node))));
        }
    }
    errors.sort_by_key(|error| (error.start, error.end));
    errors
}

/// Bytes of errors in an area, and one for each error.
fn weight(errors: &[Range<usize>], area: &Range<usize>) -> usize {
    // Outermost errors lie apart, in order.
    let first = errors.partition_point(|error| error.end <= area.start);
    let last = errors.partition_point(|error| error.start < area.end);
    let bytes = |error: &Range<usize>| {
        let start = error.start.max(area.start);
        let end = error.end.min(area.end);
        if start < end { end - start + 1 } else { 0 }
    };
    errors[first..last.max(first)].iter().map(bytes).sum()
}

fn total(errors: &[Range<usize>]) -> usize {
    errors.iter().map(|error| error.len() + 1).sum()
}

#[cfg(test)]
mod tests {
    use crate::analyze::analyze;
    use crate::language::detect;
    use crate::types::ReferenceKind;

    /// Text, definitions that it has, and names that it uses.
    const READ: [(&str, &[&str], &[&str]); 14] = [
        (
            "LIB_INLINE pool &pool::operator=(pool other) {\n  return *this;\n}\nint after() { return 1; }\n",
            &["pool::operator=", "after"],
            &["LIB_INLINE"],
        ),
        (
            "struct S {\n  LIB_CONSTEXPR S(const int& arg) : value(arg) {}\n  S(S &&o) LIB_NOEXCEPT : value(1) {}\n  int value;\n  int after() LIB_REALLY(true) { return 1; }\n};\n",
            &["S", "S::value", "S::after"],
            &["LIB_CONSTEXPR", "LIB_NOEXCEPT", "LIB_REALLY"],
        ),
        (
            "std::string LIB_INLINE getenv(const char *field) { return field; }\nint after() { return 1; }\n",
            &["getenv", "after"],
            &["LIB_INLINE"],
        ),
        (
            "void run() {\n  LIB_TRY {\n    go();\n  }\n  LIB_CATCH(e)\n}\nint after() { return 1; }\n",
            &["run", "after"],
            &["LIB_TRY", "go", "LIB_CATCH"],
        ),
        (
            "template <typename T, LIB_REQUIRES(!is_same<T, char>::value)>\nT pick(T t) { return t; }\nint after() { return 1; }\n",
            &["pick", "after"],
            &["LIB_REQUIRES", "is_same"],
        ),
        (
            "template <LIB_REQUIRES(!is_same<int, char>::value), typename T>\nT pick(T t) { return t; }\n",
            &["pick"],
            &["LIB_REQUIRES"],
        ),
        (
            "TEST_CASE(\"adds \", \"[math]\") {\n  check(1);\n}\nint after() { return 1; }\n",
            &["after"],
            &["check"],
        ),
        (
            "static noinline void slow(int a) { go(a); }\nasmlinkage long entry(int a);\nint after(void) { return 1; }\n",
            &["slow", "entry", "after"],
            &["go", "noinline"],
        ),
        (
            "static __always_inline __alloc_size(1) void *get(int n) { return 0; }\nint after(void) { return 1; }\n",
            &["get", "after"],
            &["__alloc_size"],
        ),
        (
            "void all(struct list *list) {\n  for_each_item(pos, list) {\n    go(pos);\n  }\n  for_each_item(pos, list)\n    stop(pos);\n}\n",
            &["all"],
            &["for_each_item", "go", "stop"],
        ),
        (
            "int pick(int n) {\n#ifdef A\n  if (n) {\n#else\n  if (other(n)) {\n#endif\n    go(n);\n  }\n  return n;\n}\nint after(void) { return 1; }\n",
            &["pick", "after"],
            &["other", "go", "A"],
        ),
        (
            "#if 0\nint half(int a {\n#else\nint whole(int a) {\n#endif\n  return go(a);\n}\nint after(void) { return 1; }\n",
            &["whole", "after"],
            &["go"],
        ),
        (
            "#if LIB_HAS(<version>)\n#  include <version>\n#endif\nint after() { return 1; }\n",
            &["after"],
            &["LIB_HAS"],
        ),
        (
            "extern \"C\" __declspec(dllimport) void __stdcall Out(const char *text);\nint after() { return 1; }\n",
            &["Out", "after"],
            &["__declspec", "__stdcall"],
        ),
    ];

    #[test]
    fn a_macro_that_stands_for_words_of_the_language_hides_nothing() {
        for (source, definitions, uses) in READ {
            let facts = analyze(source, detect("m.cc", source.as_bytes()).expect("C++"));
            assert!(facts.errors.is_empty(), "{source}{:?}", facts.errors);
            let symbols: Vec<&str> = facts
                .symbols
                .iter()
                .map(|symbol| symbol.qualified.as_str())
                .collect();
            for definition in definitions {
                assert!(
                    symbols.contains(definition),
                    "{source}{definition}: {symbols:?}"
                );
            }
            for name in uses {
                let mut references = facts.references.iter();
                assert!(
                    references.any(|reference| reference.name == *name),
                    "{source}{name}"
                );
            }
        }
    }

    #[test]
    fn a_name_in_a_branch_that_is_not_read_says_what_it_is() {
        let source = "int pick(Box *box) {\n#ifdef A\n  if (box) {\n#else\n  if (box->weigh(1) > box->most && \
                      (struct crate *)box) {\n#endif\n    go(box);\n  }\n  return 1;\n}\n";
        let facts = analyze(source, detect("m.cc", b"").expect("C++"));
        assert!(facts.errors.is_empty(), "{:?}", facts.errors);
        let told = |name: &str| {
            let mut references = facts.references.iter();
            let place = references.find(|reference| reference.name == name);
            place.map(|reference| (reference.kind, reference.qualifier.as_str()))
        };
        assert_eq!(told("weigh"), Some((ReferenceKind::Call, "…")));
        assert_eq!(told("most"), Some((ReferenceKind::Read, "…")));
        assert_eq!(told("crate"), Some((ReferenceKind::Type, "")));
    }

    #[test]
    fn where_the_grammar_reads_everything_nothing_is_blanked() {
        let source = "DWORD count;\nHANDLE open(int a);\nvoid f() { ASSERT(a); BOOL ok = 1; FILE_ID *id; }\n";
        let facts = analyze(source, detect("m.cc", b"").expect("C++"));
        let is_type = |name: &str| {
            let mut references = facts.references.iter();
            references
                .any(|reference| reference.name == name && reference.kind == ReferenceKind::Type)
        };
        assert!(["DWORD", "HANDLE", "BOOL"].iter().all(|name| is_type(name)));
    }
}

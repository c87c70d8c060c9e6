//! Macros of C and C++ that the grammar reads as something else without an error: they are blanked out before
//! parsing, byte for byte, so that every position stays, and told as uses.
//!
//! `class EXPORT_API Name : Base {`, prototypes in the old way (`int f OF((int n));`), and what says which lock
//! guards a field or a function (`int n GUARDED_BY(mu);`). Where the grammar reports an error,
//! [`c_family`](super::c_family) looks for its cause.

use crate::blanked::{Blanked, BlankedName};
use crate::language::Language;
use crate::types::ReferenceKind;

/// Words that a declaration's type begins with.
const OF_TYPES: [&str; 10] = [
    "static", "extern", "const", "unsigned", "signed", "struct", "union", "enum", "inline",
    "volatile",
];
/// Words that a statement begins with: what stands behind them is called.
const OF_STATEMENTS: [&str; 8] = [
    "case", "do", "else", "for", "if", "return", "switch", "while",
];
/// What is said of locks, as the annotations of Clang, Abseil and Chromium are called, prefixes aside.
const OF_LOCKS: [&str; 24] = [
    "ACQUIRE",
    "ACQUIRED_AFTER",
    "ACQUIRED_BEFORE",
    "ACQUIRE_SHARED",
    "ASSERT_CAPABILITY",
    "ASSERT_EXCLUSIVE_LOCK",
    "EXCLUDES",
    "EXCLUSIVE_LOCKS_REQUIRED",
    "EXCLUSIVE_LOCK_FUNCTION",
    "EXCLUSIVE_TRYLOCK_FUNCTION",
    "GUARDED_BY",
    "LOCKS_EXCLUDED",
    "LOCK_RETURNED",
    "PT_GUARDED_BY",
    "RELEASE",
    "RELEASE_GENERIC",
    "RELEASE_SHARED",
    "REQUIRES",
    "REQUIRES_SHARED",
    "RETURN_CAPABILITY",
    "SHARED_LOCKS_REQUIRED",
    "SHARED_LOCK_FUNCTION",
    "TRY_ACQUIRE",
    "UNLOCK_FUNCTION",
];

/// Bytes of a parameter list and of what comes before it: more is no declaration, and without a bound
/// brackets that never close would be read again and again.
const MAX_PARAMETERS: usize = 2_000;
const MAX_HEAD: usize = 400;

/// The text to parse; none where there is nothing to blank. O(text).
pub(crate) fn blanked(source: &str, language: Language) -> Option<Blanked> {
    if !matches!(language.name(), "c" | "cpp") {
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
    for (start, name_end, end) in of_locks(source) {
        blank(start, end);
        names.push((start, name_end));
    }
    names.sort_unstable();
    let text = String::from_utf8(text).ok()?;
    let names = names.into_iter().map(|(start, end)| BlankedName {
        start,
        end,
        kind: ReferenceKind::Read,
        is_member: false,
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
    // What follows says that it is a macro: parts are not asked for.
    if end - start < 3 || !source[start..end].chars().all(is_capital) || name == end {
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
    let close = closing(source, at)? - 1;
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

/// `GUARDED_BY(mu)` of `int n GUARDED_BY(mu);`, `ACQUIRE()` of `void lock() ACQUIRE() {`: start, end of the
/// name, end.
fn of_locks(source: &str) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    for (open, _) in source.match_indices('(') {
        let head = &source[..open];
        let start = head.trim_end_matches(is_word).len();
        let name = &head[start..];
        let plain = name.strip_prefix("ABSL_").unwrap_or(name);
        if OF_LOCKS.binary_search(&plain).is_err() {
            continue;
        }
        let before = head[..start].trim_end();
        let is_behind = before.ends_with(|char| is_word(char) || ")]>*&".contains(char));
        let line = line_start(source, start).map_or("", |at| source[at..start].trim_start());
        let first = line.split(|char| !is_word(char)).next().unwrap_or_default();
        let is_declared = !before.ends_with("define") && !OF_STATEMENTS.contains(&first);
        if let Some(end) = closing(source, open).filter(|_| is_behind && is_declared) {
            let rest = source[end..].trim_start();
            let next = ['{', ';', '=', ',']
                .iter()
                .any(|next| rest.starts_with(*next))
                || rest.starts_with(char::is_alphabetic);
            if next {
                found.push((start, open, end));
            }
        }
    }
    found
}

/// Behind the bracket that closes the one at a place.
fn closing(source: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    let close = source[open..]
        .bytes()
        .take(MAX_PARAMETERS)
        .position(|byte| {
            depth += match byte {
                b'(' => 1,
                b')' => -1,
                _ => 0,
            };
            depth == 0
        })?;
    Some(open + close + 1)
}

fn is_capital(char: char) -> bool {
    char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_'
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

#[cfg(test)]
mod tests {
    use crate::analyze::analyze;
    use crate::language::detect;
    use crate::types::ReferenceKind;

    #[test]
    fn what_says_who_may_see_a_function_leaves_its_type_and_name() {
        let source = "typedef enum { A } lib_error;\n\
                      LIB_PUBLIC_API lib_error LIB64_reset  (state_t* s, unsigned long long x);\n\
                      extern LIB_API const char * lib_name(void);\n\
                      LIB_API unsigned long lib_sum (int a) {\n  return LIB64_reset(0, a);\n}\n\
                      LIB_TYPE plain(int a);\nLIB_TYPE const odd(int a);\n\
                      /*\nLIB_TEXT is no type of it (at all).\n*/\n\
                      int last(void) {\n  LIB_CHECK(a);\n}\n";
        for path in ["m.c", "m.h", "m.cc"] {
            let facts = analyze(source, detect(path, source.as_bytes()).expect("C"));
            assert!(facts.errors.is_empty(), "{path}: {:?}", facts.errors);
            let symbols = facts.symbols.iter();
            let found: Vec<&str> = symbols.map(|one| one.qualified.as_str()).collect();
            for name in ["LIB64_reset", "lib_name", "lib_sum", "plain", "odd", "last"] {
                assert!(found.contains(&name), "{path}, {name}: {found:?}");
            }
            let n_named = |name: &str| {
                let references = facts.references.iter();
                references.filter(|one| one.name == name).count()
            };
            assert_eq!(n_named("lib_error"), 1, "a type that is used");
            assert_eq!((n_named("LIB_PUBLIC_API"), n_named("LIB_TEXT")), (1, 0));
        }
    }

    #[test]
    fn what_says_who_holds_a_lock_hides_no_class_and_no_member() {
        let source = "namespace n {\nclass LOCKABLE Mutex {\n public:\n  Mutex() = default;\n  void Lock() ACQUIRE() {}\n  \
                      void Unlock() RELEASE();\n};\nclass Guard {\n  int Read() LOCKS_EXCLUDED(mu_) { return n_; }\n  \
                      int n_ GUARDED_BY(mu_) = 0;\n  Mutex* mu_;\n};\n}\n#define REQUIRES(x) __attribute__((x))\n\
                      int plain() { if (ok) FAIL(x); return REQUIRES(1) + 1; }\n\
                      void run(int* p) {\n  if (p) RELEASE(p);\n}\nclass CORE_V5_API Five : Guard {\n  int five;\n};\n";
        let facts = analyze(source, detect("m.cc", b"").expect("C++"));
        assert!(facts.errors.is_empty(), "{:?}", facts.errors);
        let found: Vec<&str> = facts
            .symbols
            .iter()
            .map(|one| one.qualified.as_str())
            .collect();
        for name in [
            "n::Mutex",
            "n::Mutex::Lock",
            "n::Mutex::Unlock",
            "n::Guard::Read",
            "n::Guard::n_",
            "plain",
            "Five",
            "Five::five",
        ] {
            assert!(found.contains(&name), "{name}: {found:?}");
        }
        let is_called = |name: &str| {
            let mut references = facts.references.iter();
            references.any(|one| one.name == name && one.kind == ReferenceKind::Call)
        };
        assert!(is_called("RELEASE"), "what a statement calls is a call");
        let names: Vec<&str> = facts
            .references
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert!(
            ["LOCKABLE", "GUARDED_BY", "FAIL"]
                .iter()
                .all(|name| names.contains(name)),
            "{names:?}"
        );
    }
}

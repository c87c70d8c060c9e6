//! Structural search, as its callers see it: what a pattern finds, what it refuses, what it costs.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

mod found_again;
mod hostile;
mod languages;
mod refused;

use whyrank_syntax::{Language, StructuralPattern};

/// The texts that a pattern finds, on one line each, with what `$A` matches behind `=`.
fn found(language: &str, pattern: &str, source: &str) -> Vec<String> {
    let language = Language::from_name(language).unwrap();
    let pattern =
        StructuralPattern::new(pattern, language).unwrap_or_else(|error| panic!("{error}"));
    let found = pattern.search(source, language, &|| false);
    assert!(found.complete);
    assert!(found.matches.is_empty() || pattern.may_match(source));
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = |start: usize, end: usize| one_line(&source[start..end]);
    found
        .matches
        .iter()
        .map(|found| {
            let bound = found.bindings.iter().find(|binding| binding.name == "A");
            let bound = bound.map(|bound| format!(" = {}", text(bound.start_byte, bound.end_byte)));
            format!(
                "{}{}",
                text(found.start_byte, found.end_byte),
                bound.unwrap_or_default()
            )
        })
        .collect()
}

#[track_caller]
fn check(language: &str, pattern: &str, source: &str, expected: &[&str]) {
    assert_eq!(
        found(language, pattern, source),
        expected,
        "{language}: {pattern}"
    );
}

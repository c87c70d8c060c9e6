use super::*;
use crate::{GramReader, gram};
use std::collections::HashSet;

fn syntax(pattern: &str, ignores_case: bool) -> PatternSyntax {
    PatternSyntax {
        patterns: vec![pattern.to_owned()],
        is_text: false,
        ignores_case,
        unicode: true,
    }
}

fn plan(pattern: &str) -> GramQuery {
    GramQuery::of(&syntax(pattern, false))
}

fn all(texts: &[&str]) -> GramQuery {
    let of = |text: &&str| {
        grams(text.as_bytes())
            .map(GramQuery::Gram)
            .collect::<Vec<_>>()
    };
    GramQuery::All(texts.iter().flat_map(of).collect())
}

fn holds(query: &GramQuery, held: &HashSet<Gram>) -> bool {
    match query {
        GramQuery::Any => true,
        GramQuery::Gram(gram) => held.contains(gram),
        GramQuery::All(parts) => parts.iter().all(|part| holds(part, held)),
        GramQuery::OneOf(parts) => parts.iter().any(|part| holds(part, held)),
    }
}

#[test]
fn a_text_needs_all_of_its_grams() {
    assert_eq!(plan("Retry"), all(&["retry"]));
    assert_eq!(plan("ab"), GramQuery::Any);
    assert_eq!(plan("abc"), GramQuery::Gram(gram(b"abc")));
    assert_eq!(plan(r"foo\b.*bar"), all(&["foo", "bar"]));
    assert_eq!(plan("^abcd$"), all(&["abcd"]));
}

#[test]
fn borders_between_parts_count() {
    assert_eq!(
        plan("[ab]cd"),
        GramQuery::OneOf([gram(b"acd"), gram(b"bcd")].map(GramQuery::Gram).into())
    );
    let query = plan(r"\w+_test_\w+");
    assert_eq!(query, all(&["_test_"]));
    assert_eq!(plan("(abc)+"), GramQuery::Gram(gram(b"abc")));
    assert_eq!(plan("x{3}"), GramQuery::Gram(gram(b"xxx")));
    assert_eq!(plan("abc|"), GramQuery::Any);
    assert_eq!(plan("(?:abc)?"), GramQuery::Any);
    assert_eq!(plan(r"\d\d\d"), GramQuery::Any);
}

#[test]
fn what_is_not_understood_asks_for_nothing() {
    for pattern in ["", "(", ".", r"\w+", "a*", "[^a]bc?", r"(?-u:\xff)"] {
        assert_eq!(plan(pattern), GramQuery::Any, "{pattern}");
    }
}

/// No text that matches is ruled out, whatever the pattern is made of.
#[test]
fn a_text_that_matches_is_never_ruled_out() {
    let pieces = [
        "foo",
        "Bar",
        "_",
        "[a-c]",
        "[^x]",
        "é",
        "(?:ab|cd)",
        "(?i:kS)",
        "x?",
        "y*",
        "(?:zz)+",
        "q{2,3}",
        r"\b",
        r"\w",
        ".",
        "ſ",
        "(?:abc|de|)",
        r"\s",
        "1{5}",
        "^",
        "$",
        "(?i:É)",
    ];
    let texts = [
        "foo",
        "FooBar",
        "a_b",
        "abcd",
        "éa",
        "ks",
        "KS",
        "xyz",
        "yyy",
        "zzzz",
        "qq",
        "qqq",
        "1111111",
        "foo bar_ é zz",
        "fooBar_aéab kS xyzzqq 11111",
        "cdzzqqq",
        "É",
        "ſ",
        "\u{212a}s",
        "abcfoo",
        "defoo",
    ];
    let mut reader = GramReader::default();
    let mut seed = 7u64;
    let mut next = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut n_matched = 0;
    for _ in 0..3_000 {
        let pattern: String = (0..=next(4)).map(|_| pieces[next(pieces.len())]).collect();
        let text: String = (0..=next(3)).map(|_| texts[next(texts.len())]).collect();
        for ignores_case in [false, true] {
            let regex = regex::RegexBuilder::new(&pattern)
                .multi_line(true)
                .case_insensitive(ignores_case)
                .build()
                .expect("pieces are patterns");
            let query = GramQuery::of(&syntax(&pattern, ignores_case));
            let Some(held) = reader.grams(text.as_bytes()) else {
                continue;
            };
            let held: HashSet<Gram> = held.iter().copied().collect();
            if regex.is_match(&text) {
                n_matched += 1;
                assert!(holds(&query, &held), "{pattern} in {text}: {query:?}");
            }
        }
    }
    assert!(n_matched > 300, "{n_matched}");
}

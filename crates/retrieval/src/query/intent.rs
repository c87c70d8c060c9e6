//! What a query asks for besides code, told by its words: tests, manifests; and whether it lists topics.

use crate::search_index::OF_TESTS;

pub(crate) fn of_tests(keywords: &[String]) -> impl Iterator<Item = &str> {
    let words = keywords.iter().map(String::as_str);
    words.filter(|word| OF_TESTS.contains(word))
}

/// Whether tests are asked for in so many words, whatever the program is about.
pub(crate) fn asks_for_tests(text: &str) -> bool {
    const ASKED: [&str; 8] = [
        "test for ",
        "tests for ",
        "test that ",
        "tests that ",
        "tests of ",
        "unit test",
        "regression test",
        "which tests",
    ];
    let lower = text.to_lowercase();
    ASKED.iter().any(|words| lower.contains(words))
}

/// Beginnings of words that mean manifests, build files and settings.
const OF_CONFIG: [&str; 18] = [
    "build", "ci", "config", "depend", "deploy", "docker", "json", "licens", "lint", "makefil",
    "manifest", "packag", "pipelin", "publish", "releas", "toml", "workflow", "yaml",
];

pub(crate) fn asks_for_config(keywords: &[String]) -> bool {
    let is_short = |mark: &str| mark.len() < 3;
    keywords.iter().any(|word| {
        OF_CONFIG.iter().any(|mark| {
            if is_short(mark) {
                word == mark
            } else {
                word.starts_with(mark)
            }
        })
    })
}

/// Items from which what commas divide is a list, and words that an item has at most.
const MIN_ITEMS: usize = 4;
const MAX_ITEM_WORDS: usize = 3;

/// Whether a text lists topics: `sessions, cookies, csrf tokens, redirects`. Each of them has a place of
/// its own.
pub(crate) fn is_list(text: &str) -> bool {
    let items = text.split([',', ';', '\n', '|']).map(str::trim);
    let items: Vec<&str> = items.filter(|item| !item.is_empty()).collect();
    let is_short = |item: &&&str| item.split_whitespace().count() <= MAX_ITEM_WORDS;
    let n_short = items.iter().filter(is_short).count();
    // The first item may have an introduction before it, the last an `and`.
    items.len() >= MIN_ITEMS && n_short + 1 >= items.len()
}

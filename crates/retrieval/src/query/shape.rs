//! What a query looks like, and the names that stand in it.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What a query looks like; decides how the channels are weighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum QueryShape {
    /// One identifier, possibly qualified: `Router.use`.
    Identifier,
    /// A file path or a part of one.
    Path,
    /// A message or a literal as a program prints it.
    ErrorString,
    /// Many lines, as bug reports are filed: title, prose, code, tracebacks.
    Issue,
    /// Words.
    NaturalLanguage,
}

/// Tells a shape by the text alone, and says why it is that one.
pub(super) fn shape_of(text: &str) -> (QueryShape, String) {
    let shape = |shape, reason: &str| (shape, reason.to_owned());
    if text.is_empty() {
        return shape(QueryShape::NaturalLanguage, "empty");
    }
    let n_words = text.split_whitespace().count();
    if n_words == 1 && is_path(text) {
        return shape(
            QueryShape::Path,
            "one word with a slash or a source file's ending",
        );
    }
    if n_words == 1 && is_identifier(text) {
        return shape(
            QueryShape::Identifier,
            "one word with a capital, an underscore or a qualifier",
        );
    }
    if is_error_string(text) {
        return shape(
            QueryShape::ErrorString,
            "quoted, or reads like a message that a program prints",
        );
    }
    shape(
        QueryShape::NaturalLanguage,
        if n_words == 1 {
            "one plain word"
        } else {
            "several words"
        },
    )
}

fn is_path(text: &str) -> bool {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"/._-@+".contains(&byte));
    let ends_like_a_file = text.rsplit_once('.').is_some_and(|(stem, ending)| {
        let is_known = whyrank_syntax::detect(&format!("x.{ending}"), b"")
            .is_some_and(|language| language.name() != "text");
        !stem.is_empty()
            && is_known
            && text.bytes().filter(|byte| *byte == b'.').count() == 1
            && ending.bytes().all(|byte| byte.is_ascii_lowercase())
            && ending.len() <= 5
    });
    plain && (text.contains('/') || ends_like_a_file)
}

/// One word that is a name and not plain prose: qualified, with an inner or leading capital, an
/// underscore or a digit.
fn is_identifier(text: &str) -> bool {
    let text = text.trim_end_matches("()");
    let is_name = |part: &str| {
        let mut chars = part.chars();
        chars
            .next()
            .is_some_and(|first| first.is_alphabetic() || "_$@".contains(first))
            && chars.all(|rest| rest.is_alphanumeric() || "_$?!".contains(rest))
    };
    let parts: Vec<&str> = text
        .split(['.', '#', '\\'])
        .flat_map(|part| part.split("::"))
        .flat_map(|part| part.split("->"))
        .collect();
    let all_names = parts.iter().all(|part| is_name(part));
    let has_mark = parts.len() > 1
        || text
            .chars()
            .any(|char| char.is_uppercase() || "_$@?!".contains(char) || char.is_ascii_digit());
    all_names && has_mark
}

pub(super) fn is_error_string(text: &str) -> bool {
    let said = text.trim_end_matches(['.', ',', '?', '!']);
    let quoted = said.len() > 2
        && said.starts_with(['"', '\'', '`', '“', '«'])
        && said.ends_with(['"', '\'', '`', '”', '»']);
    let has_placeholder = ["%s", "%d", "{}", "${"]
        .iter()
        .any(|mark| text.contains(mark));
    let lower = text.to_lowercase();
    let opens_like_one = [
        "error:",
        "cannot ",
        "can't ",
        "failed to ",
        "unexpected ",
        "invalid ",
        "panic",
    ]
    .iter()
    .any(|opening| lower.starts_with(opening));
    let has_punctuation = text.contains(": ") || text.ends_with('.') || text.contains('(');
    quoted || has_placeholder || (opens_like_one && has_punctuation)
}

/// Names among the words: the whole query of identifier shape, else what has the form of one.
pub(super) fn identifiers(text: &str, shape: QueryShape) -> Vec<String> {
    if shape == QueryShape::Identifier {
        return vec![text.trim_end_matches("()").to_owned()];
    }
    let mut found: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_matches(|char: char| !char.is_alphanumeric() && char != '_');
        let word = word.trim_end_matches("()");
        let inner_capital =
            word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
        let looks_like_one = word.len() > 2
            && is_identifier(word)
            && (inner_capital || word.contains(['_', '.', ':']));
        if looks_like_one && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

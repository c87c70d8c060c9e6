//! Secrets out of texts that are shown or kept: diffs, and the arguments of calls.
//!
//! The detector that indexes and readers use comes first. It leaves in place what may be no secret; here nobody
//! needs the rest, so values of telling names and words that begin as keys do go too.

use serde_json::Value;
use whyrank_secrets::{begins_as_key, without_secrets_in};

/// Stands in for a secret.
const HIDDEN: &str = "•••";

/// Names whose values nobody should read.
const SECRET_NAMES: [&str; 12] = [
    "token",
    "secret",
    "password",
    "passwd",
    "api_key",
    "apikey",
    "api-key",
    "authorization",
    "credential",
    "private_key",
    "access_key",
    "cookie",
];

/// Shorter values of telling names are `true` and the like.
const LEAST_VALUE: usize = 4;
/// Shorter words are no secrets.
const LEAST_SECRET: usize = 16;

/// Hides secrets in a text: what the detector finds, then line by line the values of telling names and words
/// that begin as keys do.
pub fn redact_text(text: &str) -> String {
    let text = hide_struck(text, &without_secrets_in(text));
    let lines: Vec<String> = text.split('\n').map(redact_line).collect();
    lines.join("\n")
}

/// The text with what is struck out of it hidden: how long a secret is says something, too.
fn hide_struck(text: &str, struck: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut is_hidden = false;
    for (at, character) in text.char_indices() {
        let is_struck = character != '*' && struck.as_bytes()[at] == b'*';
        match (is_struck, is_hidden) {
            (true, false) => shown.push_str(HIDDEN),
            (true, true) => {}
            (false, _) => shown.push(character),
        }
        is_hidden = is_struck;
    }
    shown
}

/// Hides secrets in the texts of a JSON value.
pub fn redact_value(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::from(redact_text(text)),
        Value::Array(items) => items.iter().map(redact_value).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| {
                let hides = is_secret_name(name) && !value.is_number() && !value.is_boolean();
                let shown = if hides {
                    Value::from(HIDDEN)
                } else {
                    redact_value(value)
                };
                (name.clone(), shown)
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_lowercase();
    // `max_tokens` counts something.
    !name.ends_with("tokens") && SECRET_NAMES.iter().any(|secret| name.contains(secret))
}

fn redact_line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((value_at, value_len)) = secret_value(rest) {
        shown.push_str(&rest[..value_at]);
        shown.push_str(HIDDEN);
        rest = &rest[value_at + value_len..];
    }
    shown.push_str(rest);
    hide_words(&shown)
}

/// Where the first value of a telling name begins, and how long it is: between its quotes, or to the end
/// of the line.
fn secret_value(line: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(found) = line[from..].find([':', '=']) {
        let at = from + found;
        from = at + 1;
        let is_name = |character: char| character.is_alphanumeric() || "_-.".contains(character);
        let before = line[..at].trim_end().trim_end_matches(['"', '\'']);
        let name = before.rsplit(|character| !is_name(character)).next();
        if !name.is_some_and(is_secret_name) {
            continue;
        }
        let value = line[from..].trim_start();
        let value_at = line.len() - value.len();
        let (start, text) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let inside = &value[1..];
                (value_at + 1, inside.split(quote).next().unwrap_or(inside))
            }
            // Another structure begins there; what lies in it is looked at by itself.
            Some('{' | '[' | '(' | '|' | '>') | None => continue,
            Some(_) => (value_at, value.trim_end()),
        };
        if text.len() >= LEAST_VALUE {
            return Some((start, text.len()));
        }
    }
    None
}

fn hide_words(line: &str) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || "_-.".contains(character);
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find(is_word) {
        let word_and_rest = &rest[start..];
        let end = word_and_rest
            .find(|character| !is_word(character))
            .unwrap_or(word_and_rest.len());
        let word = &word_and_rest[..end];
        let hides = word.len() >= LEAST_SECRET
            && begins_as_key(word)
            && word.chars().any(|character| character.is_ascii_digit());
        shown.push_str(&rest[..start]);
        shown.push_str(if hides { HIDDEN } else { word });
        rest = &word_and_rest[end..];
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_of_telling_names_are_hidden() {
        let check = |line: &str, expected: &str| assert_eq!(redact_text(line), expected);
        check(r#"  "API_TOKEN": "abcd1234","#, r#"  "API_TOKEN": "•••","#);
        check("password = 'hunter22'", "password = '•••'");
        check("api_key: abcdef", "api_key: •••");
        check(
            r#"{"a": {"TOKEN": "abcdef", "b": "c", "x_secret": "ghijkl"}}"#,
            r#"{"a": {"TOKEN": "•••", "b": "c", "x_secret": "•••"}}"#,
        );
        check(r#""env": {"#, r#""env": {"#);
        check("tokens: [", "tokens: [");
        check(
            r#""command": "/usr/bin/whyrank""#,
            r#""command": "/usr/bin/whyrank""#,
        );
    }

    #[test]
    fn what_the_detector_finds_is_hidden() {
        assert_eq!(
            redact_text("git clone https://ada:Vq7xN2pL9sKd@git.example.org/shop ünd"),
            "git clone https://ada:•••@git.example.org/shop ünd"
        );
    }

    #[test]
    fn words_that_begin_as_keys_do_are_hidden() {
        assert_eq!(
            redact_text("Bearer ghp_0123456789abcdefghij now"),
            "Bearer ••• now"
        );
        assert_eq!(
            redact_text("the sk-learn-library-name"),
            "the sk-learn-library-name"
        );
    }

    #[test]
    fn arguments_keep_their_shape() {
        let value = json!({"query": "where is ghp_0123456789abcdefghij", "max_tokens": 5, "token": "x", "path": ["a"]});
        let expected =
            json!({"query": "where is •••", "max_tokens": 5, "token": "•••", "path": ["a"]});
        assert_eq!(redact_value(&value), expected);
    }
}

//! Secrets out of texts that are shown or kept: diffs, and the arguments of calls.

use serde_json::Value;
use whyrank_source::without_secrets_in;

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
/// Hides secrets in a text: what is struck out of files, and the values of telling names, whatever they look like.
pub fn redact_text(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(redact_line).collect();
    without_secrets_in(&lines.join("\n")).into_owned()
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
    shown
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
    fn keys_without_a_name_are_hidden() {
        assert_eq!(
            redact_text("Bearer ghp_3k8xW7bR2mT5vY8cP4nH6dJ1gLfSeUuaZ3kQ now"),
            format!("Bearer {} now", "*".repeat(40))
        );
        assert_eq!(
            redact_text("the sk-learn-library-name"),
            "the sk-learn-library-name"
        );
    }

    #[test]
    fn arguments_keep_their_shape() {
        let value = json!({"query": "where is ghp_3k8xW7bR2mT5vY8cP4nH6dJ1gLfSeUuaZ3kQ", "max_tokens": 5, "token": "x", "path": ["a"]});
        let expected = json!({"query": format!("where is {}", "*".repeat(40)), "max_tokens": 5, "token": "•••", "path": ["a"]});
        assert_eq!(redact_value(&value), expected);
    }
}

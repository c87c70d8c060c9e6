//! Secrets out of texts that are shown or kept: diffs, and the arguments of calls.

use serde_json::Value;

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

/// How the secrets of well-known services begin.
const SECRET_STARTS: [&str; 13] = [
    "sk-",
    "sk_",
    "pk_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "eyJ",
    "AIza",
];

/// Shorter words are no secrets.
const LEAST_SECRET: usize = 16;

/// Hides secrets in a text, line by line: the values of telling names, and words that begin as keys do.
pub fn redact_text(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(redact_line).collect();
    lines.join("\n")
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
                let shown = match hides {
                    true => Value::from(HIDDEN),
                    false => redact_value(value),
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
    let line = match named_value(line) {
        Some((head, value, tail)) if value.len() >= 4 => format!("{head}{HIDDEN}{tail}"),
        _ => line.to_owned(),
    };
    hide_words(&line)
}

/// Splits `"API_TOKEN": "value",` into what is before, in and after the quotes of the value; a value
/// without quotes reaches to the end of the line.
fn named_value(line: &str) -> Option<(&str, &str, &str)> {
    let at = line.find([':', '='])?;
    if !is_secret_name(&line[..at]) {
        return None;
    }
    let rest = &line[at + 1..];
    let value_at = at + 1 + (rest.len() - rest.trim_start().len());
    let value = &line[value_at..];
    let opens = value.chars().next()?;
    if opens == '"' || opens == '\'' {
        let inside = &value[1..];
        let end = inside.find(opens)?;
        return Some((&line[..=value_at], &inside[..end], &inside[end..]));
    }
    // Another structure begins there; its lines are looked at by themselves.
    if matches!(opens, '{' | '[' | '(' | '|' | '>') {
        return None;
    }
    Some((&line[..value_at], value.trim_end(), ""))
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
            && SECRET_STARTS.iter().any(|begin| word.starts_with(begin))
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
        check(r#""env": {"#, r#""env": {"#);
        check("tokens: [", "tokens: [");
        check(
            r#""command": "/usr/bin/whyrank""#,
            r#""command": "/usr/bin/whyrank""#,
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

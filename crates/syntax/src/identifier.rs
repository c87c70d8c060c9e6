//! Identifiers and their parts, as every channel splits them.

/// Returns the lower-cased camel, snake and digit parts of an identifier: `HTTPServer2` gives `http`,
/// `server`, `2`.
///
/// Separators (anything that is neither letter nor digit) vanish. Letters without case (CJK) stay
/// together. An identifier of one part gives that part.
pub fn identifier_parts(identifier: &str) -> Vec<String> {
    let chars: Vec<char> = identifier.chars().collect();
    let mut parts = Vec::new();
    let mut part = String::new();
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            flush(&mut part, &mut parts);
            continue;
        }
        if at > 0 && starts_part(chars[at - 1], c, chars.get(at + 1).copied()) {
            flush(&mut part, &mut parts);
        }
        part.extend(c.to_lowercase());
    }
    flush(&mut part, &mut parts);
    parts
}

fn flush(part: &mut String, parts: &mut Vec<String>) {
    if !part.is_empty() {
        parts.push(std::mem::take(part));
    }
}

fn starts_part(before: char, c: char, after: Option<char>) -> bool {
    if before.is_numeric() != c.is_numeric() {
        return true;
    }
    let lower_then_upper = before.is_lowercase() && c.is_uppercase();
    let end_of_acronym =
        before.is_uppercase() && c.is_uppercase() && after.is_some_and(char::is_lowercase);
    lower_then_upper || end_of_acronym
}

/// Says whether a text is one identifier, plain or qualified (`Router.use`, `crate::x`, `a->b`),
/// and not just a word of prose: it has an inner capital, a digit, `_`, `$`, or a qualifier.
pub fn is_identifier_like(text: &str) -> bool {
    let text = text.trim().trim_end_matches("()");
    if text.is_empty() || !text.contains(|c: char| c.is_alphabetic() || c == '_') {
        return false;
    }
    let plain = text.replace("::", ".").replace("->", ".").replace('#', ".");
    let mut n_segments = 0;
    for segment in plain.split('.') {
        let mut chars = segment.chars();
        let head = chars
            .next()
            .is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
        if !head || !chars.all(|c| c.is_alphanumeric() || c == '_' || c == '$') {
            return false;
        }
        n_segments += 1;
    }
    n_segments > 1
        || text.contains(['_', '$'])
        || text
            .chars()
            .skip(1)
            .any(|c| c.is_uppercase() || c.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::{identifier_parts, is_identifier_like};

    fn check(identifier: &str, expected: &[&str]) {
        assert_eq!(identifier_parts(identifier), expected, "{identifier}");
    }

    #[test]
    fn identifiers_split_at_case_digits_and_separators() {
        check("HTTPServer2", &["http", "server", "2"]);
        check("snake_case_name", &["snake", "case", "name"]);
        check("getURL", &["get", "url"]);
        check("__init__", &["init"]);
        check("utf8Decode", &["utf", "8", "decode"]);
        check("a.b::C", &["a", "b", "c"]);
        check("ÜberGröße", &["über", "größe"]);
        check("日本語", &["日本語"]);
        check("", &[]);
        check("$", &[]);
    }

    #[test]
    fn identifiers_are_told_from_prose() {
        for yes in [
            "getUser",
            "snake_case",
            "Router.use",
            "crate::x::Y",
            "sha256",
            "$el",
            "foo()._x",
        ] {
            assert_eq!(is_identifier_like(yes), yes != "foo()._x", "{yes}");
        }
        for no in ["router", "how does it work", "", "...", "e.g.", "42", "a-b"] {
            assert!(!is_identifier_like(no), "{no}");
        }
    }
}

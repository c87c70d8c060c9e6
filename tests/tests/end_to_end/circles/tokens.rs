//! Rust source as words and signs, without comments, literals and code for tests.

/// The words and signs of a source; `::` is one sign, any other sign is a character.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    without_tests(&lexed(text))
}

pub(crate) fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The index after the group that opens at `open`, or after that one token.
pub(crate) fn after_group(tokens: &[&str], open: usize) -> usize {
    let mut depth = 0;
    for (idx, token) in tokens.iter().enumerate().skip(open) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return idx + 1;
        }
    }
    tokens.len()
}

fn lexed(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = skipped_len(rest);
        if skipped > 0 {
            rest = &rest[skipped..];
            continue;
        }
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let len = match word.unwrap_or(rest.len()) {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            len => len,
        };
        tokens.push(&rest[..len]);
        rest = &rest[len..];
    }
    tokens
}

/// The length of the space, comment, lifetime or literal at the start.
fn skipped_len(rest: &str) -> usize {
    let space = rest.len() - rest.trim_start().len();
    if space > 0 {
        return space;
    }
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    let prefix = rest.len() - rest.trim_start_matches(['b', 'c', 'r']).len();
    let literal = &rest[prefix..];
    let hashes = literal.len() - literal.trim_start_matches('#').len();
    if prefix <= 2 && rest[..prefix].ends_with('r') && literal[hashes..].starts_with('"') {
        let end = format!("\"{}", "#".repeat(hashes));
        let body = &literal[hashes + 1..];
        return rest.len() - body.len() + body.find(&end).unwrap_or(0) + end.len();
    }
    if prefix <= 1 && literal.starts_with('"') {
        return prefix + quoted_len(literal, '"');
    }
    if prefix <= 1 && literal.starts_with('\'') {
        return prefix + quote_len(literal);
    }
    0
}

/// The length of a character in quotes, or of the quote of a lifetime.
fn quote_len(literal: &str) -> usize {
    let mut chars = literal.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => quoted_len(literal, '\''),
        (_, Some((end, '\''))) => end + 1,
        _ => {
            1 + literal[1..]
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(0)
        }
    }
}

fn quoted_len(literal: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (idx, c) in literal.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return idx + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    literal.len()
}

fn without_tests<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if tokens[at..].starts_with(&TEST) {
            at = after_item(tokens, at + TEST.len());
        } else {
            kept.push(*token);
            at += 1;
        }
    }
    kept
}

/// The index after an item, statement or field with its attributes.
fn after_item(tokens: &[&str], mut at: usize) -> usize {
    while tokens.get(at) == Some(&"#") {
        at = after_group(tokens, at + 1);
    }
    let is_use = tokens[at..]
        .iter()
        .take_while(|token| **token != ";")
        .any(|token| *token == "use");
    while let Some(token) = tokens.get(at) {
        match *token {
            ";" | "," => return at + 1,
            "}" | ")" | "]" => return at,
            "{" if !is_use => return after_group(tokens, at),
            "(" | "[" | "{" => at = after_group(tokens, at),
            _ => at += 1,
        }
    }
    at
}

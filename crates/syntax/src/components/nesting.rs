//! Brackets of JavaScript: where they close, and what stands outside of them. Strings and comments hold none.
//!
//! What never closes is looked for no further than [`MAX_BYTES`].

/// Longer expressions are not read.
const MAX_BYTES: usize = 64 << 10;
/// Templates in templates.
const MAX_TEMPLATES: u8 = 8;

/// The place of the bracket that closes the one at a place.
pub(crate) fn closing(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let bytes = &bytes[..bytes.len().min(open + MAX_BYTES)];
    let mut at = open;
    let mut expected = Vec::new();
    while at < bytes.len() {
        match bytes[at] {
            b'{' => expected.push(b'}'),
            b'(' => expected.push(b')'),
            b'[' => expected.push(b']'),
            closer @ (b'}' | b')' | b']') => {
                if expected.pop() != Some(closer) {
                    return None;
                }
                if expected.is_empty() {
                    return Some(at);
                }
            }
            _ => {}
        }
        at = next(bytes, at, 0);
    }
    None
}

/// The places outside of brackets, strings and comments, and `None` where brackets do not match.
pub(crate) fn outside(text: &str) -> Option<Vec<usize>> {
    let bytes = text.as_bytes();
    if bytes.len() > MAX_BYTES {
        return None;
    }
    let (mut at, mut places) = (0, Vec::new());
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'(' | b'[' => at = closing(text, at)? + 1,
            b'}' | b')' | b']' => return None,
            _ => {
                let end = next(bytes, at, 0);
                if end == at + 1 {
                    places.push(at);
                }
                at = end;
            }
        }
    }
    Some(places)
}

/// Behind the string, comment or byte at a place.
fn next(bytes: &[u8], at: usize, n_templates: u8) -> usize {
    match bytes[at] {
        quote @ (b'"' | b'\'') => string_end(bytes, at, quote).unwrap_or(at + 1),
        b'`' if n_templates < MAX_TEMPLATES => template_end(bytes, at, n_templates + 1),
        b'/' if bytes[at + 1..].starts_with(b"*") => {
            let rest = &bytes[at + 2..];
            let end = rest.windows(2).position(|two| two == b"*/");
            end.map_or(bytes.len(), |end| at + end + 4)
        }
        // `https://` of a text is none.
        b'/' if bytes[at + 1..].starts_with(b"/") && !bytes[..at].ends_with(b":") => {
            let end = bytes[at..].iter().position(|byte| *byte == b'\n');
            end.map_or(bytes.len(), |end| at + end)
        }
        _ => at + 1,
    }
}

/// Behind a string on one line; an apostrophe of a text begins none.
fn string_end(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' => return None,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

fn template_end(bytes: &[u8], start: usize, n_templates: u8) -> usize {
    let (mut at, mut depth) = (start + 1, 0_u32);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'`' if depth == 0 => return at + 1,
            b'$' if depth == 0 && bytes[at + 1..].starts_with(b"{") => {
                depth = 1;
                at += 2;
            }
            b'{' if depth > 0 => {
                depth += 1;
                at += 1;
            }
            b'}' if depth > 0 => {
                depth -= 1;
                at += 1;
            }
            _ if depth > 0 => at = next(bytes, at, n_templates),
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_close_outside_of_strings_and_comments() {
        let cases: [(&str, Option<usize>); 9] = [
            ("{a}", Some(2)),
            ("{ f('}') }", Some(9)),
            ("{`${ {a: `}`} }}`}", Some(17)),
            ("{a /* } */}", Some(10)),
            ("{a // }\n}", Some(8)),
            ("{it's}", Some(5)),
            ("{\"http://x\"}", Some(11)),
            ("{(a}", None),
            ("{a", None),
        ];
        for (text, end) in cases {
            assert_eq!(closing(text, 0), end, "{text}");
        }
    }

    #[test]
    fn places_outside_are_those_of_no_bracket_or_string() {
        let at = |text: &str| {
            let places = outside(text).unwrap_or_default();
            let shown = places.iter().map(|at| char::from(text.as_bytes()[*at]));
            shown.collect::<String>()
        };
        assert_eq!(at("a(b) as 'c', d"), "a as , d");
        assert_eq!(at("a)"), "");
        assert_eq!(at("(a"), "");
    }
}

//! Strikes secrets out of code: the literals of the lines on which they stand, byte for byte, so that
//! every place in the file stays where it is.

use std::ops::Range;

/// Shorter literals are no secrets.
const MIN_LITERAL: usize = 6;
/// A run of letters and digits from which a value in a comment may be a secret.
const MIN_RUN: usize = 8;
const STRUCK: u8 = b'*';

/// The text with the values struck out that stand at, or behind, these places on their lines; whole
/// private keys too.
pub(super) fn strike(text: &str, places: Vec<usize>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for at in places {
        let line = line_around(text, at);
        let values = values_behind(&text[line.clone()], at - line.start);
        for value in values {
            bytes[line.start + value.start..line.start + value.end].fill(STRUCK);
        }
    }
    for body in key_bodies(text) {
        let body = &mut bytes[body];
        let of_key = |byte: &&mut u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
        body.iter_mut()
            .filter(of_key)
            .for_each(|byte| *byte = STRUCK);
    }
    // Whole characters were struck out, each byte by one that is ASCII.
    String::from_utf8(bytes).unwrap_or_default()
}

fn line_around(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = bytes[..at]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    let length = bytes[at..].iter().position(|byte| *byte == b'\n');
    start..length.map_or(bytes.len(), |length| at + length)
}

/// The literals of a line that end behind a place, but for one that is the name of a value; where there
/// are none, as in a comment, runs that hold digits.
fn values_behind(line: &str, at: usize) -> Vec<Range<usize>> {
    let is_name = |literal: &Range<usize>| {
        let behind = line[literal.end..].trim_start_matches(['"', '\'', '`', ' ']);
        [":", "=>", "]"].iter().any(|sign| behind.starts_with(sign))
    };
    let mut found = literals(line);
    found.retain(|literal| literal.end > at && literal.len() >= MIN_LITERAL && !is_name(literal));
    if found.is_empty() {
        runs(line).filter(|run| run.end > at).collect()
    } else {
        found
    }
}

/// What is between quotes.
fn literals(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(u8, usize)> = None;
    let mut is_escaped = false;
    for (at, byte) in line.bytes().enumerate() {
        match open {
            _ if is_escaped => is_escaped = false,
            Some(_) if byte == b'\\' => is_escaped = true,
            Some((quote, start)) if byte == quote => {
                found.push(start..at);
                open = None;
            }
            None if b"\"'`".contains(&byte) => open = Some((byte, at + 1)),
            _ => {}
        }
    }
    // One that goes on in the next line.
    found.extend(open.map(|(_, start)| start..line.len()));
    found
}

fn runs(line: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/_=.-".contains(byte);
    let bytes = line.as_bytes();
    let mut at = 0;
    let all = std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(is_part)?;
        let length = bytes[start..].iter().position(|byte| !is_part(byte));
        at = length.map_or(bytes.len(), |length| start + length);
        Some(start..at)
    });
    all.filter(move |run| run.len() >= MIN_RUN && bytes[run.clone()].iter().any(u8::is_ascii_digit))
}

/// What is between the head and the end of private keys.
fn key_bodies(text: &str) -> Vec<Range<usize>> {
    let heads = text
        .match_indices("PRIVATE KEY-----")
        .chain(text.match_indices("PRIVATE KEY BLOCK-----"));
    let bodies = heads.filter_map(|(at, head)| {
        let start = at + head.len();
        let end = text[start..].find("-----END")?;
        Some(start..start + end)
    });
    bodies.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_struck_out_and_names_are_left() {
        let check = |text: &str, mark: &str, expected: &str| {
            let at = text.find(mark).expect("the mark");
            assert_eq!(strike(text, vec![at]), expected);
        };
        check(
            "let token = \"s3cr3t-Zz\"; go()\n",
            "token",
            "let token = \"*********\"; go()\n",
        );
        check(
            "a(\"x-y-z1\")\nm = {\"api_key\": 'Zq8tLx3nB'}",
            "api_key",
            "a(\"x-y-z1\")\nm = {\"api_key\": '*********'}",
        );
        check(
            "// password: Zq8tLx3nBw\nx",
            "password",
            "// password: **********\nx",
        );
        check("é = 'grüße1é' # key", "é =", "é = '**********' # key");
    }
}

//! Strikes secrets out of code: the literals of the lines on which they stand, byte for byte, so that
//! every place in the file stays where it is.

use std::collections::BTreeMap;
use std::ops::Range;

/// Shorter literals are no secrets.
const MIN_LITERAL: usize = 6;
/// A run of letters and digits from which a value in a comment may be a secret.
const MIN_RUN: usize = 8;
const STRUCK: u8 = b'*';

/// The text with the values struck out that stand at, or behind, these places on their lines, and on
/// those that follow up to this number; whole private keys too. Each line is read once, however many
/// places it has.
pub(super) fn strike(text: &str, places: &[usize], n_lines: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (line, places) in places_by_line(text, places, n_lines).into_values() {
        for value in values_behind(&text[line.clone()], &places) {
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

/// The lines to be struck, each with its places, in order and counted from where it begins.
fn places_by_line(
    text: &str,
    places: &[usize],
    n_lines: usize,
) -> BTreeMap<usize, (Range<usize>, Vec<usize>)> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    let ends: Vec<usize> = ends.collect();
    let line = |nth: usize| nth.checked_sub(1).map_or(0, |before| ends[before] + 1)..ends[nth];
    let mut struck: BTreeMap<usize, (Range<usize>, Vec<usize>)> = BTreeMap::new();
    for at in places {
        let first = ends.partition_point(|end| end < at);
        for nth in first..(first + n_lines).min(ends.len()) {
            let line = line(nth);
            let (_, within) = struck
                .entry(nth)
                .or_insert_with(|| (line.clone(), Vec::new()));
            within.push(at.saturating_sub(line.start));
        }
    }
    struck
}

/// The literals of a line that end behind its first place, but for one that is the name of a value;
/// behind a place that none follows, as in a comment, runs that hold digits.
fn values_behind(line: &str, places: &[usize]) -> Vec<Range<usize>> {
    let is_name = |literal: &Range<usize>| {
        let behind = line[literal.end..].trim_start_matches(['"', '\'', '`', ' ']);
        [":", "=>", "]"].iter().any(|sign| behind.starts_with(sign))
    };
    let first = places.iter().min().copied().unwrap_or(line.len());
    let mut found = literals(line);
    found
        .retain(|literal| literal.end > first && literal.len() >= MIN_LITERAL && !is_name(literal));
    let last_end = found.last().map_or(0, |literal| literal.end);
    if let Some(bare) = places.iter().filter(|at| **at >= last_end).min() {
        found.extend(runs(line).filter(|run| run.end > *bare));
    }
    found
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

/// What is between the head and the end of private keys: from the first head before each end.
fn key_bodies(text: &str) -> Vec<Range<usize>> {
    const HEADS: [&str; 2] = ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"];
    let heads = HEADS.iter().flat_map(|head| {
        let found = text.match_indices(head);
        found.map(|(at, head)| at + head.len())
    });
    let mut heads: Vec<usize> = heads.collect();
    heads.sort_unstable();
    let mut heads = heads.into_iter().peekable();
    let mut bodies = Vec::new();
    for (end, _) in text.match_indices("-----END") {
        let first = heads.next_if(|start| *start <= end);
        while heads.next_if(|start| *start <= end).is_some() {}
        bodies.extend(first.map(|start| start..end));
    }
    bodies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_struck_out_and_names_are_left() {
        let check = |text: &str, mark: &str, expected: &str| {
            let at = text.find(mark).expect("the mark");
            assert_eq!(strike(text, &[at], 1), expected);
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

//! Strikes secrets out of a text, byte for byte, so that every place in it stays where it is.

use std::ops::Range;

const STRUCK: u8 = b'*';

/// The bytes with these ranges struck out, whole characters each; ends of lines stay.
pub(super) fn strike(mut bytes: Vec<u8>, ranges: &[Range<usize>]) -> Vec<u8> {
    for range in ranges {
        let start = boundary_before(&bytes, range.start);
        let end = boundary_after(&bytes, range.end);
        let struck = bytes[start..end].iter_mut();
        struck
            .filter(|byte| !b"\r\n".contains(byte))
            .for_each(|byte| *byte = STRUCK);
    }
    bytes
}

/// Bytes that go on with a character of UTF-8.
fn goes_on(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

fn boundary_before(bytes: &[u8], at: usize) -> usize {
    let before = bytes[..=at.min(bytes.len().saturating_sub(1))].iter().rev();
    let n_within = before.take(4).take_while(|byte| goes_on(**byte)).count();
    at.saturating_sub(n_within)
}

fn boundary_after(bytes: &[u8], at: usize) -> usize {
    let after = bytes[at.min(bytes.len())..].iter();
    at + after.take_while(|byte| goes_on(**byte)).count()
}

/// The range of a part of a text.
pub(super) fn range_of(text: &[u8], part: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_characters_are_struck_and_lines_stay() {
        let text = "é = 'grüße\r\n1é' # key";
        let start = text.find('g').expect("it is there");
        let end = text.find("é'").expect("it is there") + 1;
        let struck = strike(text.into(), std::slice::from_ref(&(start..end)));
        let struck = String::from_utf8(struck).expect("whole characters");
        assert_eq!(struck, "é = '*******\r\n***' # key");
    }
}

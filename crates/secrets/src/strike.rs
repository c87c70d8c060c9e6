//! Strikes secrets out of a text, byte for byte, so that every place in it stays where it is.

use std::ops::Range;

const STRUCK: u8 = b'*';

/// The text with these ranges struck out, whole characters each; ends of lines stay.
pub(super) fn strike(text: String, ranges: &[Range<usize>]) -> String {
    let whole: Vec<Range<usize>> = ranges
        .iter()
        .map(|range| text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end))
        .collect();
    let mut bytes = text.into_bytes();
    for range in whole {
        let struck = bytes[range].iter_mut();
        struck
            .filter(|byte| !b"\r\n".contains(byte))
            .for_each(|byte| *byte = STRUCK);
    }
    // Whole characters were struck out, each byte by one that is ASCII.
    String::from_utf8(bytes).unwrap_or_default()
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
        let struck = strike(text.to_owned(), std::slice::from_ref(&(start..end)));
        assert_eq!(struck, "é = '*******\r\n***' # key");
    }
}

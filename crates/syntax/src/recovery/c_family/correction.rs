//! A change of the text, and where it has to help.

use std::ops::Range;

/// A change of the text that keeps its length.
pub(super) struct Correction {
    /// Bytes that are blanked, in order.
    pub(super) blanks: Vec<Range<usize>>,
    /// Signs that stand there afterwards.
    pub(super) puts: Vec<(usize, u8)>,
    /// The bytes in which errors have to become fewer.
    pub(super) area: Range<usize>,
}

impl Correction {
    /// The rest of the line that the change begins in.
    pub(super) fn own_line(&self, text: &str) -> Range<usize> {
        let blank = self.blanks.first().map(|blank| blank.start);
        let start = blank.or_else(|| self.puts.first().map(|(place, _)| *place));
        let start = start.unwrap_or(self.area.start);
        let length = text[start..].find('\n');
        start..length.map_or(text.len(), |length| start + length)
    }
}

/// The bytes with the two lines before and behind them: what a branch cuts begins before it.
pub(super) fn with_neighbours(text: &str, bytes: Range<usize>) -> Range<usize> {
    let lines_before = text[..bytes.start].rmatch_indices('\n').nth(2);
    let lines_behind = text[bytes.end..].match_indices('\n').nth(2);
    let start = lines_before.map_or(0, |(offset, _)| offset);
    start..lines_behind.map_or(text.len(), |(offset, _)| bytes.end + offset)
}

//! Where lines start, which are blank, how far they are indented.

use crate::types::Span;

/// The lines of a text; numbers count from 1.
pub(crate) struct Lines<'s> {
    source: &'s str,
    /// Byte where each line starts.
    starts: Vec<u32>,
}

impl<'s> Lines<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        let mut starts = vec![0];
        let ends = source
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n');
        starts.extend(ends.map(|(at, _)| at as u32 + 1));
        if starts.len() > 1 && starts.last() == Some(&(source.len() as u32)) {
            starts.pop();
        }
        Self { source, starts }
    }

    /// The whole text.
    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    /// The number of lines, at least 1.
    pub(crate) fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The number of the line that holds a byte. O(log lines).
    pub(crate) fn line_of(&self, place: usize) -> u32 {
        self.starts
            .partition_point(|start| *start as usize <= place) as u32
    }

    pub(crate) fn start(&self, line: u32) -> u32 {
        let at = (line.max(1) - 1) as usize;
        self.starts
            .get(at)
            .copied()
            .unwrap_or(self.source.len() as u32)
    }

    /// One past the last byte of a line, without its line break.
    pub(crate) fn end(&self, line: u32) -> u32 {
        let start = self.start(line);
        start + self.text(line).len() as u32
    }

    /// A line without its break; empty past the end.
    pub(crate) fn text(&self, line: u32) -> &'s str {
        let (start, next) = (self.start(line) as usize, self.start(line + 1) as usize);
        let text = self.source.get(start..next).unwrap_or("");
        let text = text.strip_suffix('\n').unwrap_or(text);
        text.strip_suffix('\r').unwrap_or(text)
    }

    pub(crate) fn is_blank(&self, line: u32) -> bool {
        self.text(line).trim().is_empty()
    }

    /// Columns of white space before the text; a tab counts 4.
    pub(crate) fn indent(&self, line: u32) -> u32 {
        self.text(line)
            .bytes()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .map(|byte| if byte == b'\t' { 4 } else { 1 })
            .sum()
    }

    /// Whole lines, with their bytes.
    pub(crate) fn span(&self, first: u32, last: u32) -> Span {
        Span {
            start_line: first,
            end_line: last,
            start_byte: self.start(first),
            end_byte: self.end(last).max(self.start(first)),
        }
    }

    /// Bytes from the start of `first` to the end of `last`.
    pub(crate) fn bytes(&self, first: u32, last: u32) -> u32 {
        self.end(last).saturating_sub(self.start(first))
    }

    /// The line that holds a byte.
    pub(crate) fn line_at(&self, byte: usize) -> u32 {
        self.starts.partition_point(|&start| start as usize <= byte) as u32
    }
}

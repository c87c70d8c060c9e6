//! Texts of files, as an answer quotes them.

use super::LiveView;
use crate::error::Result;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Longer lines are cut.
pub(crate) const MAX_LINE_CHARS: usize = 240;

/// Bytes of texts that are in memory at one time; who goes on through the files reads each of them once all
/// the same.
const MOST_HELD: usize = 32 << 20;

/// Texts of files, read once for each answer.
pub(crate) struct Texts<'a> {
    view: &'a LiveView,
    by_file: HashMap<u32, LinedText>,
    n_held: usize,
}

struct LinedText {
    text: String,
    /// Where each line begins, at first need.
    starts: OnceLock<Vec<usize>>,
}

impl LinedText {
    /// A line, counted from 1; empty where there is none.
    fn line(&self, line: u32) -> &str {
        let starts = self.starts.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(ends.map(|end| end + 1)).collect()
        });
        let at = line.saturating_sub(1) as usize;
        let start = starts.get(at).copied().unwrap_or(self.text.len());
        let end = starts.get(at + 1).copied().unwrap_or(self.text.len());
        &self.text[start..end]
    }
}

impl<'a> Texts<'a> {
    pub(crate) fn new(view: &'a LiveView) -> Self {
        Self {
            view,
            by_file: HashMap::new(),
            n_held: 0,
        }
    }

    pub(crate) fn get(&mut self, file: u32) -> Result<&str> {
        Ok(&self.lined(file)?.text)
    }

    fn lined(&mut self, file: u32) -> Result<&LinedText> {
        if !self.by_file.contains_key(&file) {
            let text = self.view.text(file)?;
            if self.n_held + text.len() > MOST_HELD {
                self.by_file.clear();
                self.n_held = 0;
            }
            self.n_held += text.len();
            let starts = OnceLock::new();
            self.by_file.insert(file, LinedText { text, starts });
        }
        Ok(&self.by_file[&file])
    }

    /// A line's text, trimmed.
    pub(crate) fn line(&mut self, file: u32, line: u32) -> Result<String> {
        let line = self.lined(file)?.line(line);
        Ok(cut(line.trim(), MAX_LINE_CHARS).to_owned())
    }
}

/// The first `max_chars` characters.
pub(crate) fn cut(text: &str, max_chars: usize) -> &str {
    text.char_indices()
        .nth(max_chars)
        .map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::LinedText;
    use std::sync::OnceLock;

    #[test]
    fn lines_are_counted_from_one_and_none_is_there_beyond_the_last() {
        let lined = |text: &str| LinedText {
            text: text.to_owned(),
            starts: OnceLock::new(),
        };
        let text = lined("a\n\n  b\r\nc");
        let lines = (0..6).map(|line| text.line(line).trim());
        assert_eq!(lines.collect::<Vec<_>>(), ["a", "a", "", "b", "c", ""]);
        assert_eq!(lined("").line(1), "");
    }
}

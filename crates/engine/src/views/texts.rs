//! Texts of files, as an answer quotes them.

use super::LiveView;
use crate::error::Result;
use std::collections::HashMap;

/// Longer lines are cut.
pub(crate) const MAX_LINE_CHARS: usize = 240;

/// Texts of files, read once for each answer.
pub(crate) struct Texts<'a> {
    view: &'a LiveView,
    by_file: HashMap<u32, String>,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(view: &'a LiveView) -> Self {
        Self {
            view,
            by_file: HashMap::new(),
        }
    }

    pub(crate) fn get(&mut self, file: u32) -> Result<&str> {
        if let std::collections::hash_map::Entry::Vacant(entry) = self.by_file.entry(file) {
            entry.insert(self.view.text(file)?);
        }
        Ok(&self.by_file[&file])
    }

    /// A line's text, trimmed.
    pub(crate) fn line(&mut self, file: u32, line: u32) -> Result<String> {
        let text = self.get(file)?;
        let found = text
            .lines()
            .nth(line.saturating_sub(1) as usize)
            .unwrap_or_default();
        Ok(cut(found.trim(), MAX_LINE_CHARS).to_owned())
    }
}

/// The first `max_chars` characters.
pub(crate) fn cut(text: &str, max_chars: usize) -> &str {
    text.char_indices()
        .nth(max_chars)
        .map_or(text, |(end, _)| &text[..end])
}

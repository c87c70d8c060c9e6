//! A file as the index has it and as the editor shows it.

use crate::documents::Document;
use crate::encoding::Encoding;
use crate::line_map::LineMap;
use lsp_types::{Location, Position, Range, Uri};
use std::sync::Arc;
use whyrank_engine::api::{FileOutline, OutlinedSymbol, SymbolLine};

/// A file as the index has it and as the editor shows it. Lines of the index count from 1, those of the
/// editor from 0.
pub(crate) struct ShownFile {
    pub(crate) uri: Uri,
    pub(crate) outline: FileOutline,
    encoding: Encoding,
    /// The editor's text, where it is another one.
    buffer: Option<(Arc<str>, LineMap)>,
    /// The starts of the lines of the shown text.
    starts: Vec<usize>,
}

impl ShownFile {
    pub(crate) fn new(
        uri: Uri,
        outline: FileOutline,
        buffer: Option<&Document>,
        encoding: Encoding,
    ) -> Self {
        let buffer = match buffer {
            Some(Document::Text(text)) if **text != *outline.text => {
                let map = LineMap::between(&outline.text, text);
                Some((Arc::clone(text), map))
            }
            _ => None,
        };
        let shown = buffer.as_ref().map_or(&*outline.text, |(text, _)| text);
        let starts = line_starts(shown);
        Self {
            uri,
            outline,
            encoding,
            buffer,
            starts,
        }
    }

    /// Says whether the index has it, in whatever state.
    pub(crate) fn is_indexed(&self) -> bool {
        !self.outline.language.is_empty()
    }

    /// The text that the editor shows.
    pub(crate) fn text(&self) -> &str {
        match &self.buffer {
            Some((text, _)) => text,
            None => &self.outline.text,
        }
    }

    /// A line as the editor shows it.
    pub(crate) fn line(&self, line: u32) -> &str {
        let text = self.text();
        let rest = self
            .starts
            .get(line as usize)
            .map_or("", |start| &text[*start..]);
        nth(rest, 0)
    }

    /// The indexed line of one that the editor shows; `None` for one that is new or edited.
    pub(crate) fn indexed_line(&self, line: u32) -> Option<u32> {
        match &self.buffer {
            Some((_, map)) => map.to_indexed(line).map(|line| line + 1),
            None => Some(line + 1),
        }
    }

    /// The editor's line of an indexed one; `None` where it was edited or is gone.
    pub(crate) fn shown_line(&self, indexed: u32) -> Option<u32> {
        let line = indexed.checked_sub(1)?;
        match &self.buffer {
            Some((_, map)) => map.to_buffer(line),
            None => Some(line),
        }
    }

    /// The editor's line of an indexed one, or of the nearest before it that both have.
    pub(crate) fn shown_line_near(&self, indexed: u32) -> u32 {
        let mut lines = (1..=indexed).rev();
        lines.find_map(|line| self.shown_line(line)).unwrap_or(0)
    }

    /// Columns of a line as the client counts them, from bytes.
    pub(crate) fn range(&self, line: u32, (start, end): (usize, usize)) -> Range {
        let text = self.line(line);
        let position = |byte| Position::new(line, self.encoding.column(text, byte));
        Range::new(position(start), position(end))
    }

    /// The same from columns in UTF-16 units.
    pub(crate) fn range_of_units(&self, line: u32, (start, end): (u32, u32)) -> Range {
        let text = self.line(line);
        let byte = |units| Encoding::Utf16.byte(text, units);
        self.range(line, (byte(start), byte(end)))
    }

    /// The same from bytes of the whole text, on the line of the first.
    pub(crate) fn range_of_bytes(&self, (start, end): (usize, usize)) -> Range {
        let n_begun = self.starts.partition_point(|line| *line <= start);
        let line = n_begun.saturating_sub(1);
        let at = self.starts.get(line).copied().unwrap_or(0);
        self.range(
            u32::try_from(line).unwrap_or(u32::MAX),
            (start - at, end - at),
        )
    }

    /// The byte of a position in the whole text.
    pub(crate) fn byte(&self, position: Position) -> usize {
        let text = self.line(position.line);
        let start = self.starts.get(position.line as usize).copied();
        start.unwrap_or(self.text().len()) + self.encoding.byte(text, position.character)
    }

    /// The column of a position in UTF-16 units.
    pub(crate) fn units(&self, position: Position) -> u32 {
        let text = self.line(position.line);
        Encoding::Utf16.column(text, self.encoding.byte(text, position.character))
    }

    /// The identifier at a position, in bytes of its line.
    pub(crate) fn word(&self, position: Position) -> Option<(usize, usize)> {
        let text = self.line(position.line);
        let byte = self.encoding.byte(text, position.character);
        let is_part = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
        let before = text[..byte].chars().rev().take_while(|char| is_part(*char));
        let after = text[byte..].chars().take_while(|char| is_part(*char));
        let start = byte - before.map(char::len_utf8).sum::<usize>();
        let end = byte + after.map(char::len_utf8).sum::<usize>();
        (start < end).then_some((start, end))
    }

    /// The places of a name on an indexed line that the editor still shows, where it is no part of
    /// another.
    pub(crate) fn places(&self, indexed: u32, name: &str) -> Vec<Range> {
        let Some(line) = self.shown_line(indexed) else {
            return Vec::new();
        };
        let places = places_of(self.line(line), name);
        let places = places.into_iter();
        let ranges = places.map(|start| self.range(line, (start, start + name.len())));
        ranges.collect()
    }

    /// A line's text without the space around it.
    pub(crate) fn trimmed(&self, line: u32) -> Range {
        let text = self.line(line);
        let start = text.len() - text.trim_start().len();
        self.range(line, (start, text.trim_end().len().max(start)))
    }

    /// The place of a definition's name: its own line, or where the edited text has it now.
    pub(crate) fn name_range(&self, symbol: &SymbolLine) -> Range {
        if let Some(line) = self.shown_line(symbol.name_line) {
            let first = places_of(self.line(line), &symbol.name).first().copied();
            return match first {
                Some(start) => self.range(line, (start, start + symbol.name.len())),
                None => self.trimmed(line),
            };
        }
        self.trimmed(self.shown_line_near(symbol.name_line))
    }

    /// The whole of a definition.
    pub(crate) fn span(&self, symbol: &SymbolLine) -> Range {
        let start = self.shown_line_near(symbol.start_line);
        let end = self.shown_line_near(symbol.end_line).max(start);
        Range::new(Position::new(start, 0), self.trimmed(end).end)
    }

    pub(crate) fn location(&self, range: Range) -> Location {
        Location::new(self.uri.clone(), range)
    }

    /// The indexed definition whose name stands on an indexed line.
    pub(crate) fn symbol_at(&self, indexed: u32, name: &str) -> Option<&OutlinedSymbol> {
        let mut symbols = self.outline.symbols.iter();
        symbols.find(|one| one.line.name_line == indexed && one.line.name == name)
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n');
    std::iter::once(0)
        .chain(ends.map(|(end, _)| end + 1))
        .collect()
}

/// A line of a text, counted from 0; empty where there is none.
pub(crate) fn nth(text: &str, line: u32) -> &str {
    let found = text.split('\n').nth(line as usize).unwrap_or("");
    found.strip_suffix('\r').unwrap_or(found)
}

/// The places of a name in a line where it is no part of another, in bytes.
pub(crate) fn places_of(text: &str, name: &str) -> Vec<usize> {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let is_apart = |start: &usize| {
        let before = text[..*start].chars().next_back();
        let after = text[start + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    if name.is_empty() {
        return Vec::new();
    }
    let starts = text.match_indices(name).map(|(start, _)| start);
    starts.filter(is_apart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn shown(indexed: &str, buffer: &str) -> ShownFile {
        let outline = FileOutline {
            text: indexed.to_owned(),
            ..FileOutline::default()
        };
        let uri = Uri::from_str("file:///a.rs").expect("an address");
        let buffer = Document::Text(buffer.into());
        ShownFile::new(uri, outline, Some(&buffer), Encoding::Utf16)
    }

    #[test]
    fn places_are_those_of_the_text_that_the_editor_shows() {
        let file = shown(
            "fn a() {}\nlet é = a();\n",
            "// new\nfn a() {}\nlet é = a();\n",
        );
        assert_eq!(file.indexed_line(0), None);
        assert_eq!(file.indexed_line(2), Some(2));
        let places = file.places(2, "a");
        assert_eq!(
            places,
            [Range::new(Position::new(2, 8), Position::new(2, 9))]
        );
        assert_eq!(file.word(Position::new(2, 9)), Some((9, 10)));
    }

    #[test]
    fn a_saved_file_maps_onto_itself() {
        let file = shown("a\nb\n", "a\nb\n");
        assert!(file.buffer.is_none());
        assert_eq!(file.indexed_line(1), Some(2));
        assert_eq!(file.shown_line(2), Some(1));
    }

    #[test]
    fn a_name_is_no_part_of_another() {
        assert_eq!(places_of("ab = a + a_b + a", "a"), [5, 15]);
        assert_eq!(places_of("a", ""), [0; 0]);
    }
}

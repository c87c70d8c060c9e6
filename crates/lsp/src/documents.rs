//! The files that the editor has open, as it holds them.

use crate::encoding::Encoding;
use lsp_types::{Position, TextDocumentContentChangeEvent};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Larger texts are not kept: every edit would copy them, and the parser reads no more.
const MAX_BYTES: usize = 4 << 20;

/// A file that the editor has open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Document {
    Text(Arc<str>),
    /// It is too large to be kept; answers are of the file as it was saved.
    TooLarge,
}

impl Document {
    fn of(text: String) -> Self {
        match text.len() <= MAX_BYTES {
            true => Self::Text(text.into()),
            false => Self::TooLarge,
        }
    }

    /// The same after some edits, one after the other.
    fn edited(&self, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) -> Self {
        let mut text = match self {
            Self::Text(text) => Some(text.to_string()),
            Self::TooLarge => None,
        };
        for change in changes {
            match (change.range, &mut text) {
                (None, _) => text = Some(change.text),
                (Some(range), Some(text)) => {
                    let start = offset(text, range.start, encoding);
                    let end = offset(text, range.end, encoding).max(start);
                    text.replace_range(start..end, &change.text);
                }
                // The edit of a text that is not kept.
                (Some(_), None) => {}
            }
        }
        text.map_or(Self::TooLarge, Self::of)
    }
}

/// The byte of a position; the end of the text for one beyond it.
fn offset(text: &str, position: Position, encoding: Encoding) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or("");
    start + encoding.byte(line, position.character)
}

/// The open files, by path.
pub(crate) type OpenDocuments = HashMap<PathBuf, Document>;

/// The open files, as the last notification left them.
#[derive(Default)]
pub(crate) struct Documents {
    open: Mutex<Arc<OpenDocuments>>,
}

impl Documents {
    /// The open files as they are now; later edits do not change what is returned.
    pub(crate) fn now(&self) -> Arc<OpenDocuments> {
        Arc::clone(&self.open.lock())
    }

    /// Takes in a file that was opened; says whether it is too large to be kept.
    pub(crate) fn open(&self, path: PathBuf, text: String) -> bool {
        let document = Document::of(text);
        let is_too_large = document == Document::TooLarge;
        Arc::make_mut(&mut self.open.lock()).insert(path, document);
        is_too_large
    }

    pub(crate) fn change(
        &self,
        path: &Path,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        let mut open = self.open.lock();
        if let Some(document) = Arc::make_mut(&mut open).get_mut(path) {
            *document = document.edited(changes, encoding);
        }
    }

    pub(crate) fn close(&self, path: &Path) {
        Arc::make_mut(&mut self.open.lock()).remove(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::Range;

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let position = |(line, character)| Position { line, character };
        TextDocumentContentChangeEvent {
            range: Some(Range::new(position(from), position(to))),
            range_length: None,
            text: text.to_owned(),
        }
    }

    fn text_of(documents: &Documents, path: &Path) -> String {
        match &documents.now()[path] {
            Document::Text(text) => text.to_string(),
            Document::TooLarge => "too large".to_owned(),
        }
    }

    #[test]
    fn edits_are_applied_in_turn() {
        let documents = Documents::default();
        let path = Path::new("/a.rs");
        documents.open(path.to_owned(), "fn é() {}\nfn b() {}\n".to_owned());
        let edits = vec![
            change((0, 3), (0, 4), "first"),
            change((1, 0), (1, 9), ""),
            change((9, 0), (9, 0), "fn c() {}"),
        ];
        documents.change(path, edits, Encoding::Utf16);
        assert_eq!(text_of(&documents, path), "fn first() {}\n\nfn c() {}");
    }

    #[test]
    fn a_question_keeps_the_text_that_it_was_asked_of() {
        let documents = Documents::default();
        let path = Path::new("/a.rs");
        documents.open(path.to_owned(), "before".to_owned());
        let asked = documents.now();
        documents.change(path, vec![change((0, 0), (0, 6), "after")], Encoding::Utf8);
        assert_eq!(asked[path], Document::Text("before".into()));
        assert_eq!(text_of(&documents, path), "after");
    }

    #[test]
    fn a_very_large_text_is_not_kept_until_a_small_one_replaces_it() {
        let documents = Documents::default();
        let path = Path::new("/a.rs");
        assert!(documents.open(path.to_owned(), "x".repeat(MAX_BYTES + 1)));
        documents.change(path, vec![change((0, 0), (0, 1), "y")], Encoding::Utf8);
        assert_eq!(text_of(&documents, path), "too large");
        let whole = TextDocumentContentChangeEvent {
            range: None,
            range_length: None,
            text: "small".to_owned(),
        };
        documents.change(path, vec![whole], Encoding::Utf8);
        assert_eq!(text_of(&documents, path), "small");
    }
}

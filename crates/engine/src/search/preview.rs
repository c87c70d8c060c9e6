//! A file for the preview: text, highlighting, definitions.

use crate::Engine;
use crate::api::{FilePreview, PaintedRange, RepoId};
use crate::code::deps::find_file;
use crate::error::Result;
use whyrank_graph::SymbolId;
use whyrank_syntax::{HighlightClass, HighlightSpan};

impl Engine {
    /// Returns a file's text with highlighting.
    ///
    /// # Errors
    /// `bad-argument` for a path that is not in the index; those of opening the view.
    pub fn preview(&self, repo: &RepoId, path: &str, as_of: Option<&str>) -> Result<FilePreview> {
        let view = self.view_of(repo, as_of)?;
        let file_idx = find_file(&view, path)?;
        let file = &view.files[file_idx as usize];
        let (text, truncated) = view.shown_text(file_idx)?;
        let highlights = painted(&text, &whyrank_syntax::highlight(&text, file.language));
        let n_symbols = file.n_symbols;
        let symbols = (0..n_symbols)
            .map(|symbol| {
                view.symbol_line(SymbolId {
                    file: file_idx,
                    symbol,
                })
            })
            .collect();
        Ok(FilePreview {
            path: file.path.clone(),
            language: file.language.name().to_owned(),
            highlights,
            symbols,
            truncated,
            text,
        })
    }
}

/// Byte ranges as UTF-16 ranges, in one pass.
fn painted(text: &str, spans: &[HighlightSpan]) -> Vec<PaintedRange> {
    let (mut byte, mut unit) = (0usize, 0u32);
    let mut advance = |to: u32| {
        let to = text.floor_char_boundary(to as usize);
        if to > byte {
            unit += text[byte..to].encode_utf16().count() as u32;
            byte = to;
        }
        unit
    };
    spans
        .iter()
        .map(|span| {
            let start = advance(span.start);
            PaintedRange {
                start,
                end: advance(span.end),
                class: class_name(span.class).to_owned(),
            }
        })
        .collect()
}

fn class_name(class: HighlightClass) -> &'static str {
    match class {
        HighlightClass::Comment => "comment",
        HighlightClass::Keyword => "keyword",
        HighlightClass::String => "string",
        HighlightClass::Number => "number",
        HighlightClass::Function => "function",
        HighlightClass::Type => "type",
        HighlightClass::Constant => "constant",
        HighlightClass::Property => "property",
        HighlightClass::Operator => "operator",
        HighlightClass::Punctuation => "punctuation",
        HighlightClass::Tag => "tag",
        HighlightClass::Attribute => "attribute",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_counted_in_utf16_units() {
        let spans = [HighlightSpan {
            start: 5,
            end: 8,
            class: HighlightClass::Keyword,
        }];
        let painted = painted("😀 let x", &spans);
        assert_eq!((painted[0].start, painted[0].end), (3, 6));
    }
}

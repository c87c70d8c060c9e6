//! What is done to a text before its tokenizer sees it: letters are made small, identifiers are cut into words.
//! Every byte of the normalized text knows the byte of the given one that it came from, so that what a
//! token says can be shown where it stands.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// How a model wants its texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Normalization {
    /// The model was trained on small letters and its tokenizer does not make them.
    pub lowercase: bool,
    /// How words are cut before the tokenizer cuts them.
    pub pretokenize: Pretokenize,
}

/// How words are cut before the tokenizer cuts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pretokenize {
    /// Not at all.
    #[default]
    None,
    /// Identifiers at changes of case, at underscores and between letters and digits:
    /// `getUserById2` is read as `get User By Id 2`.
    Code,
}

/// A text as the tokenizer is given it.
pub(crate) struct NormalizedText<'a> {
    pub text: Cow<'a, str>,
    /// For each byte of `text`, and its end, the byte of the given text; `None` for the same text.
    origin: Option<Vec<u32>>,
}

impl<'a> NormalizedText<'a> {
    /// Normalizes a text. O(bytes).
    pub(crate) fn new(given: &'a str, how: Normalization) -> Self {
        let same = Self {
            text: Cow::Borrowed(given),
            origin: None,
        };
        let splits = how.pretokenize == Pretokenize::Code;
        let shrinks = how.lowercase && given.chars().any(char::is_uppercase);
        if !(splits || shrinks) {
            return same;
        }
        let mut text = String::with_capacity(given.len() + given.len() / 4);
        let mut origin = Vec::with_capacity(text.capacity() + 1);
        let mut before = SurroundingChars::default();
        let mut chars = given.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            if splits && before.parts(c, next) {
                text.push(' ');
            }
            before.pass(c);
            match c {
                // An underscore between parts is their gap.
                '_' if splits => text.push(' '),
                _ if how.lowercase => text.extend(c.to_lowercase()),
                _ => text.push(c),
            }
            origin.resize(text.len(), at as u32);
        }
        origin.push(given.len() as u32);
        Self {
            text: Cow::Owned(text),
            origin: Some(origin),
        }
    }

    /// The bytes of the given text that bytes of the normalized one came from, without the white space
    /// around them.
    pub(crate) fn given(&self, start: usize, end: usize) -> Option<(u32, u32)> {
        let inside = self.text.get(start..end)?;
        let end = start + inside.trim_end().len();
        let start = end - inside.trim().len();
        match &self.origin {
            None => Some((start as u32, end as u32)),
            Some(origin) => {
                // A small letter may be longer than its capital: to the end of what it came from.
                let within = |at: &usize| *at > start && origin[*at] == origin[*at - 1];
                let end = (end..origin.len()).find(|at| !within(at))?;
                Some((*origin.get(start)?, origin[end]))
            }
        }
    }
}

/// What comes before a character.
#[derive(Default)]
struct SurroundingChars {
    last: Option<char>,
}

impl SurroundingChars {
    /// Whether a new part of an identifier begins with `c`.
    fn parts(&self, c: char, next: Option<char>) -> bool {
        let Some(last) = self.last else { return false };
        if !last.is_alphanumeric() || !c.is_alphanumeric() {
            return false;
        }
        if last.is_numeric() != c.is_numeric() {
            return true;
        }
        // `getUser` before U; `HTTPServer` before S.
        c.is_uppercase() && (last.is_lowercase() || next.is_some_and(char::is_lowercase))
    }

    fn pass(&mut self, c: char) {
        self.last = Some(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: Normalization = Normalization {
        lowercase: true,
        pretokenize: Pretokenize::Code,
    };

    #[test]
    fn identifiers_are_read_as_words() {
        for (given, expected) in [
            ("getUserById", "get user by id"),
            ("parse_http2Header", "parse http 2 header"),
            ("HTTPServer", "http server"),
            ("_private__name", " private  name"),
            ("x1", "x 1"),
            ("plain words, 12 of them", "plain words, 12 of them"),
            ("naïveCafé", "naïve café"),
            ("", ""),
        ] {
            assert_eq!(NormalizedText::new(given, BOTH).text, expected);
        }
    }

    #[test]
    fn every_word_knows_where_it_stood() {
        let given = "İx getUserById(HTTPServer, naïveÉtat_2)";
        let normalized = NormalizedText::new(given, BOTH);
        let mut found = Vec::new();
        for word in normalized.text.split(|c: char| !c.is_alphanumeric()) {
            let start = word.as_ptr() as usize - normalized.text.as_ptr() as usize;
            let span = normalized.given(start, start + word.len());
            let (from, to) = span.expect("bytes of the text");
            if !word.is_empty() {
                found.push(&given[from as usize..to as usize]);
            }
        }
        let words = [
            "get", "User", "By", "Id", "HTTP", "Server", "naïve", "État", "2",
        ];
        assert_eq!(found[found.len() - words.len()..], words);
        assert_eq!(found[0], "İ");
    }

    #[test]
    fn white_space_that_a_token_took_along_is_not_shown() {
        let normalized = NormalizedText::new("let x = y", Normalization::default());
        assert_eq!(normalized.given(3, 5), Some((4, 5)));
        assert_eq!(normalized.given(0, 99), None);
    }

    #[test]
    fn an_unprepared_text_is_not_copied() {
        let small = Normalization {
            lowercase: true,
            ..Normalization::default()
        };
        assert!(matches!(
            NormalizedText::new("abc é", small).text,
            Cow::Borrowed(_)
        ));
        assert_eq!(NormalizedText::new("ABC", small).text, "abc");
    }
}

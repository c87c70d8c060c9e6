//! Whole words of a text, wherever they stand: code, strings, comments, text that is no code.
//!
//! By look alone, so that what the grammar gave no reference for (macro bodies, templates, build
//! files) is found as well. What a word means is not asked here.

use crate::language::Language;
use crate::lexical::{self, Syntax, TokenKind};
use crate::{comments, line_patterns};
use std::collections::HashSet;

/// A whole word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// The word.
    pub text: &'t str,
    /// Line, from 1.
    pub line: u32,
    /// Byte column in the line, from 0.
    pub column: u32,
    /// What it is part of.
    pub place: WordPlace,
    /// What joins it to what comes before it.
    pub joint: WordJoint,
    /// An opening bracket or brace follows.
    pub is_called: bool,
}

/// What a word is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordPlace {
    /// Code.
    Code,
    /// A string that may name something, a comment that a tool obeys, or text that is no code.
    Text,
    /// A sentence in a string: a word of a message.
    Sentence,
    /// A comment or a documentation string.
    Comment,
}

/// What joins a word to what comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordJoint {
    /// Nothing.
    None,
    /// `.`, `?.`, `->`, `&.`.
    Dot,
    /// `::`, `\`.
    Path,
}

/// Comments that name what a tool then calls or shows.
const DIRECTIVES: [&str; 5] = [
    "go:linkname",
    "//export ",
    "@dataProvider",
    "@depends",
    ">>> ",
];

/// Returns the wanted words of a text, in order.
///
/// O(text); never fails.
pub fn words<'t>(text: &'t str, language: Language, wanted: &HashSet<&str>) -> Vec<Word<'t>> {
    let places: Vec<(usize, usize)> = runs(text)
        .filter(|(start, end)| wanted.contains(&text[*start..*end]))
        .collect();
    if places.is_empty() {
        return Vec::new();
    }
    let syntax = line_patterns::of(language)
        .filter(|_| language.is_code())
        .map(|patterns| patterns.syntax);
    let parts = CommentsAndStrings::of(text, language, syntax);
    let (mut line, mut line_start, mut read) = (1, 0, 0);
    let word = |(start, end): (usize, usize)| {
        for (at, _) in text[read..start].match_indices('\n') {
            line += 1;
            line_start = read + at + 1;
        }
        read = start;
        Word {
            text: &text[start..end],
            line,
            column: (start - line_start) as u32,
            place: parts.place(text, start, end),
            joint: joint(&text[..start]),
            is_called: text[end..].trim_start_matches(' ').starts_with(['(', '{']),
        }
    };
    places.into_iter().map(word).collect()
}

/// Start and end of every run of letters, digits and underscores.
fn runs(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(length) = step(text, at, false) {
            at += length;
        }
        let start = at;
        while let Some(length) = step(text, at, true) {
            at += length;
        }
        (at > start).then_some((start, at))
    })
}

/// The length of the character here where it is, or is not, part of a word; `None` at the end too.
fn step(text: &str, at: usize, is_part: bool) -> Option<usize> {
    let byte = *text.as_bytes().get(at)?;
    // Nearly all of a text is ASCII.
    let (found, length) = if byte.is_ascii() {
        (byte.is_ascii_alphanumeric() || byte == b'_', 1)
    } else {
        let char = text[at..].chars().next()?;
        (char.is_alphanumeric(), char.len_utf8())
    };
    (found == is_part).then_some(length)
}

/// What joins a name to the text before it.
fn joint(before: &str) -> WordJoint {
    let before = before.trim_end();
    if before.ends_with("::") || before.ends_with('\\') {
        WordJoint::Path
    } else if before.ends_with("->") || before.ends_with('.') && !before.ends_with("..") {
        WordJoint::Dot
    } else {
        WordJoint::None
    }
}

/// Strings and comments of a code text, in order; none for text that is no code.
struct CommentsAndStrings {
    is_code: bool,
    found: Vec<(usize, usize, TokenKind)>,
}

impl CommentsAndStrings {
    fn of(text: &str, language: Language, syntax: Option<Syntax>) -> Self {
        let Some(syntax) = syntax else {
            return Self {
                is_code: false,
                found: Vec::new(),
            };
        };
        let comments = comments(text, language);
        let mut comments = comments.into_iter().peekable();
        let mut found = Vec::new();
        let mut at = 0;
        while at < text.len() {
            if let Some(comment) = comments.next_if(|comment| comment.start <= at) {
                found.push((comment.start, comment.end, TokenKind::Comment));
                at = comment.end.max(at);
                continue;
            }
            let next = lexical::token_from(text, at, syntax);
            if let Some(kind @ (TokenKind::String | TokenKind::Comment)) = next.kind {
                found.push((at, next.end, kind));
            }
            at = next.end;
        }
        Self {
            is_code: true,
            found,
        }
    }

    fn place(&self, text: &str, start: usize, end: usize) -> WordPlace {
        if !self.is_code {
            return if is_hyphenated(text, start, end) {
                WordPlace::Sentence
            } else {
                WordPlace::Text
            };
        }
        let after = self.found.partition_point(|(begin, _, _)| *begin <= start);
        let part = after.checked_sub(1).map(|at| self.found[at]);
        match part.filter(|(_, part_end, _)| end <= *part_end) {
            None => WordPlace::Code,
            Some((_, _, TokenKind::Comment)) => {
                if is_directive(&text[..start]) {
                    WordPlace::Text
                } else {
                    WordPlace::Comment
                }
            }
            Some((begin, part_end, _)) => {
                let string = &text[begin..part_end];
                let is_prose = is_sentence(string) && !is_joined(text, start, end);
                if is_prose || is_hyphenated(text, start, end) {
                    WordPlace::Sentence
                } else {
                    WordPlace::Text
                }
            }
        }
    }
}

fn is_directive(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    DIRECTIVES.iter().any(|directive| line.contains(directive))
}

/// Words with spaces between them, on one line.
fn is_sentence(string: &str) -> bool {
    let inside = string.trim_matches(['"', '\'', '`']).trim();
    inside.contains(' ') && !inside.contains('\n')
}

/// A part of a longer word: `range` of `range-parser`.
fn is_hyphenated(text: &str, start: usize, end: usize) -> bool {
    let ends_word = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    let (mut before, mut after) = (text[..start].chars(), text[end..].chars());
    before.next_back() == Some('-') && ends_word(before.next_back())
        || after.next() == Some('-') && ends_word(after.next())
}

/// Marks beside a word that sentences do not have there: `{name}`, `a.name`, `name(`, `name=`.
fn is_joined(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let mut after = text[end..].chars();
    let next = after.next();
    let then = after.next().is_some_and(char::is_alphanumeric);
    before.is_some_and(|char| ".:{$#</@[&%\\-".contains(char))
        || next.is_some_and(|char| "({=}>]-/".contains(char))
        || then && matches!(next, Some('.' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, language: &str) -> Vec<(u32, u32, WordPlace)> {
        let language = Language::from_name(language).unwrap();
        let found = words(text, language, &HashSet::from(["go"]));
        let place = |word: &Word<'_>| (word.line, word.column, word.place);
        found.iter().map(place).collect()
    }

    #[test]
    fn a_word_is_told_by_where_it_stands() {
        use WordPlace::{Code, Comment, Sentence, Text};
        let places_of = |text: &str, language: &str| -> Vec<WordPlace> {
            let found = places(text, language).into_iter();
            found.map(|(_, _, place)| place).collect()
        };
        assert_eq!(
            places("go(1) # go\nf('go', \"let it go on\")\n", "python"),
            [
                (1, 0, Code),
                (1, 8, Comment),
                (2, 3, Text),
                (2, 16, Sentence)
            ],
        );
        assert_eq!(
            places_of("a('pkg.go', 'x go(1)', '{go} y')", "javascript"),
            [Text; 3]
        );
        assert_eq!(places_of("gone, going, _go, go_", "go"), []);
        assert_eq!(places_of("//go:linkname x go\n", "go"), [Comment, Text]);
        assert_eq!(places_of("all: go\n", "yaml"), [Text]);
        assert_eq!(
            places_of("f('go-kart', '--go')", "javascript"),
            [Sentence, Text]
        );
        assert_eq!(
            places_of("{\"go-kart\": 1, \"x\": \"let-go\"}", "json"),
            [Sentence; 2]
        );
        assert_eq!(places_of("# go\n", "markdown"), [Text]);
    }

    #[test]
    fn what_stands_before_and_after_is_told() {
        let language = Language::from_name("rust").unwrap();
        let text = "a.go(); b::go; go {}; x->\n  go; 1..go";
        let found = words(text, language, &HashSet::from(["go"]));
        let told: Vec<_> = found
            .iter()
            .map(|word| (word.joint, word.is_called))
            .collect();
        let expected = [
            (WordJoint::Dot, true),
            (WordJoint::Path, false),
            (WordJoint::None, true),
            (WordJoint::Dot, false),
            (WordJoint::None, false),
        ];
        assert_eq!(told, expected);
    }
}

//! The grams that a text has to hold for a pattern to match in it.
//!
//! Read off the parsed expression from the inside out: as long as a part stands for a few texts these are kept,
//! beyond that what they begin and end with, so that grams across a border are found too. It is the method of
//! the regular expression search of Google Code Search. Whatever is not understood asks for nothing.

use crate::strings::{Strings, empty, ends, product, starts, union};
use crate::{GRAM_BYTES, Gram, grams};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};
use std::collections::BTreeSet;

/// Characters of a class that are still told apart.
const MOST_OF_CLASS: u32 = 24;
/// Bytes that are kept at a border.
const BORDER: usize = GRAM_BYTES - 1;
/// Repetitions that are written out.
const MOST_REPEATED: u32 = 4;

/// Patterns, and the way to read them.
#[derive(Clone, Debug)]
pub struct PatternSyntax {
    /// Any of these.
    pub patterns: Vec<String>,
    /// They are texts, not expressions.
    pub is_text: bool,
    /// Case does not count, or may not.
    pub ignores_case: bool,
    /// Classes and case are those of Unicode.
    pub unicode: bool,
}

/// A condition that a text meets where a pattern can match in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GramQuery {
    /// Anything.
    Any,
    /// This gram.
    Gram(Gram),
    /// All of these.
    All(BTreeSet<Self>),
    /// One of these; of none there is no such text.
    OneOf(BTreeSet<Self>),
}

impl GramQuery {
    /// Works out what a match of the patterns needs.
    pub fn of(syntax: &PatternSyntax) -> Self {
        let parts = syntax.patterns.iter().map(|pattern| {
            let hir = parse(pattern, syntax);
            hir.map_or(Self::Any, |hir| part_of(&hir).all_needed())
        });
        parts.fold(Self::OneOf(BTreeSet::new()), Self::or)
    }

    /// Says that it rules nothing out.
    pub fn is_any(&self) -> bool {
        *self == Self::Any
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, other) | (other, Self::Any) => other,
            (Self::All(mut parts), Self::All(more)) => {
                parts.extend(more);
                Self::All(parts)
            }
            (Self::All(mut parts), other) | (other, Self::All(mut parts)) => {
                parts.insert(other);
                Self::All(parts)
            }
            (one, other) if one == other => one,
            (one, other) => Self::All(BTreeSet::from([one, other])),
        }
    }

    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => Self::Any,
            (Self::OneOf(mut parts), Self::OneOf(more)) => {
                parts.extend(more);
                Self::OneOf(parts)
            }
            (Self::OneOf(mut parts), other) | (other, Self::OneOf(mut parts)) => {
                parts.insert(other);
                Self::OneOf(parts).simple()
            }
            (one, other) if one == other => one,
            (one, other) => Self::OneOf(BTreeSet::from([one, other])),
        }
    }

    fn simple(self) -> Self {
        match self {
            Self::OneOf(mut parts) if parts.len() == 1 => parts.pop_first().unwrap_or(Self::Any),
            other => other,
        }
    }

    /// One of the texts, whole.
    fn of_texts(texts: &Strings) -> Self {
        let of_text = |text: &Vec<u8>| grams(text).map(Self::Gram).fold(Self::Any, Self::and);
        let none = Self::OneOf(BTreeSet::new());
        texts.iter().map(of_text).fold(none, Self::or)
    }
}

fn parse(pattern: &str, syntax: &PatternSyntax) -> Option<Hir> {
    let mut builder = ParserBuilder::new();
    builder
        .utf8(false)
        .unicode(syntax.unicode)
        .multi_line(true)
        .dot_matches_new_line(true)
        .case_insensitive(syntax.ignores_case);
    let parsed = if syntax.is_text {
        builder.build().parse(&regex_syntax::escape(pattern))
    } else {
        builder.build().parse(pattern)
    };
    parsed.ok()
}

/// Knowledge of the texts that a part of a pattern matches.
#[derive(Clone, Debug)]
struct Part {
    /// It is one of these; `None` where they are too many.
    exact: Option<Strings>,
    /// It begins with one of these, and ends with one of those: [`BORDER`] bytes at most.
    prefix: Strings,
    suffix: Strings,
    /// Grams that it holds besides.
    needed: GramQuery,
}

impl Part {
    fn of_texts(texts: Strings) -> Self {
        Self {
            prefix: starts(&texts, BORDER),
            suffix: ends(&texts, BORDER),
            exact: Some(texts),
            needed: GramQuery::Any,
        }
    }

    /// Anything at all.
    fn any() -> Self {
        Self {
            exact: None,
            prefix: empty(),
            suffix: empty(),
            needed: GramQuery::Any,
        }
    }

    fn all_needed(self) -> GramQuery {
        match &self.exact {
            Some(texts) => GramQuery::of_texts(texts).and(self.needed),
            None => self.needed,
        }
    }

    /// The same without keeping its texts.
    fn inexact(self) -> Self {
        Self {
            exact: None,
            prefix: self.prefix.clone(),
            suffix: self.suffix.clone(),
            needed: self.all_needed(),
        }
    }

    fn then(self, next: Self) -> Self {
        if let (Some(first), Some(second)) = (&self.exact, &next.exact)
            && let Some(texts) = product(first, second)
        {
            return Self::of_texts(texts);
        }
        // What a border of two parts holds.
        let across = product(&self.suffix, &next.prefix);
        let across = across.map_or(GramQuery::Any, |texts| GramQuery::of_texts(&texts));
        let reaches = |border: &Strings, exact: &Option<Strings>| {
            exact.is_some() && border.iter().any(|text| text.len() < BORDER)
        };
        // A part shorter than a border goes on in its neighbour.
        let prefix = if reaches(&self.prefix, &self.exact) {
            product(&self.prefix, &next.prefix).map(|texts| starts(&texts, BORDER))
        } else {
            Some(self.prefix.clone())
        };
        let suffix = if reaches(&next.suffix, &next.exact) {
            product(&self.suffix, &next.suffix).map(|texts| ends(&texts, BORDER))
        } else {
            Some(next.suffix.clone())
        };
        Self {
            exact: None,
            prefix: prefix.unwrap_or_else(empty),
            suffix: suffix.unwrap_or_else(empty),
            needed: self.all_needed().and(next.all_needed()).and(across),
        }
    }

    fn or(self, other: Self) -> Self {
        if let (Some(first), Some(second)) = (&self.exact, &other.exact)
            && let Some(texts) = union(first, second)
        {
            return Self::of_texts(texts);
        }
        Self {
            exact: None,
            prefix: union(&self.prefix, &other.prefix).unwrap_or_else(empty),
            suffix: union(&self.suffix, &other.suffix).unwrap_or_else(empty),
            needed: self.all_needed().or(other.all_needed()),
        }
    }
}

fn part_of(hir: &Hir) -> Part {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Part::of_texts(empty()),
        HirKind::Literal(literal) => {
            Part::of_texts(Strings::from([literal.0.to_ascii_lowercase()]))
        }
        HirKind::Class(class) => texts_of(class).map_or_else(Part::any, Part::of_texts),
        HirKind::Repetition(repetition) => repeated(repetition),
        HirKind::Capture(capture) => part_of(&capture.sub),
        HirKind::Concat(parts) => {
            let parts = parts.iter().map(part_of);
            parts.fold(Part::of_texts(empty()), Part::then)
        }
        HirKind::Alternation(parts) => {
            let parts = parts.iter().map(part_of);
            parts.reduce(Part::or).unwrap_or_else(Part::any)
        }
    }
}

fn repeated(repetition: &Repetition) -> Part {
    let part = part_of(&repetition.sub);
    match (repetition.min, repetition.max) {
        (0, Some(1)) => part.or(Part::of_texts(empty())),
        (0, _) => Part::any(),
        (min, max) => {
            let n = min.min(MOST_REPEATED);
            let again = std::iter::repeat_n(part.clone(), n as usize - 1);
            let written = again.fold(part.clone(), Part::then);
            if max == Some(n) {
                return written;
            }
            // More of the same may follow: it ends as each of them does.
            Part {
                suffix: part.suffix,
                ..written.inexact()
            }
        }
    }
}

/// The few characters of a class; `None` where these are many.
fn texts_of(class: &Class) -> Option<Strings> {
    let mut texts = Strings::new();
    match class {
        Class::Unicode(class) => {
            let n = |range: &regex_syntax::hir::ClassUnicodeRange| {
                u32::from(range.end()) - u32::from(range.start()) + 1
            };
            if class.iter().map(n).sum::<u32>() > 2 * MOST_OF_CLASS {
                return None;
            }
            for range in class.iter() {
                // Texts with these two have no grams, and are read anyway.
                let chars =
                    (range.start()..=range.end()).filter(|char| !"\u{212a}\u{17f}".contains(*char));
                texts.extend(chars.map(|char| char.to_string().to_ascii_lowercase().into_bytes()));
            }
        }
        Class::Bytes(class) => {
            let n = |range: &regex_syntax::hir::ClassBytesRange| {
                u32::from(range.end()) - u32::from(range.start()) + 1
            };
            if class.iter().map(n).sum::<u32>() > 2 * MOST_OF_CLASS {
                return None;
            }
            for range in class.iter() {
                let bytes = range.start()..=range.end();
                texts.extend(bytes.map(|byte| vec![byte.to_ascii_lowercase()]));
            }
        }
    }
    (texts.len() <= MOST_OF_CLASS as usize).then_some(texts)
}

#[cfg(test)]
mod tests;

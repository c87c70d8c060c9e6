//! A text or a regular expression, and the lines of a text that it matches. It knows no index.

use crate::api::PatternProblem;
use regex::{Regex, RegexBuilder};
use regex_syntax::ast::{self, Ast};
use std::ops::Range;
use whyrank_grams::{GramQuery, PatternSyntax};

/// Compiled, a pattern takes no more than this: `\w{9999}` is refused, not built.
const MAX_PROGRAM_BYTES: usize = 4 << 20;
/// What a search may keep of what it has seen of a pattern, for each thread.
const MAX_CACHE_BYTES: usize = 8 << 20;

/// A compiled pattern. Matching takes time linear in the text, whatever the pattern.
pub(super) struct LineMatcher {
    regex: Regex,
    /// The pattern names a line break: a match may begin on one line and end on another.
    crosses_lines: bool,
    /// The pattern as an expression.
    source: String,
    pub(super) case_counts: bool,
}

/// A line and where it matches, in bytes; empty matches are no ranges.
pub(super) struct MatchedLine<'t> {
    /// From 1.
    pub(super) number: u32,
    pub(super) start_byte: usize,
    pub(super) text: &'t str,
    pub(super) matches: Vec<Range<usize>>,
}

impl LineMatcher {
    /// # Errors
    /// What is wrong with the regular expression, and where.
    pub(super) fn new(
        pattern: &str,
        is_regex: bool,
        match_case: bool,
    ) -> Result<Self, PatternProblem> {
        let (source, has_capital) = if is_regex {
            let ast = ast::parse::Parser::new().parse(pattern);
            let ast = ast.map_err(|error| problem(pattern, error.kind(), error.span()))?;
            (pattern.to_owned(), has_capital(&ast))
        } else {
            let lines: Vec<String> = pattern.lines().map(regex::escape).collect();
            (
                lines.join(r"\r?\n"),
                pattern.chars().any(char::is_uppercase),
            )
        };
        let case_counts = match_case || has_capital;
        let built = RegexBuilder::new(&source)
            .multi_line(true)
            .crlf(true)
            .case_insensitive(!case_counts)
            .size_limit(MAX_PROGRAM_BYTES)
            .dfa_size_limit(MAX_CACHE_BYTES)
            .build();
        Ok(Self {
            regex: built.map_err(|error| unbuilt(pattern, &error))?,
            crosses_lines: source.contains('\n') || source.contains(r"\n"),
            source,
            case_counts,
        })
    }

    /// The grams that a text has to hold for a line of it to match.
    pub(super) fn needed(&self) -> GramQuery {
        GramQuery::of(&PatternSyntax {
            patterns: vec![self.source.clone()],
            is_text: false,
            ignores_case: !self.case_counts,
            unicode: true,
        })
    }

    /// The lines that match, in order, until it is late. A match that crosses lines is one of the line
    /// that it begins on.
    pub(super) fn lines<'t>(
        &self,
        text: &'t str,
        is_late: &dyn Fn() -> bool,
    ) -> impl Iterator<Item = MatchedLine<'t>> {
        let (mut at, mut number, mut counted) = (0, 1u32, 0);
        std::iter::from_fn(move || {
            while at <= text.len() && !is_late() {
                // A line that matches has the first match of the rest, or comes after it.
                let found = self.regex.find_at(text, at)?;
                let (start, end) = line_around(text, found.start());
                number += text[counted..start].matches('\n').count() as u32;
                (counted, at) = (start, end + 1);
                // Behind the last line break there is no line.
                if start == text.len() && start > 0 {
                    return None;
                }
                if let Some(matches) = self.within(text, start, end) {
                    return Some(MatchedLine {
                        number,
                        start_byte: start,
                        text: text[start..end].trim_end_matches('\r'),
                        matches,
                    });
                }
            }
            None
        })
    }

    /// The matches of a line; `None` where what was found needs more than the line.
    fn within(&self, text: &str, start: usize, end: usize) -> Option<Vec<Range<usize>>> {
        let line = text[start..end].trim_end_matches('\r');
        let ranges: Vec<Range<usize>> = if self.crosses_lines {
            let found = self.regex.find_iter(&text[start..]);
            found
                .map(|one| one.range())
                .take_while(|range| range.start <= line.len())
                .map(|range| range.start..range.end.min(line.len()))
                .collect()
        } else {
            self.regex.find_iter(line).map(|one| one.range()).collect()
        };
        let is_match = !ranges.is_empty();
        is_match.then(|| ranges.into_iter().filter(|one| !one.is_empty()).collect())
    }
}

/// The line around a byte, without its break.
fn line_around(text: &str, at: usize) -> (usize, usize) {
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let end = text[at..].find('\n').map_or(text.len(), |found| at + found);
    (start, end)
}

/// Whether a capital letter stands in it for itself: that of `\W` does not.
fn has_capital(ast: &Ast) -> bool {
    struct Capitals(bool);
    impl ast::Visitor for Capitals {
        type Output = bool;
        type Err = std::convert::Infallible;

        fn finish(self) -> Result<bool, Self::Err> {
            Ok(self.0)
        }

        fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
            if let Ast::Literal(literal) = ast {
                self.0 |= literal.c.is_uppercase();
            }
            Ok(())
        }

        fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> Result<(), Self::Err> {
            self.0 |= match item {
                ast::ClassSetItem::Literal(literal) => literal.c.is_uppercase(),
                ast::ClassSetItem::Range(range) => {
                    range.start.c.is_uppercase() || range.end.c.is_uppercase()
                }
                _ => false,
            };
            Ok(())
        }
    }
    match ast::visit(ast, Capitals(false)) {
        Ok(found) => found,
        Err(never) => match never {},
    }
}

/// An error that only building shows: an unknown class, or a pattern that is too large.
fn unbuilt(pattern: &str, error: &regex::Error) -> PatternProblem {
    if let Err(regex_syntax::Error::Translate(error)) = regex_syntax::parse(pattern) {
        return problem(pattern, error.kind(), error.span());
    }
    let message = match error {
        regex::Error::CompiledTooBig(_) => "too large: repeat less".to_owned(),
        other => other.to_string(),
    };
    PatternProblem {
        message,
        start: 0,
        end: units(pattern),
    }
}

fn problem(pattern: &str, kind: &impl std::fmt::Display, span: &ast::Span) -> PatternProblem {
    let upto = |byte: usize| units(pattern.get(..byte).unwrap_or(pattern));
    PatternProblem {
        message: kind.to_string(),
        start: upto(span.start.offset),
        end: upto(span.end.offset),
    }
}

fn units(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, is_regex: bool, text: &str) -> Vec<(u32, Vec<String>)> {
        let matcher = LineMatcher::new(pattern, is_regex, false).unwrap_or_else(|error| {
            panic!("{pattern}: {error:?}");
        });
        let shown = |line: MatchedLine<'_>| {
            let parts = line
                .matches
                .iter()
                .map(|one| line.text[one.clone()].to_owned());
            (line.number, parts.collect())
        };
        matcher.lines(text, &|| false).map(shown).collect()
    }

    fn line(number: u32, parts: &[&str]) -> (u32, Vec<String>) {
        (number, parts.iter().map(|one| (*one).to_owned()).collect())
    }

    #[test]
    fn exact_text_is_no_pattern_and_every_match_of_a_line_is_marked() {
        let text = "a.b(c)\nxa.b(a.b\r\naxb(\n";
        let expected = [line(1, &["a.b("]), line(2, &["a.b("])];
        assert_eq!(found("a.b(", false, text), expected);
        assert_eq!(found("a.b", false, text)[1], line(2, &["a.b", "a.b"]));
    }

    #[test]
    fn a_match_stays_on_its_line_unless_the_pattern_names_the_break() {
        let text = "say \"one\nsay \"two\"\r\nfoo(\n  bar)\n";
        assert_eq!(found("\"[^\"]*\"", true, text), [line(2, &["\"two\""])]);
        assert_eq!(found(r"foo\(\n\s*bar", true, text), [line(3, &["foo("])]);
        assert_eq!(found("foo(\n  bar", false, text), [line(3, &["foo("])]);
        assert_eq!(found("two\"\nfoo", false, text), [line(2, &["two\""])]);
        assert_eq!(found(r"\)$", true, text), [line(4, &[")"])]);
    }

    #[test]
    fn lines_that_match_with_nothing_are_lines_all_the_same() {
        assert_eq!(
            found("^", true, "a\n\nb\n"),
            [line(1, &[]), line(2, &[]), line(3, &[])]
        );
        assert_eq!(found("^$", true, "a\n\nb"), [line(2, &[])]);
        assert_eq!(found("x*", true, ""), [line(1, &[])]);
    }

    #[test]
    fn case_counts_once_a_capital_letter_stands_for_itself() {
        let counts = |pattern: &str, is_regex: bool, asked: bool| {
            LineMatcher::new(pattern, is_regex, asked).is_ok_and(|one| one.case_counts)
        };
        assert!(counts("Router", false, false) && counts("[A-F]+", true, false));
        assert!(!counts("router", false, false) && !counts(r"\W\S\pL", true, false));
        assert!(counts("router", false, true));
    }

    #[test]
    fn a_broken_pattern_says_what_is_wrong_and_where() {
        let wrong = |pattern: &str| match LineMatcher::new(pattern, true, false) {
            Ok(_) => panic!("{pattern} is a pattern"),
            Err(problem) => problem,
        };
        let group = wrong("é(a|b");
        assert_eq!(
            (group.message.as_str(), group.start, group.end),
            ("unclosed group", 1, 2)
        );
        assert_eq!(wrong(r"\p{Nonsense}").start, 0);
        assert!(wrong(r"(\w{500}){500}").message.contains("too large"));
        assert!(LineMatcher::new("a(b[", false, false).is_ok());
    }
}

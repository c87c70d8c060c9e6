//! Branches of the preprocessor that do not hold whole statements each: `if (a) { #else if (b) { #endif }`.
//!
//! The first branch is read (the second of `#if 0`); the directives and the other branches are blanked.

use std::ops::Range;

use super::correction::{Correction, with_neighbours};
use super::tokens::directive_end;

/// Directives of a choice, in order.
struct Choice {
    /// `#if`, `#elif`, `#else`, `#endif`: their bytes.
    directives: Vec<Range<usize>>,
}

/// Blanks for the innermost choices that errors reach into or lie in, and for conditions that cannot be read.
pub(super) fn corrections(text: &str, errors: &[Range<usize>]) -> Vec<Correction> {
    let (choices, defines) = choices(text);
    let variadic = defines
        .iter()
        .filter_map(|line| variadic(text, line, errors));
    let mut corrections: Vec<Correction> = variadic.collect();
    let mut last = None;
    // They end in order: an outer choice that holds a corrected one waits for the next round.
    for choice in choices {
        let bytes = choice.bytes();
        let is_outer = last.is_some_and(|start| start >= bytes.start);
        if is_outer || !touches(errors, &with_neighbours(text, bytes.clone())) {
            continue;
        }
        last = Some(bytes.start);
        let conditions = choice.unread_conditions(text, errors);
        if conditions.is_empty() {
            corrections.push(choice.first_branch(text));
        } else {
            corrections.extend(conditions);
        }
    }
    corrections
}

/// Blanks the name in `#define NAME(args...)`, near an error.
fn variadic(text: &str, line: &Range<usize>, errors: &[Range<usize>]) -> Option<Correction> {
    let directive = &text[line.clone()];
    let head = directive.split_inclusive(')').next()?;
    let dots = head.strip_suffix(')')?.trim_end().strip_suffix("...")?;
    let name = dots.trim_end_matches(|char: char| char.is_ascii_alphanumeric() || char == '_');
    (name.len() < dots.len() && touches(errors, line)).then(|| Correction {
        area: line.clone(),
        blanks: vec![line.start + name.len()..line.start + dots.len()],
        puts: Vec::new(),
    })
}

/// Says whether an error overlaps the bytes; the errors are in order.
fn touches(errors: &[Range<usize>], bytes: &Range<usize>) -> bool {
    let after = errors.partition_point(|error| error.end <= bytes.start);
    errors
        .get(after)
        .is_some_and(|error| error.start <= bytes.end)
}

/// The choices of a text, from `#if` to `#endif`, and the lines that define macros.
fn choices(text: &str) -> (Vec<Choice>, Vec<Range<usize>>) {
    let mut open: Vec<Choice> = Vec::new();
    let (mut choices, mut defines) = (Vec::new(), Vec::new());
    let mut offset = 0;
    while offset < text.len() {
        let end = directive_end(text.as_bytes(), offset);
        let line = text[offset..end].trim_start();
        if let Some(directive) = line.strip_prefix('#') {
            let start = end - line.len();
            let word = directive.trim_start();
            if word.starts_with("if") {
                open.push(Choice {
                    directives: vec![start..end],
                });
            } else if word.starts_with("el")
                && let Some(choice) = open.last_mut()
            {
                choice.directives.push(start..end);
            } else if word.starts_with("endif")
                && let Some(mut choice) = open.pop()
            {
                choice.directives.push(start..end);
                choices.push(choice);
            } else if word.starts_with("define") {
                defines.push(start..end);
            }
        }
        offset = end + 1;
    }
    (choices, defines)
}

impl Choice {
    fn bytes(&self) -> Range<usize> {
        self.directives[0].start..self.directives[self.directives.len() - 1].end
    }

    /// Takes `1` for each condition that asks for a header by name, `__has_include(<a.h>)`.
    fn unread_conditions(&self, text: &str, errors: &[Range<usize>]) -> Vec<Correction> {
        let conditions = self.directives.iter().filter_map(|directive| {
            let line = &text[directive.clone()];
            let length = line.find("if")? + "if".len();
            let is_asked = line.contains("(<") && touches(errors, directive);
            (is_asked && length + 1 < line.len()).then(|| Correction {
                area: directive.clone(),
                blanks: vec![directive.start + length..directive.end],
                puts: vec![(directive.start + length + 1, b'1')],
            })
        });
        conditions.collect()
    }

    /// Blanks all but the branch that is read.
    fn first_branch(&self, text: &str) -> Correction {
        let condition = &text[self.directives[0].clone()];
        let is_off = condition.split_whitespace().last() == Some("0");
        let kept = usize::from(is_off && self.directives.len() > 2);
        let mut blanks = Vec::new();
        let mut start = self.directives[0].start;
        if kept < self.directives.len() - 1 {
            blanks.push(start..self.directives[kept].end);
            start = self.directives[kept + 1].start;
        }
        blanks.push(start..self.bytes().end);
        Correction {
            area: with_neighbours(text, self.bytes()),
            blanks,
            puts: Vec::new(),
        }
    }
}

//! Notebooks as they are shown: lines of cells that are written on one line of the file are joined by a mark.
//! They are read as lines of their own, and told at the line where they are written.

use crate::lines::Lines;
use crate::types::{FileFacts, Span};
use crate::walk::NO_BREAK;

/// What the first line begins with.
const HEAD: &str = "#!jupyter ";
const LINE_END: &str = "␊";

/// A text of the same length with a line for each line of a cell; `None` for other files.
pub(crate) fn unfolded(source: &str) -> Option<String> {
    source.starts_with(HEAD).then(|| {
        let ends = [source.find(LINE_END), source.find('\n')];
        let end = ends.into_iter().flatten().min().unwrap_or(source.len());
        let spaces = |n_bytes: usize| " ".repeat(n_bytes);
        let rest = source[end..].replace(LINE_END, "  \n");
        format!("{}{rest}", spaces(end))
    })
}

/// Turns places in the text that was read into places in the file.
pub(crate) fn fold(
    facts: &mut FileFacts,
    breaks: &mut Vec<u16>,
    read: &Lines<'_>,
    of_file: &Lines<'_>,
) {
    let line = |line: u32| of_file.line_at(read.start(line) as usize);
    let place = |line: &mut u32, column: &mut u32| {
        let byte = read.start(*line) + *column;
        *line = of_file.line_at(byte as usize);
        *column = byte - of_file.start(*line);
    };
    let span = |span: &mut Span| {
        (span.start_line, span.end_line) = (line(span.start_line), line(span.end_line));
    };
    for symbol in &mut facts.symbols {
        span(&mut symbol.span);
        symbol.name_line = line(symbol.name_line);
        if let Some(doc) = &mut symbol.doc {
            span(doc);
        }
    }
    for used in &mut facts.references {
        place(&mut used.line, &mut used.column);
    }
    for local in &mut facts.locals {
        // No line sees what ends on none.
        if local.end_line > 0 {
            local.end_line = line(local.end_line);
        }
        place(&mut local.line, &mut local.column);
    }
    for import in &mut facts.imports {
        import.line = line(import.line);
    }
    for error in &mut facts.errors {
        error.line = line(error.line);
    }
    let mut folded = vec![NO_BREAK; of_file.count() as usize];
    for (at, depth) in breaks.iter().enumerate().rev() {
        let to = line(at as u32 + 1) as usize - 1;
        if let Some(slot) = folded.get_mut(to).filter(|_| *depth != NO_BREAK) {
            *slot = *depth;
        }
    }
    if !breaks.is_empty() {
        *breaks = folded;
    }
}

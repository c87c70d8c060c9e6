//! Code made of the expressions of a template, for the grammar of its scripts, and where each part of it
//! stands in the file.
//!
//! It begins with the file itself, all but the scripts blanked byte for byte, so that what scripts say is at
//! its place. What a template says stands behind it.

use std::collections::HashSet;
use std::ops::Range;

use crate::lines::Lines;
use crate::types::{FileFacts, Local, Reference, Span, Symbol, SymbolKind};

/// A text with the places that its parts come from.
pub(crate) struct Made<'s> {
    source: &'s str,
    pub(crate) text: String,
    /// Where the code of each script begins and ends.
    scripts: Vec<Range<usize>>,
    /// By position; what lies between them comes from nowhere.
    parts: Vec<Part>,
}

struct Part {
    start: usize,
    n_bytes: usize,
    from: usize,
    /// As it stands there; else all of it is at one place.
    is_copy: bool,
}

impl<'s> Made<'s> {
    pub(crate) fn new(source: &'s str, kept: &[Range<usize>]) -> Self {
        let mut text = String::with_capacity(source.len());
        let (mut end, mut scripts) = (0, Vec::new());
        for part in kept
            .iter()
            .filter(|part| source.get((*part).clone()).is_some())
        {
            if part.start >= end {
                blank(&mut text, &source[end..part.start]);
                let code = &source[part.clone()];
                text.push_str(code);
                scripts.push(part.start..part.start + code.trim_end().len());
                end = part.end;
            }
        }
        blank(&mut text, &source[end..]);
        Self {
            source,
            text,
            scripts,
            parts: Vec::new(),
        }
    }

    /// Adds code that stands nowhere in the file.
    pub(crate) fn say(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a part of the file.
    pub(crate) fn copy(&mut self, part: Range<usize>) {
        if let Some(text) = self.source.get(part.clone()) {
            self.add(text, part.start, true);
        }
    }

    /// Adds a name that a place in the file means.
    pub(crate) fn name(&mut self, name: &str, from: usize) {
        self.add(name, from, false);
    }

    fn add(&mut self, text: &str, from: usize, is_copy: bool) {
        self.parts.push(Part {
            start: self.text.len(),
            n_bytes: text.len(),
            from,
            is_copy,
        });
        self.text.push_str(text);
    }

    /// Where a byte comes from; none for what was made.
    fn origin(&self, byte: usize) -> Option<usize> {
        if byte < self.source.len() {
            return Some(byte);
        }
        let n_before = self.parts.partition_point(|part| part.start <= byte);
        let part = self.parts.get(n_before.checked_sub(1)?)?;
        let offset = byte - part.start;
        let at = if part.is_copy { offset } else { 0 };
        (offset < part.n_bytes).then_some(part.from + at)
    }

    /// The first place in the file that something from a byte on comes from.
    fn first_origin(&self, byte: usize) -> Option<usize> {
        let n_before = self.parts.partition_point(|part| part.start < byte);
        let next = || self.parts.get(n_before).map(|part| part.from);
        self.origin(byte).or_else(next)
    }

    /// The last place in the file that something before a byte comes from.
    fn last_origin(&self, byte: usize) -> usize {
        let n_before = self.parts.partition_point(|part| part.start <= byte);
        let part = n_before.checked_sub(1).and_then(|at| self.parts.get(at));
        part.map_or(self.source.len(), |part| {
            part.from + if part.is_copy { part.n_bytes } else { 0 }
        })
    }

    /// Turns what was read of this text into what the file says.
    pub(crate) fn place(&self, facts: &mut FileFacts) {
        let back = Back {
            made: self,
            lines: Lines::new(&self.text),
            of_file: Lines::new(self.source),
        };
        let kept = back.symbols(&mut facts.symbols);
        let moved = |at: Option<u32>| at.and_then(|at| kept[at as usize]);
        let mut seen = HashSet::new();
        facts.references.retain_mut(|used| {
            used.enclosing = moved(used.enclosing);
            back.reference(used) && (!back.is_made(used) || seen.insert(key(used)))
        });
        facts.locals.retain_mut(|local| {
            local.enclosing = moved(local.enclosing);
            back.local(local)
        });
        for import in &mut facts.imports {
            import.line = back.line(import.line);
        }
        let n_lines = back.of_file.count();
        facts.errors.retain(|error| error.line <= n_lines);
    }
}

fn blank(text: &mut String, part: &str) {
    let spaces = part
        .bytes()
        .map(|byte| if byte == b'\n' { '\n' } else { ' ' });
    text.extend(spaces);
}

fn key(used: &Reference) -> (u32, u32, String) {
    (used.line, used.column, used.name.clone())
}

/// The way from places in the made text to places in the file.
struct Back<'m, 's> {
    made: &'m Made<'s>,
    lines: Lines<'m>,
    of_file: Lines<'s>,
}

impl Back<'_, '_> {
    /// Keeps the symbols of scripts, and the functions of the template; where each of them is afterwards.
    fn symbols(&self, symbols: &mut Vec<Symbol>) -> Vec<Option<u32>> {
        let mut places = Vec::with_capacity(symbols.len());
        let mut kept = Vec::new();
        for mut symbol in std::mem::take(symbols) {
            symbol.parent = symbol.parent.and_then(|parent| places[parent as usize]);
            let is_kept = self.symbol(&mut symbol);
            places.push(is_kept.then_some(kept.len() as u32));
            kept.extend(is_kept.then_some(symbol));
        }
        *symbols = kept;
        places
    }

    fn symbol(&self, symbol: &mut Symbol) -> bool {
        let n_bytes = self.made.source.len() as u32;
        let span = &mut symbol.span;
        if span.start_byte < n_bytes {
            self.end_with_script(span);
            return true;
        }
        let Some(start) = self.made.first_origin(span.start_byte as usize) else {
            return false;
        };
        let (first, last) = (self.of_file.line_at(start), self.line(span.end_line));
        *span = self.of_file.span(first, last.max(first));
        (symbol.name_line, symbol.doc) = (first, None);
        symbol.kind == SymbolKind::Function
    }

    /// A definition without an end goes on behind its script.
    fn end_with_script(&self, span: &mut Span) {
        let start = span.start_byte as usize;
        let script = self
            .made
            .scripts
            .iter()
            .find(|script| script.contains(&start));
        let end = script.map_or(self.made.source.len(), |script| script.end);
        if span.end_byte as usize > end {
            span.end_byte = end as u32;
            span.end_line = self.of_file.line_at(end.saturating_sub(1));
        }
    }

    fn reference(&self, used: &mut Reference) -> bool {
        let place = self.place((used.line, used.column));
        if let Some(place) = place {
            (used.line, used.column) = place;
        }
        place.is_some()
    }

    fn local(&self, local: &mut Local) -> bool {
        let place = self.place((local.line, local.column));
        if let Some(place) = place {
            (local.line, local.column) = place;
            let end_line = self.line(local.end_line);
            local.end_line = if end_line < local.line {
                self.of_file.count()
            } else {
                end_line
            };
        }
        place.is_some()
    }

    /// Says whether a use stands outside the scripts.
    fn is_made(&self, used: &Reference) -> bool {
        let at = (self.of_file.start(used.line) + used.column) as usize;
        !self.made.text[at..].starts_with(used.name.as_str())
    }

    fn place(&self, (line, column): (u32, u32)) -> Option<(u32, u32)> {
        if line <= self.of_file.count() && line < self.lines.count() {
            return Some((line, column));
        }
        let byte = self
            .made
            .origin((self.lines.start(line) + column) as usize)?;
        let line = self.of_file.line_at(byte);
        Some((line, byte as u32 - self.of_file.start(line)))
    }

    fn line(&self, line: u32) -> u32 {
        if line <= self.of_file.count() {
            return line;
        }
        let byte = self.made.last_origin(self.lines.end(line) as usize);
        self.of_file.line_at(byte.saturating_sub(1)).max(1)
    }
}

//! A text in which what the grammar cannot read is blanked out, byte for byte, so that every position stays.
//! The names in it are told as uses.

use crate::types::{FileFacts, HintKind, Local, MACRO_ITEMS, Reference, ReferenceKind};

/// A text as it is parsed in the place of what was written.
#[derive(Default)]
pub(crate) struct Blanked {
    pub(crate) text: String,
    /// What was blanked and names something, by position.
    pub(crate) names: Vec<BlankedName>,
    /// Bytes of whole lines that were blanked: branches that are not read.
    pub(crate) branches: Vec<std::ops::Range<usize>>,
    /// Definitions that are the arguments of a macro.
    pub(crate) items: Vec<MacroItems>,
}

/// Bytes of a name that was blanked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlankedName {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: ReferenceKind,
    /// A receiver stands before it, of which nothing is known.
    pub(crate) is_member: bool,
}

/// Lines of definitions that a macro gets, and its name.
#[derive(Clone)]
pub(crate) struct MacroItems {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) end_line: u32,
}

impl Blanked {
    /// Adds what was blanked as uses, and the extent of what macros get.
    pub(crate) fn tell(&self, source: &str, facts: &mut FileFacts) {
        let (mut line, mut line_start, mut read) = (1, 0, 0);
        for &BlankedName {
            start,
            end,
            kind,
            is_member,
        } in &self.names
        {
            for (at, _) in source[read..start].match_indices('\n') {
                line += 1;
                line_start = read + at + 1;
            }
            read = start;
            let enclosing = innermost(facts, start as u32);
            facts.references.push(Reference {
                name: source[start..end].trim_end().to_owned(),
                qualifier: if is_member { "…" } else { "" }.to_owned(),
                kind,
                line,
                column: (start - line_start) as u32,
                enclosing,
                arguments: None,
            });
        }
        facts
            .references
            .sort_by_key(|reference| (reference.line, reference.column));
        facts.locals.extend(self.items.iter().map(|items| Local {
            name: MACRO_ITEMS.to_owned(),
            kind: HintKind::Nothing,
            text: items.name.clone(),
            line: items.line,
            column: 0,
            end_line: items.end_line,
            enclosing: None,
        }));
        if !self.items.is_empty() {
            facts.locals.sort_by_key(|local| (local.line, local.column));
        }
    }
}

/// The innermost symbol around a place; symbols stand by their start, outer before inner.
fn innermost(facts: &FileFacts, place: u32) -> Option<u32> {
    let symbols = &facts.symbols;
    let n_before = symbols.partition_point(|symbol| symbol.span.start_byte <= place);
    let last = u32::try_from(n_before.checked_sub(1)?).ok();
    let mut around = std::iter::successors(last, |at| symbols[*at as usize].parent);
    around.find(|at| place < symbols[*at as usize].span.end_byte)
}

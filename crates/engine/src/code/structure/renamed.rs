//! Which new definitions are definitions that went, under another name or in another file: by likeness of
//! their lines, the name aside. It never pairs definitions of other kinds, nor one with two.

use super::at_risk::Changed;
use super::changes::{ChangedFile, Changes, FileSide};
use super::renames::Lines;
use super::{is_notable, risk};
use crate::api::{ReviewedSymbol, SymbolChange, SymbolLine};
use crate::code::symbols::line_of;
use std::collections::HashSet;
use whyrank_syntax::Symbol;

/// So much of two definitions of the same qualified name must be alike; of others in one file, as git
/// has it of files; and of others in two files.
const SAME_NAME: f64 = 0.3;
const SAME_FILE: f64 = 0.5;
const ELSEWHERE: f64 = 0.8;
/// Shorter definitions of another name in another file are alike by chance.
const LEAST_ELSEWHERE: u32 = 4;
/// Pairs that are compared line by line; where more went and came, only equal names are.
const MAX_PAIRS: usize = 40_000;

/// A definition on one side of a change.
struct Side<'a> {
    at: Changed,
    symbol: &'a Symbol,
    lines: Lines,
}

impl<'a> Side<'a> {
    fn new(at: Changed, side: &'a FileSide) -> Self {
        let symbol = &side.facts.symbols[at.symbol as usize];
        let bytes = symbol.span.start_byte as usize..symbol.span.end_byte as usize;
        let text = side.text.get(bytes).unwrap_or_default();
        Self {
            at,
            symbol,
            lines: Lines::of(&unnamed(text, &symbol.name)),
        }
    }

    /// The likeness of two definitions, if enough for them to be one.
    fn likeness(&self, old: &Self) -> Option<f64> {
        let likeness = self.lines.likeness(&old.lines);
        let n = self.lines.n().min(old.lines.n());
        let least = if self.symbol.qualified == old.symbol.qualified {
            SAME_NAME
        } else if self.at.place == old.at.place {
            SAME_FILE
        } else if n >= LEAST_ELSEWHERE {
            ELSEWHERE
        } else {
            return None;
        };
        (self.symbol.kind == old.symbol.kind && likeness >= least).then_some(likeness)
    }
}

/// A new definition, and which it was in the old state.
pub(super) struct Renamed {
    pub(super) now: Changed,
    pub(super) was: Changed,
}

/// Pairs what came with what went, the most alike first.
pub(super) fn renamed(changes: &Changes) -> Vec<Renamed> {
    let files = || changes.files.iter().enumerate();
    let went: Vec<Side<'_>> = files()
        .flat_map(|(place, file)| went(place, file))
        .collect();
    if went.is_empty() {
        return Vec::new();
    }
    let came: Vec<Side<'_>> = files()
        .flat_map(|(place, file)| came(place, file))
        .collect();
    let by_name_only = went.len() * came.len() > MAX_PAIRS;
    let mut pairs: Vec<(f64, bool, Changed, Changed)> = Vec::new();
    for new in &came {
        for old in &went {
            let is_named_so = new.symbol.name == old.symbol.name;
            if by_name_only && !is_named_so {
                continue;
            }
            if let Some(likeness) = new.likeness(old) {
                pairs.push((likeness, is_named_so, new.at, old.at));
            }
        }
    }
    let is_near = |pair: &(f64, bool, Changed, Changed)| pair.2.place == pair.3.place;
    pairs.sort_by(|a, b| {
        let by_name = b.1.cmp(&a.1).then(b.0.total_cmp(&a.0));
        let by_file = is_near(b).cmp(&is_near(a));
        by_name.then(by_file).then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    let (mut new, mut old) = (HashSet::new(), HashSet::new());
    pairs.retain(|(_, _, now, was)| {
        let is_free = !new.contains(now) && !old.contains(was);
        is_free && new.insert(*now) && old.insert(*was)
    });
    let renamed = pairs
        .into_iter()
        .map(|(_, _, now, was)| Renamed { now, was });
    renamed.collect()
}

fn went(place: usize, file: &ChangedFile) -> impl Iterator<Item = Side<'_>> {
    let gone = file.gone().filter(|(_, symbol)| is_notable(symbol));
    gone.filter_map(move |(symbol, _)| {
        Some(Side::new(Changed { place, symbol }, file.old.as_ref()?))
    })
}

fn came(place: usize, file: &ChangedFile) -> impl Iterator<Item = Side<'_>> {
    let new = (0u32..).zip(file.symbols());
    let new = new.filter(|(at, symbol)| file.was(*at).is_none() && is_notable(symbol));
    new.filter_map(move |(symbol, _)| {
        Some(Side::new(Changed { place, symbol }, file.new.as_ref()?))
    })
}

/// A text without a name, wherever it stands as a word of its own.
fn unnamed(text: &str, name: &str) -> String {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let mut rest = text;
    let mut without = String::with_capacity(text.len());
    while let Some(at) = rest.find(name).filter(|_| !name.is_empty()) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        without.push_str(before);
        without.push_str(if is_whole { "it" } else { name });
        rest = after;
    }
    without.push_str(rest);
    without
}

/// Tells once what was renamed or moved: of the new definition, with the users that the old one left behind.
/// Members of a renamed type that are as they were are told with the type.
pub(super) fn join(changes: &Changes, symbols: &mut Vec<ReviewedSymbol>) {
    for pair in renamed(changes) {
        let (now, was) = (
            &changes.files[pair.now.place],
            &changes.files[pair.was.place],
        );
        let Some(old) = &was.old else {
            continue;
        };
        let new = &now.symbols()[pair.now.symbol as usize];
        let old = &old.facts.symbols[pair.was.symbol as usize];
        let gone = place(symbols, SymbolChange::Removed, &line_of(&was.path, old));
        let gone = gone.map(|place| symbols.remove(place));
        let line = line_of(&now.path, new);
        let from = line_of(was.from.as_deref().unwrap_or(&was.path), old);
        match place(symbols, SymbolChange::New, &line) {
            Some(place) => risk::renamed(&mut symbols[place], from, gone),
            None if pair.now.place != pair.was.place => {
                let left = gone.filter(|gone| !gone.callers.is_empty());
                symbols.extend(left.map(|gone| risk::moved(line, from, gone)));
            }
            None => {}
        }
    }
}

fn place(symbols: &[ReviewedSymbol], change: SymbolChange, line: &SymbolLine) -> Option<usize> {
    let mut symbols = symbols.iter();
    symbols.position(|one| one.change == change && one.symbol == *line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_as_a_word_of_its_own() {
        assert_eq!(
            unnamed("fn tax() { tax_of(tax) }", "tax"),
            "fn it() { tax_of(it) }"
        );
        assert_eq!(unnamed("pretax", "tax"), "pretax");
    }
}

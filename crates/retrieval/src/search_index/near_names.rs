//! Definitions that may be meant by a name that nothing has: found by its words and its beginning where names
//! are mapped, so that the question costs what it finds, not what there is.

use super::names::Sought;
use super::{SearchIndex, SymbolRef, distinct_tokens};
use std::cmp::Reverse;
use whyrank_graph::SymbolId;
use whyrank_index::OwnFile;

/// Definitions that share words with the name, counted once for each word; the rarest words come first, and
/// what goes beyond is left out.
const MOST_SHARING: usize = 100_000;
/// Names of a segment that are looked at because they begin alike.
const MOST_BEGINNING: usize = 5_000;
/// Files whose names are read, and definitions of all of these.
const MOST_FILES: usize = 500;
const MOST_READ: u32 = 300_000;
/// Shorter beginnings tell nothing.
const LEAST_BEGINNING: usize = 2;

impl SearchIndex {
    /// Hands over definitions whose names may be like one, each with its name; where names are not mapped,
    /// every definition. `is_like` judges a name that begins alike. In no order.
    pub fn alike(
        &self,
        name: &str,
        is_like: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(SymbolId, &str),
    ) {
        if self.parts.is_empty() {
            return self.alike_here(name, is_like, each);
        }
        for part in &self.parts {
            part.index.alike_here(name, is_like, &mut |id, own| {
                let file = part.offset.pooled_file(OwnFile(id.file));
                each(SymbolId { file, ..id }, own);
            });
        }
    }

    fn alike_here(
        &self,
        name: &str,
        is_like: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(SymbolId, &str),
    ) {
        if self.view.names().is_none() {
            return self.each_name(each);
        }
        let mut room = Room {
            n_files: MOST_FILES,
            n_symbols: MOST_READ,
        };
        let begins = self.beginning_alike(&name.to_lowercase(), is_like);
        self.read_within(begins, &mut room, each);
        for sharing in self.sharing_words(name) {
            self.read_within(sharing, &mut room, each);
        }
    }

    /// Definitions of the name in other letters, those that go on after it, and those that begin with its
    /// first half: a slip of the hand in the other.
    fn beginning_alike(&self, lower: &str, is_like: &dyn Fn(&str) -> bool) -> Vec<SymbolRef> {
        let n_half = lower.chars().count() / 2;
        let half = lower.char_indices().nth(n_half);
        let half = half.map_or("", |(end, _)| &lower[..end]);
        let mut found = self.places(Sought::Name(lower)).into_owned();
        for start in [lower, half] {
            if start.chars().count() >= LEAST_BEGINNING {
                let names = &self.names;
                found.extend(names.beginning(&self.view, start, MOST_BEGINNING, is_like));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Definitions that have words of the name: those with most of them first.
    fn sharing_words(&self, name: &str) -> Vec<Vec<SymbolRef>> {
        let words = distinct_tokens(name).into_iter();
        let mut words: Vec<(usize, String)> =
            words.map(|word| (self.n_with_token(&word), word)).collect();
        words.sort_unstable();
        let mut places: Vec<SymbolRef> = Vec::new();
        for (n, word) in &words {
            if places.len() + n > MOST_SHARING {
                break;
            }
            places.extend(self.with_token(word).iter());
        }
        places.sort_unstable();
        let mut by_number: Vec<Vec<SymbolRef>> = vec![Vec::new(); words.len() + 1];
        for same in places.chunk_by(PartialEq::eq) {
            by_number[same.len()].push(same[0]);
        }
        by_number.reverse();
        by_number
    }

    /// Hands over some definitions, those of central files first, as long as there is room.
    fn read_within(
        &self,
        places: Vec<SymbolRef>,
        room: &mut Room,
        each: &mut dyn FnMut(SymbolId, &str),
    ) {
        let mut files: Vec<&[SymbolRef]> = places.chunk_by(|a, b| a.file == b.file).collect();
        let rank = |of_file: &&[SymbolRef]| self.view.file_rank(of_file[0].file);
        files.sort_by_key(|of_file| Reverse((rank(of_file) * 1e6) as u32));
        for of_file in files {
            let file = of_file[0].file;
            if !room.takes(self.view.files[file as usize].n_symbols) {
                continue;
            }
            let names = self.file_names(file);
            for place in of_file {
                if let Some(named) = names.get(place.symbol) {
                    each(SymbolId::from(*place), named.name);
                }
            }
        }
    }
}

/// What may still be read.
struct Room {
    n_files: usize,
    n_symbols: u32,
}

impl Room {
    fn takes(&mut self, n_symbols: u32) -> bool {
        let is_room = self.n_files > 0 && n_symbols <= self.n_symbols;
        if is_room {
            self.n_files -= 1;
            self.n_symbols -= n_symbols;
        }
        is_room
    }
}

//! Where the files and definitions of an earlier state of a view are now.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::input::files::SymbolId;

/// The files and definitions of an earlier state of a view with their present indices, and back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renumbering {
    /// The present index of each earlier file.
    now: Vec<Option<u32>>,
    /// The earlier index of each present file.
    before: Vec<Option<u32>>,
    /// By earlier file: the present index of each definition. The others have the indices they had.
    symbols_now: FxHashMap<u32, Vec<Option<u32>>>,
    /// By present file: the earlier index of each definition that had one.
    symbols_before: FxHashMap<u32, Vec<Option<u32>>>,
}

impl Renumbering {
    /// Between so many earlier and present files, none of which is another yet.
    pub(super) fn new(n_before: usize, n_now: usize) -> Self {
        Self {
            now: vec![None; n_before],
            before: vec![None; n_now],
            ..Self::default()
        }
    }

    /// Notes that an earlier file is a present one, whose definitions are where they were.
    pub(super) fn note_same(&mut self, before: u32, now: u32) {
        self.now[before as usize] = Some(now);
        self.before[now as usize] = Some(before);
    }

    /// Notes that an earlier file is a present one, with the present indices of its definitions.
    pub(super) fn note_changed(&mut self, before: u32, now: u32, symbols: Vec<Option<u32>>) {
        self.note_same(before, now);
        let mut back = Vec::new();
        for (at, symbol) in (0u32..).zip(&symbols) {
            if let Some(symbol) = symbol {
                let symbol = *symbol as usize;
                back.resize(back.len().max(symbol + 1), None);
                back[symbol] = Some(at);
            }
        }
        self.symbols_before.insert(now, back);
        self.symbols_now.insert(before, symbols);
    }

    /// The present index of a file; `None` where it is gone.
    pub(crate) fn file_now(&self, before: u32) -> Option<u32> {
        self.now.get(before as usize).copied().flatten()
    }

    /// The earlier index of a file; `None` for a new one.
    pub(crate) fn file_before(&self, now: u32) -> Option<u32> {
        self.before.get(now as usize).copied().flatten()
    }

    /// The present index of a definition; `None` where it is gone.
    pub(crate) fn now(&self, before: SymbolId) -> Option<SymbolId> {
        let file = self.file_now(before.file)?;
        let symbol = match self.symbols_now.get(&before.file) {
            Some(symbols) => symbols.get(before.symbol as usize).copied().flatten()?,
            None => before.symbol,
        };
        Some(SymbolId { file, symbol })
    }

    /// The earlier index of a definition; `None` for a new one.
    pub(crate) fn before(&self, now: SymbolId) -> Option<SymbolId> {
        let file = self.file_before(now.file)?;
        let symbol = match self.symbols_before.get(&now.file) {
            Some(symbols) => symbols.get(now.symbol as usize).copied().flatten()?,
            None => now.symbol,
        };
        Some(SymbolId { file, symbol })
    }

    /// The earlier files that are gone.
    pub(super) fn gone(&self) -> impl Iterator<Item = u32> + '_ {
        let files = (0u32..).zip(&self.now);
        files.filter(|(_, now)| now.is_none()).map(|(file, _)| file)
    }

    /// The earlier definitions that are gone from files that are still there.
    pub(super) fn gone_symbols(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.symbols_now.iter().flat_map(|(file, symbols)| {
            let gone = (0u32..).zip(symbols).filter(|(_, now)| now.is_none());
            gone.map(|(symbol, _)| SymbolId {
                file: *file,
                symbol,
            })
        })
    }

    /// The present files whose definitions have other indices, with the earlier ones.
    pub(crate) fn changed(&self) -> impl Iterator<Item = (u32, &[Option<u32>])> {
        let changed = self.symbols_before.iter();
        changed.map(|(file, symbols)| (*file, symbols.as_slice()))
    }

    pub(crate) fn n_before(&self) -> usize {
        self.now.len()
    }

    /// Says whether it is between files with so many definitions each, as far as it names any.
    pub(crate) fn fits(&self, n_before: usize, n_symbols_now: &[u32]) -> bool {
        let of = |file: u32| n_symbols_now.get(file as usize).copied().unwrap_or(0);
        let in_range = |file: &u32, symbols: &[Option<u32>]| match self.file_now(*file) {
            Some(now) => symbols.iter().flatten().all(|symbol| *symbol < of(now)),
            None => false,
        };
        self.now.len() == n_before
            && self.before.len() == n_symbols_now.len()
            && self
                .before
                .iter()
                .flatten()
                .all(|at| (*at as usize) < n_before)
            && self
                .now
                .iter()
                .flatten()
                .all(|at| (*at as usize) < n_symbols_now.len())
            && self
                .symbols_now
                .iter()
                .all(|(file, symbols)| in_range(file, symbols))
    }
}

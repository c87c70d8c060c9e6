//! Numbers for the files of both states of a change that those of the index's view go along with, so that
//! its graph can be asked about what was parsed here.
//!
//! Files keep the view's numbers; those that it lacks come next, and of the old state those that went last.
//! Where the view has another content than the change, definitions are found by name and kind.

use super::changes::{ChangedFile, Changes};
use crate::views::LiveView;
use std::collections::HashMap;
use whyrank_graph::{Facts, FileInput, SymbolId};
use whyrank_retrieval::FileRole;
use whyrank_syntax::Symbol;

pub(super) struct Numbering<'r> {
    pub(super) view: &'r LiveView,
    changes: &'r Changes,
    /// Of each changed file that is there, its number.
    numbers: Vec<Option<u32>>,
    /// The changed file of a number: what is there now, or what the view has still of what went.
    places: HashMap<u32, usize>,
    /// The files as they are.
    pub(super) now: Vec<FileInput<'r>>,
    /// The files as they were, then those that went.
    pub(super) old: Vec<FileInput<'r>>,
    /// Of each changed file that went, its number in the old state.
    gone: HashMap<usize, u32>,
}

impl<'r> Numbering<'r> {
    /// `known`: the files of the view as it has them.
    pub(super) fn new(view: &'r LiveView, changes: &'r Changes, known: Vec<FileInput<'r>>) -> Self {
        let mut made = Self {
            view,
            changes,
            numbers: Vec::new(),
            places: HashMap::new(),
            now: known,
            old: Vec::new(),
            gone: HashMap::new(),
        };
        for (place, file) in changes.files.iter().enumerate() {
            let from = file.from.as_deref();
            let known = view.file(&file.path).or_else(|| view.file(from?));
            let number = match (file.is_there, known) {
                (true, None) => made.now.len() as u32,
                (_, Some(known)) => known,
                (false, None) => {
                    made.numbers.push(None);
                    continue;
                }
            };
            made.places.insert(number, place);
            made.numbers.push(file.is_there.then_some(number));
            let facts = file.new.as_ref().map(|new| &new.facts as &dyn Facts);
            let input = FileInput {
                path: &file.path,
                language: language(file),
                facts: facts.unwrap_or(&changes.nothing),
            };
            match made.now.get_mut(number as usize) {
                Some(known) => *known = input,
                None => made.now.push(input),
            }
        }
        made.add_old();
        made
    }

    fn add_old(&mut self) {
        let nothing: &dyn Facts = &self.changes.nothing;
        self.old.clone_from(&self.now);
        for (number, place) in &self.places {
            let file = &self.changes.files[*place];
            let before = file.old.as_ref().filter(|_| file.is_there);
            let input = &mut self.old[*number as usize];
            input.facts = before.map_or(nothing, |old| &old.facts);
            input.path = file.from.as_deref().unwrap_or(&file.path);
        }
        for (place, file) in self.changes.files.iter().enumerate() {
            if let Some(old) = file.old.as_ref().filter(|_| !file.is_there) {
                self.gone.insert(place, self.old.len() as u32);
                self.old.push(FileInput {
                    path: &file.path,
                    language: old.language.name(),
                    facts: &old.facts,
                });
            }
        }
    }

    /// The changed file of a number.
    pub(super) fn changed(&self, number: u32) -> Option<&'r ChangedFile> {
        Some(&self.changes.files[*self.places.get(&number)?])
    }

    /// A definition of the new state by its file's place among the changed ones.
    pub(super) fn id(&self, place: usize, symbol: u32) -> Option<SymbolId> {
        let file = self.numbers[place]?;
        Some(SymbolId { file, symbol })
    }

    /// A definition of the old state by its file's place.
    pub(super) fn old_id(&self, place: usize, symbol: u32) -> Option<SymbolId> {
        let file = self.numbers[place].or_else(|| self.gone.get(&place).copied())?;
        Some(SymbolId { file, symbol })
    }

    /// What the view's graph calls a definition of the new state; `None` for one that it does not know.
    pub(super) fn of_graph(&self, id: SymbolId) -> Option<SymbolId> {
        self.translated(id, self.symbols(id.file), self.known(id.file)?)
    }

    /// A definition of the graph in the new state.
    pub(super) fn of_now(&self, id: SymbolId) -> Option<SymbolId> {
        self.translated(id, self.known(id.file)?, self.symbols(id.file))
    }

    fn translated(&self, id: SymbolId, from: &[Symbol], to: &[Symbol]) -> Option<SymbolId> {
        if !self.is_behind(id.file) {
            return Some(id);
        }
        let is_same = |one: &Symbol, other: &Symbol| {
            one.qualified == other.qualified && one.kind == other.kind
        };
        let wanted = from.get(id.symbol as usize)?;
        let before = &from[..id.symbol as usize];
        let n_before = before.iter().filter(|one| is_same(one, wanted)).count();
        let mut same = (0u32..).zip(to).filter(|(_, one)| is_same(one, wanted));
        let (symbol, _) = same.nth(n_before)?;
        Some(SymbolId { symbol, ..id })
    }

    fn known(&self, number: u32) -> Option<&'r [Symbol]> {
        let file = self.view.files.get(number as usize)?;
        Some(&file.outline().symbols)
    }

    /// The definitions of a file as it is.
    pub(super) fn symbols(&self, number: u32) -> &'r [Symbol] {
        match self.changed(number) {
            Some(file) => file.symbols(),
            None => self.known(number).unwrap_or_default(),
        }
    }

    pub(super) fn symbol(&self, id: SymbolId) -> &'r Symbol {
        &self.symbols(id.file)[id.symbol as usize]
    }

    pub(super) fn path(&self, number: u32) -> &'r str {
        self.now[number as usize].path
    }

    pub(super) fn is_test(&self, number: u32) -> bool {
        if (number as usize) < self.view.files.len() {
            return self.view.is_test(number);
        }
        let path = self.path(number);
        matches!(
            FileRole::of(path, false),
            FileRole::Test | FileRole::Example
        )
    }

    /// Whether the view has another content than the change, or none.
    fn is_behind(&self, number: u32) -> bool {
        let Some(file) = self.changed(number) else {
            return false;
        };
        let known = self.view.files.get(number as usize).map(|known| known.blob);
        known != file.new.as_ref().map(|new| new.blob)
    }

    /// Changed files that the view has otherwise, of those that hold text. What went is not behind.
    pub(super) fn behind(&self) -> Vec<&'r str> {
        let mut behind: Vec<&str> = Vec::new();
        for (number, place) in &self.places {
            let file = &self.changes.files[*place];
            if self.is_behind(*number) && file.new.is_some() {
                behind.push(&file.path);
            }
        }
        behind.sort_unstable();
        behind
    }
}

fn language(file: &ChangedFile) -> &'static str {
    let side = file.new.as_ref().or(file.old.as_ref());
    side.map_or("", |side| side.language.name())
}

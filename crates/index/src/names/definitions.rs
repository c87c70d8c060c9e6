//! The definitions of a view by name, as the symbol graph looks them up: in segments, and of files that no
//! segment has as they say themselves.

use super::{FileNames, ViewNames};
use crate::error::Result;
use crate::view::View;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use whyrank_graph::{DefinitionSource, SymbolId};
use whyrank_syntax::Symbol;

/// A view whose names lie in segments.
#[derive(Debug)]
pub(crate) struct MappedDefinitions {
    view: Arc<View>,
    /// Definitions of files that no segment has, by lower-cased name, in order.
    unmapped: HashMap<String, Vec<SymbolId>>,
    has_failed: AtomicBool,
}

impl MappedDefinitions {
    /// `None` for a view without names.
    pub(crate) fn new(view: Arc<View>) -> Option<Self> {
        let names = view.names()?;
        let mut unmapped: HashMap<String, Vec<SymbolId>> = HashMap::new();
        let files = (0u32..).zip(&view.files);
        for (file, known) in files.filter(|(file, _)| !names.covers(*file)) {
            let own = known.names();
            for symbol in 0..own.len() as u32 {
                if let Some(named) = own.get(symbol) {
                    let list = unmapped.entry(named.name.to_lowercase()).or_default();
                    list.push(SymbolId { file, symbol });
                }
            }
        }
        Some(Self {
            view,
            unmapped,
            has_failed: AtomicBool::new(false),
        })
    }

    /// Says whether a segment could not be read: what was looked up must not be used.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    fn names(&self) -> &ViewNames {
        self.view
            .names()
            .expect("it was made from a view with names")
    }

    fn noted<T: Default>(&self, outcome: Result<T>) -> T {
        outcome.unwrap_or_else(|_| {
            self.has_failed.store(true, Ordering::Relaxed);
            T::default()
        })
    }

    /// Hands over the definitions whose names are this one when they are lower-cased, by file and position.
    fn each_folded(&self, lower: &str, mut each: impl FnMut(SymbolId, &str)) {
        let mut places = self.noted(self.names().with_name(lower));
        places.extend(self.unmapped.get(lower).into_iter().flatten());
        places.sort_unstable();
        for of_file in places.chunk_by(|a, b| a.file == b.file) {
            let names = self.file_names(of_file[0].file);
            for id in of_file {
                if let Some(named) = names.get(id.symbol) {
                    each(*id, named.name);
                }
            }
        }
    }

    fn file_names(&self, file: u32) -> FileNames {
        if !self.names().covers(file) {
            return self.view.files[file as usize].names();
        }
        match self.names().definitions(file) {
            Ok(names) => names,
            Err(_) => {
                self.has_failed.store(true, Ordering::Relaxed);
                self.view.files[file as usize].names()
            }
        }
    }
}

impl DefinitionSource for MappedDefinitions {
    fn named(&self, name: &str) -> Vec<SymbolId> {
        let mut found = Vec::new();
        self.each_folded(&name.to_lowercase(), |id, own| {
            if own == name {
                found.push(id);
            }
        });
        found
    }

    fn folded(&self, lower: &str) -> Vec<String> {
        let mut names = BTreeSet::new();
        self.each_folded(lower, |_, own| {
            if !names.contains(own) {
                names.insert(own.to_owned());
            }
        });
        names.into_iter().collect()
    }

    fn each(&self, each: &mut dyn FnMut(SymbolId, &str)) {
        for file in 0..self.view.files.len() as u32 {
            let names = self.file_names(file);
            for symbol in 0..names.len() as u32 {
                if let Some(named) = names.get(symbol) {
                    each(SymbolId { file, symbol }, named.name);
                }
            }
        }
    }

    fn read(&self, file: u32, read: &mut dyn FnMut(&[Symbol])) {
        read(&self.view.files[file as usize].outline().symbols);
    }
}

//! Definitions looked up in a search index, of one repository or of a pool that asks each of its own.

use super::names::Sought;
use super::{SearchIndex, SymbolRef};
use std::borrow::Cow;
use whyrank_graph::SymbolId;
use whyrank_index::{FileNames, NamedSymbol, OwnFile};

impl SearchIndex {
    /// The definitions with a token in their name, by file and position.
    pub(crate) fn with_token(&self, token: &str) -> Cow<'_, [SymbolRef]> {
        self.places(Sought::Token(token))
    }

    /// How many definitions have a token in their name.
    pub(crate) fn n_with_token(&self, token: &str) -> usize {
        if self.parts.is_empty() {
            return self.names.n_with_token(&self.view, token);
        }
        let parts = self.parts.iter();
        parts.map(|part| part.index.n_with_token(token)).sum()
    }

    /// The definitions of a name, in whatever case, by file and position.
    pub(crate) fn with_name(&self, name: &str) -> Cow<'_, [SymbolRef]> {
        self.places(Sought::Name(&name.to_lowercase()))
    }

    /// Looks up in every repository, with places as the pool numbers them.
    pub(super) fn places(&self, sought: Sought<'_>) -> Cow<'_, [SymbolRef]> {
        if self.parts.is_empty() {
            return self.names.find(&self.view, sought);
        }
        let mut found = Vec::new();
        for part in &self.parts {
            let places = part.index.places(sought);
            found.extend(places.iter().map(|place| SymbolRef {
                file: part.offset.pooled_file(OwnFile(place.file)),
                ..*place
            }));
        }
        Cow::Owned(found)
    }

    /// Calls `each` with the name of every place, by file and position: a file's names are read once.
    pub(crate) fn each_named(
        &self,
        mut places: Vec<SymbolRef>,
        mut each: impl FnMut(SymbolRef, NamedSymbol<'_>),
    ) {
        places.sort_unstable();
        for of_file in places.chunk_by(|a, b| a.file == b.file) {
            let names = self.file_names(of_file[0].file);
            for place in of_file {
                if let Some(named) = names.get(place.symbol) {
                    each(*place, named);
                }
            }
        }
    }

    /// Those of some places whose definition is told by its name.
    pub(crate) fn named_where(
        &self,
        places: &[SymbolRef],
        is_wanted: impl Fn(NamedSymbol<'_>) -> bool,
    ) -> Vec<SymbolRef> {
        let mut wanted = Vec::new();
        self.each_named(places.to_vec(), |place, named| {
            if is_wanted(named) {
                wanted.push(place);
            }
        });
        wanted
    }

    /// The definitions of exactly this name, by file and position.
    pub fn named(&self, name: &str) -> Vec<SymbolId> {
        let places = self.with_name(name);
        let named = self.named_where(&places, |named| named.name == name);
        named.into_iter().map(SymbolId::from).collect()
    }

    /// The names that are this one when they are lower-cased, each once.
    pub fn names_of(&self, lower: &str) -> Vec<String> {
        let mut names = std::collections::BTreeSet::new();
        let places = self.places(Sought::Name(lower)).into_owned();
        self.each_named(places, |_, named| {
            if !names.contains(named.name) {
                names.insert(named.name.to_owned());
            }
        });
        names.into_iter().collect()
    }

    /// Hands over every definition with its name, by file and position.
    pub fn each_name(&self, each: &mut dyn FnMut(SymbolId, &str)) {
        for file in 0..self.view.files.len() as u32 {
            let names = self.file_names(file);
            for symbol in 0..names.len() as u32 {
                if let Some(named) = names.get(symbol) {
                    each(SymbolId { file, symbol }, named.name);
                }
            }
        }
    }

    pub(super) fn file_names(&self, file: u32) -> FileNames {
        let (index, OwnFile(file)) = self.of_file(file);
        let names = index.view.names().filter(|names| names.covers(file));
        let mapped = names.and_then(|names| names.definitions(file).ok());
        mapped.unwrap_or_else(|| index.view.files[file as usize].names())
    }
}

//! Definitions by their names: looked up where a store has them mapped, inverted here for the rest.
//!
//! What is mapped may turn out to be damaged while it is read. Then the names of all files are inverted
//! from the catalog, once, and answers are the same.

use super::{SymbolRef, distinct_tokens};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;
use whyrank_graph::SymbolId;
use whyrank_index::{IndexError, View, ViewNames};

/// Definitions by name, of some files.
#[derive(Debug, Default)]
struct Inverted {
    /// Token of a name → definitions with it.
    tokens: HashMap<String, Vec<SymbolRef>>,
    /// Lower-cased whole name → definitions.
    exact: HashMap<String, Vec<SymbolRef>>,
}

impl Inverted {
    fn of(view: &View, is_wanted: impl Fn(u32) -> bool) -> Self {
        let mut inverted = Self::default();
        for (file, entry) in (0u32..)
            .zip(&view.files)
            .filter(|(file, _)| is_wanted(*file))
        {
            entry.with_outline(|outline| {
                for (symbol, definition) in (0u32..).zip(&outline.symbols) {
                    inverted.add(SymbolRef { file, symbol }, &definition.name);
                }
            });
        }
        inverted
    }

    fn add(&mut self, place: SymbolRef, name: &str) {
        for token in distinct_tokens(name) {
            self.tokens.entry(token).or_default().push(place);
        }
        self.exact
            .entry(name.to_lowercase())
            .or_default()
            .push(place);
    }

    fn get(&self, sought: Sought<'_>) -> &[SymbolRef] {
        let found = match sought {
            Sought::Token(token) => self.tokens.get(token),
            Sought::Name(lower) => self.exact.get(lower),
        };
        found.map_or(&[], Vec::as_slice)
    }
}

/// What definitions are looked up by.
#[derive(Clone, Copy)]
pub(super) enum Sought<'a> {
    Token(&'a str),
    /// Lower-cased.
    Name(&'a str),
}

impl Sought<'_> {
    fn mapped(self, names: &ViewNames) -> Result<Vec<SymbolId>, IndexError> {
        match self {
            Self::Token(token) => names.with_token(token),
            Self::Name(lower) => names.with_name(lower),
        }
    }
}

/// The definitions of a view by name.
#[derive(Debug)]
pub(super) struct Names {
    /// Of the files that nothing mapped covers.
    inverted: Inverted,
    /// Of all files, where what is mapped is damaged.
    whole: OnceLock<Inverted>,
}

impl Names {
    pub(super) fn of(view: &View) -> Self {
        let covers = |file| view.names().is_some_and(|names| names.covers(file));
        Self {
            inverted: Inverted::of(view, |file| !covers(file)),
            whole: OnceLock::new(),
        }
    }

    /// Of a pool, which asks its parts.
    pub(super) fn none() -> Self {
        Self {
            inverted: Inverted::default(),
            whole: OnceLock::new(),
        }
    }

    /// By file and position.
    pub(super) fn find(&self, view: &View, sought: Sought<'_>) -> Cow<'_, [SymbolRef]> {
        if let Some(whole) = self.whole.get() {
            return Cow::Borrowed(whole.get(sought));
        }
        let here = self.inverted.get(sought);
        let Some(names) = view.names() else {
            return Cow::Borrowed(here);
        };
        let Ok(mapped) = sought.mapped(names) else {
            return Cow::Borrowed(self.whole(view).get(sought));
        };
        let mut found: Vec<SymbolRef> = mapped.into_iter().map(SymbolRef::from).collect();
        if !here.is_empty() {
            found.extend(here);
            found = sorted(found);
        }
        Cow::Owned(found)
    }

    pub(super) fn n_with_token(&self, view: &View, token: &str) -> usize {
        let here = || self.inverted.get(Sought::Token(token)).len();
        match (self.whole.get(), view.names()) {
            (None, Some(names)) => match names.n_with_token(token) {
                Ok(n_mapped) => n_mapped + here(),
                Err(_) => self.whole(view).get(Sought::Token(token)).len(),
            },
            (Some(whole), _) => whole.get(Sought::Token(token)).len(),
            (None, None) => here(),
        }
    }

    /// The definitions with a wanted name among those that begin with `start`, lower-cased; of mapped names
    /// `most` of a segment are looked at. By file and position.
    pub(super) fn beginning(
        &self,
        view: &View,
        start: &str,
        most: usize,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Vec<SymbolRef> {
        let of_inverted = |inverted: &Inverted| {
            let names = inverted.exact.iter();
            let wanted = names.filter(|(name, _)| name.starts_with(start) && is_wanted(name));
            wanted.flat_map(|(_, places)| places.clone()).collect()
        };
        let mapped = match (self.whole.get(), view.names()) {
            (Some(whole), _) => return sorted(of_inverted(whole)),
            (None, None) => Ok(Vec::new()),
            (None, Some(names)) => names.beginning(start, most, is_wanted),
        };
        let Ok(mapped) = mapped else {
            return sorted(of_inverted(self.whole(view)));
        };
        let mut found: Vec<SymbolRef> = of_inverted(&self.inverted);
        found.extend(mapped.into_iter().map(SymbolRef::from));
        sorted(found)
    }

    fn whole(&self, view: &View) -> &Inverted {
        self.whole.get_or_init(|| Inverted::of(view, |_| true))
    }
}

/// Chunks that say no more than one before them: heads of modules and namespaces that were seen before.
/// `module Sinatra` in each file of a gem is one text, and as many places in a list by likeness.
pub(super) fn reopened(view: &View) -> roaring::RoaringBitmap {
    let mut seen = std::collections::HashSet::new();
    let mut repeats = roaring::RoaringBitmap::new();
    for (at, file) in (0u32..).zip(&view.files) {
        let mut note = |heads: &[whyrank_index::ModuleHead]| {
            for head in heads {
                if !seen.insert((head.qualified.clone(), head.n_bytes)) {
                    repeats.insert(file.first_chunk + head.chunk);
                }
            }
        };
        match view.names().filter(|names| names.covers(at)) {
            Some(names) => note(names.module_heads(at)),
            None => file.with_outline(|outline| note(&outline.module_heads())),
        }
    }
    repeats
}

fn sorted(mut places: Vec<SymbolRef>) -> Vec<SymbolRef> {
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests;

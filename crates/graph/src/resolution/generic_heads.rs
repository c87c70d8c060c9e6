//! Parameters of generics by the heads of definitions: which there are at a place, and what gives one.

use crate::{
    input::files::SymbolId,
    resolution::{
        resolver::{Resolver, UseSite},
        signature_types::{self, StatedType},
        type_arguments::{self, parameters_of},
    },
};

impl<'a> Resolver<'a> {
    /// Says whether what these definitions give is up to a parameter of a generic.
    pub(super) fn gives_parameter(&self, ids: &[SymbolId]) -> bool {
        ids.iter().any(|id| {
            let own = self.parameters_around(*id);
            let is_own =
                |text: String| type_arguments::words(&text).any(|word| own.contains(&word));
            !own.is_empty() && self.given_text(*id).is_some_and(is_own)
        })
    }

    /// The text of what a definition gives: a function's result, the type of a field.
    pub(super) fn given_text(&self, id: SymbolId) -> Option<String> {
        let symbol = self.symbol(id);
        if symbol.kind.is_callable() {
            return self.result_text(id).map(str::to_owned);
        }
        match signature_types::of_name(&symbol.signature, &symbol.name) {
            StatedType::Type(text) => Some(text),
            _ => None,
        }
    }

    /// Parameters of generics that a definition and those around it state.
    fn parameters_around(&self, id: SymbolId) -> Vec<&'a str> {
        let around = std::iter::successors(Some(id), |id| self.parent(*id));
        let named = around.flat_map(|id| {
            let symbol = self.symbol(id);
            parameters_of(&symbol.signature, &symbol.name)
        });
        named.collect()
    }

    pub(super) fn is_parameter(&self, site: UseSite, name: &str) -> bool {
        let id = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        id.is_some_and(|id| self.parameters_around(id).contains(&name))
    }
}

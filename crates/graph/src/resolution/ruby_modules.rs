//! Ruby: constants of the modules around a place, which any file may add to.

use whyrank_syntax::SymbolKind;

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::{Resolution, Resolver, UseSite},
};

impl<'a> Resolver<'a> {
    /// Constants of a name in the modules and classes around a place, innermost first.
    pub(super) fn in_modules(&self, site: UseSite, name: &str) -> Vec<SymbolId> {
        if !name.starts_with(char::is_uppercase) {
            return Vec::new();
        }
        self.lookups.anywhere(name);
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        let nearest = around.find_map(|id| {
            let inside = format!("{}::{name}", self.symbol(id).qualified);
            let found = self.constants(name, &inside);
            (!found.is_empty()).then_some(found)
        });
        nearest.unwrap_or_default()
    }

    /// Of what other files define those that a bare name means: a constant of a module only inside of it.
    pub(super) fn seen_bare(&self, site: UseSite, mut ids: Vec<SymbolId>) -> Resolution {
        ids.retain(|id| {
            let kind = self.symbol(*id).kind;
            let is_constant = kind.has_members() || kind == SymbolKind::Module;
            !is_constant || !self.is_inner_type(*id) || self.lies_in_owner(site, *id)
        });
        if ids.is_empty() {
            Resolution::Unknown
        } else {
            Resolution::Definitions(ids)
        }
    }

    fn constants(&self, name: &str, qualified: &str) -> Vec<SymbolId> {
        let qualified_of = |id: SymbolId| {
            let symbol = self.symbol(id);
            let is_constant = symbol.kind.has_members()
                || matches!(symbol.kind, SymbolKind::Module | SymbolKind::Constant);
            (is_constant && self.family(id.file) == Family::Ruby)
                .then_some(symbol.qualified.as_str())
        };
        self.sharing(name, |known| &known.constants, qualified_of, qualified)
    }
}

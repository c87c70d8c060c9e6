//! Ruby: constants of the modules around a place, which any file may add to.

use whyrank_syntax::SymbolKind;

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::{Resolution, Resolver, UseSite},
};

impl Resolver<'_> {
    /// Constants of a name in the modules and classes around a place, innermost first.
    pub(super) fn in_modules(&self, site: UseSite, name: &str) -> Vec<SymbolId> {
        if !name.starts_with(char::is_uppercase) {
            return Vec::new();
        }
        let constants = self.constants(name);
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        let nearest = around.find_map(|id| {
            let inside = format!("{}::{name}", self.symbol(id).qualified);
            let found = constants.iter().copied();
            let found: Vec<SymbolId> = found
                .filter(|id| self.symbol(*id).qualified == inside)
                .collect();
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

    fn constants(&self, name: &str) -> Vec<SymbolId> {
        self.lookups.anywhere(name);
        let is_constant = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            self.family(id.file) == Family::Ruby
                && (kind.has_members() || matches!(kind, SymbolKind::Module | SymbolKind::Constant))
        };
        let named = self.table.named(name).iter().copied();
        named.filter(is_constant).collect()
    }
}

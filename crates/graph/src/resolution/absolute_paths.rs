//! Names that are sought from the root of all namespaces: `::name`.

use crate::{
    input::files::SymbolId,
    resolution::resolver::{Resolution, Resolver, UseSite},
};

/// The qualifier of a name that is sought from the root.
pub(crate) const ROOT: &str = "::";

impl Resolver<'_> {
    /// Says whether an expression begins at the root of all namespaces.
    pub(crate) fn begins_at_root(&self, file: u32, text: &str) -> bool {
        self.rules(file).paths_begin_at_root
            && text.starts_with(ROOT)
            && !text[ROOT.len()..].starts_with(':')
    }

    /// Resolves a name from the root: no member and nothing in a namespace is meant.
    pub(crate) fn at_root(&self, site: UseSite, name: &str) -> Resolution {
        let file = site.file;
        let is_root = |id: &SymbolId| self.parent(*id).is_none() && self.owner_name(*id).is_none();
        self.lookups.in_file(file, name);
        let own = self.table.named_in(file, name).iter().copied();
        let own: Vec<SymbolId> = own.filter(is_root).collect();
        if let Resolution::Definitions(mut found) = self.outer(site, name, own) {
            found.retain(is_root);
            if !found.is_empty() {
                return Resolution::Definitions(found);
            }
        }
        self.lookups.anywhere(name);
        let rules = self.rules(file);
        let named = self.table.named(name).iter().copied();
        let mut found: Vec<SymbolId> = named.filter(|id| self.rules(id.file) == rules).collect();
        found.retain(is_root);
        match found.is_empty() {
            true => Resolution::External,
            false if rules.root_names_are_global => Resolution::Definitions(found),
            false => Resolution::Unknown,
        }
    }
}

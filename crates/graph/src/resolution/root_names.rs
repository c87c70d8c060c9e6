//! Names whose place is written before them: from the root of all namespaces (`::name`), and in Lua in a table of
//! the file.

use whyrank_syntax::Reference;

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::{Resolution, Resolver, UseSite},
};

/// The qualifier of a name that is sought from the root.
pub(crate) const ROOT: &str = "::";

impl Resolver<'_> {
    /// Says whether an expression begins at the root of all namespaces.
    pub(crate) fn begins_at_root(&self, file: u32, text: &str) -> bool {
        matches!(self.family(file), Family::Ruby | Family::Native)
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
        let family = self.family(file);
        let named = self.table.named(name).iter().copied();
        let mut found: Vec<SymbolId> = named.filter(|id| self.family(id.file) == family).collect();
        found.retain(is_root);
        match found.is_empty() {
            true => Resolution::External,
            // Ruby has one such constant, whatever file says it.
            false if family == Family::Ruby => Resolution::Definitions(found),
            false => Resolution::Unknown,
        }
    }

    /// Lua: what the file itself puts into a table of that name.
    pub(crate) fn of_own_table(&self, file: u32, reference: &Reference) -> Option<Vec<SymbolId>> {
        if self.family(file) != Family::Lua {
            return None;
        }
        self.lookups.in_file(file, &reference.name);
        let own = self.table.named_in(file, &reference.name).iter().copied();
        let of_table = |id: &SymbolId| {
            let qualified = self.symbol(*id).qualified.as_str();
            let table = qualified.rsplit_once('.').map(|(table, _)| table);
            table == Some(reference.qualifier.as_str())
        };
        let found: Vec<SymbolId> = own.filter(of_table).collect();
        (!found.is_empty()).then_some(found)
    }
}

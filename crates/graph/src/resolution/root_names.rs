//! Names by the namespaces around a place: from the root of all (`::name`), and in Ruby from the modules that a
//! constant is written in.

use whyrank_syntax::{Reference, ReferenceKind, SymbolKind};

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

    /// C: a struct and a function of one name, told apart by what is written: the struct is a type, what is called
    /// is the function.
    pub(crate) fn of_tag(&self, ids: Vec<SymbolId>, kind: ReferenceKind) -> Vec<SymbolId> {
        let is_tag = |id: &SymbolId| self.symbol(*id).kind.has_members();
        let is_native = |id: &SymbolId| self.family(id.file) == Family::Native;
        let wants_tag = match kind {
            ReferenceKind::Type | ReferenceKind::Inherit => true,
            ReferenceKind::Call => false,
            _ => return ids,
        };
        let (tags, others): (Vec<SymbolId>, Vec<SymbolId>) = ids.iter().partition(|id| is_tag(id));
        if tags.is_empty() || others.is_empty() || !ids.iter().all(is_native) {
            return ids;
        }
        if wants_tag { tags } else { others }
    }

    /// Ruby: the constant that a name means where it stands, as the modules written around it say, innermost
    /// first, then the root.
    pub(crate) fn constant_around(&self, site: UseSite, name: &str) -> Option<Vec<SymbolId>> {
        let is_constant = name.starts_with(char::is_uppercase);
        if self.family(site.file) != Family::Ruby || !is_constant {
            return None;
        }
        self.lookups.anywhere(name);
        let named = self.table.named(name).iter().copied();
        let mut named: Vec<SymbolId> = named
            .filter(|id| self.family(id.file) == Family::Ruby && self.is_constant(*id))
            .collect();
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let around = std::iter::successors(first, |id| self.parent(*id));
        let mut spaces: Vec<&str> = around
            .filter(|id| self.is_constant(*id))
            .map(|id| self.symbol(id).qualified.as_str())
            .collect();
        spaces.push("");
        let of = |id: &SymbolId| {
            let qualified = self.symbol(*id).qualified.as_str();
            let space = qualified.rsplit_once(ROOT).map_or("", |(space, _)| space);
            spaces.iter().position(|around| *around == space)
        };
        let nearest = named.iter().filter_map(of).min()?;
        named.retain(|id| of(id) == Some(nearest));
        Some(named)
    }

    fn is_constant(&self, id: SymbolId) -> bool {
        let kind = self.symbol(id).kind;
        kind.has_members() || matches!(kind, SymbolKind::Module | SymbolKind::Constant)
    }
}

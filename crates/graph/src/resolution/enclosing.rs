//! The type around a place: what `this` and `self` are there.

use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    resolution::{
        file_symbols::parts,
        resolver::{Resolution, Resolver, UseSite},
    },
};

impl Resolver<'_> {
    /// The type around a place, as an instance.
    pub(crate) fn enclosing_type(&self, site: UseSite) -> Resolution {
        let mut at = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut owner = None;
        while let Some(id) = at {
            let symbol = self.symbol(id);
            if symbol.kind.has_members() {
                return Resolution::Instances(self.types_of_impl(id));
            }
            if owner.is_none() {
                owner = self
                    .owner_name(id)
                    .filter(|_| symbol.parent.is_none() || symbol.kind.is_member());
            }
            at = self.parent(id);
        }
        let Some(owner) = owner else {
            return self.constructing(site);
        };
        match self.bare(UseSite::inside(site.file, None), owner) {
            Resolution::Definitions(ids) => Resolution::Instances(ids),
            _ => Resolution::Unknown,
        }
    }

    /// A struct without a name has its fields in the definition around it.
    pub(crate) fn anonymous_struct(&self, site: UseSite) -> Resolution {
        site.enclosing.map_or(Resolution::Unknown, |symbol| {
            Resolution::Instances(vec![SymbolId {
                file: site.file,
                symbol,
            }])
        })
    }

    /// A function with a capital makes what `this` is in it.
    fn constructing(&self, site: UseSite) -> Resolution {
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let makes = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            symbol.kind == SymbolKind::Function && symbol.name.starts_with(char::is_uppercase)
        };
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        match around.find(makes) {
            Some(id) if self.rules(site.file).functions_make_objects => {
                Resolution::Instances(vec![id])
            }
            _ => Resolution::Unknown,
        }
    }

    /// An `impl` block means its type.
    pub(crate) fn types_of_impl(&self, id: SymbolId) -> Vec<SymbolId> {
        if self.symbol(id).kind != SymbolKind::Impl {
            return vec![id];
        }
        let name = parts(&self.symbol(id).name).pop().unwrap_or_default();
        match self.bare(UseSite::inside(id.file, None), &name) {
            Resolution::Definitions(ids) => ids,
            _ => vec![id],
        }
    }
}

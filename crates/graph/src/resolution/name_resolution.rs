//! What a bare name means where it stands: locals of the file, members of the types around, imports,
//! the package.

use std::collections::HashSet;

use whyrank_syntax::SymbolKind;

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::{Resolution, Resolver, UseSite, joined, without_impls},
};

impl Resolver<'_> {
    /// Resolves a name without qualifier where it stands: the nearest meaning hides the others.
    ///
    /// Own definitions come before inherited members only when they stand inside the type: a function
    /// of the file's top is farther away than a member of a base.
    pub(crate) fn bare(&self, site: UseSite, name: &str) -> Resolution {
        // No import of C gives a name.
        if self.family(site.file) == Family::Native && self.table.named(name).is_empty() {
            self.lookups.anywhere(name);
            return Resolution::Unknown;
        }
        let own = self.in_scope(site, name);
        let is_inner = own.first().is_some_and(|id| self.parent(*id).is_some());
        if !is_inner && self.family(site.file).rules().members_are_in_scope {
            let inherited = self.inherited(site, name);
            if !inherited.is_empty() {
                return Resolution::Definitions(inherited);
            }
        }
        match self.outer(site, name, own) {
            Resolution::Definitions(ids) => {
                Resolution::Definitions(self.for_implicit_receiver(site, ids))
            }
            unsettled @ (Resolution::Unknown | Resolution::External) => self
                .opened_variant(site, name)
                .map(|id| vec![id])
                .or_else(|| self.constant_around(site, name))
                .map_or(unsettled, Resolution::Definitions),
            found => found,
        }
    }

    /// Resolves a name without qualifier where a type is written: a member may bear the name of its
    /// type (`public Formatter Formatter { get; }`).
    pub(crate) fn bare_type(&self, site: UseSite, name: &str) -> Resolution {
        let family = self.family(site.file);
        let is_type = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            kind.has_members() || family == Family::Ruby && kind == SymbolKind::Module
        };
        let found = self.bare(site, name);
        let is_value = matches!(&found, Resolution::Definitions(ids) if !ids.iter().any(is_type));
        if !is_value || !family.rules().members_are_in_scope || family == Family::Native {
            return found;
        }
        let file = site.file;
        let own = self.table.named_in(file, name).iter().copied();
        match self.outer(site, name, own.filter(is_type).collect()) {
            Resolution::Unknown => self.only_type(file, name),
            found => found,
        }
    }

    /// Finds members of the types around a place, of their bases too, innermost first.
    fn inherited(&self, site: UseSite, name: &str) -> Vec<SymbolId> {
        if self.table.named(name).is_empty() {
            self.lookups.anywhere(name);
            return Vec::new();
        }
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        let inside = around.find_map(|id| {
            let mut found = if self.symbol(id).kind.has_members() {
                self.members_of(&self.types_of_impl(id), name)
            } else {
                Vec::new()
            };
            found.retain(|id| !self.is_constructor(*id));
            (!found.is_empty()).then_some(found)
        });
        // C++: `Foo::bar` outside of its class.
        inside.unwrap_or_else(|| match self.family(site.file) {
            Family::Native => match self.enclosing_type(site) {
                Resolution::Instances(types) => {
                    let mut found = self.members_of(&types, name);
                    found.retain(|id| !self.is_constructor(*id));
                    found
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        })
    }

    /// Resolves a name without qualifier that no type around has: the file's own, imports by name,
    /// namespaces, opened modules, the package.
    ///
    /// What the text spells out comes before what is only visible: an opened module or a package has
    /// many names, and would else hide an import.
    pub(crate) fn outer(&self, site: UseSite, name: &str, own: Vec<SymbolId>) -> Resolution {
        let scope = self.scope(site.file);
        let mut seen = HashSet::new();
        let bound = scope
            .bound
            .get(name)
            .map(|bindings| self.bindings(bindings, name, &mut seen));
        if let Some(id) = own.first() {
            // Defined and imported, each in its branch.
            let both = self.symbol(*id).parent.is_none();
            let own = Resolution::Definitions(own);
            return if both {
                joined(own, bound.unwrap_or(Resolution::Unknown))
            } else {
                own
            };
        }
        if let Some(bound) = bound {
            return bound;
        }
        let spaced = self.in_namespaces(site.file, name);
        if !spaced.is_empty() {
            return Resolution::Definitions(spaced);
        }
        seen.insert(site.file);
        let opened = self.opened(site.file, name, &mut seen);
        if opened != Resolution::Unknown {
            return opened;
        }
        let beside = self.in_package(site.file, name);
        if beside.is_empty() {
            Resolution::Unknown
        } else {
            Resolution::Definitions(beside)
        }
    }

    /// Finds definitions of a name that are visible at a place of their own file, innermost first.
    pub(crate) fn in_scope(&self, site: UseSite, name: &str) -> Vec<SymbolId> {
        let file = site.file;
        self.lookups.in_file(file, name);
        let own = self.table.named_in(file, name);
        if own.is_empty() {
            return Vec::new();
        }
        let mut around: Vec<Option<u32>> = Vec::new();
        let mut at = site.enclosing;
        while let Some(symbol) = at {
            around.push(Some(symbol));
            at = self.files[file as usize].symbols()[symbol as usize].parent;
        }
        around.push(None);
        let members = self.family(file).rules().members_are_in_scope;
        let found: Vec<(usize, SymbolId)> = own
            .iter()
            .filter_map(|id| {
                let id = *id;
                let definition = self.symbol(id);
                if self.is_constructor(id) {
                    return None;
                }
                let depth = around
                    .iter()
                    .position(|parent| *parent == definition.parent)?;
                let in_type = definition.parent.is_some_and(|parent| {
                    self.symbol(SymbolId {
                        file,
                        symbol: parent,
                    })
                    .kind
                    .has_members()
                });
                let free = !(definition.kind.is_member() || in_type && depth > 0);
                let assigned = definition.parent.is_none()
                    && self.family(file).rules().modules_are_values
                    && self.owner_name(id).is_some();
                (members || (free && !assigned) || (in_type && depth == 0)).then_some((depth, id))
            })
            .collect();
        let Some(nearest) = found.iter().map(|(depth, _)| *depth).min() else {
            return Vec::new();
        };
        let ids = found
            .into_iter()
            .filter(|(depth, _)| *depth == nearest)
            .map(|(_, id)| id)
            .collect();
        without_impls(self, ids)
    }

    /// Says whether a definition bears the name of its type: who says the name means the type.
    fn is_constructor(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let is_of_type = self.parent(id).is_some_and(|parent| {
            let parent = self.symbol(parent);
            parent.kind.has_members() && parent.name == symbol.name
        });
        // C++: `Foo::Foo` outside of its class.
        let is_apart = || {
            self.family(id.file) == Family::Native
                && self.owner_name(id) == Some(symbol.name.as_str())
        };
        match symbol.kind {
            SymbolKind::Constructor | SymbolKind::Method => is_of_type || is_apart(),
            SymbolKind::Function => is_apart(),
            _ => false,
        }
    }

    /// Definitions in the files that share the file's package without an import.
    pub(crate) fn in_package(&self, file: u32, name: &str) -> Vec<SymbolId> {
        if !self.family(file).rules().folder_is_scope {
            return Vec::new();
        }
        self.lookups.in_package(self.package(file), name);
        let found: Vec<SymbolId> = self
            .table
            .named(name)
            .iter()
            .copied()
            .filter(|id| id.file != file && self.same_package(id.file, file))
            .filter(|id| self.is_top_level(*id))
            .collect();
        without_impls(self, found)
    }
}

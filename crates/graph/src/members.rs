//! What stands after a dot: members of types, of their bases, of modules.

use std::collections::HashSet;

use whyrank_syntax::SymbolKind;

use crate::{
    family::{Family, has_members, is_member},
    input::SymbolId,
    lookup::{Lookup, MAX_DEPTH, Meaning, Site, joined},
};

impl Lookup<'_> {
    /// A name after a dot.
    pub(crate) fn member(&self, owner: &Meaning, name: &str, depth: u32) -> Meaning {
        if depth > MAX_DEPTH {
            return Meaning::Unknown;
        }
        match owner {
            Meaning::External => Meaning::External,
            Meaning::Unknown => Meaning::Unknown,
            Meaning::Modules(files) => self.of_modules(files, name),
            Meaning::Definitions(ids) | Meaning::Instances(ids) => {
                let mut seen = HashSet::new();
                let found: Vec<SymbolId> = ids
                    .iter()
                    .flat_map(|id| self.members(*id, name, &mut seen, depth))
                    .collect();
                if !found.is_empty() {
                    return Meaning::Definitions(found);
                }
                if let Some(given) = self.given_to_constructor(ids, name, depth) {
                    return given;
                }
                let held = self.value(owner.clone(), depth + 1);
                if held != *owner {
                    return self.member(&held, name, depth + 1);
                }
                if self.is_closed(ids, depth) {
                    Meaning::External
                } else {
                    Meaning::Unknown
                }
            }
        }
    }

    /// An attribute that no symbol states is, by habit, the constructor's parameter of that name.
    fn given_to_constructor(&self, ids: &[SymbolId], name: &str, depth: u32) -> Option<Meaning> {
        ids.iter()
            .filter(|id| has_members(self.symbol(**id).kind))
            .find_map(|id| {
                let constructors = ["__init__", "constructor", "initialize"]
                    .into_iter()
                    .flat_map(|constructor| self.own_members(*id, constructor));
                constructors
                    .filter_map(|constructor| self.hinted(constructor, name, depth + 1))
                    .find(|meaning| matches!(meaning, Meaning::Instances(_)))
            })
    }

    fn of_modules(&self, files: &[u32], name: &str) -> Meaning {
        let mut meaning = Meaning::Unknown;
        let mut seen = HashSet::new();
        for file in files {
            meaning = joined(meaning, self.exported(*file, name, &mut seen));
        }
        if meaning != Meaning::Unknown {
            return meaning;
        }
        // `var app = require('./application')` is the object that the module exports.
        let script = files
            .iter()
            .all(|file| self.family(*file) == Family::Script);
        if script {
            let mut found: Vec<SymbolId> = Vec::new();
            files
                .iter()
                .for_each(|file| self.reads.in_file(*file, name));
            for id in self.table.named(name) {
                if files.contains(&id.file) && self.is_property_of_object(*id) {
                    found.push(*id);
                }
            }
            return if found.is_empty() {
                Meaning::Unknown
            } else {
                Meaning::Definitions(found)
            };
        }
        files.iter().for_each(|file| self.reads.opened(*file));
        let open = files.iter().any(|file| self.scope(*file).open_external);
        if open {
            Meaning::Unknown
        } else {
            Meaning::External
        }
    }

    fn is_property_of_object(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        self.owner_name(id).is_some()
            && self.parent(id).is_none_or(|parent| {
                matches!(
                    self.symbol(parent).kind,
                    SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Class
                )
            })
            && (is_member(symbol.kind) || symbol.kind == SymbolKind::Function)
    }

    /// The members of a type under a name; of its bases if it has none.
    fn members(
        &self,
        id: SymbolId,
        name: &str,
        seen: &mut HashSet<SymbolId>,
        depth: u32,
    ) -> Vec<SymbolId> {
        if depth > MAX_DEPTH || !seen.insert(id) {
            return Vec::new();
        }
        let own = self.own_members(id, name);
        if !own.is_empty() {
            return own;
        }
        self.bases(id, depth)
            .0
            .into_iter()
            .flat_map(|base| self.members(base, name, seen, depth + 1))
            .collect()
    }

    fn own_members(&self, id: SymbolId, name: &str) -> Vec<SymbolId> {
        let owner = self.symbol(id);
        self.reads.member(&owner.name, name);
        let inside = |member: &SymbolId| self.parent(*member) == Some(id);
        let owned = |member: &SymbolId| {
            *member != id
                && self
                    .owner_name(*member)
                    .is_some_and(|name| name == owner.name)
        };
        let named = self.table.named(name);
        let direct: Vec<SymbolId> = named.iter().copied().filter(inside).collect();
        let shared_name: Vec<SymbolId> = named
            .iter()
            .copied()
            .filter(|member| !direct.contains(member) && owned(member))
            .filter(|member| self.family(member.file) == self.family(id.file))
            .filter(|member| self.owner_is(*member, id))
            .collect();
        direct.into_iter().chain(shared_name).collect()
    }

    /// Says whether the owner's name at a member means this owner.
    fn owner_is(&self, member: SymbolId, owner: SymbolId) -> bool {
        if let Some(parent) = self.parent(member)
            && self.symbol(parent).kind != SymbolKind::Impl
            && has_members(self.symbol(parent).kind)
        {
            // Inside another type of that name; reopened types (Ruby, C#, Swift) are one.
            let reopened = matches!(
                self.family(member.file),
                Family::Ruby | Family::Dotnet | Family::Swift
            );
            return parent == owner || reopened;
        }
        if member.file == owner.file || self.same_package(member.file, owner.file) {
            return true;
        }
        let name = &self.symbol(owner).name;
        match self.bare(
            Site {
                file: member.file,
                enclosing: None,
            },
            name,
        ) {
            Meaning::Definitions(ids) => ids.contains(&owner),
            _ => !self.family(member.file).names_are_imported(),
        }
    }

    pub(crate) fn bases_of(&self, types: &[SymbolId], depth: u32) -> Meaning {
        let mut found = Vec::new();
        let mut open = false;
        for id in types {
            let (bases, external) = self.bases(*id, depth);
            found.extend(bases);
            open |= external;
        }
        match (found.is_empty(), open) {
            (false, _) => Meaning::Instances(found),
            (true, true) => Meaning::External,
            (true, false) => Meaning::Unknown,
        }
    }

    /// The types that a type inherits from, and whether one of them is not in the view.
    pub(crate) fn bases(&self, id: SymbolId, depth: u32) -> (Vec<SymbolId>, bool) {
        let name = &self.symbol(id).name;
        let mut found = Vec::new();
        let mut external = false;
        if depth > MAX_DEPTH {
            return (found, true);
        }
        for reference in &self.scope(id.file).inherits {
            let Some(symbol) = reference.enclosing else {
                continue;
            };
            let around = SymbolId {
                file: id.file,
                symbol,
            };
            let same = around == id
                || (self.symbol(around).kind == SymbolKind::Impl
                    && self.symbol(around).name == *name);
            if !same || reference.name == *name {
                continue;
            }
            let site = Site {
                file: id.file,
                enclosing: self.symbol(id).parent,
            };
            let meaning = if reference.qualifier.is_empty() {
                self.bare(site, &reference.name)
            } else {
                let owner = self.expression(site, &reference.qualifier, depth + 1);
                self.member(&owner, &reference.name, depth + 1)
            };
            match meaning {
                Meaning::Definitions(ids) => {
                    found.extend(ids.into_iter().filter(|base| *base != id))
                }
                _ => external = true,
            }
        }
        found.sort_unstable();
        found.dedup();
        (found, external)
    }

    /// Says whether the members of all these types are known: a name that is none is another's.
    fn is_closed(&self, ids: &[SymbolId], depth: u32) -> bool {
        ids.iter().all(|id| {
            let typed = matches!(
                self.symbol(*id).kind,
                SymbolKind::Class | SymbolKind::Struct | SymbolKind::Interface | SymbolKind::Enum
            );
            let family = self.family(id.file);
            let strict = !matches!(
                family,
                Family::Rust | Family::Ruby | Family::Lua | Family::Swift
            );
            typed && strict && self.all_bases_known(*id, &mut HashSet::new(), depth)
        })
    }

    fn all_bases_known(&self, id: SymbolId, seen: &mut HashSet<SymbolId>, depth: u32) -> bool {
        if !seen.insert(id) {
            return true;
        }
        let (bases, external) = self.bases(id, depth);
        !external
            && bases
                .into_iter()
                .all(|base| self.all_bases_known(base, seen, depth + 1))
    }
}

//! What comes after a dot: members of types, of their bases, of modules.

use std::collections::{BTreeSet, HashSet};

use rustc_hash::FxHashMap;
use whyrank_syntax::SymbolKind;

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::{
        container_methods::{self, MethodResult},
        resolver::{MAX_DEPTH, Resolution, Resolver, UseSite, joined},
    },
};

/// Up to so many definitions of a name are gone through.
const FEW_NAMESAKES: usize = 16;

impl Resolver<'_> {
    /// Resolves a name after a dot: from what the text declares to what only may be.
    ///
    /// Declared members of the types and their bases; what embedding and constructors give; the members
    /// of what a property or a value holds; what methods set; the value in a wrapper; extensions, which
    /// a member of the same name hides in every language that has them. What is left is
    /// [`Resolution::External`] only where all bases are known: a base outside the view may have the
    /// member. `depth` grows with each type that is followed, so that values that are set to one
    /// another end.
    pub(crate) fn member(&self, owner: &Resolution, name: &str, depth: u32) -> Resolution {
        if depth > MAX_DEPTH {
            return Resolution::Unknown;
        }
        match owner {
            Resolution::External => Resolution::External,
            Resolution::Unknown => Resolution::Unknown,
            Resolution::Modules(files) => self.of_modules(files, name),
            Resolution::Elements(ids) => match container_methods::of_container(name) {
                MethodResult::Element => Resolution::Instances(ids.clone()),
                MethodResult::Same => owner.clone(),
                MethodResult::Other => Resolution::External,
            },
            Resolution::Definitions(ids) | Resolution::Instances(ids) => {
                let mut seen = HashSet::new();
                let found: Vec<SymbolId> = ids
                    .iter()
                    .flat_map(|id| self.members(*id, (name, &|_| true), &mut seen, depth))
                    .collect();
                if !found.is_empty() {
                    return Resolution::Definitions(found);
                }
                if let Some(embedded) = self.embedded(ids, name, depth) {
                    return embedded;
                }
                if let Some(given) = self.given_to_constructor(ids, name, depth) {
                    return given;
                }
                let held = match self.property(ids, depth) {
                    Resolution::Unknown => self.value(owner.clone(), depth + 1),
                    held => held,
                };
                if held != *owner {
                    return self.member(&held, name, depth + 1);
                }
                let set = self.set_by_methods(ids, name, depth);
                if set != Resolution::Unknown {
                    return set;
                }
                let family = ids.first().map_or(Family::Other, |id| self.family(id.file));
                if matches!(owner, Resolution::Instances(_))
                    && container_methods::passes_through(family, name)
                {
                    return owner.clone();
                }
                let extensions = self.extensions(ids, name);
                if !extensions.is_empty() {
                    return Resolution::Definitions(extensions);
                }
                if self.is_closed(ids, name, depth) {
                    Resolution::External
                } else {
                    Resolution::Unknown
                }
            }
        }
    }

    /// Resolves a name after a dot at a place: members, and what only the place makes one. `before` is
    /// what comes before the dot.
    pub(crate) fn member_at(
        &self,
        site: UseSite,
        before: (&str, &Resolution),
        name: &str,
        depth: u32,
    ) -> Resolution {
        let (text, owner) = before;
        let found = match self.member(owner, name, depth) {
            Resolution::Definitions(ids) => {
                return Resolution::Definitions(self.nearest_fields(site, ids));
            }
            found @ (Resolution::Unknown | Resolution::External) => found,
            found => return found,
        };
        // Nothing but an extension is imported by the name of a function for a receiver.
        let is_bound = || self.scope(site.file).bound.contains_key(name);
        let others = match owner {
            Resolution::Instances(ids) if !is_super(text) => {
                let seen = if is_bound() {
                    self.visible_extensions(site, name)
                } else {
                    Vec::new()
                };
                if seen.is_empty() {
                    self.narrowed(ids, name, depth)
                } else {
                    seen
                }
            }
            Resolution::Definitions(ids) if self.family(site.file) == Family::Rust => {
                self.narrowed(ids, name, depth)
            }
            Resolution::Instances(_) | Resolution::Definitions(_) | Resolution::Modules(_) => {
                Vec::new()
            }
            _ => self.visible_extensions(site, name),
        };
        if !others.is_empty() {
            return Resolution::Definitions(others);
        }
        let is_outside = matches!(owner, Resolution::External | Resolution::Elements(_));
        match found {
            Resolution::External if is_outside && self.is_added_outside(site.file, name) => {
                Resolution::Unknown
            }
            found => found,
        }
    }

    /// An attribute that no symbol states is, by habit, the constructor's parameter of that name.
    fn given_to_constructor(&self, ids: &[SymbolId], name: &str, depth: u32) -> Option<Resolution> {
        ids.iter()
            .filter(|id| self.symbol(**id).kind.has_members())
            .find_map(|id| {
                let constructors = ["__init__", "constructor", "initialize", "__construct"]
                    .into_iter()
                    .flat_map(|constructor| self.own_members(*id, constructor));
                constructors
                    .filter_map(|constructor| self.hinted(constructor, name, depth + 1))
                    .find(|resolution| matches!(resolution, Resolution::Instances(_)))
            })
    }

    /// Go: a struct that is embedded is a field of its own name.
    fn embedded(&self, ids: &[SymbolId], name: &str, depth: u32) -> Option<Resolution> {
        let mut bases = ids
            .iter()
            .filter(|id| self.family(id.file) == Family::Go)
            .flat_map(|id| self.bases(*id, depth + 1).0);
        let base = bases.find(|base| self.symbol(*base).name == name)?;
        Some(Resolution::Instances(vec![base]))
    }

    /// A method with a member is a property: its result has the member.
    fn property(&self, ids: &[SymbolId], depth: u32) -> Resolution {
        let is_method = |id: &SymbolId| {
            matches!(
                self.symbol(*id).kind,
                SymbolKind::Method | SymbolKind::Property
            )
        };
        if !ids.is_empty() && ids.iter().all(is_method) {
            self.result_of(ids, depth + 1)
        } else {
            Resolution::Unknown
        }
    }

    /// What is gone through or indexed without being called is no method but a property: what it gives.
    pub(crate) fn held_by_property(&self, resolution: Resolution, depth: u32) -> Resolution {
        let Resolution::Definitions(ids) = &resolution else {
            return resolution;
        };
        match self.property(ids, depth) {
            Resolution::Unknown => resolution,
            held => held,
        }
    }

    /// What the methods of types and of their bases assign to a field that no symbol states.
    fn set_by_methods(&self, ids: &[SymbolId], name: &str, depth: u32) -> Resolution {
        let mut resolution = Resolution::Unknown;
        let mut seen = HashSet::new();
        let mut next: Vec<SymbolId> = ids.to_vec();
        while let Some(id) = next.pop() {
            if seen.insert(id) && seen.len() < 40 {
                resolution = joined(resolution, self.assigned(id, name, depth + 1));
                next.extend(self.bases(id, depth + 1).0);
            }
        }
        resolution
    }

    fn of_modules(&self, files: &[u32], name: &str) -> Resolution {
        let mut resolution = Resolution::Unknown;
        let mut seen = HashSet::new();
        for file in files {
            resolution = joined(resolution, self.exported(*file, name, &mut seen));
        }
        if resolution != Resolution::Unknown {
            return resolution;
        }
        // `var app = require('./application')` is the object that the module exports.
        let script = files
            .iter()
            .all(|file| self.family(*file).rules().modules_are_values);
        if script && name == "exports" {
            return Resolution::Modules(files.to_vec());
        }
        if script {
            let mut found: Vec<SymbolId> = Vec::new();
            for file in files.iter().copied().collect::<BTreeSet<u32>>() {
                self.lookups.in_file(file, name);
                let here = self.table.named_in(file, name).iter().copied();
                found.extend(here.filter(|id| self.is_property_of_object(*id)));
            }
            return if found.is_empty() {
                Resolution::Unknown
            } else {
                Resolution::Definitions(found)
            };
        }
        files.iter().for_each(|file| self.lookups.opened(*file));
        let open = files.iter().any(|file| self.scope(*file).open_external);
        if open {
            Resolution::Unknown
        } else {
            Resolution::External
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
            && (symbol.kind.is_member() || symbol.kind == SymbolKind::Function)
    }

    /// The members of types under a name; of their bases where they have none.
    pub(crate) fn members_of(&self, types: &[SymbolId], name: &str) -> Vec<SymbolId> {
        self.members_kept(types, name, &|_| true)
    }

    /// The same of those that are kept; the others hide nothing.
    pub(crate) fn members_kept(
        &self,
        types: &[SymbolId],
        name: &str,
        keep: &dyn Fn(&SymbolId) -> bool,
    ) -> Vec<SymbolId> {
        let mut seen = HashSet::new();
        types
            .iter()
            .flat_map(|id| self.members(*id, (name, keep), &mut seen, 0))
            .collect()
    }

    /// The members of a type under a name; of its bases if it has none.
    fn members(
        &self,
        id: SymbolId,
        (name, keep): (&str, &dyn Fn(&SymbolId) -> bool),
        seen: &mut HashSet<SymbolId>,
        depth: u32,
    ) -> Vec<SymbolId> {
        if depth > MAX_DEPTH || !seen.insert(id) {
            return Vec::new();
        }
        let mut own = self.own_members(id, name);
        own.retain(keep);
        if !own.is_empty() {
            return own;
        }
        self.bases(id, depth)
            .0
            .into_iter()
            .flat_map(|base| self.members(base, (name, keep), seen, depth + 1))
            .collect()
    }

    pub(super) fn own_members(&self, id: SymbolId, name: &str) -> Vec<SymbolId> {
        let owner = self.symbol(id);
        self.lookups.member(&owner.name, name);
        // A parameter of a constructor may be a field as well.
        let is_promoted = |member: SymbolId, parent: SymbolId| {
            self.symbol(member).kind == SymbolKind::Field
                && self.symbol(parent).kind == SymbolKind::Constructor
                && self.parent(parent) == Some(id)
        };
        let inside = |member: &SymbolId| {
            let parent = self.parent(*member);
            parent == Some(id) || parent.is_some_and(|parent| is_promoted(*member, parent))
        };
        let here = self.table.named_in(id.file, name).iter().copied();
        let direct: Vec<SymbolId> = here.filter(inside).collect();
        let shared_name: Vec<SymbolId> = self
            .owned_by(name, &owner.name)
            .into_iter()
            .filter(|member| *member != id && !direct.contains(member))
            .filter(|member| self.family(member.file) == self.family(id.file))
            .filter(|member| self.owner_is(*member, id))
            .collect();
        direct.into_iter().chain(shared_name).collect()
    }

    /// The definitions of a name whose owner has this name. Thousands of types may have a `get`: they
    /// are not gone through for each of them.
    fn owned_by(&self, name: &str, owner: &str) -> Vec<SymbolId> {
        let named = self.table.named(name).iter().copied();
        if named.len() <= FEW_NAMESAKES {
            let is_owned = |id: &SymbolId| self.owner_name(*id) == Some(owner);
            return named.filter(is_owned).collect();
        }
        if let Some(by_owner) = self.owned.borrow().get(name) {
            return by_owner.get(owner).cloned().unwrap_or_default();
        }
        let mut by_owner: FxHashMap<&str, Vec<SymbolId>> = FxHashMap::default();
        for id in named {
            if let Some(owner) = self.owner_name(id) {
                by_owner.entry(owner).or_default().push(id);
            }
        }
        let found = by_owner.get(owner).cloned().unwrap_or_default();
        self.owned.borrow_mut().insert(name.to_owned(), by_owner);
        found
    }

    /// Says whether the owner's name at a member means this owner.
    fn owner_is(&self, member: SymbolId, owner: SymbolId) -> bool {
        // A namespace is one, in however many files and blocks it is opened; a module whose place is
        // told by paths is that of its file: two files may each have their `mod sealed`.
        let space = self.symbol(owner);
        if matches!(space.kind, SymbolKind::Namespace | SymbolKind::Module) {
            return self.parent(member).is_some_and(|parent| {
                let is_apart = self.family(parent.file).rules().files_are_submodules;
                let parent = self.symbol(parent);
                !is_apart && parent.kind == space.kind && parent.qualified == space.qualified
            });
        }
        if let Some(parent) = self.parent(member)
            && self.symbol(parent).kind != SymbolKind::Impl
            && self.symbol(parent).kind.has_members()
        {
            // Inside another type of that name; reopened types (Ruby, C#, Swift) are one.
            let reopened = match self.family(member.file) {
                Family::Ruby | Family::Swift => true,
                Family::Dotnet => self.symbol(parent).qualified == self.symbol(owner).qualified,
                _ => false,
            };
            return parent == owner || reopened;
        }
        if member.file == owner.file || self.same_package(member.file, owner.file) {
            return true;
        }
        let name = &self.symbol(owner).name;
        match self.bare(UseSite::inside(member.file, None), name) {
            Resolution::Definitions(ids) => ids.contains(&owner),
            _ => !self.family(member.file).rules().names_are_imported,
        }
    }

    /// Says whether the members of all these types are known: a name that is none is another's.
    fn is_closed(&self, ids: &[SymbolId], name: &str, depth: u32) -> bool {
        ids.iter().all(|id| {
            let typed = matches!(
                self.symbol(*id).kind,
                SymbolKind::Class | SymbolKind::Struct | SymbolKind::Interface | SymbolKind::Enum
            );
            match self.family(id.file) {
                family if family.rules().types_are_open => false,
                // No symbol states what a tuple struct has at a position.
                Family::Rust if name.bytes().all(|byte| byte.is_ascii_digit()) => false,
                Family::Rust => typed && !self.has_foreign_methods(*id, name),
                _ => typed && self.all_bases_known(*id, &mut HashSet::new(), depth),
            }
        })
    }

    /// Rust: says whether a method may come to a type from a trait of the view, or through `Deref`.
    fn has_foreign_methods(&self, id: SymbolId, name: &str) -> bool {
        let of_trait = |member: &SymbolId| {
            self.parent(*member)
                .is_some_and(|parent| self.symbol(parent).kind == SymbolKind::Trait)
        };
        let derefs = |reference: &whyrank_syntax::Reference| {
            let block = reference.enclosing.map(|symbol| SymbolId {
                file: id.file,
                symbol,
            });
            reference.name == "Deref"
                && block.is_some_and(|block| self.symbol(block).name == self.symbol(id).name)
        };
        self.lookups.anywhere(name);
        self.table.named(name).iter().any(of_trait)
            || self
                .scope(id.file)
                .inherits
                .iter()
                .any(|reference| derefs(reference))
    }
}

/// Says whether what comes before a dot means the bases: a subtype has no part in it.
fn is_super(text: &str) -> bool {
    matches!(text.trim_end_matches("()"), "super" | "parent" | "base")
}

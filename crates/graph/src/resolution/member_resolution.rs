//! What comes after a dot: members of types, of their bases, of modules.

use std::collections::{BTreeSet, HashSet};

use rustc_hash::{FxHashMap, FxHashSet};
use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    languages::Rules,
    resolution::{
        base_order::is_super,
        container_methods::{self, MethodResult},
        namesakes::FEW,
        resolver::{MAX_DEPTH, Receiver, Resolution, Resolver, UseSite, joined},
        resolver_caches::OwnerKey,
    },
    steps,
};

/// A type that is opened in several places.
type Node<'a> = (Rules, SymbolKind, &'a str);

/// The members that are looked for in types and their bases.
#[derive(Clone, Copy)]
struct SoughtMember<'s> {
    name: &'s str,
    /// Members that it refuses hide none of a base.
    keep: &'s dyn Fn(&SymbolId) -> bool,
}

/// The types whose members were looked at.
#[derive(Default)]
struct SeenTypes<'a> {
    ids: FxHashSet<SymbolId>,
    /// Whether one that is opened in several places has the member.
    nodes: FxHashMap<Node<'a>, bool>,
}

impl<'a> Resolver<'a> {
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
                let mut seen = SeenTypes::default();
                let sought = SoughtMember {
                    name,
                    keep: &|_| true,
                };
                let found: Vec<SymbolId> = ids
                    .iter()
                    .flat_map(|id| self.members(*id, sought, &mut seen, depth))
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
                let rules = ids.first().map(|id| self.rules(id.file));
                if matches!(owner, Resolution::Instances(_))
                    && rules.is_some_and(|rules| container_methods::passes_through(rules, name))
                {
                    return owner.clone();
                }
                let is_type = |id: &SymbolId| self.symbol(*id).kind.is_type();
                let is_itself = |rules: Rules| rules.names_of_itself.contains(&name);
                if rules.is_some_and(is_itself) && ids.iter().all(is_type) {
                    return owner.clone();
                }
                let behind = self.properties_behind(ids, name);
                if !behind.is_empty() {
                    return Resolution::Definitions(behind);
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

    /// Resolves a name after a dot at a place: members, and what only the place makes one.
    pub(crate) fn member_at(
        &self,
        site: UseSite,
        receiver: Receiver<'_>,
        name: &str,
        depth: u32,
    ) -> Resolution {
        let owner = receiver.meaning;
        let above = self.above(site, receiver, name);
        if !above.is_empty() {
            return Resolution::Definitions(above);
        }
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
            Resolution::Instances(ids) if !is_super(receiver.text) => {
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
            Resolution::Definitions(ids) if self.rules(site.file).traits_give_members => {
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
            other => other,
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

    /// A type that is embedded is a field of its own name.
    fn embedded(&self, ids: &[SymbolId], name: &str, depth: u32) -> Option<Resolution> {
        let mut bases = ids
            .iter()
            .filter(|id| self.rules(id.file).embedded_types_are_fields)
            .flat_map(|id| self.bases(*id, depth + 1).0);
        let base = bases.find(|base| self.symbol(*base).name == name)?;
        Some(Resolution::Instances(vec![base]))
    }

    /// A method with a member is a property: its result has the member.
    fn property(&self, ids: &[SymbolId], depth: u32) -> Resolution {
        let is_method = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            matches!(kind, SymbolKind::Method | SymbolKind::Property)
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
            .all(|file| self.rules(*file).modules_are_values);
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
        let mut seen = SeenTypes::default();
        let sought = SoughtMember { name, keep };
        types
            .iter()
            .flat_map(|id| self.members(*id, sought, &mut seen, 0))
            .collect()
    }

    /// The members of a type under a name; of its bases if it has none.
    fn members(
        &self,
        id: SymbolId,
        sought: SoughtMember<'_>,
        seen: &mut SeenTypes<'a>,
        depth: u32,
    ) -> Vec<SymbolId> {
        if depth > MAX_DEPTH || !seen.ids.insert(id) {
            return Vec::new();
        }
        steps::count(1);
        let node = self.node(id);
        let mut own = match node.and_then(|node| seen.nodes.get(&node)) {
            Some(true) => return Vec::new(),
            Some(false) => self.members_inside(id, sought.name),
            None => self.own_members(id, sought.name),
        };
        own.retain(sought.keep);
        if let Some(node) = node {
            seen.nodes.insert(node, !own.is_empty());
        }
        if !own.is_empty() {
            return own;
        }
        let bases = self.bases(id, depth).0;
        let mut inherited = |base| self.members(base, sought, seen, depth + 1);
        match self.rules(id.file).bases_are_in_order && bases.len() > 1 {
            true => self.first_of_bases(id, bases, &mut inherited),
            false => bases.into_iter().flat_map(inherited).collect(),
        }
    }

    /// What is one type with others that bear its name: all of them have the same members.
    fn node(&self, id: SymbolId) -> Option<Node<'a>> {
        let (rules, symbol) = (self.rules(id.file), self.symbol(id));
        let is_one = match is_space(symbol.kind) {
            true => !rules.files_are_submodules,
            false => rules.types_are_reopened && symbol.kind.has_members(),
        };
        is_one.then_some((rules, symbol.kind, symbol.qualified.as_str()))
    }

    pub(super) fn own_members(&self, id: SymbolId, name: &str) -> Vec<SymbolId> {
        self.lookups.member(&self.symbol(id).name, name);
        let mut found = self.members_inside(id, name);
        let inside: FxHashSet<SymbolId> = found.iter().copied().collect();
        let elsewhere = self.members_elsewhere(id, name).into_iter();
        found.extend(elsewhere.filter(|member| *member != id && !inside.contains(member)));
        found
    }

    /// The members that stand in a type.
    fn members_inside(&self, id: SymbolId, name: &str) -> Vec<SymbolId> {
        let here = self.table.named_in(id.file, name);
        if here.len() > FEW {
            let holder = |member| self.holder_of(member);
            return self.sharing(name, |known| &known.inside, holder, &id);
        }
        let is_inside = |member: &SymbolId| self.holder_of(*member) == Some(id);
        steps::count(here.len());
        here.iter().copied().filter(is_inside).collect()
    }

    /// What a member stands in.
    pub(super) fn holder_of(&self, member: SymbolId) -> Option<SymbolId> {
        let parent = self.parent(member)?;
        // A parameter of a constructor may be a field as well.
        let is_promoted = self.symbol(parent).kind == SymbolKind::Constructor
            && self.symbol(member).kind == SymbolKind::Field;
        match is_promoted {
            true => self.parent(parent),
            false => Some(parent),
        }
    }

    /// The members of a type from all places that add to it, or that stand on their own.
    fn members_elsewhere(&self, id: SymbolId, name: &str) -> Vec<SymbolId> {
        let (rules, owner) = (self.rules(id.file), self.symbol(id));
        let is_same = |member: &SymbolId| self.rules(member.file) == rules;
        let qualified = owner.qualified.as_str();
        let of = |keys: &[OwnerKey<'a>]| {
            let key_of = |member| self.owner_key(member);
            let mut found = self.sharing_any(name, |known| &known.members, key_of, keys);
            found.retain(is_same);
            found
        };
        // What stands elsewhere and names a type of its own file is not a member of another. Where many
        // bear the name, which file has such a type was asked before.
        if self.table.named(name).len() > FEW {
            self.lookups.anywhere(&owner.name);
        }
        if is_space(owner.kind) {
            return of(&[OwnerKey::Space(owner.kind, qualified)]);
        }
        let mut found = of(&[
            OwnerKey::Named(&owner.name, None),
            OwnerKey::Named(&owner.name, Some(self.place(id))),
            // A class and a namespace of one name are one.
            OwnerKey::Space(SymbolKind::Namespace, qualified),
            OwnerKey::Space(SymbolKind::Module, qualified),
        ]);
        found.retain(|member| self.owner_is(*member, id));
        if rules.types_are_reopened {
            let mut others = of(&[OwnerKey::Reopened(qualified)]);
            self.of_owners_like(&mut others, id);
            found.extend(others);
            found.sort_unstable();
        }
        found
    }

    /// What makes a definition the member of a type that it need not stand in.
    fn owner_key(&self, member: SymbolId) -> Option<OwnerKey<'a>> {
        let owner = self.owner_name(member)?;
        let named = || {
            let spans = self.rules(member.file).types_span_packages;
            self.lookups.in_file(member.file, owner);
            let is_told = spans || self.defines_at_top(member.file, owner);
            Some(OwnerKey::Named(owner, is_told.then(|| self.place(member))))
        };
        let Some(parent) = self.parent(member) else {
            return named();
        };
        let rules = self.rules(parent.file);
        let parent = self.symbol(parent);
        // A namespace is one, in however many files and blocks it is opened; a module whose place is
        // told by paths is that of its file: two files may each have their `mod sealed`.
        if is_space(parent.kind) && !rules.files_are_submodules {
            let is_named = parent.name == owner;
            return is_named.then_some(OwnerKey::Space(parent.kind, &parent.qualified));
        }
        if parent.kind == SymbolKind::Impl || !parent.kind.has_members() {
            return named();
        }
        rules
            .types_are_reopened
            .then_some(OwnerKey::Reopened(&parent.qualified))
    }

    /// Where a type and what belongs to it stand: a package or a file.
    fn place(&self, id: SymbolId) -> u32 {
        let package = || self.package(id.file);
        let spans = self.rules(id.file).types_span_packages;
        let package = spans.then(package).flatten();
        package.unwrap_or(id.file)
    }

    /// Says whether a file has a type of a name at its top.
    fn defines_at_top(&self, file: u32, name: &str) -> bool {
        let here = self.table.named_in(file, name).iter().take(FEW);
        here.into_iter().any(|id| {
            let symbol = self.symbol(*id);
            symbol.parent.is_none() && symbol.kind.has_members() && symbol.kind != SymbolKind::Impl
        })
    }

    /// Says whether the owner's name at a member means this owner.
    fn owner_is(&self, member: SymbolId, owner: SymbolId) -> bool {
        if member.file == owner.file || self.same_package(member.file, owner.file) {
            return true;
        }
        steps::count(1);
        let name = &self.symbol(owner).name;
        match self.bare(UseSite::inside(member.file, None), name) {
            Resolution::Definitions(ids) => ids.contains(&owner),
            _ => !self.rules(member.file).names_are_imported,
        }
    }

    /// Says whether the members of all these types are known: a name that is none is another's.
    fn is_closed(&self, ids: &[SymbolId], name: &str, depth: u32) -> bool {
        ids.iter().all(|id| {
            let typed = matches!(
                self.symbol(*id).kind,
                SymbolKind::Class | SymbolKind::Struct | SymbolKind::Interface | SymbolKind::Enum
            );
            let rules = self.rules(id.file);
            // No symbol states what a tuple struct has at a position.
            let is_position = || name.bytes().all(|byte| byte.is_ascii_digit());
            match rules.traits_give_members {
                _ if rules.types_are_open || !typed => false,
                true => !is_position() && !self.has_foreign_methods(*id, name),
                false => self.all_bases_known(*id, &mut HashSet::new(), depth),
            }
        })
    }

    /// Says whether a method may come to a type from a trait of the view, or through `Deref`.
    fn has_foreign_methods(&self, id: SymbolId, name: &str) -> bool {
        let of_trait = |member| self.trait_of(member).is_some();
        self.lookups.anywhere(name);
        self.has_any(name, |known| &known.of_traits, of_trait)
            || self
                .scope(id.file)
                .inherits_by_impl
                .get(self.symbol(id).name.as_str())
                .is_some_and(|bases| bases.iter().any(|base| base.name == "Deref"))
    }
}

/// Says whether a definition is opened in many places, of which none is it alone.
fn is_space(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Namespace | SymbolKind::Module)
}

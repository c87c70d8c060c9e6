//! From a use of a name to what it means: scope, imports, types that signatures state.
//!
//! Nothing is guessed here: what scope and types do not say is [`Resolution::Unknown`].

use std::collections::HashSet;

use whyrank_syntax::{IN_TEXT, Reference, ReferenceKind, SymbolKind, TESTED};

use crate::{
    input::files::SymbolId,
    languages::visibility::says,
    resolution::{
        absolute_paths::ROOT,
        meaning::{Receiver, Resolution, UseSite, joined},
        resolver::Resolver,
        scope::{Binding, Bound},
        wanted::Wanted,
    },
};

impl Resolver<'_> {
    /// Resolves a reference. Where a module and a value bear one name, what is used is the value.
    pub(crate) fn reference(&self, site: UseSite, reference: &Reference) -> Resolution {
        match self.by_place(site, reference) {
            Resolution::Definitions(ids) => {
                let ids = self.marking(site.file, ids, reference.kind);
                let ids = self.of_arity(ids, reference.n_type_arguments());
                let other = match self.are_not_called(&ids, reference.kind) {
                    true => self.in_other_case(site, reference),
                    false => None,
                };
                match self.fitting_call(site, other.unwrap_or(ids), reference) {
                    Resolution::Definitions(ids) => {
                        self.in_same_block(site, self.seen_from(site.file, ids))
                    }
                    undecided => undecided,
                }
            }
            unsettled @ (Resolution::Unknown | Resolution::External) => self
                .in_other_case(site, reference)
                .map_or(unsettled, Resolution::Definitions),
            other => other,
        }
    }

    /// The types that a mark may mean: where it may leave out the end of a name, its type inherits from one of the
    /// library, and says that it inherits.
    fn marking(&self, file: u32, mut ids: Vec<SymbolId>, kind: ReferenceKind) -> Vec<SymbolId> {
        let rules = self.rules(file);
        if kind == ReferenceKind::Decorator && !rules.mark_ending.is_empty() {
            ids.retain(|id| {
                let symbol = self.symbol(*id);
                says(symbol, "partial") || symbol.signature.contains(':')
            });
        }
        ids
    }

    /// Says whether definitions are data, which a call never means where data has another sign.
    fn are_not_called(&self, ids: &[SymbolId], kind: ReferenceKind) -> bool {
        let is_data = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            self.rules(id.file).calls_ignore_case
                && matches!(kind, SymbolKind::Constant | SymbolKind::Field)
        };
        kind == ReferenceKind::Call && ids.iter().all(is_data)
    }

    /// The definitions that a use means by their names in another case, where case does not count.
    fn in_other_case(&self, site: UseSite, reference: &Reference) -> Option<Vec<SymbolId>> {
        let kind = reference.kind;
        if !self.rules(site.file).calls_ignore_case
            || matches!(kind, ReferenceKind::Read | ReferenceKind::Write)
        {
            return None;
        }
        self.lookups.anywhere(&reference.name);
        let spellings = self.table.spellings(&reference.name);
        spellings.into_iter().find_map(|ids| {
            let name = &self.symbol(*ids.first()?).name;
            if *name == reference.name {
                return None;
            }
            let mut respelled = reference.clone();
            respelled.name.clone_from(name);
            let Resolution::Definitions(mut called) = self.by_place(site, &respelled) else {
                return None;
            };
            called.retain(|id| {
                let kind = self.symbol(*id).kind;
                kind.is_callable() || kind.has_members()
            });
            (!called.is_empty()).then_some(called)
        })
    }

    fn by_place(&self, site: UseSite, reference: &Reference) -> Resolution {
        let is_type = reference.kind == ReferenceKind::Type;
        let past_local = || (self.rules(site.file).past_local)(self, site, reference);
        if is_type && let Some(meaning) = past_local() {
            return Resolution::Definitions(meaning);
        }
        match self.by_text(site, reference) {
            unsettled @ (Resolution::Unknown | Resolution::External) if !is_type => {
                past_local().map_or(unsettled, Resolution::Definitions)
            }
            Resolution::Modules(modules) if self.rules(site.file).modules_share_names => self
                .beside_module(site, reference)
                .map_or(Resolution::Modules(modules), Resolution::Definitions),
            resolution => resolution,
        }
    }

    /// Resolves a reference by what comes before it.
    ///
    /// Imports first, since they name modules and not what is in scope; then bare names; then paths and
    /// members. A member that nothing tells is given up as unknown only after the one family of types
    /// that has it was tried.
    fn by_text(&self, site: UseSite, reference: &Reference) -> Resolution {
        if let Some(imported) = self.by_import(site, reference) {
            return imported;
        }
        let qualifier = reference.qualifier.as_str();
        if qualifier.is_empty() {
            return self.free_use(site, reference);
        }
        if qualifier == ROOT && self.begins_at_root(site.file, ROOT) {
            return self.at_root(site, &reference.name);
        }
        if let Some(module) = qualifier.strip_prefix(IN_TEXT) {
            return self.named_in_text(site, module, &reference.name);
        }
        if let Some(meaning) = (self.rules(site.file).by_path)(self, site.file, reference) {
            return meaning;
        }
        let owner = match self.expression(site, qualifier, 0) {
            Resolution::Unknown if self.is_external_path(site.file, qualifier) => {
                return match self.begins_with_any_type(site, qualifier) {
                    true => Resolution::Unknown,
                    false => Resolution::External,
                };
            }
            owner @ (Resolution::Unknown | Resolution::External) => {
                let path = format!("{qualifier}.{}", reference.name);
                let meaning = self.by_qualified_name(site.file, &path);
                if !meaning.is_empty() {
                    return Resolution::Definitions(self.of_kind(meaning, reference.kind));
                }
                owner
            }
            owner => self.named_value(qualifier, owner),
        };
        self.member_use(site, &owner, reference)
    }

    /// Resolves a name that an import states, as far as imports tell.
    fn by_import(&self, site: UseSite, reference: &Reference) -> Option<Resolution> {
        let is_import = reference.kind == ReferenceKind::Import;
        if !is_import && reference.kind != ReferenceKind::ReExport {
            return None;
        }
        let part_of_import = self.rules(site.file).part_of_import;
        self.imported(site.file, reference)
            .or_else(|| part_of_import(self, site.file, reference).filter(|_| is_import))
            .or_else(|| {
                self.names_package(site, reference)
                    .then_some(Resolution::External)
            })
    }

    /// Resolves a name that nothing stands before.
    fn free_use(&self, site: UseSite, reference: &Reference) -> Resolution {
        let is_type = matches!(reference.kind, ReferenceKind::Type | ReferenceKind::Inherit);
        let language = self.files[site.file as usize].language;
        let meant = match is_type {
            true => self.bare_type(site, &reference.name),
            false => self.bare_as(site, &reference.name, Wanted::of(language, reference)),
        };
        let meant = match meant {
            Resolution::Definitions(ids) => {
                let ids = self.of_kind(ids, reference.kind);
                Resolution::Definitions(match is_type {
                    true => self.without_values(ids),
                    false => ids,
                })
            }
            other => other,
        };
        if let Some(types) = self.type_of_its_name(site, reference, &meant) {
            return Resolution::Definitions(types);
        }
        match self.may_be_key(site.file, reference, &meant) {
            true => Resolution::Unknown,
            false => meant,
        }
    }

    /// Resolves a member of what stands before it.
    fn member_use(&self, site: UseSite, owner: &Resolution, reference: &Reference) -> Resolution {
        let receiver = Receiver {
            text: &reference.qualifier,
            meaning: owner,
        };
        let is_implied = || self.is_implied(site.file, &reference.qualifier);
        let member = match self.set_member(site, receiver, reference) {
            Some(set) => set,
            None => self.member_at(site, receiver, &reference.name, 0),
        };
        let member = match member {
            Resolution::Definitions(ids) => {
                match self.proven_extensions(site, receiver, &reference.name, ids) {
                    Resolution::Unknown => return Resolution::Unknown,
                    proven => proven,
                }
            }
            other => other,
        };
        match member {
            Resolution::Unknown if is_implied() => Resolution::Unknown,
            Resolution::Unknown => self.of_one_family(site, &reference.name),
            Resolution::External if self.was_tested(site, &reference.qualifier) => {
                Resolution::Unknown
            }
            Resolution::Definitions(ids) => match self.of_place(owner, ids, reference) {
                Resolution::Definitions(ids) => {
                    match (self.rules(site.file).of_receiver)(self, site, Some(receiver), ids) {
                        Resolution::Definitions(ids) => self.of_receiver(receiver, ids),
                        undecided => undecided,
                    }
                }
                undecided => undecided,
            },
            // A function from outside may take what the view defines.
            _ if is_implied() => Resolution::Unknown,
            Resolution::Elements(_) => Resolution::External,
            Resolution::Instances(_) if matches!(owner, Resolution::Instances(_)) => {
                Resolution::External
            }
            resolution => resolution,
        }
    }

    /// The type that a name means which its property bears as well, where an object of it is made, or the member
    /// behind it is one of the type and not of its values: `Kind.One` beside `Kind Kind { get; }`.
    fn type_of_its_name(
        &self,
        site: UseSite,
        reference: &Reference,
        meaning: &Resolution,
    ) -> Option<Vec<SymbolId>> {
        let Resolution::Definitions(ids) = meaning else {
            return None;
        };
        let name = reference.name.as_str();
        let twice = format!("{name} {name}");
        let is_property = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            matches!(symbol.kind, SymbolKind::Property | SymbolKind::Field)
                && symbol.signature.contains(&twice)
        };
        if !self.rules(site.file).arity_tells_types || !ids.iter().all(is_property) {
            return None;
        }
        let types = match self.bare_type(site, name) {
            Resolution::Definitions(types) if types != *ids => types,
            _ => return None,
        };
        if reference.kind == ReferenceKind::Call {
            // A delegate of the name is what a call means.
            let makes = |id: &SymbolId| self.symbol(*id).kind.has_members();
            return types.iter().all(makes).then_some(types);
        }
        let references = &self.files[site.file as usize].facts().references;
        let place = |one: &Reference| (one.line, one.column);
        let after = references.partition_point(|one| place(one) <= place(reference));
        // Whatever stands between the two: a line may end before the dot.
        let behind = references
            .get(after)
            .filter(|behind| behind.qualifier == name)?;
        let is_of_type = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            matches!(symbol.kind, SymbolKind::EnumMember | SymbolKind::Constant)
                || symbol.kind.has_members()
                || says(symbol, "static")
        };
        let members = self.members_of(&types, &behind.name);
        (!members.is_empty() && members.iter().all(is_of_type)).then_some(types)
    }

    /// Says whether a part of an imported path can only be that of a package from outside: no type and no
    /// namespace of the view bears the name.
    fn names_package(&self, site: UseSite, reference: &Reference) -> bool {
        let is_type = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            kind.has_members() || matches!(kind, SymbolKind::Namespace | SymbolKind::Module)
        };
        self.lookups.anywhere(&reference.name);
        let is_own = |id: &SymbolId| self.rules(id.file) == self.rules(site.file);
        let mut named = self.table.named(&reference.name).iter();
        self.rules(site.file).imports_name_packages && !named.any(|id| is_own(id) && is_type(id))
    }

    /// Resolves what setting a member calls, where that has a name of its own.
    fn set_member(
        &self,
        site: UseSite,
        receiver: Receiver<'_>,
        reference: &Reference,
    ) -> Option<Resolution> {
        let sets = reference.kind == ReferenceKind::Write;
        if !sets || !self.rules(site.file).setters_have_names {
            return None;
        }
        let setter = format!("{}=", reference.name);
        self.lookups.anywhere(&setter);
        let meaning = match self.member_at(site, receiver, &setter, 0) {
            Resolution::Definitions(ids) => return Some(Resolution::Definitions(ids)),
            _ => self.member_at(site, receiver, &reference.name, 0),
        };
        Some(match meaning {
            Resolution::Definitions(mut ids) => {
                ids.retain(|id| self.symbol(*id).kind == SymbolKind::Property);
                match ids.is_empty() {
                    true => Resolution::Unknown,
                    false => Resolution::Definitions(ids),
                }
            }
            other => other,
        })
    }

    /// Says whether a value, or one that an expression begins with, was tested before for being of a type: it may be
    /// of another than it is said to be.
    fn was_tested(&self, site: UseSite, text: &str) -> bool {
        let arrows = text.match_indices("->").map(|(at, _)| &text[..at]);
        let mut values = arrows.chain([text]);
        values.any(|value| {
            let value = value.trim_end_matches('?');
            let name = format!("{TESTED}{value}");
            self.locals_seen(site, &name).next().is_some()
        })
    }

    /// Says whether a path begins with a root of the language's own library.
    fn is_external_path(&self, file: u32, qualifier: &str) -> bool {
        let head = qualifier.split("::").next().unwrap_or(qualifier);
        self.rules(file).library_roots.contains(&head)
    }

    /// A type is not read, so such a read is the key of a literal where a field has that name.
    fn may_be_key(&self, file: u32, reference: &Reference, resolution: &Resolution) -> bool {
        let Resolution::Definitions(ids) = resolution else {
            return false;
        };
        self.lookups.anywhere(&reference.name);
        let is_field = |id: SymbolId| {
            self.rules(id.file).reads_may_be_keys && self.symbol(id).kind == SymbolKind::Field
        };
        self.rules(file).reads_may_be_keys
            && matches!(reference.kind, ReferenceKind::Read | ReferenceKind::Write)
            && ids.iter().all(|id| self.symbol(*id).kind.has_members())
            && self.has_any(&reference.name, |known| &known.literal_fields, is_field)
    }

    /// A name inside an import statement means what the statement binds.
    fn imported(&self, file: u32, reference: &Reference) -> Option<Resolution> {
        let name = reference.name.as_str();
        let facts = self.files[file as usize].facts();
        let import_idx = facts.imports.iter().rposition(|import| {
            import.line <= reference.line
                && import
                    .names
                    .iter()
                    .any(|bound| bound.local == name || bound.name == name)
        })?;
        let bound = facts.imports[import_idx]
            .names
            .iter()
            .find(|b| b.local == name || b.name == name)?;
        let scope = self.scope(file);
        let bindings = scope.bound.get(bound.local.as_str())?;
        let line = facts.imports[import_idx].line;
        let binding = bindings
            .iter()
            .find(|binding| binding.line == line)
            .or(bindings.first())?;
        let resolution = self.binding(binding, name, &mut HashSet::new());
        // `export { x }` without a module names what the file itself has.
        (resolution != Resolution::Unknown).then_some(resolution)
    }

    pub(crate) fn bindings(
        &self,
        bindings: &[Binding<'_>],
        name: &str,
        seen: &mut HashSet<u32>,
    ) -> Resolution {
        let mut resolution = Resolution::Unknown;
        for binding in bindings {
            let meaning = self.binding(binding, name, seen);
            resolution = joined(resolution, meaning);
        }
        resolution
    }

    pub(crate) fn binding(
        &self,
        binding: &Binding<'_>,
        local: &str,
        seen: &mut HashSet<u32>,
    ) -> Resolution {
        if binding.files.is_empty() {
            return if binding.is_lost {
                Resolution::Unknown
            } else {
                Resolution::External
            };
        }
        let name = match binding.what {
            Bound::Module => return Resolution::Modules(binding.files.clone()),
            Bound::Default => {
                let meaning = self.default_of(&binding.files, local);
                return if meaning.is_empty() {
                    Resolution::Modules(binding.files.clone())
                } else {
                    Resolution::Definitions(meaning)
                };
            }
            Bound::Name(name) => name,
        };
        let mut resolution = Resolution::Unknown;
        for file in &binding.files {
            resolution = joined(resolution, self.exported(*file, name, seen));
        }
        let is_module = |file: &u32| self.rules(*file).named_imports_may_be_modules;
        if resolution == Resolution::Unknown && binding.files.iter().any(is_module) {
            return Resolution::Modules(binding.files.clone());
        }
        match resolution {
            Resolution::Definitions(ids) => {
                Resolution::Definitions(self.of_owner(binding.owner, ids))
            }
            other => other,
        }
    }
}

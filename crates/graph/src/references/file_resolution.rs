//! Resolves the uses of files of a view, and notes what each file looked up in others.

use std::{collections::HashSet, ops::ControlFlow};

use rustc_hash::FxHashMap;
use whyrank_syntax::{Reference, ReferenceKind, SymbolKind};

use crate::{
    input::files::{FileInput, SymbolId},
    references::{
        find_references::impl_header,
        new_names::NewNames,
        uses::{Basis, FileUses, Use},
        view_parts::ViewParts,
    },
    resolution::{
        dependency_tracking::{RecordedLookups, text_key},
        export_fingerprint::{FileFingerprint, digest},
        resolver::{Resolution, Resolver, UseSite},
        scope::Bound,
    },
};

/// What the update is made with.
pub(super) struct Update<'a> {
    pub(super) parts: &'a ViewParts<'a>,
    /// Names and the names that imports anywhere give to them, in order.
    pub(super) aliases: Vec<(String, String)>,
    /// A mark of each file's path.
    pub(super) marks: Vec<u64>,
    /// Digests of where each file's imports lead.
    pub(super) edges: Vec<u64>,
}

impl<'a> Update<'a> {
    /// Without aliases.
    pub(super) fn new(parts: &'a ViewParts<'a>) -> Self {
        let mut update = Self {
            parts,
            aliases: Vec::new(),
            marks: Vec::new(),
            edges: Vec::new(),
        };
        parts.files.open(&mut |open| update.read(open.files));
        update
    }

    /// Reads the imports of all files.
    pub(super) fn read_aliases(&mut self) {
        let parts = self.parts;
        let aliases = &mut self.aliases;
        parts
            .files
            .open(&mut |open| *aliases = NewNames::pairs_of(open.files));
    }

    fn read(&mut self, files: &[FileInput<'_>]) {
        self.marks = files.iter().map(|file| text_key(file.path)).collect();
        let marked = files.iter().zip(&self.marks);
        let targets: Vec<u64> = marked
            .map(|(file, mark)| digest(&(mark, file.language)))
            .collect();
        let edges = (0u32..).zip(&targets).map(|(file, own)| {
            let edges = self.parts.imports.imports(file).iter();
            let to = edges.map(|edge| {
                let target = edge.target.map(|target| targets[target as usize]);
                (edge.import_idx, edge.name_idx, target)
            });
            digest(&(own, to.collect::<Vec<_>>()))
        });
        self.edges = edges.collect();
    }

    pub(super) fn content(&self, file: u32) -> u64 {
        self.parts.contents.get(file as usize).copied().unwrap_or(0)
    }

    /// Calls `run` for each of some files, with all files open; they are closed and opened again where
    /// memory is full.
    pub(super) fn each(
        &self,
        files: &[u32],
        run: &mut dyn FnMut(&Resolver<'_>, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut left = files.iter();
        let mut outcome = ControlFlow::Continue(());
        while !left.as_slice().is_empty() && outcome.is_continue() {
            self.parts.files.open(&mut |open| {
                let mut resolver = Resolver::new(open.files, self.parts.imports, self.parts.table);
                resolver.lookups = RecordedLookups::of(self.marks.clone());
                while outcome.is_continue()
                    && let Some(file) = left.next()
                {
                    outcome = run(&resolver, *file);
                    if (open.is_full)() {
                        break;
                    }
                }
            });
        }
        outcome
    }

    pub(super) fn resolve(
        &self,
        resolver: &Resolver<'_>,
        new_names: &NewNames<'_>,
        file: u32,
        fingerprint: FileFingerprint,
    ) -> FileUses {
        let input = &resolver.files[file as usize];
        resolver.lookups.begin(file);
        let mut found = FileUses {
            path: input.path.to_owned(),
            ..FileUses::default()
        };
        let mut names: FxHashMap<&str, u32> = FxHashMap::default();
        let impls: Vec<Reference> = input.symbols().iter().filter_map(impl_header).collect();
        let heads = impls.iter().map(|head| (true, head));
        let references = input.facts().references.iter();
        for (is_head, reference) in references.map(|one| (false, one)).chain(heads) {
            let meant = match reference.kind {
                ReferenceKind::Mention => None,
                _ => meant(resolver, new_names, file, reference),
            };
            let at = found.uses.len() as u32;
            match meant {
                Some(ids) if ids.is_empty() => {
                    found.outer_bases.extend(outer_base(reference));
                    continue;
                }
                Some(ids) => found.targets.extend(ids.into_iter().map(|id| (at, id))),
                None if is_head => continue,
                None => {
                    note_namesakes(resolver, &found, reference);
                    let name = *names.entry(&reference.name).or_insert_with(|| {
                        found.names.push(reference.name.clone());
                        found.names.len() as u32 - 1
                    });
                    found.open.push((at, name));
                }
            }
            found.uses.push(Use {
                line: reference.line,
                kind: reference.kind,
                enclosing: reference.enclosing,
                bare: reference.qualifier.is_empty(),
            });
        }
        found.basis = Basis {
            content: self.content(file),
            edges: self.edges[file as usize],
            lookups: resolver.lookups.end(),
            fingerprint,
            aliases: NewNames::pairs_of(std::slice::from_ref(input)),
        };
        found
    }
}

/// Notes a name whose namesakes are taken for what it means: a base is any type of the name, and the only
/// function of a name stands in the field of a table (`.read = load`).
fn note_namesakes(resolver: &Resolver<'_>, found: &FileUses, reference: &Reference) {
    let is_value = || {
        let before = found.uses.last();
        let is_key = |key: &Use| key.kind == ReferenceKind::Write && key.line == reference.line;
        reference.kind == ReferenceKind::Read && before.is_some_and(is_key)
    };
    let is_only_function = || {
        let named = resolver.table.named(&reference.name).iter();
        let is_function = |id: &&SymbolId| resolver.symbol(**id).kind == SymbolKind::Function;
        named.filter(is_function).count() == 1
    };
    if reference.kind == ReferenceKind::Inherit || is_value() && is_only_function() {
        resolver.lookups.anywhere(&reference.name);
    }
}

/// A base that is defined outside the view, with the definition that names it.
fn outer_base(reference: &Reference) -> Option<(u32, String)> {
    let heir = reference
        .enclosing
        .filter(|_| reference.kind == ReferenceKind::Inherit)?;
    let base = match reference.qualifier.as_str() {
        "" => reference.name.clone(),
        qualifier => format!("{qualifier}.{}", reference.name),
    };
    Some((heir, base))
}

/// The definitions that a use leads to, in order; `None` where only its name speaks.
pub(super) fn meant(
    resolver: &Resolver<'_>,
    new_names: &NewNames<'_>,
    file: u32,
    reference: &Reference,
) -> Option<Vec<SymbolId>> {
    let name = reference.name.as_str();
    let site = UseSite::of(file, reference);
    let mut found = match resolver.reference(site, reference) {
        Resolution::Unknown => return None,
        Resolution::External | Resolution::Elements(_) => Vec::new(),
        Resolution::Definitions(ids) | Resolution::Instances(ids) => ids,
        Resolution::Modules(files) => {
            let as_value = |file: &&u32| resolver.rules[**file as usize].modules_are_values;
            let files: Vec<u32> = files.iter().filter(as_value).copied().collect();
            resolver.module_as_value(&files, name)
        }
    };
    let bears_name = |id: &SymbolId| {
        let own = resolver.symbol(*id).name.as_str();
        let is_other_case = resolver.rules[file as usize].calls_ignore_case
            && own.to_lowercase() == name.to_lowercase();
        if own == name || is_other_case || resolver.is_accessor(*id, name) {
            return true;
        }
        resolver.lookups.alias(name);
        new_names.of(std::iter::once(own)).contains(name)
            || stands_for(resolver, file, name, *id)
            || is_exported_as(resolver, site, reference, *id)
    };
    found.retain(bears_name);
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// Says whether an import of a file binds a name to a definition, whatever names it went through, or to the
/// module whose value it is.
fn stands_for(resolver: &Resolver<'_>, file: u32, local: &str, id: SymbolId) -> bool {
    let mut bindings = resolver.scope(file).bound.get(local).into_iter().flatten();
    bindings.any(|binding| match binding.what {
        Bound::Name(_) => {
            let found = resolver.binding(binding, local, &mut HashSet::new());
            matches!(found, Resolution::Definitions(ids) if ids.contains(&id))
        }
        Bound::Default => resolver.default_of(&binding.files, local).contains(&id),
        Bound::Module => {
            binding.files.contains(&id.file)
                && resolver.module_as_value(&[id.file], local).contains(&id)
        }
    })
}

/// Says whether the module before a dot gives a definition under the name behind it.
fn is_exported_as(
    resolver: &Resolver<'_>,
    site: UseSite,
    reference: &Reference,
    id: SymbolId,
) -> bool {
    if reference.qualifier.is_empty() {
        return false;
    }
    let Resolution::Modules(files) = resolver.expression(site, &reference.qualifier, 0) else {
        return false;
    };
    let mut found = files
        .iter()
        .map(|file| resolver.exported(*file, &reference.name, &mut HashSet::new()));
    found.any(|found| matches!(found, Resolution::Definitions(ids) if ids.contains(&id)))
}

//! Brings the uses of a view up to date: resolves again what could mean something else by now.
//!
//! While a file is resolved, every look-up outside it is noted ([`crate::resolution::dependency_tracking`]). A file is resolved
//! again when its content changed, when its imports lead elsewhere, or when one of its look-ups has
//! another answer by now ([`FileFingerprint::changes`]). The rest is carried over, definitions followed from
//! their old index to the new one.

use std::{collections::HashSet, ops::ControlFlow};

use rustc_hash::FxHashMap;
use whyrank_syntax::{Reference, ReferenceKind, SymbolKind};

use crate::{
    imports::import_graph::ImportGraph,
    input::files::{FileInput, FileSource, SymbolId},
    references::{
        find_references::impl_header,
        lists::{GatheredLists, Lists},
        new_names::NewNames,
        previous_graph::PreviousGraph,
        reference_index::{Basis, FileUses, ReferenceIndex, Use},
        reference_query::ReferenceQuery,
        stored_uses::{PackedFile, SectionSink, note_file, write_uses},
        uses_journal::UsesJournal,
    },
    resolution::{
        dependency_tracking::{RecordedLookups, text_key},
        export_fingerprint::{FileFingerprint, digest},
        resolver::{Resolution, Resolver, UseSite},
        scope::Bound,
        symbol_table::SymbolTable,
    },
};

/// All that the uses of a view follow from.
#[derive(Clone, Copy)]
pub struct ViewParts<'a> {
    /// The files of the view.
    pub files: &'a dyn FileSource,
    /// Where their imports lead.
    pub imports: &'a ImportGraph,
    /// Their definitions by name.
    pub table: &'a SymbolTable,
    /// A number for each file's content, other than 0; without it nothing is known to be unchanged.
    pub contents: &'a [u64],
}

impl ViewParts<'_> {
    /// Calls `run` for each file in order, with all files open; they are closed and opened again where
    /// memory is full.
    pub(crate) fn each_file(
        &self,
        known: &ReferenceIndex,
        run: &mut dyn FnMut(&ReferenceQuery<'_>, u32),
    ) {
        let (mut next, mut n_files) = (0u32, u32::MAX);
        while next < n_files {
            self.files.open(&mut |open| {
                n_files = open.files.len() as u32;
                let uses = ReferenceQuery::new(open.files, self.imports, self.table, known);
                while next < n_files {
                    run(&uses, next);
                    next += 1;
                    if (open.is_full)() {
                        break;
                    }
                }
            });
        }
    }
}

/// How far an update is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Updated {
    /// Files that were resolved so far.
    pub n_done: usize,
    /// Files that have to be.
    pub n_files: usize,
}

impl ReferenceIndex {
    /// Works out all uses. O(references of the view).
    pub fn new(files: &[FileInput<'_>], graph: &ImportGraph, table: &SymbolTable) -> Self {
        let parts = ViewParts {
            files: &files.to_vec(),
            imports: graph,
            table,
            contents: &[],
        };
        Self::default().update(&parts)
    }

    /// Returns the uses of a view, from those of an earlier one: equal to what
    /// [`ReferenceIndex::new`] gives.
    ///
    /// Costs what changed and what looks at it, and a pass over what is carried.
    pub fn update(self, parts: &ViewParts<'_>) -> Self {
        self.update_watched(parts, &mut |_| ControlFlow::Continue(()))
            .unwrap_or_default()
    }

    /// Returns the same, with a look after each file; `None` when that ends it, or when the earlier uses
    /// turn out to be damaged. Holds the files at work and what they look at, as long as there is room.
    pub fn update_watched(
        self,
        parts: &ViewParts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
    ) -> Option<Self> {
        let mut files = Vec::new();
        let take = &mut |file: FileUses, _: Option<PackedFile<'_>>| files.push(file);
        let done = Done::new(parts, take);
        let (lists, aliases) = self.brought_up(parts, watch, done)?;
        Some(Self::of(files, lists, aliases))
    }

    /// Writes what [`ReferenceIndex::update_watched`] and [`ReferenceIndex::write`] together would: each
    /// file leaves memory as soon as its uses are known. The files that `journal` has already, of the same
    /// view, are taken as they are; where the work is ended, it has those that are known by then.
    pub fn update_into(
        self,
        parts: &ViewParts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
        journal: &mut dyn UsesJournal,
        out: &mut dyn SectionSink,
    ) -> Option<()> {
        let begun = begun(parts, journal);
        let take = &mut |file: FileUses, packed: Option<PackedFile<'_>>| {
            note_file(journal, &file, packed);
        };
        let done = Done {
            take,
            n_files: begun.1,
            lists: begun.0,
        };
        let (lists, aliases) = self.brought_up(parts, watch, done)?;
        write_uses(journal, &lists, &aliases, out);
        Some(())
    }

    /// Hands over all files in order that are not done yet, with their stored form where that is still right;
    /// gives the lists of all and the aliases.
    fn brought_up(
        self,
        parts: &ViewParts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
        mut done: Done<'_>,
    ) -> Option<(Lists, Vec<(String, String)>)> {
        let mut update = Update::new(parts);
        update.read_aliases();
        let mut known = PreviousGraph::new(self, &update);
        known.note_changes(&update);
        known.note_aliases(&update.aliases);
        let n_files = update.marks.len() as u32;
        let stale: Vec<u32> = (done.n_files..n_files)
            .filter(|file| !known.note_carried(*file))
            .collect();
        let mut progress = Updated {
            n_done: 0,
            n_files: stale.len(),
        };
        let new_names = NewNames::of_pairs(&update.aliases);
        let outcome = update.each(&stale, &mut |resolver, file| {
            if done.carry_until(file, &known).is_none() {
                return ControlFlow::Break(());
            }
            let fingerprint = known.fingerprint[file as usize].take();
            let fingerprint =
                fingerprint.unwrap_or_else(|| FileFingerprint::new(resolver, &update.marks, file));
            done.add(
                update.resolve(resolver, &new_names, file, fingerprint),
                None,
            );
            progress.n_done += 1;
            watch(progress)
        });
        if outcome.is_break() {
            return None;
        }
        done.carry_until(n_files, &known)?;
        drop(known);
        Some((done.lists.finish(), update.aliases))
    }
}

/// The lists of the files that a journal has, and how many there are. One that says what it should not has
/// none.
fn begun(parts: &ViewParts<'_>, journal: &mut dyn UsesJournal) -> (GatheredLists, u32) {
    let mut lists = GatheredLists::new(parts.table.n_symbols());
    let (mut n_files, mut is_sound) = (0, true);
    journal.each(&mut |packed| {
        let file = packed.unpacked();
        is_sound = file.is_some();
        if let Some(file) = file {
            lists.add(&file);
            n_files += 1;
        }
        is_sound
    });
    if is_sound {
        return (lists, n_files);
    }
    journal.clear();
    (GatheredLists::new(parts.table.n_symbols()), 0)
}

/// Gets each file's uses, with their stored form where that is still right.
type Take<'t> = &'t mut dyn FnMut(FileUses, Option<PackedFile<'_>>);

/// The files whose uses are known.
struct Done<'t> {
    lists: GatheredLists,
    n_files: u32,
    take: Take<'t>,
}

impl<'t> Done<'t> {
    fn new(parts: &ViewParts<'_>, take: Take<'t>) -> Self {
        Self {
            lists: GatheredLists::new(parts.table.n_symbols()),
            n_files: 0,
            take,
        }
    }

    fn add(&mut self, file: FileUses, packed: Option<PackedFile<'_>>) {
        self.lists.add(&file);
        (self.take)(file, packed);
        self.n_files += 1;
    }

    /// Adds the files before this one as they were; `None` where one cannot be read any more.
    fn carry_until(&mut self, file: u32, known: &PreviousGraph) -> Option<()> {
        while self.n_files < file {
            let (uses, is_as_stored) = known.carried(self.n_files)?;
            let packed = known.packed(self.n_files).filter(|_| is_as_stored);
            self.add(uses, packed);
        }
        Some(())
    }
}

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
    fn read_aliases(&mut self) {
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
fn meant(
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
            resolver.default_of(&files, name)
        }
    };
    let bears_name = |id: &SymbolId| {
        let own = resolver.symbol(*id).name.as_str();
        if own == name {
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
            binding.files.contains(&id.file) && resolver.default_of(&[id.file], local).contains(&id)
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

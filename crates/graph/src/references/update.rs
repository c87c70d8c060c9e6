//! Brings the uses of a view up to date: resolves again what could mean something else by now.
//!
//! While a file is resolved, every look-up outside it is noted ([`crate::resolution::dependency_tracking`]). A file is resolved
//! again when its content changed, when its imports lead elsewhere, or when one of its look-ups has
//! another answer by now ([`FileFingerprint::changes`]). The rest is carried over, definitions followed from
//! their old index to the new one.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};
use whyrank_syntax::{Reference, ReferenceKind};

use crate::{
    imports::import_graph::ImportGraph,
    input::files::{FileInput, FileSource, SymbolId},
    references::{
        find_references::{NewNames, impl_header},
        reference_index::{FileUses, ReferenceIndex, Use},
    },
    resolution::{
        dependency_tracking::{LookupKind, RecordedLookups, key, name_key, reached_key, text_key},
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

    /// Returns the same, with a look after each file; `None` when that ends it. Holds the files at
    /// work and what they look at, as long as there is room.
    pub fn update_watched(
        self,
        parts: &ViewParts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
    ) -> Option<Self> {
        let update = Update::new(parts);
        let mut known = PreviousGraph::new(self, &update);
        known.note_changes(&update);
        known.note_aliases(&update.aliases);
        let mut files: Vec<Option<FileUses>> = (0..update.marks.len() as u32)
            .map(|file| known.carried(file))
            .collect();
        let stale = (0u32..).zip(&files).filter(|(_, file)| file.is_none());
        let stale: Vec<u32> = stale.map(|(file, _)| file).collect();
        let mut progress = Updated {
            n_done: 0,
            n_files: stale.len(),
        };
        let new_names = NewNames::of_pairs(&update.aliases);
        let outcome = update.each(&stale, &mut |resolver, file| {
            let fingerprint = known.fingerprint[file as usize].take();
            let fingerprint =
                fingerprint.unwrap_or_else(|| FileFingerprint::new(resolver, &update.marks, file));
            let found = update.resolve(resolver, &new_names, file, fingerprint);
            files[file as usize] = Some(found);
            progress.n_done += 1;
            watch(progress)
        });
        if outcome.is_break() {
            return None;
        }
        Some(Self::of(
            files.into_iter().flatten().collect(),
            update.aliases,
        ))
    }
}

/// What the update is made with.
struct Update<'a> {
    parts: &'a ViewParts<'a>,
    /// Names and the names that imports anywhere give to them, in order.
    aliases: Vec<(String, String)>,
    paths: Vec<String>,
    /// A mark of each file's path.
    marks: Vec<u64>,
    /// Digests of where each file's imports lead.
    edges: Vec<u64>,
}

impl<'a> Update<'a> {
    fn new(parts: &'a ViewParts<'a>) -> Self {
        let mut update = Self {
            parts,
            aliases: Vec::new(),
            paths: Vec::new(),
            marks: Vec::new(),
            edges: Vec::new(),
        };
        parts.files.open(&mut |open| update.read(open.files));
        update
    }

    fn read(&mut self, files: &[FileInput<'_>]) {
        self.aliases = NewNames::pairs_of(files);
        self.paths = files.iter().map(|file| file.path.to_owned()).collect();
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

    fn content(&self, file: u32) -> u64 {
        self.parts.contents.get(file as usize).copied().unwrap_or(0)
    }

    /// Calls `run` for each of some files, with all files open; they are closed and opened again where
    /// memory is full.
    fn each(
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

    fn resolve(
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
            content: self.content(file),
            edges: self.edges[file as usize],
            fingerprint,
            ..FileUses::default()
        };
        let mut names: FxHashMap<&str, u32> = FxHashMap::default();
        let impls: Vec<Reference> = input
            .facts()
            .symbols
            .iter()
            .filter_map(impl_header)
            .collect();
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
        found.lookups = resolver.lookups.end();
        found
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

/// An earlier graph, seen from the new view.
struct PreviousGraph {
    /// Earlier files; taken as they are carried.
    files: Vec<Option<FileUses>>,
    /// The earlier index of each new file.
    before: Vec<Option<u32>>,
    /// The same of those that are the same in themselves.
    same: Vec<Option<u32>>,
    /// What each file shows, where that had to be worked out.
    fingerprint: Vec<Option<FileFingerprint>>,
    /// Where each earlier file's definitions are now.
    moved: Vec<Moved>,
    changed: FxHashSet<u32>,
    aliases: Vec<(String, String)>,
}

/// Where an earlier file's definitions are now.
enum Moved {
    Gone,
    /// In this file, at the same indices.
    To(u32),
    /// In this file, at these indices.
    Changed(u32, Vec<Option<u32>>),
}

impl PreviousGraph {
    fn new(old: ReferenceIndex, update: &Update<'_>) -> Self {
        let (files, aliases) = old.into_parts();
        let by_path: FxHashMap<&str, u32> = (0u32..)
            .zip(&files)
            .map(|(at, file)| (file.path.as_str(), at))
            .collect();
        let paths = update.paths.iter();
        let mut before: Vec<Option<u32>> = paths
            .map(|path| by_path.get(path.as_str()).copied())
            .collect();
        // An answer with several definitions has them in the order of the files.
        if !before.iter().flatten().is_sorted() {
            before.fill(None);
        }
        let is_same = |(file, at): (u32, &Option<u32>)| {
            let at = (*at)?;
            let old = &files[at as usize];
            let is_same = old.content != 0
                && old.content == update.content(file)
                && old.edges == update.edges[file as usize];
            is_same.then_some(at)
        };
        Self {
            same: (0u32..).zip(&before).map(is_same).collect(),
            fingerprint: before.iter().map(|_| None).collect(),
            moved: files.iter().map(|_| Moved::Gone).collect(),
            changed: FxHashSet::default(),
            files: files.into_iter().map(Some).collect(),
            before,
            aliases,
        }
    }

    /// Works out what each file shows that is new or not as it was, and which look-ups that answers in
    /// another way.
    fn note_changes(&mut self, update: &Update<'_>) {
        if self.files.is_empty() {
            return;
        }
        let other = (0u32..).zip(&self.same).filter(|(_, same)| same.is_none());
        let other: Vec<u32> = other.map(|(file, _)| file).collect();
        let mut opens_other: Vec<u32> = Vec::new();
        let _ = update.each(&other, &mut |resolver, file| {
            let now = FileFingerprint::new(resolver, &update.marks, file);
            if self.note_change(update.marks[file as usize], file, &now) {
                opens_other.push(file);
            }
            self.fingerprint[file as usize] = Some(now);
            ControlFlow::Continue(())
        });
        for (file, same) in (0u32..).zip(&self.same) {
            if let Some(at) = same {
                self.moved[*at as usize] = Moved::To(file);
            }
        }
        for (old, moved) in self.files.iter().flatten().zip(&self.moved) {
            if matches!(moved, Moved::Gone) {
                let mark = text_key(&old.path);
                FileFingerprint::changes(mark, Some(&old.fingerprint), None, &mut self.changed);
            }
        }
        let reaching = update.parts.imports.reaching(opens_other).into_iter();
        let reached = reaching.map(|file| reached_key(update.marks[file as usize]));
        self.changed.extend(reached);
    }

    /// Notes what a file shows now; says whether it opens other files than before.
    fn note_change(&mut self, mark: u64, file: u32, now: &FileFingerprint) -> bool {
        let before = self.before[file as usize];
        let old = before.and_then(|at| self.files[at as usize].as_ref());
        let old = old.map(|old| &old.fingerprint);
        FileFingerprint::changes(mark, old, Some(now), &mut self.changed);
        if let (Some(at), Some(old)) = (before, old) {
            self.moved[at as usize] = Moved::Changed(file, followed(old, now));
        }
        old.is_none_or(|old| old.opened != now.opened)
    }

    /// Names that imports give and gave, and all that represent them.
    fn note_aliases(&mut self, now: &[(String, String)]) {
        let before = std::mem::take(&mut self.aliases);
        let is_in = |pairs: &[(String, String)], pair| pairs.binary_search(pair).is_ok();
        let gone = before.iter().filter(|pair| !is_in(now, pair));
        let new = now.iter().filter(|pair| !is_in(&before, pair));
        let heads: Vec<&str> = gone.chain(new).map(|(_, local)| local.as_str()).collect();
        for pairs in [before.as_slice(), now] {
            let reached = NewNames::of_pairs(pairs).of(heads.iter().copied());
            let keys = reached
                .into_iter()
                .map(|name| key(LookupKind::Alias, 0, name_key(name)));
            self.changed.extend(keys);
        }
    }

    /// The file's uses as they were, when they still mean the same.
    fn carried(&mut self, file: u32) -> Option<FileUses> {
        let old = self.files.get_mut(self.same[file as usize]? as usize)?;
        let mut known = old.take()?;
        let is_stale = known.lookups.iter().any(|read| self.changed.contains(read));
        let mut targets = known.targets.iter_mut();
        if is_stale || !targets.all(|(_, id)| follow(&self.moved, id)) {
            self.fingerprint[file as usize] = Some(known.fingerprint);
            return None;
        }
        Some(known)
    }
}

/// Puts a definition's present index in place of the earlier one; false when it is gone.
fn follow(moved: &[Moved], id: &mut SymbolId) -> bool {
    let (file, symbol) = match moved.get(id.file as usize) {
        Some(Moved::To(file)) => (*file, Some(id.symbol)),
        Some(Moved::Changed(file, symbols)) => {
            (*file, symbols.get(id.symbol as usize).copied().flatten())
        }
        Some(Moved::Gone) | None => return false,
    };
    let Some(symbol) = symbol else {
        return false;
    };
    *id = SymbolId { file, symbol };
    true
}

/// The present indices of a file's earlier definitions: the n-th of a shape stays the n-th.
fn followed(before: &FileFingerprint, now: &FileFingerprint) -> Vec<Option<u32>> {
    let mut places: FxHashMap<u64, std::collections::VecDeque<u32>> = FxHashMap::default();
    for (at, print) in (0u32..).zip(&now.symbols) {
        places.entry(print.shape).or_default().push_back(at);
    }
    let find = |shape| places.get_mut(&shape)?.pop_front();
    before
        .symbols
        .iter()
        .map(|print| print.shape)
        .map(find)
        .collect()
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
            let as_value = |file: &&u32| {
                resolver.families[**file as usize]
                    .rules()
                    .modules_are_values
            };
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
        new_names.of(std::iter::once(own)).contains(name) || stands_for(resolver, file, name, *id)
    };
    found.retain(bears_name);
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// Says whether a file binds a name to the module whose value is a definition.
fn stands_for(resolver: &Resolver<'_>, file: u32, local: &str, id: SymbolId) -> bool {
    let bindings = resolver.scope(file).bound.get(local).into_iter().flatten();
    bindings
        .filter(|binding| !matches!(binding.what, Bound::Name(_)))
        .any(|binding| {
            binding.files.contains(&id.file) && resolver.default_of(&[id.file], local).contains(&id)
        })
}

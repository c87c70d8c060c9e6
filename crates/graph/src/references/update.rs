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
    input::files::{FileInput, SymbolId},
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
pub struct Parts<'a> {
    /// The files of the view, by path.
    pub files: &'a [FileInput<'a>],
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
        let parts = Parts {
            files,
            imports: graph,
            table,
            contents: &[],
        };
        Self::default().update(&parts)
    }

    /// The uses of a view, from those of an earlier one: equal to what [`ReferenceIndex::new`] gives.
    ///
    /// Costs what changed and what looks at it, and a pass over what is carried.
    pub fn update(self, parts: &Parts<'_>) -> Self {
        self.update_watched(parts, &mut |_| ControlFlow::Continue(()))
            .unwrap_or_default()
    }

    /// The same, with a look after each file; `None` when that ends it.
    pub fn update_watched(
        self,
        parts: &Parts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
    ) -> Option<Self> {
        let mut update = Update::new(parts);
        let aliases = update.new_names.pairs();
        let mut known = Known::new(self, &update, parts);
        known.note_aliases(&aliases);
        let n_files = parts.files.len();
        let mut files: Vec<Option<FileUses>> = Vec::with_capacity(n_files);
        for file in 0..n_files as u32 {
            files.push(known.carried(file));
        }
        let mut progress = Updated {
            n_done: 0,
            n_files: files.iter().filter(|file| file.is_none()).count(),
        };
        for (file, slot) in (0u32..).zip(&mut files) {
            if slot.is_none() {
                let fingerprint = known.fingerprint[file as usize].take().unwrap_or_default();
                *slot = Some(update.resolve(file, fingerprint));
                progress.n_done += 1;
                if watch(progress).is_break() {
                    return None;
                }
            }
        }
        Some(Self::of(files.into_iter().flatten().collect(), aliases))
    }
}

/// What the update is made with.
struct Update<'a> {
    resolver: Resolver<'a>,
    new_names: NewNames<'a>,
    contents: &'a [u64],
    /// A mark of each file's path.
    marks: Vec<u64>,
    /// Digests of where each file's imports lead.
    edges: Vec<u64>,
}

impl<'a> Update<'a> {
    fn new(parts: &Parts<'a>) -> Self {
        let files = parts.files;
        let marks: Vec<u64> = files.iter().map(|file| text_key(file.path)).collect();
        let targets: Vec<u64> = files
            .iter()
            .zip(&marks)
            .map(|(file, mark)| digest(&(mark, file.language)))
            .collect();
        let edges = (0u32..).zip(&targets).map(|(file, own)| {
            let edges = parts.imports.imports(file).iter();
            let to = edges.map(|edge| {
                let target = edge.target.map(|target| targets[target as usize]);
                (edge.import_idx, edge.name_idx, target)
            });
            digest(&(own, to.collect::<Vec<_>>()))
        });
        let edges = edges.collect();
        let mut resolver = Resolver::new(files, parts.imports, parts.table);
        resolver.lookups = RecordedLookups::of(marks.clone());
        Self {
            resolver,
            new_names: NewNames::read(files),
            contents: parts.contents,
            marks,
            edges,
        }
    }

    fn content(&self, file: u32) -> u64 {
        self.contents.get(file as usize).copied().unwrap_or(0)
    }

    fn resolve(&mut self, file: u32, fingerprint: FileFingerprint) -> FileUses {
        let input = &self.resolver.files[file as usize];
        self.resolver.lookups.begin(file);
        let mut found = FileUses {
            path: input.path.to_owned(),
            content: self.content(file),
            edges: self.edges[file as usize],
            fingerprint,
            ..FileUses::default()
        };
        let mut names: FxHashMap<&str, u32> = FxHashMap::default();
        let impls: Vec<Reference> = input.facts.symbols.iter().filter_map(impl_header).collect();
        let heads = impls.iter().map(|head| (true, head));
        let references = input.facts.references.iter();
        for (is_head, reference) in references.map(|one| (false, one)).chain(heads) {
            let meant = match reference.kind {
                ReferenceKind::Mention => None,
                _ => meant(&self.resolver, &self.new_names, file, reference),
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
        found.lookups = self.resolver.lookups.end();
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
struct Known {
    /// Earlier files; taken as they are carried.
    files: Vec<Option<FileUses>>,
    /// The earlier index of each new file that is the same in itself.
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

impl Known {
    fn new(old: ReferenceIndex, update: &Update<'_>, parts: &Parts<'_>) -> Self {
        let (files, aliases) = (old.files, old.aliases);
        let by_path: FxHashMap<&str, u32> = (0u32..)
            .zip(&files)
            .map(|(at, file)| (file.path.as_str(), at))
            .collect();
        let before: Vec<Option<u32>> = parts
            .files
            .iter()
            .map(|file| by_path.get(file.path).copied())
            .collect();
        let mut known = Self {
            same: Vec::with_capacity(before.len()),
            fingerprint: Vec::with_capacity(before.len()),
            moved: files.iter().map(|_| Moved::Gone).collect(),
            changed: FxHashSet::default(),
            aliases,
            files: Vec::new(),
        };
        let mut opens_other: Vec<u32> = Vec::new();
        // An answer with several definitions has them in the order of the files.
        let in_order = before.iter().flatten().is_sorted();
        for ((file, mark), before) in (0u32..).zip(&update.marks).zip(before) {
            let before = before.filter(|_| in_order);
            let old = before.map(|at| &files[at as usize]);
            let same = old.is_some_and(|old| {
                old.content != 0
                    && old.content == update.content(file)
                    && old.edges == update.edges[file as usize]
            });
            known.same.push(before.filter(|_| same));
            let fingerprint =
                (!same).then(|| FileFingerprint::new(&update.resolver, &update.marks, file));
            if let (Some(at), Some(old)) = (before, old) {
                known.moved[at as usize] = match &fingerprint {
                    Some(fingerprint) => {
                        Moved::Changed(file, followed(&old.fingerprint, fingerprint))
                    }
                    None => Moved::To(file),
                };
            }
            if let Some(fingerprint) = &fingerprint
                && !files.is_empty()
            {
                let old = old.map(|old| &old.fingerprint);
                if old.is_none_or(|old| old.opened != fingerprint.opened) {
                    opens_other.push(file);
                }
                FileFingerprint::changes(*mark, old, Some(fingerprint), &mut known.changed);
            }
            known.fingerprint.push(fingerprint);
        }
        for (old, moved) in files.iter().zip(&known.moved) {
            if matches!(moved, Moved::Gone) {
                let mark = text_key(&old.path);
                FileFingerprint::changes(mark, Some(&old.fingerprint), None, &mut known.changed);
            }
        }
        let reaching = update.resolver.importing(opens_other).into_iter();
        let reached = reaching.map(|file| reached_key(update.marks[file as usize]));
        known.changed.extend(reached);
        known.files = files.into_iter().map(Some).collect();
        known
    }

    /// Names that imports give and gave, and all that stand for them.
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

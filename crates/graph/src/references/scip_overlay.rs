//! What a SCIP index says about a view: laid over what syntax concluded, never mixed with it.
//!
//! A document counts for a file only when its ranges hit the identifiers of the file's text. There
//! its occurrences decide over the references that they cover: a use that it leads elsewhere is no
//! use, one that it leads here is [`Confidence::Precise`]. What it does not cover stays as it was. An
//! occurrence over another name than that of what it leads to says nothing, unless an import renames.

use whyrank_external::Budget;
use whyrank_external::scip::{Index, Occurrence, Role};
use whyrank_syntax::{Reference, ReferenceKind, Symbol};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    input::files::{FileInput, SymbolId},
    references::{
        find_references::{Confidence, ReferenceHit},
        scip_text::{Placed, fit},
    },
};

/// A SCIP index laid over a view.
#[derive(Clone, Debug, Default)]
pub struct ScipOverlay {
    uses: FxHashMap<SymbolId, Vec<ReferenceHit>>,
    /// By file: its references by line, kind and name, and what occurrences say about them.
    covered: FxHashMap<u32, Vec<Covered>>,
    /// Definitions that the index knows.
    known: FxHashSet<SymbolId>,
    /// Names of the covered references.
    names: FxHashMap<String, u32>,
    implementations: Vec<(SymbolId, SymbolId)>,
    fits: Vec<DocumentFit>,
    /// Occurrences over another name than their symbol's.
    n_misnamed: u32,
}

/// How a document fits the file that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentFit {
    /// Index of the document.
    pub document: u32,
    /// Index of the file in the view.
    pub file: u32,
    /// Whether it was made from this text, as far as its identifiers tell.
    pub fits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Covered {
    line: u32,
    kind: ReferenceKind,
    name: u32,
    by: Cover,
}

/// What an occurrence says about a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cover {
    /// There is none.
    Open,
    /// Its symbol is defined nowhere in the index: not in any file that the index knows.
    Outside,
    /// Its symbol is defined in the index.
    Inside,
}

/// The occurrences of a document in the file that it fits.
struct PlacedFile {
    file: u32,
    occurrences: Vec<Placed>,
}

/// What a symbol of the index means in the view.
#[derive(Clone, Debug)]
enum ScipTarget {
    Definitions(Vec<SymbolId>),
    /// A local, a parameter, something outside.
    Other,
    /// Its definition stands in a text that the index was not made from.
    Unclear,
}

impl ScipOverlay {
    /// Lays an index over a view. `pairs` says which document covers which file, `text` gives
    /// the text of a file. Of several documents for one file the first that fits speaks for it.
    ///
    /// O(occurrences and references of the covered files), and within the budget: a symbol that is
    /// defined in many places means all of them wherever it is used.
    pub fn new(
        files: &[FileInput<'_>],
        index: &Index,
        pairs: &[(u32, u32)],
        text: &mut dyn FnMut(u32) -> Option<String>,
        budget: &mut Budget<'_>,
    ) -> Self {
        let mut found = Self::default();
        let mut placed: Vec<PlacedFile> = Vec::new();
        let mut spoken_for: FxHashSet<u32> = FxHashSet::default();
        for (document, file) in pairs {
            if spoken_for.contains(file) {
                continue;
            }
            let fitting = text(*file)
                .and_then(|text| fit(&index.documents[*document as usize], &index.symbols, &text));
            found.fits.push(DocumentFit {
                document: *document,
                file: *file,
                fits: fitting.is_some(),
            });
            spoken_for.extend(fitting.is_some().then_some(*file));
            placed.extend(fitting.map(|occurrences| PlacedFile {
                file: *file,
                occurrences,
            }));
        }
        let defined = definitions(files, &placed, budget);
        let meanings = meanings(index, &defined, budget);
        for definitions in meanings.values() {
            if let ScipTarget::Definitions(ids) = definitions {
                found.known.extend(ids);
            }
        }
        for placed in &placed {
            found.file(files, placed, &meanings, budget);
        }
        found.implementations = implementations(index, &defined, budget);
        if budget.step(0) {
            found
        } else {
            // What lacks a part would say of the others that nothing uses them.
            let fits = found.fits;
            Self {
                fits,
                n_misnamed: found.n_misnamed,
                ..Self::default()
            }
        }
    }

    fn file(
        &mut self,
        files: &[FileInput<'_>],
        placed: &PlacedFile,
        meanings: &FxHashMap<u32, ScipTarget>,
        budget: &mut Budget<'_>,
    ) {
        let file = placed.file;
        let facts = files[file as usize].facts();
        let names = facts.imports.iter().flat_map(|import| &import.names);
        let imported: FxHashSet<(&str, &str)> = names
            .flat_map(|name| [(&*name.local, &*name.name), (&*name.local, "")])
            .collect();
        let mut covers = vec![Cover::Open; facts.references.len()];
        let uses = placed.occurrences.iter();
        for at in uses.filter(|at| at.role != Role::Definition) {
            let here = references_at(&facts.references, at);
            let n_meant = match meanings.get(&at.symbol) {
                Some(ScipTarget::Definitions(ids)) => ids.len() as u64,
                _ => 0,
            };
            if !budget.step(1 + n_meant * (1 + here.len() as u64)) {
                break;
            }
            let (cover, targets) = match meanings.get(&at.symbol) {
                Some(ScipTarget::Definitions(ids)) => {
                    let named = named(files, ids, &at.text, &imported);
                    if named.is_empty() {
                        self.n_misnamed += 1;
                        continue;
                    }
                    (Cover::Inside, named)
                }
                Some(ScipTarget::Unclear) => continue,
                // An import that the index takes for a local hides what syntax can follow.
                _ if imported.contains(&(at.text.as_str(), "")) => continue,
                _ if !at.is_named => {
                    self.n_misnamed += 1;
                    continue;
                }
                Some(ScipTarget::Other) => (Cover::Inside, Vec::new()),
                None => (Cover::Outside, Vec::new()),
            };
            covers[here.clone()].fill(cover);
            let kinds: Vec<ReferenceKind> = if here.is_empty() {
                vec![kind_of(files, at, &targets)]
            } else {
                facts.references[here.clone()]
                    .iter()
                    .map(|one| one.kind)
                    .collect()
            };
            let enclosing = match facts
                .references
                .get(here.start)
                .filter(|_| !here.is_empty())
            {
                Some(reference) => reference.enclosing,
                None => innermost(&facts.symbols, at.line),
            };
            for (target, kind) in targets
                .iter()
                .flat_map(|id| kinds.iter().map(move |kind| (id, kind)))
            {
                self.uses.entry(*target).or_default().push(ReferenceHit {
                    file,
                    line: at.line,
                    kind: *kind,
                    enclosing: enclosing.map(|symbol| SymbolId { file, symbol }),
                    confidence: Confidence::Precise,
                });
            }
        }
        self.keep(file, &facts.references, covers);
    }

    /// Keeps what occurrences say about the references of a file.
    fn keep(&mut self, file: u32, references: &[Reference], covers: Vec<Cover>) {
        let names = &mut self.names;
        let mut covered: Vec<Covered> = Vec::with_capacity(covers.len());
        for (reference, by) in references.iter().zip(covers) {
            let n_names = names.len() as u32;
            let name = match names.get(&reference.name) {
                Some(name) => *name,
                None => *names.entry(reference.name.clone()).or_insert(n_names),
            };
            covered.push(Covered {
                line: reference.line,
                kind: reference.kind,
                name,
                by,
            });
        }
        covered.sort_unstable();
        self.covered.insert(file, covered);
    }

    /// Returns how the documents fit their files.
    pub fn fits(&self) -> &[DocumentFit] {
        &self.fits
    }

    /// Returns which definition implements, extends or overrides which, as the index states;
    /// sorted.
    pub fn implementations(&self) -> &[(SymbolId, SymbolId)] {
        &self.implementations
    }

    /// Says whether the index says where this is defined, so that it knows its uses.
    pub fn knows(&self, id: SymbolId) -> bool {
        self.known.contains(&id)
    }

    /// Returns the number of occurrences over another name than that of what they lead to.
    pub fn n_misnamed(&self) -> u32 {
        self.n_misnamed
    }

    /// Returns the number of uses that the index leads to definitions of the view.
    pub fn n_uses(&self) -> usize {
        self.uses.values().map(Vec::len).sum()
    }

    /// Gathers the uses of a file that the index speaks of; `None` where no document fits it. O(uses of the index).
    pub(super) fn cover_of(&self, file: u32) -> Option<FileCover<'_>> {
        let covered = self.covered.get(&file)?;
        let mut leads: FxHashMap<(u32, ReferenceKind), Vec<SymbolId>> = FxHashMap::default();
        for (target, hits) in &self.uses {
            for hit in hits.iter().filter(|hit| hit.file == file) {
                leads.entry((hit.line, hit.kind)).or_default().push(*target);
            }
        }
        let names = &self.names;
        Some(FileCover {
            covered,
            leads,
            names,
        })
    }

    /// Says whether a document fits a file.
    pub(super) fn covers(&self, file: u32) -> bool {
        self.covered.contains_key(&file)
    }

    /// Lets the index decide over the hits of some definitions: those that it leads elsewhere go,
    /// those that it leads here come. The order is not kept.
    pub(crate) fn settle(
        &self,
        targets: &FxHashSet<SymbolId>,
        names: &FxHashSet<&str>,
        hits: &mut Vec<ReferenceHit>,
    ) {
        if self.covered.is_empty() {
            return;
        }
        let names: FxHashSet<u32> = names
            .iter()
            .filter_map(|name| self.names.get(*name).copied())
            .collect();
        let knows_all = targets.iter().all(|id| self.covered.contains_key(&id.file));
        let enough = if knows_all {
            Cover::Outside
        } else {
            Cover::Inside
        };
        hits.retain(|hit| !self.decides(&names, hit, enough));
        for target in targets {
            hits.extend(self.uses.get(target).into_iter().flatten());
        }
    }

    /// Says whether occurrences say enough of all that a hit can rest on.
    fn decides(&self, names: &FxHashSet<u32>, hit: &ReferenceHit, enough: Cover) -> bool {
        let Some(covered) = self.covered.get(&hit.file) else {
            return false;
        };
        let place = |one: &Covered| (one.line, one.kind);
        let start = covered.partition_point(|one| place(one) < (hit.line, hit.kind));
        let here = covered[start..]
            .iter()
            .take_while(|one| place(one) == (hit.line, hit.kind));
        let of_name = || here.clone().filter(|one| names.contains(&one.name));
        match of_name().next() {
            Some(_) => of_name().all(|one| one.by >= enough),
            // It bears another name here.
            None => here.clone().next().is_some() && here.clone().all(|one| one.by >= enough),
        }
    }
}

/// The uses of one file, as the index sees them.
pub(super) struct FileCover<'a> {
    covered: &'a [Covered],
    leads: FxHashMap<(u32, ReferenceKind), Vec<SymbolId>>,
    names: &'a FxHashMap<String, u32>,
}

impl FileCover<'_> {
    /// The definitions that it leads the uses of a line and kind to, where it says what this one means.
    pub(super) fn leads(&self, reference: &Reference) -> Option<&[SymbolId]> {
        if self.least(reference) != Some(Cover::Inside) {
            return None;
        }
        let leads = self.leads.get(&(reference.line, reference.kind));
        Some(leads.map_or(&[], Vec::as_slice))
    }

    /// Says whether the use means nothing that the index defines.
    pub(super) fn is_outside(&self, reference: &Reference) -> bool {
        self.least(reference) == Some(Cover::Outside)
    }

    /// The least that is said about the uses of this name on its line.
    fn least(&self, reference: &Reference) -> Option<Cover> {
        let name = *self.names.get(&reference.name)?;
        let place = |one: &Covered| (one.line, one.kind, one.name);
        let sought = (reference.line, reference.kind, name);
        let start = self.covered.partition_point(|one| place(one) < sought);
        self.covered[start..]
            .first()
            .filter(|one| place(one) == sought)
            .map(|one| one.by)
    }
}

/// The definitions of the view that each symbol's own definitions are.
fn definitions(
    files: &[FileInput<'_>],
    placed: &[PlacedFile],
    budget: &mut Budget<'_>,
) -> FxHashMap<u32, Vec<SymbolId>> {
    let mut defined: FxHashMap<u32, Vec<SymbolId>> = FxHashMap::default();
    for PlacedFile { file, occurrences } in placed {
        let symbols = (0u32..).zip(files[*file as usize].symbols());
        let mut by_place: FxHashMap<(u32, &str), u32> = FxHashMap::default();
        for (symbol, one) in symbols {
            by_place
                .entry((one.name_line, &*one.name))
                .or_insert(symbol);
        }
        for at in occurrences.iter().filter(|at| at.role == Role::Definition) {
            if !budget.step(1) {
                break;
            }
            let ids = defined.entry(at.symbol).or_default();
            let found = by_place.get(&(at.line, at.text.as_str())).copied();
            ids.extend(found.map(|symbol| SymbolId {
                file: *file,
                symbol,
            }));
        }
    }
    defined
}

fn meanings(
    index: &Index,
    defined: &FxHashMap<u32, Vec<SymbolId>>,
    budget: &mut Budget<'_>,
) -> FxHashMap<u32, ScipTarget> {
    let mut meanings: FxHashMap<u32, ScipTarget> = FxHashMap::default();
    let is_definition = |at: &&Occurrence| at.role == Role::Definition;
    let all = index
        .documents
        .iter()
        .flat_map(|document| &document.occurrences);
    for at in all.filter(is_definition) {
        meanings.insert(at.symbol, ScipTarget::Unclear);
    }
    for (symbol, ids) in defined {
        let meant = if ids.is_empty() {
            ScipTarget::Other
        } else {
            ScipTarget::Definitions(ids.clone())
        };
        meanings.insert(*symbol, meant);
    }
    for (symbol, other) in &index.shared {
        let Some(more) = defined.get(symbol).filter(|ids| !ids.is_empty()) else {
            continue;
        };
        if !budget.step(more.len() as u64) {
            break;
        }
        match meanings.entry(*other).or_insert(ScipTarget::Other) {
            ScipTarget::Definitions(ids) => ids.extend(more),
            ScipTarget::Unclear => {}
            meant => *meant = ScipTarget::Definitions(more.clone()),
        }
    }
    meanings
}

/// What each definition implements, where both ends are definitions of the view.
fn implementations(
    index: &Index,
    defined: &FxHashMap<u32, Vec<SymbolId>>,
    budget: &mut Budget<'_>,
) -> Vec<(SymbolId, SymbolId)> {
    let of = |symbol: &u32| defined.get(symbol).into_iter().flatten().copied();
    let stated = index.implementations.iter().take_while(|(symbol, base)| {
        let n_pairs = of(symbol).count() as u64 * of(base).count() as u64;
        budget.step(1 + n_pairs)
    });
    let mut found: Vec<_> = stated
        .flat_map(|(symbol, base)| of(symbol).flat_map(move |id| of(base).map(move |of| (id, of))))
        .filter(|(id, base)| id != base)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The references of a file where an occurrence stands.
fn references_at(references: &[Reference], at: &Placed) -> std::ops::Range<usize> {
    let place = |one: &Reference| (one.line, one.column);
    let start = references.partition_point(|one| place(one) < (at.line, at.column));
    let here = &references[start..];
    let n = here
        .iter()
        .take_while(|one| place(one) == (at.line, at.column) && one.name == at.text);
    start..start + n.count()
}

/// Words that stand for the type around them, or for its base.
const OWN_TYPE: [&str; 5] = ["Self", "base", "self", "super", "this"];

/// The definitions among these that a text can name: by their name, one that an import gave them, or
/// that of their type, which a constructor's call uses as well.
fn named(
    files: &[FileInput<'_>],
    ids: &[SymbolId],
    text: &str,
    imported: &FxHashSet<(&str, &str)>,
) -> Vec<SymbolId> {
    let mut all = Vec::new();
    for id in ids {
        let symbols = files[id.file as usize].symbols();
        let symbol = &symbols[id.symbol as usize];
        let is_own = symbol.name == text
            || imported.contains(&(text, &*symbol.name))
            || imported.contains(&(text, "default"))
            || (OWN_TYPE.contains(&text) && symbol.kind.names_type());
        let owner = symbol.parent.filter(|_| symbol.name != text);
        let owner = owner.filter(|owner| symbols[*owner as usize].name == text);
        if is_own || owner.is_some() {
            all.push(*id);
        }
        all.extend(owner.map(|owner| SymbolId {
            file: id.file,
            symbol: owner,
        }));
    }
    all
}

/// What a use is that syntax has not seen.
fn kind_of(files: &[FileInput<'_>], at: &Placed, targets: &[SymbolId]) -> ReferenceKind {
    let kind = targets.first().map(|id| {
        let symbols = files[id.file as usize].symbols();
        symbols[id.symbol as usize].kind
    });
    match (at.role, kind) {
        (Role::Import, _) => ReferenceKind::Import,
        (Role::Write, _) => ReferenceKind::Write,
        _ if at.is_call => ReferenceKind::Call,
        (_, Some(kind)) if kind.names_type() => ReferenceKind::Type,
        _ => ReferenceKind::Read,
    }
}

fn innermost(symbols: &[Symbol], line: u32) -> Option<u32> {
    let around = |symbol: &Symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&line);
    let found = symbols.iter().rposition(around);
    found.map(|symbol| symbol as u32)
}

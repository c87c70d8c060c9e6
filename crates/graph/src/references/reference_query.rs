//! Questions to a view whose uses are known.

use whyrank_syntax::{Import, ReferenceKind, SymbolKind};

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    imports::import_graph::ImportGraph,
    input::files::{FileInput, SymbolId},
    references::{
        declaration_groups::{is_beside, is_same, namesakes_of},
        find_references::{Confidence, NamedUse, ReferenceHit, Rivals, Sought},
        implementations::Implementations,
        name_reach::is_out_of_reach,
        new_names::NewNames,
        observed_calls::{ObservedCall, ObservedCalls},
        reference_index::{ReferenceIndex, UsesReader},
        scip_overlay::ScipOverlay,
        uses::{Use, UseAt, UseEdge},
        view_parts::ViewParts,
    },
    resolution::{resolver::Resolver, symbol_table::SymbolTable},
};

/// A view with its uses, to be asked.
pub struct ReferenceQuery<'a> {
    pub(crate) resolver: Resolver<'a>,
    pub(crate) known: &'a ReferenceIndex,
    pub(super) new_names: NewNames<'a>,
    pub(crate) precise: Option<&'a ScipOverlay>,
    observed: Option<&'a ObservedCalls>,
    implementations: OnceLock<Implementations>,
    known_implementations: Option<&'a OnceLock<Implementations>>,
}

impl<'a> ReferenceQuery<'a> {
    /// Makes a query over `known`, which must come from the same files; of their facts only the definitions are read here.
    pub fn new(
        files: &'a [FileInput<'a>],
        graph: &'a ImportGraph,
        table: &'a SymbolTable,
        known: &'a ReferenceIndex,
    ) -> Self {
        Self {
            resolver: Resolver::new(files, graph, table),
            known,
            new_names: NewNames::of_pairs(known.aliases()),
            precise: None,
            observed: None,
            implementations: OnceLock::new(),
            known_implementations: None,
        }
    }

    /// Keeps what types implement with the view, for the next question.
    #[must_use]
    pub fn keeping(mut self, known: &'a OnceLock<Implementations>) -> Self {
        self.known_implementations = Some(known);
        self
    }

    /// Which types implement or extend which; worked out at the first question.
    pub(crate) fn implementations(&self) -> &Implementations {
        let kept = self.known_implementations.unwrap_or(&self.implementations);
        kept.get_or_init(|| Implementations::new(self))
    }

    /// Lets a SCIP index of the same view decide where it can.
    #[must_use]
    pub fn with_precise(mut self, precise: Option<&'a ScipOverlay>) -> Self {
        self.precise = precise;
        self
    }

    /// Adds the calls that runs of the program saw to [`Self::callers`].
    #[must_use]
    pub fn with_observed(mut self, observed: Option<&'a ObservedCalls>) -> Self {
        self.observed = observed;
        self
    }

    /// The settled uses of a definition, with the calls that were seen while the program ran.
    pub(crate) fn callers(&self, target: SymbolId) -> Vec<ReferenceHit> {
        let mut hits = self.settled(&[target]);
        if let Some(observed) = self.observed {
            observed.lay_over(&self.same(target), &mut hits);
        }
        hits
    }

    /// Who called a caller when it was seen to call; `None` where no run kept the way there.
    pub(crate) fn seen_above(
        &self,
        caller: SymbolId,
        callee: SymbolId,
    ) -> Option<&BTreeSet<SymbolId>> {
        let observed = self.observed?;
        let mut callees = self.same(callee).into_iter();
        callees.find_map(|callee| observed.above(caller, callee))
    }

    /// Returns the calls of one definition by another that were seen while the program ran.
    pub fn observed(&self, caller: SymbolId, callee: SymbolId) -> Option<ObservedCall> {
        let observed = self.observed?;
        let mut callees = self.same(callee).into_iter();
        callees.find_map(|callee| observed.between(caller, callee).copied())
    }

    /// Says whether a SCIP index knows a definition, and so its uses in what it covers.
    pub fn knows_precisely(&self, id: SymbolId) -> bool {
        self.precise.is_some_and(|precise| precise.knows(id))
    }

    /// Returns all uses of the targets by path and line, as [`crate::references::find_references`]
    /// finds them.
    pub fn all(&self, targets: &[SymbolId]) -> Vec<ReferenceHit> {
        let resolver = &self.resolver;
        let sought = Sought::new(resolver, targets, &self.new_names);
        let mut hits: Vec<ReferenceHit> = Vec::new();
        let mut seen: FxHashSet<UseAt> = FxHashSet::default();
        let mut read = UsesReader::new(self.known);
        let beside = sought.beside.iter();
        let open: FxHashSet<UseAt> = beside
            .flat_map(|id| self.known.resolved(*id).into_owned())
            .collect();
        for target in &sought.targets {
            let uses = self.known.resolved(*target);
            for at in uses.iter().filter(|at| seen.insert(**at)) {
                let sure = match open.contains(at) {
                    true => Confidence::Possible,
                    false => Confidence::Resolved,
                };
                let found = read.at(*at);
                hits.extend(found.and_then(|found| self.hit(&sought, at.file, found, sure)));
            }
        }
        let mut rivals: FxHashMap<NamedUse<'_>, Rivals> = FxHashMap::default();
        let mut naming: FxHashSet<u32> = FxHashSet::default();
        if let Some(own) = sought.own_type {
            naming.extend(self.known.resolved(own).iter().map(|at| at.file));
        }
        for name in &sought.names {
            for at in self.known.open(name).iter() {
                let Some(found) = read.at(*at) else {
                    continue;
                };
                let names_type = |_| naming.contains(&at.file);
                let is_hidden =
                    |own| is_out_of_reach(resolver, own, at.file, found.enclosing, &names_type);
                if sought.own_type.is_some_and(is_hidden) {
                    continue;
                }
                let named = NamedUse::new(resolver, at.file, name, found.bare, found.kind);
                let rivals = *rivals
                    .entry(named)
                    .or_insert_with(|| sought.rivals(resolver, &named));
                let confidence = sought.by_rivals(resolver, at.file, &named, rivals);
                let hit = |sure| self.hit(&sought, at.file, found, sure);
                hits.extend(confidence.and_then(hit));
            }
        }
        if let Some(precise) = self.precise {
            precise.settle(&sought.targets, &sought.names, &mut hits);
            let is_precise = |hit: &ReferenceHit| hit.confidence == Confidence::Precise;
            hits.retain(|hit| {
                !(is_precise(hit) && sought.is_definition(resolver, hit.file, hit.line))
            });
        }
        let path = |hit: &ReferenceHit| resolver.files[hit.file as usize].path;
        hits.sort_by(|a, b| {
            (path(a), a.line, a.kind, a.confidence).cmp(&(path(b), b.line, b.kind, b.confidence))
        });
        hits.dedup_by_key(|hit| (hit.file, hit.line, hit.kind));
        hits
    }

    /// Returns the uses of the targets other than imports, ambiguous ones left out where others are
    /// settled.
    pub fn settled(&self, targets: &[SymbolId]) -> Vec<ReferenceHit> {
        self.settled_and_open(targets).0
    }

    /// Returns [`Self::settled`], and the ambiguous uses that it leaves out.
    pub fn settled_and_open(&self, targets: &[SymbolId]) -> (Vec<ReferenceHit>, Vec<ReferenceHit>) {
        let all = self.all(targets);
        let is_open = |hit: &ReferenceHit| hit.confidence == Confidence::Ambiguous;
        let (mut hits, open) = if all.iter().all(is_open) {
            (all, Vec::new())
        } else {
            all.into_iter().partition(|hit| !is_open(hit))
        };
        hits.retain(|hit| !is_naming(hit.kind));
        (hits, open)
    }

    /// The one definition that a name by itself is sure to mean, should imports lead to it.
    pub(crate) fn named_by(&self, named: &NamedUse<'_>) -> Option<SymbolId> {
        let resolver = &self.resolver;
        let target = resolver.table.named(named.name).iter().copied();
        let target = target
            .filter(|id| resolver.rules(id.file) == named.rules)
            .min()?;
        let sought = Sought::new(resolver, &[target], &self.new_names);
        let is_sure = sought.rivals(resolver, named) == Rivals::None
            && sought.is_named_by(resolver, named, || true);
        is_sure.then_some(target)
    }

    /// The uses of one file, as far as they are known without asking about a definition.
    pub(crate) fn edges_of(&self, file: u32) -> impl Iterator<Item = UseEdge<'_>> {
        self.known.edges_of(file)
    }

    /// Returns the definition with all that is one with it: a declaration and its body, overloads where no call
    /// chooses between them.
    pub fn same(&self, id: SymbolId) -> Vec<SymbolId> {
        let mut same = namesakes_of(&self.resolver, id);
        same.retain(|other| {
            *other == id
                || is_same(&self.resolver, id, *other) && !is_beside(&self.resolver, id, *other)
        });
        same
    }

    /// Says whether a use lies in one of these definitions.
    pub(crate) fn lies_in(&self, hit: &ReferenceHit, targets: &[SymbolId]) -> bool {
        let mut at = hit.enclosing;
        while let Some(id) = at {
            if targets.contains(&id) {
                return true;
            }
            at = self.resolver.parent(id);
        }
        false
    }

    /// The `impl` block whose head a use is: a part of the type, not a use of it.
    pub(crate) fn impl_at(&self, hit: &ReferenceHit) -> Option<SymbolId> {
        if hit.kind != ReferenceKind::Type || !self.resolver.rules(hit.file).blocks_name_types {
            return None;
        }
        let symbols = (0u32..).zip(self.resolver.files[hit.file as usize].symbols());
        let mut blocks = symbols.filter(|(_, symbol)| symbol.kind == SymbolKind::Impl);
        let (symbol, _) = blocks.find(|(_, symbol)| symbol.name_line == hit.line)?;
        let file = hit.file;
        Some(SymbolId { file, symbol })
    }

    /// Says whether an index is one of a definition in the view.
    pub(crate) fn has(&self, id: SymbolId) -> bool {
        let file = self.resolver.files.get(id.file as usize);
        file.is_some_and(|file| (id.symbol as usize) < file.symbols().len())
    }

    /// Returns the import statements of a file.
    pub fn imports(&self, file: u32) -> &'a [Import] {
        &self.resolver.files[file as usize].facts().imports
    }

    /// All definitions of the view that are code.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = SymbolId> + '_ {
        let files = (0u32..).zip(self.resolver.files);
        files.flat_map(|(file, input)| {
            let symbols = (0u32..).zip(input.symbols());
            symbols
                .filter(|(_, symbol)| symbol.kind != SymbolKind::Section)
                .map(move |(symbol, _)| SymbolId { file, symbol })
        })
    }

    fn hit(
        &self,
        sought: &Sought<'a>,
        file: u32,
        found: Use,
        confidence: Confidence,
    ) -> Option<ReferenceHit> {
        let is_own = sought.is_own_line(&self.resolver, (file, found.line), found.enclosing);
        (!is_own).then(|| ReferenceHit {
            file,
            line: found.line,
            kind: found.kind,
            enclosing: found.enclosing.map(|symbol| SymbolId { file, symbol }),
            confidence,
        })
    }
}

impl ReferenceQuery<'_> {
    /// Returns where a member that its type declares is defined outside of the type.
    pub fn defined_apart(&self, declared: SymbolId) -> Option<SymbolId> {
        let symbol = self.resolver.symbol(declared);
        let lies_in_type = |id: SymbolId| {
            let parent = self.resolver.parent(id);
            parent.is_some_and(|parent| self.resolver.symbol(parent).kind.has_members())
        };
        let may_be = self
            .resolver
            .rules(declared.file)
            .members_are_defined_outside;
        if !may_be || !lies_in_type(declared) || symbol.kind.has_members() {
            return None;
        }
        let mut named = namesakes_of(&self.resolver, declared).into_iter();
        named.find(|id| !lies_in_type(*id))
    }
}

/// Says whether a use passes a name on without using what it means: an import, a re-export, a mention.
pub fn is_naming(kind: ReferenceKind) -> bool {
    matches!(
        kind,
        ReferenceKind::Import | ReferenceKind::ReExport | ReferenceKind::Mention
    )
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

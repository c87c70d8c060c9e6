//! What the symbol graph adds to a change: users that did not change, tests, importance.

use super::StructureSession;
use super::changes::Changes;
use super::numbering::Numbering;
use super::old_state::OldState;
use super::risk::{self, MAX_CALLERS, TEST_DEPTH};
use super::scope::Scope;
use crate::api::{BrokenImports, ReviewedSymbol, SymbolChange, UnchangedCaller};
use std::collections::{HashMap, HashSet};
use whyrank_graph::{SymbolId, TestReach, test_map};
use whyrank_retrieval::FileRole;
use whyrank_syntax::SymbolKind;
use whyrank_system::folders::is_benchmark;

/// Definitions of another signature whose users are looked for in the old state, too.
const MAX_SIGNATURES: usize = 40;

/// What a review tells.
pub(super) struct Reviewed {
    /// Of each changed definition, then those that went.
    pub(super) symbols: Vec<ReviewedSymbol>,
    pub(super) broken_imports: Vec<BrokenImports>,
}

/// A change beside the graph of a view.
pub(super) struct Review<'r, 's, 'u> {
    pub(super) structure: &'r StructureSession<'s, 'u>,
    pub(super) changes: &'r Changes,
    pub(super) scope: &'r Scope,
    pub(super) numbers: &'r Numbering<'r>,
    pub(super) old: OldState<'r>,
}

impl<'r, 's, 'u> Review<'r, 's, 'u> {
    pub(super) fn new(
        structure: &'r StructureSession<'s, 'u>,
        changes: &'r Changes,
        scope: &'r Scope,
        numbers: &'r Numbering<'r>,
    ) -> Self {
        Self {
            structure,
            changes,
            scope,
            numbers,
            old: OldState::new(numbers, structure.view),
        }
    }

    /// Adds to each changed definition, in the order of `targets`, who depends on it, and to all of them what
    /// the change leaves behind.
    pub(super) fn complete(&self, targets: &[Changed], reviewed: &mut Reviewed) {
        let ids: Vec<Option<SymbolId>> = targets
            .iter()
            .map(|one| self.numbers.id(one.place, one.symbol))
            .collect();
        let changed: HashSet<SymbolId> = ids.iter().flatten().copied().collect();
        let nearest = self.nearest_tests(&ids);
        for (id, one) in ids.iter().zip(&mut reviewed.symbols) {
            let Some(graph) = id.and_then(|id| self.numbers.of_graph(id)) else {
                continue;
            };
            let callers = self.callers(graph, &changed);
            one.n_callers = callers.iter().filter(|caller| !caller.test).count() as u32;
            one.callers = callers.into_iter().take(MAX_CALLERS).collect();
            risk::add_users(one);
            self.add_tests(graph, nearest.as_ref(), one);
            risk::add_rank(one, f64::from(self.structure.rank(graph)));
        }
        self.add_old_users(targets, &changed, &mut reviewed.symbols);
        reviewed.symbols.extend(self.removed());
        reviewed.broken_imports = self.broken_imports();
    }

    /// Of each definition how many tests reach it, and in how many steps the nearest; nothing where there are
    /// no tests.
    fn nearest_tests(
        &self,
        ids: &[Option<SymbolId>],
    ) -> Option<HashMap<SymbolId, (u32, Option<u32>)>> {
        let view = self.structure.view;
        let is_test = |file: u32| {
            view.index.roles[file as usize] == FileRole::Test && !is_benchmark(view.path(file))
        };
        if !(0..view.n_files()).any(is_test) {
            return None;
        }
        let known = ids.iter().flatten();
        let mut known: Vec<SymbolId> = known.filter_map(|id| self.numbers.of_graph(*id)).collect();
        known.sort_unstable();
        known.dedup();
        let reach = TestReach {
            depth: TEST_DEPTH,
            nearest: true,
        };
        let links = self.structure.links;
        let tested = test_map(self.structure.uses, links, &is_test, &known, reach);
        let tested = tested.iter().map(|one| {
            let nearest = one.tests.first().map(|test| test.depth);
            (one.symbol, (one.tests.len() as u32, nearest))
        });
        Some(tested.collect())
    }

    fn add_tests(
        &self,
        graph: SymbolId,
        nearest: Option<&HashMap<SymbolId, (u32, Option<u32>)>>,
        reviewed: &mut ReviewedSymbol,
    ) {
        let Some((n_tests, nearest)) = nearest.and_then(|tested| tested.get(&graph)) else {
            return;
        };
        reviewed.n_tests = *n_tests;
        let may_run = matches!(
            self.structure.view.symbol(graph).kind,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Class
        );
        if may_run || nearest.is_some() {
            risk::add_tests(reviewed, *nearest, TEST_DEPTH);
        }
    }

    /// Adds to definitions of another signature who used them before, and what no longer implements
    /// what.
    pub(super) fn add_old_users(
        &self,
        targets: &[Changed],
        changed: &HashSet<SymbolId>,
        reviewed: &mut [ReviewedSymbol],
    ) {
        let of_other_signature = targets.iter().zip(&mut *reviewed);
        let of_other_signature = of_other_signature.filter_map(|(target, one)| {
            let is_other = one.change == SymbolChange::Signature;
            let was = self.changes.files[target.place].was_at(target.symbol)?;
            let old = self.numbers.old_id(target.place, was)?;
            let now = self.numbers.id(target.place, target.symbol)?;
            is_other.then_some((now, old, one))
        });
        let olds: Vec<_> = of_other_signature.take(MAX_SIGNATURES).collect();
        let ids: Vec<SymbolId> = olds.iter().map(|(_, old, _)| *old).collect();
        let uses = self.old.standing_uses(&ids);
        for ((id, old, one), uses) in olds.into_iter().zip(uses) {
            let uses = uses.into_iter().filter(|one| {
                !one.is_naming() && one.from.is_none_or(|from| !changed.contains(&from))
            });
            self.add_callers(one, uses.collect());
            if let Some(graph) = self.numbers.of_graph(id) {
                self.add_lost_bases(old, Some(graph), one);
                self.add_left_overrides(graph, one);
            }
        }
        let mut seen: HashSet<SymbolId> = HashSet::new();
        for (target, one) in targets.iter().zip(reviewed) {
            let around = self.interface_around(*target);
            if let Some(interface) = around.filter(|one| seen.insert(one.graph)) {
                self.add_lost_heirs(&interface, one);
            }
        }
    }

    /// Whether a definition of the graph has the signature that it had.
    pub(super) fn kept_signature(&self, graph: SymbolId) -> bool {
        let Some(file) = self.numbers.changed(graph.file) else {
            return true;
        };
        let now = self.numbers.of_now(graph);
        now.is_some_and(|now| {
            let at = now.symbol as usize;
            file.was(now.symbol).is_some() && file.pairs.other_heads.get(at) == Some(&false)
        })
    }

    /// Who uses a definition of the graph and did not change, code before tests, by importance.
    fn callers(&self, graph: SymbolId, changed: &HashSet<SymbolId>) -> Vec<UnchangedCaller> {
        let mut seen = HashSet::new();
        let mut callers: Vec<(bool, f32, UnchangedCaller)> = Vec::new();
        let links = self.structure.links.to(graph).iter();
        for link in links.filter(|link| link.confidence.is_certain()) {
            let from = link.from.and_then(|from| self.numbers.of_now(from));
            let is_changed = from.is_some_and(|from| changed.contains(&from));
            // What the view shows still of a file that went uses nothing.
            let file = self.numbers.changed(link.file);
            let is_gone =
                file.is_some_and(|file| !file.is_there) || from.is_none() && link.from.is_some();
            if is_changed || is_gone || !seen.insert((link.file, link.from)) {
                continue;
            }
            let rank = link.from.map_or(0.0, |from| self.structure.rank(from));
            let caller = self.caller_at(link.file, link.line, from);
            callers.push((caller.test, rank, caller));
        }
        callers.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        callers.into_iter().map(|(_, _, caller)| caller).collect()
    }

    pub(super) fn caller_at(
        &self,
        file: u32,
        line: u32,
        from: Option<SymbolId>,
    ) -> UnchangedCaller {
        UnchangedCaller {
            path: self.numbers.path(file).to_owned(),
            line,
            name: from.map(|id| self.numbers.symbol(id).qualified.clone()),
            test: self.numbers.is_test(file),
        }
    }
}

/// A definition that changed: its file's place among the changed ones, and its place in that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Changed {
    pub(crate) place: usize,
    pub(crate) symbol: u32,
}

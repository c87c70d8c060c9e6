//! Review of a diff: what changed, who depends on it unchanged, what no test reaches, what exists already.
//!
//! The risk orders what to look at first; it is no probability. Every point of it has a reason.

use super::StructureSession;
use super::changes::{Before, Changes, changes, is_below};
use super::duplicates::Duplicates;
use super::old_state::OldState;
use super::tested::changed_definitions;
use crate::Engine;
use crate::api::{
    BrokenImports, MovedFile, ReviewRequest, ReviewResponse, ReviewedFile, ReviewedSymbol,
    RiskKind, RiskReason, SymbolChange, UnchangedCaller,
};
use crate::error::Result;
use std::collections::{BTreeSet, HashSet};
use whyrank_graph::{FileInput, SymbolId, TestReach, TestedBy, test_map};
use whyrank_retrieval::FileRole;
use whyrank_source::LineChange;
use whyrank_syntax::{Symbol, SymbolKind};
use whyrank_system::folders::is_benchmark;

/// Steps from a test that still say that it covers something.
const TEST_DEPTH: u32 = 3;
pub(super) const MAX_CALLERS: usize = 10;
/// Definitions whose code is compared with the rest; the riskiest.
const MAX_COMPARED: usize = 12;
/// Definitions of another signature whose users are looked for in the old state, too.
const MAX_SIGNATURES: usize = 40;

pub(super) const REMOVED_POINTS: f64 = 45.0;
pub(super) const SIGNATURE_POINTS: f64 = 15.0;
pub(super) const BREAK_POINTS: f64 = 25.0;
const CALLER_POINTS: f64 = 20.0;
const UNTESTED_POINTS: f64 = 25.0;
const DISTANT_POINTS: f64 = 10.0;
const CENTRAL_POINTS: f64 = 15.0;
const SIZE_POINTS: f64 = 10.0;
const DUPLICATE_POINTS: f64 = 12.0;

impl Engine {
    /// Lists what changed since a revision, riskiest first, with the reasons.
    ///
    /// # Errors
    /// `unknown-revision`; `bad-argument` for a path without an indexed file; those of opening the view.
    pub fn review_diff(&self, request: &ReviewRequest) -> Result<ReviewResponse> {
        let repo = self.state.registry.get(&request.repo)?;
        let session = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        let revision = match request.reference.as_str() {
            "" => "HEAD",
            revision => revision,
        };
        let changes = changes(&session, &repo, revision, request.as_of.as_deref())?;
        let before = Before::read(&session, &repo, &changes)?;
        let now = session.facts.inputs(&session.view);
        let inputs = before.inputs(&now, &changes);
        let mut reviewed = session.with_structure(|structure| {
            let states = States {
                before: &before,
                old: OldState::new(&inputs, structure.view),
                now: &now,
            };
            Review::new(structure, request, &changes, states)?.symbols()
        })?;
        sort(&mut reviewed.symbols);
        let mut duplicates = Duplicates::new(self, &session, request);
        for symbol in reviewed.symbols.iter_mut().take(MAX_COMPARED) {
            if let Some((twin, share)) = duplicates.of(symbol)? {
                let text = format!(
                    "{:.0}% the same as {} ({}:{})",
                    share * 100.0,
                    twin.qualified,
                    twin.path,
                    twin.name_line
                );
                add(symbol, RiskKind::Duplicate, text, DUPLICATE_POINTS * share);
            }
        }
        sort(&mut reviewed.symbols);
        Ok(respond(reviewed, &changes, request))
    }
}

struct Reviewed {
    symbols: Vec<ReviewedSymbol>,
    others: Vec<String>,
    broken_imports: Vec<BrokenImports>,
    moved: Vec<MovedFile>,
}

/// What was, and what is.
struct States<'r> {
    before: &'r Before,
    old: OldState<'r>,
    now: &'r [FileInput<'r>],
}

pub(super) struct Review<'r, 's, 'u> {
    pub(super) structure: &'r StructureSession<'s, 'u>,
    pub(super) changes: &'r Changes,
    pub(super) before: &'r Before,
    pub(super) old: OldState<'r>,
    /// The files of the view as they are.
    pub(super) now: &'r [FileInput<'r>],
    pub(super) inside: HashSet<u32>,
    targets: Vec<SymbolId>,
    pub(super) below: Option<&'r str>,
}

impl<'r, 's, 'u> Review<'r, 's, 'u> {
    fn new(
        structure: &'r StructureSession<'s, 'u>,
        request: &'r ReviewRequest,
        changes: &'r Changes,
        states: States<'r>,
    ) -> Result<Self> {
        let path = request.path.as_deref().unwrap_or_default();
        // A folder that lost all its files is still a place to ask about.
        let inside: HashSet<u32> = match structure.view.below(path) {
            Ok(files) => files.into_iter().collect(),
            Err(_) if changes.has_left(path) => HashSet::new(),
            Err(error) => return Err(error),
        };
        let counts = |file: u32| structure.view.is_code(file) && inside.contains(&file);
        let mut targets = changed_definitions(structure, changes, &counts);
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|id| is_touched(structure.view.symbol(*id), *id, changes, states.before));
        Ok(Self {
            structure,
            changes,
            before: states.before,
            old: states.old,
            now: states.now,
            inside,
            targets,
            below: request.path.as_deref(),
        })
    }

    fn symbols(&self) -> Result<Reviewed> {
        let view = self.structure.view;
        let is_test = |file: u32| {
            view.index.roles[file as usize] == FileRole::Test && !is_benchmark(view.path(file))
        };
        let reach = TestReach {
            depth: TEST_DEPTH,
            nearest: true,
        };
        let tested = test_map(
            self.structure.uses,
            self.structure.links,
            &is_test,
            (&self.targets, reach),
        );
        let changed: HashSet<SymbolId> = self.targets.iter().copied().collect();
        let has_tests = (0..view.n_files()).any(is_test);
        let mut symbols: Vec<ReviewedSymbol> = tested
            .iter()
            .map(|one| self.symbol(one, &changed, has_tests))
            .collect();
        self.add_old_users(&tested, &changed, &mut symbols);
        symbols.extend(self.removed());
        let with_targets: BTreeSet<u32> = self.targets.iter().map(|id| id.file).collect();
        let files = self.changes.lines.keys();
        let others = files
            .filter(|file| self.inside.contains(file) && !with_targets.contains(file))
            .map(|file| view.path(*file).to_owned());
        Ok(Reviewed {
            symbols,
            others: others.collect(),
            broken_imports: self.broken_imports(),
            moved: self.moved(),
        })
    }

    /// Adds to definitions of another signature who used them before, and what no longer implements
    /// what.
    fn add_old_users(
        &self,
        tested: &[TestedBy],
        changed: &HashSet<SymbolId>,
        reviewed: &mut [ReviewedSymbol],
    ) {
        let of_other_signature = tested
            .iter()
            .zip(&mut *reviewed)
            .filter_map(|(one, reviewed)| {
                let is_other = reviewed.change == SymbolChange::Signature;
                let old = self.old.find(one.symbol, self.structure.view)?;
                is_other.then_some((one.symbol, old, reviewed))
            });
        let olds: Vec<_> = of_other_signature.take(MAX_SIGNATURES).collect();
        let ids: Vec<SymbolId> = olds.iter().map(|(_, old, _)| *old).collect();
        let uses = self.old.standing_uses(&ids, self.now, self.changes);
        for ((id, old, reviewed), uses) in olds.into_iter().zip(uses) {
            let uses = uses.into_iter().filter(|one| {
                !one.is_naming() && one.from.is_none_or(|from| !changed.contains(&from))
            });
            self.add_callers(reviewed, uses.collect());
            self.add_lost_bases((old, Some(id)), reviewed);
            self.add_left_overrides(id, reviewed);
        }
        let mut seen: HashSet<SymbolId> = HashSet::new();
        for (one, reviewed) in tested.iter().zip(reviewed) {
            let around = self.interface_around(one.symbol);
            if let Some(interface) = around.filter(|id| seen.insert(*id)) {
                self.add_lost_heirs(interface, reviewed);
            }
        }
    }

    fn symbol(
        &self,
        tested: &TestedBy,
        changed: &HashSet<SymbolId>,
        has_tests: bool,
    ) -> ReviewedSymbol {
        let id = tested.symbol;
        let symbol = self.structure.view.symbol(id);
        let old = self.before.of(id.file, symbol);
        let is_other = |old: &&Symbol| squeezed(&old.signature) != squeezed(&symbol.signature);
        let was = old.filter(is_other).map(|old| old.signature.clone());
        let callers = self.callers(id, changed);
        let n_callers = callers.iter().filter(|caller| !caller.test).count() as u32;
        let mut reviewed = ReviewedSymbol {
            symbol: self.structure.view.symbol_line(id),
            change: match (old, &was) {
                (None, _) => SymbolChange::New,
                (Some(_), Some(_)) => SymbolChange::Signature,
                (Some(_), None) => SymbolChange::Changed,
            },
            was,
            n_lines: n_lines(symbol, self.changes.lines.get(&id.file)),
            risk: 0.0,
            reasons: Vec::new(),
            callers: callers.into_iter().take(MAX_CALLERS).collect(),
            n_callers,
            n_tests: tested.tests.len() as u32,
        };
        let nearest = tested.tests.first().map(|test| test.depth);
        self.add_risk(&mut reviewed, id, nearest.filter(|_| has_tests), has_tests);
        reviewed
    }

    fn add_risk(
        &self,
        reviewed: &mut ReviewedSymbol,
        id: SymbolId,
        nearest_test: Option<u32>,
        has_tests: bool,
    ) {
        let n = f64::from(reviewed.n_callers);
        let users = counted(reviewed.n_callers, "user");
        match reviewed.change {
            SymbolChange::Signature => add_signature(reviewed),
            SymbolChange::Changed if n > 0.0 => {
                let points = CALLER_POINTS * n / (n + 8.0);
                add(
                    reviewed,
                    RiskKind::Callers,
                    format!("{users} did not change"),
                    points,
                );
            }
            _ => {}
        }
        let may_run = matches!(
            self.structure.view.symbol(id).kind,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Class
        );
        match nearest_test {
            None if has_tests && may_run => {
                let text = format!("no test reaches it in {TEST_DEPTH} steps");
                add(reviewed, RiskKind::Untested, text, UNTESTED_POINTS);
            }
            Some(depth) if depth > 1 => {
                let text = format!("tests reach it only through others ({depth} steps)");
                add(reviewed, RiskKind::Untested, text, DISTANT_POINTS);
            }
            _ => {}
        }
        let rank = f64::from(self.structure.rank(id));
        if rank > 0.05 {
            let text = format!("central: PageRank {rank:.2} of the highest");
            add(
                reviewed,
                RiskKind::Central,
                text,
                CENTRAL_POINTS * rank.sqrt(),
            );
        }
        let lines = f64::from(reviewed.n_lines);
        if lines >= 10.0 {
            let text = format!("{} changed", counted(reviewed.n_lines, "line"));
            add(
                reviewed,
                RiskKind::Size,
                text,
                SIZE_POINTS * lines / (lines + 40.0),
            );
        }
    }

    /// Whether a definition of the view has the signature that it had.
    pub(super) fn kept_signature(&self, id: SymbolId) -> bool {
        let symbol = self.structure.view.symbol(id);
        !self.changes.lines.contains_key(&id.file)
            || self
                .before
                .of(id.file, symbol)
                .is_some_and(|old| squeezed(&old.signature) == squeezed(&symbol.signature))
    }

    /// Who uses a definition and did not change, code before tests, by importance.
    fn callers(&self, id: SymbolId, changed: &HashSet<SymbolId>) -> Vec<UnchangedCaller> {
        let view = self.structure.view;
        let mut seen = HashSet::new();
        let mut callers: Vec<(bool, f32, UnchangedCaller)> = Vec::new();
        for link in self
            .structure
            .links
            .to(id)
            .iter()
            .filter(|link| link.confidence.is_certain())
        {
            let is_changed = link.from.is_some_and(|from| changed.contains(&from));
            if is_changed || !seen.insert((link.file, link.from)) {
                continue;
            }
            let test = view.is_test(link.file);
            let rank = link.from.map_or(0.0, |from| self.structure.rank(from));
            let caller = UnchangedCaller {
                path: view.path(link.file).to_owned(),
                line: link.line,
                name: link.from.map(|from| view.symbol(from).qualified.clone()),
                test,
            };
            callers.push((test, rank, caller));
        }
        callers.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        callers.into_iter().map(|(_, _, caller)| caller).collect()
    }
}

/// Weighs another signature by the users that did not change.
pub(super) fn add_signature(reviewed: &mut ReviewedSymbol) {
    reviewed
        .reasons
        .retain(|reason| reason.kind != RiskKind::Signature);
    let n_tests = reviewed.callers.iter().filter(|one| one.test).count() as u32;
    let (text, n) = match (reviewed.n_callers, n_tests) {
        (0, 0) => ("its signature changed".to_owned(), 0.0),
        (0, n) => {
            let users = counted(n, "user");
            (
                format!("its signature changed, and {users} in tests did not"),
                1.0,
            )
        }
        (n, _) => {
            let users = counted(n, "user");
            (
                format!("its signature changed, and {users} did not"),
                f64::from(n),
            )
        }
    };
    let points = SIGNATURE_POINTS + BREAK_POINTS * n / (n + 4.0);
    add(reviewed, RiskKind::Signature, text, points);
}

pub(super) fn add(symbol: &mut ReviewedSymbol, kind: RiskKind, text: String, points: f64) {
    let points = (points * 10.0).round() / 10.0;
    symbol.reasons.push(RiskReason { kind, text, points });
    symbol.reasons.sort_by(|a, b| b.points.total_cmp(&a.points));
    let sum: f64 = symbol.reasons.iter().map(|reason| reason.points).sum();
    symbol.risk = sum.min(100.0);
}

fn sort(symbols: &mut [ReviewedSymbol]) {
    let place = |one: &ReviewedSymbol| (one.symbol.path.clone(), one.symbol.name_line);
    symbols.sort_by(|a, b| {
        let by_risk = b.risk.total_cmp(&a.risk);
        by_risk.then_with(|| place(a).cmp(&place(b)))
    });
}

fn respond(mut reviewed: Reviewed, changes: &Changes, request: &ReviewRequest) -> ReviewResponse {
    let (max_files, below) = (request.max_files, request.path.as_deref());
    let left_out = changes.left_out.iter();
    let left_out = left_out.filter(|path| is_below(path, below));
    reviewed.others.extend(left_out.cloned());
    let mut files: Vec<ReviewedFile> = Vec::new();
    for one in &reviewed.symbols {
        match files.iter_mut().find(|file| file.path == one.symbol.path) {
            Some(file) => {
                file.n_symbols += 1;
                file.n_lines += one.n_lines;
            }
            // Symbols come by risk, so the first of a file has its highest.
            None => files.push(ReviewedFile {
                path: one.symbol.path.clone(),
                risk: one.risk,
                n_lines: one.n_lines,
                n_symbols: 1,
            }),
        }
    }
    let most = match max_files {
        0 => files.len(),
        most => files.len().min(most as usize),
    };
    let left_out = files.split_off(most);
    let is_kept = |one: &ReviewedSymbol| files.iter().any(|file| file.path == one.symbol.path);
    ReviewResponse {
        base: changes.base.clone(),
        symbols: reviewed
            .symbols
            .into_iter()
            .filter(|one| is_kept(one))
            .collect(),
        others: reviewed.others,
        broken_imports: reviewed.broken_imports,
        moved_files: reviewed.moved,
        removed_files: changes
            .gone
            .iter()
            .filter(|(path, _)| is_below(path, below))
            .map(|(path, _)| path.clone())
            .collect(),
        n_left_out: left_out.len() as u32,
        files,
    }
}

/// Whether a change is one of a definition: lines that went before or after it are not, where it is as
/// long as it was.
fn is_touched(symbol: &Symbol, id: SymbolId, changes: &Changes, before: &Before) -> bool {
    let (first, last) = (symbol.span.start_line, symbol.span.end_line);
    let is_inside = |change: &LineChange| match change.n_lines {
        0 => first <= change.start && change.start < last,
        n => change.start <= last && change.start + n > first,
    };
    let mut of_file = changes.lines.get(&id.file).into_iter().flatten();
    let old = before.of(id.file, symbol);
    let is_as_long = old.is_some_and(|old| old.span.end_line - old.span.start_line == last - first);
    of_file.any(is_inside) || !is_as_long
}

/// Lines of a definition that a change touches.
fn n_lines(symbol: &Symbol, changes: Option<&Vec<LineChange>>) -> u32 {
    let (first, last) = (symbol.span.start_line, symbol.span.end_line);
    let touched = changes.into_iter().flatten().map(|change| {
        let end = change.start + change.n_lines.max(1) - 1;
        let from = change.start.max(first);
        let to = end.min(last);
        let n_new = if change.n_lines > 0 && to >= from {
            to + 1 - from
        } else {
            0
        };
        let n_gone = if change.n_lines == 0 && (first..=last).contains(&change.start) {
            change.n_removed
        } else {
            0
        };
        n_new + n_gone
    });
    touched.sum()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

pub(super) fn counted(n: u32, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

pub(super) fn times(n: u32) -> String {
    match n {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    }
}

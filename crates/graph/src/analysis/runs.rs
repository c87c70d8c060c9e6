//! What profiles and traces say about a view's definitions: which ran, and which called which.
//!
//! A function of a run is the definition of its name around its line. Where the run knows names alone,
//! a name has to be borne by one definition only, or by one in what the run says it lies in.

pub(super) use super::coverage::SYMBOLS_A_STEP;

use std::collections::{BTreeMap, HashMap};

use whyrank_external::Budget;
use whyrank_external::runs::{CallNode, Run, RunFunction, Scope, Unit};
use whyrank_syntax::Symbol;

use crate::{
    analysis::coverage::ExecutionCoverage,
    input::files::{FileInput, SymbolId},
    languages::LanguageRules,
    references::observed_calls::{ObservedCall, ObservedCalls},
};

/// What a function of a run is in the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FunctionMatch {
    Definition(SymbolId),
    /// A function without a definition of its own, within this one.
    Within(SymbolId),
    /// Code of the view that lies in no function.
    TopLevel,
    Elsewhere,
}

impl ExecutionCoverage {
    /// Takes in a run, of the report at hand. `file_of` says which file of the view a path in it means.
    ///
    /// Returns how many of its functions lie in the view. O(functions + calls), and within the budget:
    /// functions that it has no steps for lie elsewhere.
    pub fn run(
        &mut self,
        files: &[FileInput<'_>],
        run: &Run,
        file_of: &dyn Fn(&str) -> Option<u32>,
        budget: &mut Budget<'_>,
    ) -> usize {
        let finder = Finder::new(files, run);
        let places: Vec<FunctionMatch> = run
            .functions
            .iter()
            .map(|function| finder.place(function, file_of, budget))
            .collect();
        for (id, n) in definitions(files, &places, hits(run)) {
            self.add(id, n);
        }
        let report = self.latest();
        add_calls(&run.calls, &places, report, &mut self.calls);
        self.calls.settle();
        let is_here = |place: &&FunctionMatch| **place != FunctionMatch::Elsewhere;
        places.iter().filter(is_here).count()
    }
}

/// How often each definition ran, types as often as the busiest of their members.
fn definitions(
    files: &[FileInput<'_>],
    places: &[FunctionMatch],
    hits: HashMap<u32, u64>,
) -> BTreeMap<SymbolId, u64> {
    let mut ran: BTreeMap<SymbolId, u64> = BTreeMap::new();
    for (function, n) in hits {
        match places[function as usize] {
            FunctionMatch::Definition(id) => {
                let known = ran.entry(id).or_default();
                *known = known.saturating_add(n);
            }
            // How often what lies within it ran says only that it did.
            FunctionMatch::Within(id) => drop(ran.entry(id).or_insert(0)),
            FunctionMatch::TopLevel | FunctionMatch::Elsewhere => {}
        }
    }
    ran.values_mut().for_each(|n| *n = (*n).max(1));
    let members: Vec<(SymbolId, u64)> = ran.iter().map(|(id, n)| (*id, *n)).collect();
    for (member, n) in members {
        let symbols = files[member.file as usize].symbols();
        for symbol in owners(symbols, member.symbol) {
            let owner = ran.entry(SymbolId { symbol, ..member }).or_default();
            *owner = (*owner).max(n);
        }
    }
    ran
}

/// How often each function ran. Of samples a function that called itself has each once.
fn hits(run: &Run) -> HashMap<u32, u64> {
    let mut hits: HashMap<u32, u64> = HashMap::new();
    let outermost = match run.format.unit() {
        Unit::Samples => Some(outermost(&run.calls)),
        Unit::Calls | Unit::Spans => None,
    };
    for (at, call) in run.calls.iter().enumerate() {
        let counts = outermost.as_ref().is_none_or(|outermost| outermost[at]);
        let known = hits.entry(call.function).or_default();
        *known = known.saturating_add(if counts { call.n } else { 0 });
    }
    // What was met ran, though no sample fell into it.
    hits.values_mut().for_each(|n| *n = (*n).max(1));
    hits
}

/// Says whether no call of the same function leads to a call.
fn outermost(calls: &[CallNode]) -> Vec<bool> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); calls.len()];
    let mut next: Vec<(u32, bool)> = Vec::new();
    for (at, call) in (0u32..).zip(calls) {
        match call.parent {
            Some(parent) => children[parent as usize].push(at),
            None => next.push((at, true)),
        }
    }
    let mut is_outermost = vec![false; calls.len()];
    let mut open: HashMap<u32, u32> = HashMap::new();
    while let Some((at, begins)) = next.pop() {
        let n_open = open.entry(calls[at as usize].function).or_default();
        if !begins {
            *n_open -= 1;
            continue;
        }
        is_outermost[at as usize] = *n_open == 0;
        *n_open += 1;
        next.push((at, false));
        next.extend(children[at as usize].iter().map(|child| (*child, true)));
    }
    is_outermost
}

/// Adds which definition called which: the nearest one above in the view, with what lies elsewhere
/// between.
fn add_calls(calls: &[CallNode], places: &[FunctionMatch], run: u32, observed: &mut ObservedCalls) {
    let place = |at: usize| places[calls[at].function as usize];
    // The nearest code of the view at or above each call.
    let mut nearest: Vec<Option<usize>> = Vec::with_capacity(calls.len());
    for (at, call) in calls.iter().enumerate() {
        let above = call.parent.and_then(|parent| nearest[parent as usize]);
        nearest.push(if place(at) == FunctionMatch::Elsewhere {
            above
        } else {
            Some(at)
        });
    }
    let above = |at: usize| {
        let parent = calls[at].parent? as usize;
        let found = nearest[parent]?;
        match place(found) {
            FunctionMatch::Definition(id) | FunctionMatch::Within(id) => Some((found, parent, id)),
            FunctionMatch::TopLevel | FunctionMatch::Elsewhere => None,
        }
    };
    for (at, call) in calls.iter().enumerate() {
        let FunctionMatch::Definition(callee) = place(at) else {
            continue;
        };
        let Some((found, parent, caller)) = above(at).filter(|(.., caller)| *caller != callee)
        else {
            continue;
        };
        let is_direct = found == parent;
        let seen = ObservedCall {
            caller,
            n: call.n.max(1),
            line: if is_direct { call.line } else { 0 },
            is_through_others: !is_direct,
            run,
        };
        observed.add(callee, seen);
        if let Some((.., above)) = above(found) {
            observed.add_above((caller, callee), above);
        }
    }
}

/// Finds what functions of a run are.
struct Finder<'f, 'a> {
    files: &'f [FileInput<'a>],
    /// Definitions by name, where the run knows names alone.
    by_name: HashMap<&'a str, Vec<SymbolId>>,
}

impl<'f, 'a> Finder<'f, 'a> {
    fn new(files: &'f [FileInput<'a>], run: &Run) -> Self {
        let mut by_name: HashMap<&str, Vec<SymbolId>> = HashMap::new();
        if run.functions.iter().any(has_name_alone) {
            for (file, input) in (0u32..).zip(files) {
                let symbols = (0u32..).zip(input.symbols());
                for (symbol, one) in symbols.filter(|(_, one)| one.kind.is_callable()) {
                    let id = SymbolId { file, symbol };
                    by_name.entry(&one.name).or_default().push(id);
                }
            }
        }
        Self { files, by_name }
    }

    fn place(
        &self,
        function: &RunFunction,
        file_of: &dyn Fn(&str) -> Option<u32>,
        budget: &mut Budget<'_>,
    ) -> FunctionMatch {
        match function.scope {
            Scope::Outside => FunctionMatch::Elsewhere,
            _ if has_name_alone(function) => self.by_name(function, budget),
            scope => match (file_of(&function.path), scope) {
                (None, _) => FunctionMatch::Elsewhere,
                (Some(_), Scope::TopLevel) => FunctionMatch::TopLevel,
                (Some(file), _) => self.in_file(file, function, budget),
            },
        }
    }

    fn by_name(&self, function: &RunFunction, budget: &mut Budget<'_>) -> FunctionMatch {
        let named = self.by_name.get(function.name.as_str());
        let named = named.map(Vec::as_slice).unwrap_or_default();
        if !budget.step(named.len() as u64) {
            return FunctionMatch::Elsewhere;
        }
        // Interpreted code shows under names of its interpreter.
        let named = named
            .iter()
            .copied()
            .filter(|id| LanguageRules::of(self.files[id.file as usize].language).is_machine_code);
        let (inside, outside): (Vec<SymbolId>, Vec<SymbolId>) =
            named.partition(|id| self.lies_in(*id, &function.container));
        // A declaration has no code.
        let bodies = |ids: &[SymbolId]| -> Vec<SymbolId> {
            let ids = ids.iter().copied();
            ids.filter(|id| n_lines(self.symbol(*id)) > 0 || !self.is_header(*id))
                .collect()
        };
        match (bodies(&inside).as_slice(), bodies(&outside).as_slice()) {
            ([only], _) => FunctionMatch::Definition(*only),
            ([], [only]) => FunctionMatch::Definition(*only),
            _ => FunctionMatch::Elsewhere,
        }
    }

    /// Says whether a definition lies in a type, module or file of a name.
    fn lies_in(&self, id: SymbolId, container: &str) -> bool {
        let qualified = &self.symbol(id).qualified;
        let mut before = qualified
            .rsplit(['.', ':', '\\'])
            .filter(|part| !part.is_empty());
        before.next();
        let stem = self.files[id.file as usize].path.rsplit('/').next();
        let stem = stem
            .and_then(|name| name.split('.').next())
            .unwrap_or_default();
        !container.is_empty() && (before.next() == Some(container) || stem == container)
    }

    fn in_file(&self, file: u32, function: &RunFunction, budget: &mut Budget<'_>) -> FunctionMatch {
        let symbols = self.files[file as usize].symbols();
        if !budget.step(1 + symbols.len() as u64 / SYMBOLS_A_STEP) {
            return FunctionMatch::Elsewhere;
        }
        let callable = || {
            let all = symbols.iter().enumerate().rev();
            let all = all.map(|(at, symbol)| (at as u32, symbol));
            all.filter(|(_, symbol)| symbol.kind.is_callable())
        };
        let line = function.line;
        let is_around =
            |symbol: &Symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&line);
        let is_named = |symbol: &Symbol| symbol.name == function.name;
        let here = |symbol: u32| FunctionMatch::Definition(SymbolId { file, symbol });
        if let Some((symbol, _)) = callable().find(|(_, one)| is_named(one) && is_around(one)) {
            return here(symbol);
        }
        if !function.name.is_empty() {
            // Lines of a translated file are not those of its source: the name has to do.
            let named: Vec<u32> = callable()
                .filter(|(_, one)| is_named(one))
                .map(|at| at.0)
                .collect();
            if let [only] = named.as_slice() {
                return here(*only);
            }
            if named.len() > 1 {
                return FunctionMatch::Elsewhere;
            }
        }
        // A function without a definition of its own runs within the one around it.
        let rules = LanguageRules::of(self.files[file as usize].language);
        let runs_within = |symbol: &Symbol| {
            is_around(symbol) && (rules.heads_are_code || line > symbol.name_line)
        };
        let around = callable().find(|(_, symbol)| runs_within(symbol));
        around.map_or(FunctionMatch::TopLevel, |(symbol, _)| {
            FunctionMatch::Within(SymbolId { file, symbol })
        })
    }

    fn symbol(&self, id: SymbolId) -> &'a Symbol {
        &self.files[id.file as usize].symbols()[id.symbol as usize]
    }

    fn is_header(&self, id: SymbolId) -> bool {
        let path = self.files[id.file as usize].path;
        path.rsplit('.')
            .next()
            .is_some_and(|ending| ending.starts_with('h'))
    }
}

fn has_name_alone(function: &RunFunction) -> bool {
    function.path.is_empty() && function.scope == Scope::Function && !function.name.is_empty()
}

fn n_lines(symbol: &Symbol) -> u32 {
    symbol.span.end_line.saturating_sub(symbol.span.start_line)
}

/// The types that a definition is a member of.
fn owners<'s>(symbols: &'s [Symbol], symbol: u32) -> impl Iterator<Item = u32> + use<'s> {
    let first = symbols[symbol as usize].parent;
    std::iter::successors(first, |at| symbols[*at as usize].parent)
        .take_while(move |at| symbols[*at as usize].kind.has_members())
}

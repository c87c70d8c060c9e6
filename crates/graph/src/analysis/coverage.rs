//! Which definitions ran, as far as coverage reports, profiles and traces say.
//!
//! A function's own record decides; without one, its measured lines do. In languages that run
//! definitions (`def f():` runs when the file is loaded), only lines of the body count.

use std::collections::HashMap;

use whyrank_external::Budget;
use whyrank_external::coverage::{FileCoverage, FunctionHits, LineHits};
use whyrank_external::runs::Unit;
use whyrank_syntax::Symbol;

use crate::input::files::FileInput;
use crate::input::files::SymbolId;
use crate::languages::LanguageRules;
use crate::references::observed_calls::ObservedCall;
use crate::references::observed_calls::ObservedCalls;

/// What coverage reports say about a view's definitions.
#[derive(Clone, Debug, Default)]
pub struct ExecutionCoverage {
    /// Their paths, and what they count.
    reports: Vec<(String, Unit)>,
    runs: HashMap<SymbolId, Execution>,
    /// Who was seen to call whom.
    pub calls: ObservedCalls,
}

/// How often a definition ran, and the report that says so: the first in which it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Execution {
    /// How often; 0 for what was measured and never ran.
    pub hits: u64,
    report: u32,
}

impl ExecutionCoverage {
    /// Starts a report; files added next belong to it.
    pub fn report(&mut self, path: &str, unit: Unit) {
        self.reports.push((path.to_owned(), unit));
    }

    /// The number of the report at hand.
    pub(super) fn latest(&self) -> u32 {
        self.reports.len().saturating_sub(1) as u32
    }

    /// Takes in what the report at hand says about a file; a file may come again.
    ///
    /// O(records + symbols × measured lines of them), and within the budget: what it has no steps for
    /// was not measured.
    pub fn file(
        &mut self,
        files: &[FileInput<'_>],
        file: u32,
        coverage: &FileCoverage,
        budget: &mut Budget<'_>,
    ) {
        let Some(input) = files.get(file as usize) else {
            return;
        };
        let measured = Measured::new(input, coverage, budget);
        let symbols = input.symbols();
        let hits = (0..symbols.len()).map(|at| measured.hits(at, budget));
        let mut hits: Vec<Option<u64>> = hits.collect();
        // A type ran when one of its functions did. Members come after their owner.
        for at in (0..symbols.len()).rev() {
            let owner = symbols[at].parent.map(|owner| owner as usize);
            if let (Some(own), Some(owner)) = (hits[at], owner)
                && symbols[owner].kind.has_members()
            {
                hits[owner] = Some(hits[owner].unwrap_or(0).max(own));
            }
        }
        for (symbol, hits) in (0u32..).zip(hits) {
            if let Some(hits) = hits {
                self.add(SymbolId { file, symbol }, hits);
            }
        }
    }

    pub(super) fn add(&mut self, id: SymbolId, hits: u64) {
        let report = self.latest();
        let run = self.runs.entry(id).or_insert(Execution { hits: 0, report });
        match run.hits {
            0 => *run = Execution { hits, report },
            _ if run.report == report => run.hits = run.hits.saturating_add(hits),
            _ => {}
        }
    }

    /// Returns how often a definition ran; `None` for one that was not measured.
    pub fn of(&self, id: SymbolId) -> Option<Execution> {
        self.runs.get(&id).copied()
    }

    /// Returns the number of definitions that ran, and of those that were measured and never did.
    pub fn n_definitions(&self) -> (usize, usize) {
        let n_ran = self.runs.values().filter(|run| run.hits > 0).count();
        (n_ran, self.runs.len() - n_ran)
    }

    /// Returns the same in words: `ran 12 times in coverage/lcov.info`.
    pub fn words(&self, run: Execution) -> String {
        let (path, unit) = self.source(run.report);
        match run.hits {
            _ if path.is_empty() => String::new(),
            0 => format!("never ran in {path}"),
            hits => format!("{} {path}", ran(hits, unit)),
        }
    }

    /// Says in words that a call was seen: `ran 12 times in app.pstats`.
    pub fn call_words(&self, call: &ObservedCall) -> String {
        let (path, unit) = self.source(call.run);
        let through = if call.is_through_others {
            ", through other code"
        } else {
            ""
        };
        format!("{} {path}{through}", ran(call.n, unit))
    }

    fn source(&self, report: u32) -> (&str, Unit) {
        let source = self.reports.get(report as usize);
        source.map_or(("", Unit::Calls), |(path, unit)| (path, *unit))
    }
}

fn ran(n: u64, unit: Unit) -> String {
    match (n, unit) {
        (1, Unit::Calls) => "ran in".to_owned(),
        (n, Unit::Calls) => format!("ran {n} times in"),
        (1, Unit::Samples) => "ran in a sample of".to_owned(),
        (n, Unit::Samples) => format!("ran in {n} samples of"),
        (1, Unit::Spans) => "ran in a span of".to_owned(),
        (n, Unit::Spans) => format!("ran in {n} spans of"),
    }
}

/// A file with what is known of its lines.
struct Measured<'m> {
    symbols: &'m [Symbol],
    /// Measured lines by where they begin, each with the last line that it or one before it reaches.
    lines: Vec<(&'m LineHits, u32)>,
    /// The records of each function.
    records: HashMap<usize, u64>,
    /// Whether the head of a function runs only when the function does.
    heads_count: bool,
}

impl<'m> Measured<'m> {
    fn new(input: &FileInput<'m>, coverage: &'m FileCoverage, budget: &mut Budget<'_>) -> Self {
        let symbols = input.symbols();
        let mut records: HashMap<usize, u64> = HashMap::new();
        for record in &coverage.functions {
            if !budget.step(1 + symbols.len() as u64 / SYMBOLS_A_STEP) {
                // Of records that were not looked at one may say more of the same function.
                records.clear();
                break;
            }
            if let Some(symbol) = symbol_of(symbols, record) {
                let hits = records.entry(symbol).or_default();
                *hits = hits.saturating_add(record.hits);
            }
        }
        let mut lines: Vec<&LineHits> = coverage.lines.iter().collect();
        lines.sort_by_key(|line| line.first);
        let mut reach = 0;
        let lines = lines.into_iter().map(|line| {
            reach = reach.max(line.last);
            (line, reach)
        });
        let lines = lines.collect();
        let heads_count = LanguageRules::of(input.language).heads_are_code;
        Self {
            symbols,
            lines,
            records,
            heads_count,
        }
    }

    fn hits(&self, symbol: usize, budget: &mut Budget<'_>) -> Option<u64> {
        let definition = &self.symbols[symbol];
        if !definition.kind.is_callable() {
            return None;
        }
        self.records
            .get(&symbol)
            .copied()
            .or_else(|| self.line_hits(definition, budget))
    }

    /// The count of the first line of the body that ran.
    fn line_hits(&self, definition: &Symbol, budget: &mut Budget<'_>) -> Option<u64> {
        let first = definition.name_line + u32::from(!self.heads_count);
        let end = definition.span.end_line;
        let n_before_end = self.lines.partition_point(|(line, _)| line.first <= end);
        let lines = self.lines[..n_before_end].iter().rev();
        let mut best = None;
        for (line, _) in lines.take_while(|(_, reach)| *reach >= first) {
            if !budget.step(1) {
                // Of lines that were not looked at one may have run.
                return None;
            }
            if line.last >= first {
                let own = (line.hits == 0, line.first, line.hits);
                best = Some(best.map_or(own, |best: (bool, u32, u64)| best.min(own)));
            }
        }
        best.map(|(_, _, hits)| hits)
    }
}

/// The function that a record means: the innermost of its name around its line, or the one whose
/// head stands there.
fn symbol_of(symbols: &[Symbol], record: &FunctionHits) -> Option<usize> {
    let name = bare_name(&record.name);
    let callable = || {
        let all = symbols.iter().enumerate().rev();
        all.filter(|(_, symbol)| symbol.kind.is_callable())
    };
    let around =
        |symbol: &Symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&record.line);
    let heads =
        |symbol: &Symbol| (symbol.span.start_line..=symbol.name_line).contains(&record.line);
    let named = callable().find(|(_, symbol)| symbol.name == name && around(symbol));
    let found = named.or_else(|| callable().find(|(_, symbol)| heads(symbol)))?;
    Some(found.0)
}

/// The last part of a qualified name, without parameters: `mul` of `ns::Vec<T>::mul(int)`.
fn bare_name(name: &str) -> &str {
    let name = name.split('(').next().unwrap_or(name).trim_end();
    let is_part = |char: char| char.is_alphanumeric() || char == '_' || char == '$' || char == '#';
    name.rsplit(|char| !is_part(char)).next().unwrap_or(name)
}

/// Definitions that are looked at in a step.
pub(crate) const SYMBOLS_A_STEP: u64 = 16;

//! Who depends on a symbol, how one reaches another, what nothing needs.

use crate::Engine;
use crate::api::{
    DeadCodeRequest, DeadCodeResponse, DeadFinding, ImpactHit, ImpactRequest, ImpactResponse,
    SymbolLine, SymbolPlace,
};
use crate::error::{EngineError, Result};
use crate::graph_view::History;
use crate::live::LiveView;
use crate::symbols::{GraphFacts, MAX_NEAR, confidence_name, need, targets};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use whyrank_graph::{
    FileInput, Finding, KnownLinks, Sureness, Surroundings, SymbolId, SymbolRanks, SymbolTable,
    UseGraph, Uses, Verdict, can_be_dead, dead_code, impact, is_unused, symbol_rank,
};
use whyrank_syntax::{Symbol, SymbolKind};

const DEFAULT_DEPTH: u32 = 3;
/// Deeper than any chain that tells a reader something.
const MAX_DEPTH: u32 = 64;
/// A longer string names nothing.
const MAX_NAME_CHARS: usize = 80;

/// What is worked out once for a view.
pub(crate) struct KnownUses {
    pub(crate) table: Arc<SymbolTable>,
    uses: UseGraph,
    pub(crate) ranks: SymbolRanks,
    pub(crate) links: KnownLinks,
    pub(crate) history: OnceLock<History>,
}

impl LiveView {
    /// `inputs` must have references and imports, unless [`LiveView::has_uses`].
    fn known_uses(&self, inputs: &[FileInput<'_>]) -> &KnownUses {
        self.uses.get_or_init(|| {
            let table = self.table(inputs);
            self.kept_uses(&table).unwrap_or_else(|| {
                let imports = &self.index.view.graph.imports;
                KnownUses {
                    uses: UseGraph::new(inputs, imports, &table),
                    ranks: symbol_rank(inputs, imports, &table),
                    table,
                    links: KnownLinks::default(),
                    history: OnceLock::new(),
                }
            })
        })
    }

    /// The graph that indexing kept with the view, if it can be used.
    fn kept_uses(&self, table: &Arc<SymbolTable>) -> Option<KnownUses> {
        let kept = match self.reader.graph(&self.index.view) {
            Ok(Ok(kept)) => kept,
            Ok(Err(reason)) => {
                tracing::debug!(%reason, "symbol graph made in memory");
                return None;
            }
            Err(error) => {
                tracing::warn!(%error, "the kept symbol graph cannot be read");
                return None;
            }
        };
        Some(KnownUses {
            table: Arc::clone(table),
            uses: kept.uses,
            ranks: kept.ranks,
            links: KnownLinks::default(),
            history: OnceLock::new(),
        })
    }

    /// Says whether all uses are known, from the kept graph or from an earlier question. Definitions
    /// are all that [`Uses`] needs of the facts then.
    pub(crate) fn has_uses(&self) -> Result<bool> {
        if self.uses.get().is_some() {
            return Ok(true);
        }
        let facts = self.graph_facts(false)?;
        let table = self.table(&facts.inputs(self));
        Ok(match self.kept_uses(&table) {
            Some(kept) => {
                self.uses.get_or_init(|| kept);
                true
            }
            None => false,
        })
    }

    pub(crate) fn lines(&self, ids: &[SymbolId]) -> Vec<SymbolLine> {
        ids.iter().map(|id| self.symbol_line(*id)).collect()
    }
}

/// A view with its graph, for the length of a question.
pub(crate) struct Asked {
    pub(crate) view: Arc<LiveView>,
    facts: Arc<GraphFacts>,
}

impl Asked {
    pub(crate) fn with<T>(
        &self,
        answer: impl FnOnce(&KnownUses, &Uses<'_>) -> Result<T>,
    ) -> Result<T> {
        let inputs = self.facts.inputs(&self.view);
        let known = self.view.known_uses(&inputs);
        let imports = &self.view.index.view.graph.imports;
        answer(
            known,
            &Uses::new(&inputs, imports, &known.table, &known.uses),
        )
    }
}

impl Engine {
    pub(crate) fn ask_graph(&self, repo: &str, as_of: Option<&str>) -> Result<Asked> {
        let view = self.view_of(repo, as_of)?;
        let facts = view.graph_facts(true)?;
        Ok(Asked { view, facts })
    }

    /// For questions that need no more of the facts than definitions.
    pub(crate) fn ask_uses(&self, repo: &str, as_of: Option<&str>) -> Result<Asked> {
        let view = self.view_of(repo, as_of)?;
        let facts = view.graph_facts(!view.has_uses()?)?;
        Ok(Asked { view, facts })
    }

    /// The definitions that use a symbol, directly and through others.
    ///
    /// # Errors
    /// As [`Engine::refs`].
    pub fn impact(&self, request: &ImpactRequest) -> Result<ImpactResponse> {
        need(&request.symbol, "symbol")?;
        let asked = self.ask_uses(&request.repo, request.as_of.as_deref())?;
        let depth = match request.depth {
            0 => DEFAULT_DEPTH,
            depth => depth.min(MAX_DEPTH),
        };
        asked.with(|known, uses| {
            let (view, table) = (&asked.view, &known.table);
            let path = request.path.as_deref();
            let targets = targets(view, table, &request.symbol, path, request.line)?;
            let near = match targets.is_empty() {
                true => table.near(&request.symbol, MAX_NEAR),
                false => Vec::new(),
            };
            let callers = impact(uses, &targets, depth, &known.ranks);
            let mut callers: Vec<ImpactHit> = callers
                .into_iter()
                .map(|caller| ImpactHit {
                    caller: view.symbol_line(caller.symbol),
                    depth: caller.depth,
                    confidence: confidence_name(caller.confidence).to_owned(),
                    uses: view.symbol(caller.uses).qualified.clone(),
                    line: caller.line,
                    rank: f64::from(known.ranks.get(caller.symbol)),
                    test: view.is_test(caller.symbol.file),
                })
                .collect();
            callers.sort_by_key(|hit| hit.test);
            Ok(ImpactResponse {
                definitions: view.lines(&targets),
                callers,
                depth,
                near: view.lines(&near),
            })
        })
    }

    /// Definitions that nothing needs, or a verdict for each symbol asked about.
    ///
    /// # Errors
    /// As [`Engine::refs`]; `bad-argument` for a path without an indexed file below it.
    pub fn dead_code(&self, request: &DeadCodeRequest) -> Result<DeadCodeResponse> {
        let asked = self.ask_graph(&request.repo, request.as_of.as_deref())?;
        asked.with(|known, uses| match request.symbols.is_empty() {
            true => listing(&asked.view, uses, request),
            false => verdicts(&asked.view, known, uses, &request.symbols),
        })
    }
}

fn listing(
    view: &LiveView,
    uses: &Uses<'_>,
    request: &DeadCodeRequest,
) -> Result<DeadCodeResponse> {
    let files = &view.index.view.files;
    let below = request.path.trim_start_matches("./").trim_matches('/');
    let is_below = |file: u32| {
        let path = files[file as usize].path.as_str();
        below.is_empty() || path == below || path.starts_with(&format!("{below}/"))
    };
    let inside: Vec<u32> = (0..files.len() as u32)
        .filter(|file| is_below(*file))
        .collect();
    if inside.is_empty() && !below.is_empty() {
        return Err(EngineError::bad_argument(
            format!("no indexed file lies below `{below}`"),
            "give a folder or a file relative to the repository root",
        ));
    }
    let (quoted, hidden_calls) = read_texts(view)?;
    let around = Surroundings {
        is_test: &|file| view.is_test(file),
        quoted: &quoted,
        hidden_calls: &hidden_calls,
        with_tests: request.tests,
    };
    let wanted = |finding: &DeadFinding| {
        let is_one = |kind: &String| *kind == finding.verdict || *kind == finding.symbol.kind;
        request.kinds.is_empty() || request.kinds.iter().any(is_one)
    };
    let findings = dead_code(uses, &around).into_iter();
    let findings = findings.filter(|finding| is_below(finding.symbol.file));
    let findings: Vec<DeadFinding> = findings
        .map(|finding| dead_finding(view, finding))
        .filter(wanted)
        .collect();
    let checked = inside
        .iter()
        .filter(|file| request.tests || !view.is_test(**file));
    let n_checked: usize = checked
        .map(|file| {
            let symbols = &files[*file as usize].outline.symbols;
            symbols.iter().filter(|symbol| can_be_dead(symbol)).count()
        })
        .sum();
    Ok(DeadCodeResponse {
        findings,
        dead: None,
        n_checked: n_checked as u32,
        unknown: Vec::new(),
        near: Vec::new(),
    })
}

fn dead_finding(view: &LiveView, finding: Finding) -> DeadFinding {
    let verdict = match finding.verdict {
        Verdict::Dead => "dead",
        Verdict::TestOnly => "test-only",
        Verdict::PossiblyDynamic => "possibly-dynamic",
        Verdict::ExportedUnused => "exported-unused",
    };
    let confidence = match finding.sureness {
        Sureness::High => "high",
        Sureness::Medium => "medium",
        Sureness::Low => "low",
    };
    DeadFinding {
        symbol: view.symbol_line(finding.symbol),
        verdict: verdict.to_owned(),
        reason: finding.reason,
        confidence: confidence.to_owned(),
        dead: finding.verdict == Verdict::Dead,
    }
}

/// An answer for each symbol, in the order of the question.
fn verdicts(
    view: &LiveView,
    known: &KnownUses,
    uses: &Uses<'_>,
    places: &[SymbolPlace],
) -> Result<DeadCodeResponse> {
    let mut response = DeadCodeResponse {
        findings: Vec::new(),
        dead: None,
        n_checked: places.len() as u32,
        unknown: Vec::new(),
        near: Vec::new(),
    };
    for place in places {
        need(&place.symbol, "symbol")?;
        let path = place.path.as_deref();
        let targets = targets(view, &known.table, &place.symbol, path, place.line)?;
        let Some(first) = targets.first() else {
            if response.unknown.is_empty() {
                let near = known.table.near(&place.symbol, MAX_NEAR);
                response.near = view.lines(&near);
            }
            response.unknown.push(place.symbol.clone());
            continue;
        };
        response
            .findings
            .push(verdict(view, uses, *first, &targets)?);
    }
    if let ([_], [finding]) = (places, response.findings.as_slice()) {
        response.dead = Some(finding.dead);
    }
    Ok(response)
}

/// The strict question: does anything use it at all?
fn verdict(
    view: &LiveView,
    uses: &Uses<'_>,
    first: SymbolId,
    targets: &[SymbolId],
) -> Result<DeadFinding> {
    let is_hidden = || -> Result<bool> {
        let entry = &view.index.view.files[first.file as usize];
        let text = view.reader.text(entry.content_id)?;
        Ok(hidden_calls(first.file, &entry.outline.symbols, &text).contains(&first))
    };
    let dead = is_unused(uses, targets) && !is_hidden()?;
    let symbol = view.symbol_line(first);
    let hits = uses.settled(targets);
    let n_sure = hits
        .iter()
        .filter(|hit| confidence_name(hit.confidence) != "ambiguous")
        .count();
    let in_tests = hits.iter().all(|hit| view.is_test(hit.file));
    let (verdict, reason, confidence) = match (dead, symbol.exported) {
        (true, true) => (
            "exported-unused",
            "nothing in the checkout uses it; users of the package could".to_owned(),
            "medium",
        ),
        (true, false) => ("dead", "nothing in the checkout uses it".to_owned(), "high"),
        _ if hits.is_empty() => (
            "used",
            "maybe used: its file calls a function of its name".to_owned(),
            "low",
        ),
        _ if n_sure == 0 => (
            "used",
            format!(
                "maybe used: {} that could mean another definition",
                hits.len()
            ),
            "low",
        ),
        _ if in_tests => (
            "test-only",
            format!("only tests use it, {n_sure} times"),
            "high",
        ),
        _ => ("used", format!("{n_sure} uses"), "high"),
    };
    Ok(DeadFinding {
        symbol,
        verdict: verdict.to_owned(),
        reason,
        confidence: confidence.to_owned(),
        dead,
    })
}

/// What only the text tells: names in strings (handlers, attributes, routes), and calls that a local
/// name hides.
fn read_texts(view: &LiveView) -> Result<(HashSet<String>, HashSet<SymbolId>)> {
    let mut names = HashSet::new();
    let mut calls = HashSet::new();
    for (file, entry) in (0u32..).zip(&view.index.view.files) {
        if entry.outline.symbols.is_empty() {
            continue;
        }
        let text = view.reader.text(entry.content_id)?;
        text.lines().for_each(|line| add_quoted(line, &mut names));
        calls.extend(hidden_calls(file, &entry.outline.symbols, &text));
    }
    Ok((names, calls))
}

/// The functions of a file that it calls outside of them, as its text has it: `let rows = rows(x)`.
fn hidden_calls(file: u32, symbols: &[Symbol], text: &str) -> Vec<SymbolId> {
    let mut by_name: HashMap<&str, Vec<u32>> = HashMap::new();
    for (symbol, definition) in (0u32..).zip(symbols) {
        if definition.kind == SymbolKind::Function {
            by_name.entry(&definition.name).or_default().push(symbol);
        }
    }
    let mut called = Vec::new();
    for (text, line) in text.lines().zip(1u32..) {
        if by_name.is_empty() || text.trim_start().starts_with(['#', '/', '*']) {
            continue;
        }
        for name in called_names(text) {
            for symbol in by_name.get(name).into_iter().flatten() {
                let span = symbols[*symbol as usize].span;
                if !(span.start_line..=span.end_line).contains(&line) {
                    let symbol = *symbol;
                    called.push(SymbolId { file, symbol });
                }
            }
        }
    }
    called
}

/// The words of a line that an opening parenthesis follows, and that are no members or definitions.
fn called_names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
    text.match_indices('(').filter_map(move |(end, _)| {
        let start = text[..end]
            .char_indices()
            .rev()
            .take_while(|(_, char)| is_part(*char))
            .last()?
            .0;
        let before = text[..start].trim_end();
        let defines = ["fn", "def", "func", "function", "fun"]
            .iter()
            .any(|word| before.ends_with(word));
        (!before.ends_with('.') && !defines).then_some(&text[start..end])
    })
}

fn add_quoted(line: &str, names: &mut HashSet<String>) {
    let in_braces = line
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once(['}', ':']));
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    for (name, _) in in_braces.filter(|(name, _)| !name.is_empty() && name.chars().all(is_part)) {
        names.insert(name.to_owned());
    }
    for quote in ['"', '\'', '`'] {
        let inside = line.split(quote).skip(1).step_by(2);
        for text in inside.filter(|text| text.len() <= MAX_NAME_CHARS) {
            if text.is_empty() || text.contains(char::is_whitespace) {
                continue;
            }
            let parts = text.split(|char: char| !char.is_alphanumeric() && char != '_');
            // A path of an import is not a name.
            let is_path = text.starts_with(['.', '/']) || text.contains('/');
            names.extend(
                parts
                    .filter(|part| !part.is_empty() && !is_path)
                    .map(str::to_owned),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_a_local_hides_is_seen() {
        let names = |line: &str| called_names(line).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(names("let rows = rows(all(x));"), ["rows", "all"]);
        assert!(names("fn rows(x: u32) { x.rows() }").is_empty());
    }

    #[test]
    fn only_strings_that_are_names_count_as_quoted() {
        let names = |line: &str| {
            let mut names = HashSet::new();
            add_quoted(line, &mut names);
            let mut names: Vec<String> = names.into_iter().collect();
            names.sort();
            names
        };
        assert_eq!(names("getattr(self, \"on_start\")"), ["on_start"]);
        assert_eq!(names("route('users.index')"), ["index", "users"]);
        assert_eq!(names("  <style>{STYLE}</style>"), ["STYLE"]);
        assert!(names("raise Error(\"cannot start\")").is_empty());
        assert!(names("import { load } from './load';").is_empty());
    }
}

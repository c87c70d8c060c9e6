//! Which tests cover which definitions: those that changed, or those below a path.

use super::StructureSession;
use super::changes::Changes;
use super::numbering::Numbering;
use super::review::{beside, is_code, unread};
use super::risk::TEST_DEPTH;
use super::scope::Scope;
use crate::Engine;
use crate::api::{ReasonCount, TestMapRequest, TestMapResponse, TestPlace, TestedSymbol};
use crate::code::graph::GraphSession;
use crate::code::narrowing::MAX_NEAR;
use crate::code::selection::{SymbolSelector, targets};
use crate::code::symbols::line_of;
use crate::error::Result;
use crate::registry::Registered;
use crate::views::LiveView;
use std::collections::{BTreeMap, HashSet};
use whyrank_graph::{SymbolId, TestReach, TestUse, TestedBy, test_map, testable};
use whyrank_retrieval::FileRole;
use whyrank_syntax::{Symbol, structural_languages};
use whyrank_system::folders::is_benchmark;

/// Of so many definitions the open places are counted: each takes a question of its own.
const MAX_OPEN_COUNTED: usize = 50;
/// Tests listed of each definition of a folder; all are counted.
const N_LISTED: usize = 5;
/// Deeper than any chain that says that a test covers something.
const MAX_DEPTH: u32 = 32;

impl Engine {
    /// Tells which tests reach the definitions that changed since a revision, or that lie below a
    /// path, and which none reaches.
    ///
    /// # Errors
    /// `unknown-revision`; `bad-argument` for a path without an indexed file; those of opening the view.
    pub fn test_map(&self, request: &TestMapRequest) -> Result<TestMapResponse> {
        let repo = self.state.registry.get(&request.repo)?;
        let reference = match (&request.symbol, &request.reference, &request.path) {
            (Some(_), ..) => None,
            (None, Some(revision), _) => Some(revision.as_str()),
            (None, None, Some(_)) => None,
            (None, None, None) => Some("HEAD"),
        };
        match (reference, &request.as_of) {
            (None, as_of) => {
                let session = self.open_graph_with_facts(&request.repo, as_of.as_deref())?;
                session.with_structure(|structure| answer(structure, request))
            }
            (Some(reference), None) => self.tests_of_change(&repo, request, reference),
            (Some(reference), Some(as_of)) => {
                self.tests_of_change(&repo, request, &format!("{reference}...{as_of}"))
            }
        }
    }

    fn tests_of_change(
        &self,
        repo: &Registered,
        request: &TestMapRequest,
        reference: &str,
    ) -> Result<TestMapResponse> {
        let changes = Changes::of(repo, reference)?;
        let (session, without) = self.graph_beside(&request.repo, request.as_of.as_deref())?;
        let view = session.as_ref().map(|session| &*session.view);
        let scope = Scope::of(request.path.as_deref(), &changes, repo, view)?;
        let mut response = changed(&changes, &scope, view);
        response.depth = depth(request);
        response.without = without;
        if let Some(session) = &session {
            add_tests(session, &changes, &mut response)?;
        }
        Ok(response)
    }
}

/// The changed definitions, without their tests.
fn changed(changes: &Changes, scope: &Scope, view: Option<&LiveView>) -> TestMapResponse {
    let mut response = TestMapResponse {
        base: Some(changes.base.clone()),
        notes: changes.notes.clone(),
        ..TestMapResponse::default()
    };
    let there = changes.files.iter().filter(|file| file.is_there);
    for file in there.filter(|file| scope.has_file(file)) {
        let definitions = if is_code(file, view) {
            file.definitions()
        } else {
            std::collections::BTreeSet::new()
        };
        let list = if definitions.is_empty() {
            &mut response.unmapped
        } else {
            &mut response.changed
        };
        list.push(file.path.clone());
        let lines = definitions.into_iter();
        let lines = lines.map(|at| line_of(&file.path, &file.symbols()[at as usize]));
        response.unknown.extend(lines);
        response.unread.extend(unread(file));
    }
    response
}

/// Moves definitions that the graph knows to those whose tests are told.
fn add_tests(
    session: &GraphSession,
    changes: &Changes,
    response: &mut TestMapResponse,
) -> Result<()> {
    let numbers = Numbering::new(&session.view, changes, session.facts.inputs(&session.view));
    let places: BTreeMap<&str, usize> = changes
        .files
        .iter()
        .enumerate()
        .map(|(place, file)| (file.path.as_str(), place))
        .collect();
    let unknown = std::mem::take(&mut response.unknown);
    let mut found = Vec::new();
    for line in unknown {
        let place = places[line.path.as_str()];
        let is_it = |symbol: &Symbol| {
            symbol.span.start_line == line.start_line && symbol.qualified == line.qualified
        };
        let at = changes.files[place].symbols().iter().position(is_it);
        let id = at.and_then(|at| numbers.id(place, at as u32));
        match id.and_then(|id| numbers.of_graph(id)) {
            Some(graph) => found.push(graph),
            None => response.unknown.push(line),
        }
    }
    found.sort_unstable();
    found.dedup();
    response.without = beside(changes, &numbers);
    session.with_structure(|structure| {
        let reach = TestReach {
            depth: response.depth,
            nearest: false,
        };
        let mut symbols = mapped(structure, &found, reach, usize::MAX);
        // Where they lie is known of the files as they are.
        for (id, one) in found.iter().zip(&mut symbols) {
            if let Some(now) = numbers.of_now(*id) {
                one.symbol = line_of(numbers.path(now.file), numbers.symbol(now));
            }
        }
        sort(&mut symbols);
        response.symbols = symbols;
        response.n_test_files = n_test_files(structure.view);
        response.unfollowed = unfollowed(structure.view, &found);
        Ok(())
    })
}

fn depth(request: &TestMapRequest) -> u32 {
    match request.depth {
        0 => TEST_DEPTH,
        depth => depth.min(MAX_DEPTH),
    }
}

fn is_test(view: &LiveView, file: u32) -> bool {
    view.index.roles[file as usize] == FileRole::Test && !is_benchmark(view.path(file))
}

fn n_test_files(view: &LiveView) -> u32 {
    let files = 0..view.n_files();
    files.filter(|file| is_test(view, *file)).count() as u32
}

/// Definitions below a path, or those that a name means.
fn answer(
    structure: &StructureSession<'_, '_>,
    request: &TestMapRequest,
) -> Result<TestMapResponse> {
    let view = structure.view;
    let path = request.path.as_deref();
    let inside: HashSet<u32> = view.below(path.unwrap_or_default())?.into_iter().collect();
    let is_test = |file: u32| is_test(view, file);
    let mut near = Vec::new();
    let mut found = match request.symbol.as_deref() {
        Some(name) => {
            let named = targets(
                view,
                &structure.known.table,
                SymbolSelector {
                    symbol: name,
                    path,
                    line: None,
                },
            )?;
            if named.is_empty() {
                near = view.lines(&structure.known.table.near(name, MAX_NEAR));
            }
            with_members(structure, &named, &is_test)
        }
        None => testable(structure.uses, &is_test, &|file| {
            view.is_code(file) && inside.contains(&file)
        }),
    };
    found.sort_unstable();
    found.dedup();
    // A whole folder has too many ways to its tests.
    let is_folder = request.symbol.is_none();
    let reach = TestReach {
        depth: depth(request),
        nearest: is_folder,
    };
    let most = if is_folder { N_LISTED } else { usize::MAX };
    let mut symbols = mapped(structure, &found, reach, most);
    sort(&mut symbols);
    Ok(TestMapResponse {
        symbols,
        n_test_files: n_test_files(view),
        unfollowed: unfollowed(view, &found),
        depth: reach.depth,
        near,
        ..TestMapResponse::default()
    })
}

/// The tests of each definition, in their order, `most` of each.
fn mapped(
    structure: &StructureSession<'_, '_>,
    found: &[SymbolId],
    reach: TestReach,
    most: usize,
) -> Vec<TestedSymbol> {
    let is_test = |file: u32| is_test(structure.view, file);
    let tested = test_map(structure.uses, structure.links, &is_test, found, reach);
    let open = |one: &TestedBy| match one.tests.is_empty() && tested.len() <= MAX_OPEN_COUNTED {
        true => n_open(structure, one.symbol),
        false => 0,
    };
    let symbols = tested.iter().map(|one| TestedSymbol {
        n_open: open(one),
        ..symbol(structure, one, most)
    });
    symbols.collect()
}

/// Places in tests that may mean a definition, or another of its name.
fn n_open(structure: &StructureSession<'_, '_>, id: SymbolId) -> u32 {
    let (_, open) = structure.uses.settled_and_open(&[id]);
    let in_tests = open.iter().filter(|hit| is_test(structure.view, hit.file));
    in_tests.count() as u32
}

/// By risk, highest first; then those without a test.
fn sort(symbols: &mut [TestedSymbol]) {
    symbols.sort_by(|a, b| {
        let by_risk = b.risk.total_cmp(&a.risk).then(b.rank.total_cmp(&a.rank));
        let place = |one: &TestedSymbol| (one.symbol.path.clone(), one.symbol.name_line);
        let untested = a.tests.is_empty().cmp(&b.tests.is_empty()).reverse();
        by_risk.then(untested).then_with(|| place(a).cmp(&place(b)))
    });
}

/// Definitions that a name means, of a type the functions that belong to it.
fn with_members(
    structure: &StructureSession<'_, '_>,
    named: &[SymbolId],
    is_test: &dyn Fn(u32) -> bool,
) -> Vec<SymbolId> {
    let view = structure.view;
    let folder = |file: u32| {
        view.path(file)
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder)
    };
    let folders: HashSet<&str> = named.iter().map(|id| folder(id.file)).collect();
    let belongs = |id: &SymbolId| {
        let qualified = &view.symbol(*id).qualified;
        named.iter().any(|owner| {
            let rest = qualified.strip_prefix(view.symbol(*owner).qualified.as_str());
            let is_member = rest.is_some_and(|rest| rest.starts_with(['.', ':', '#', '\\']));
            *owner == *id || (is_member && folder(owner.file) == folder(id.file))
        })
    };
    let all = testable(structure.uses, is_test, &|file| {
        folders.contains(folder(file))
    });
    let members: Vec<SymbolId> = all.into_iter().filter(belongs).collect();
    if members.is_empty() {
        named.to_vec()
    } else {
        members
    }
}

/// Test files in languages that use the targets by running a program rather than by name.
fn unfollowed(view: &LiveView, targets: &[SymbolId]) -> Vec<ReasonCount> {
    let language = |file: u32| view.files[file as usize].language;
    let tested: HashSet<&str> = targets
        .iter()
        .map(|id| kin(language(id.file).name()))
        .collect();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for file in (0..view.n_files()).filter(|file| is_test(view, *file) && language(*file).is_code())
    {
        let name = language(file).name();
        let has_grammar = !structural_languages(name).is_empty();
        let is_followed = has_grammar && tested.contains(kin(name));
        if !tested.is_empty() && !is_followed {
            *counts.entry(name).or_default() += 1;
        }
    }
    let counts = counts.into_iter().map(|(name, count)| ReasonCount {
        reason: name.to_owned(),
        count,
    });
    let mut counts: Vec<ReasonCount> = counts.collect();
    counts.sort_by_key(|one| std::cmp::Reverse(one.count));
    counts
}

/// Languages whose code uses each other's by name go by one of them.
fn kin(language: &str) -> &str {
    match language {
        "tsx" | "javascript" | "vue" | "svelte" | "astro" => "typescript",
        "cpp" | "objc" | "cuda" => "c",
        "kotlin" | "scala" | "groovy" => "java",
        language => language,
    }
}

fn symbol(structure: &StructureSession<'_, '_>, tested: &TestedBy, most: usize) -> TestedSymbol {
    let view = structure.view;
    let rank = f64::from(structure.rank(tested.symbol));
    let nearest = tested.tests.first().map(|test| f64::from(test.depth));
    let untested = nearest.map_or(1.0, |depth| 1.0 - 1.0 / depth.max(1.0));
    let telling = telling(&tested.tests);
    let places = telling.iter().take(most);
    let places = places.map(|test| structure.test_place(test));
    TestedSymbol {
        symbol: view.symbol_line(tested.symbol),
        tests: places.collect(),
        n_tests: telling.len() as u32,
        n_open: 0,
        n_possible: (tested.tests.len() - telling.len()) as u32,
        rank,
        risk: rank * untested,
    }
}

/// The tests that reach it for sure; without one, the nearest that may.
///
/// Of tests that only a name or an override leads to, 4 in 100 fail when the definition is broken.
fn telling(tests: &[TestUse]) -> Vec<&TestUse> {
    let sure: Vec<&TestUse> = tests.iter().filter(|test| test.is_sure).collect();
    if !sure.is_empty() {
        return sure;
    }
    let nearest = tests.first().map(|test| test.depth);
    let near = tests.iter().filter(|test| Some(test.depth) == nearest);
    near.collect()
}

impl StructureSession<'_, '_> {
    pub(crate) fn test_place(&self, test: &TestUse) -> TestPlace {
        let view = self.view;
        TestPlace {
            path: view.path(test.file).to_owned(),
            name: test.symbol.map(|id| view.symbol(id).qualified.clone()),
            line: test
                .symbol
                .map_or(test.line, |id| view.symbol(id).name_line),
            depth: test.depth,
            sure: test.is_sure,
        }
    }
}

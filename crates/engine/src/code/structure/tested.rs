//! Which tests cover which definitions: those that changed, or those below a path.

use super::StructureSession;
use super::changes::{Changes, changes};
use crate::Engine;
use crate::api::{ReasonCount, TestMapRequest, TestMapResponse, TestPlace, TestedSymbol};
use crate::code::symbols::{MAX_NEAR, SymbolSelector, targets};
use crate::error::Result;
use crate::views::LiveView;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use whyrank_graph::{SymbolId, TestReach, TestUse, TestedBy, test_map, testable};
use whyrank_retrieval::FileRole;
use whyrank_source::LineChange;
use whyrank_syntax::{Symbol, SymbolKind, structural_languages};
use whyrank_system::folders::is_benchmark;

const DEFAULT_DEPTH: u32 = 4;
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
        let session = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        let revision = match (&request.symbol, &request.reference, &request.path) {
            (Some(_), ..) => None,
            (None, Some(revision), _) => Some(revision.as_str()),
            (None, None, Some(_)) => None,
            (None, None, None) => Some("HEAD"),
        };
        let changes = revision
            .map(|revision| changes(&session, &repo, revision, request.as_of.as_deref()))
            .transpose()?;
        session.with_structure(|structure| answer(structure, request, changes.as_ref()))
    }
}

fn answer(
    structure: &StructureSession<'_, '_>,
    request: &TestMapRequest,
    changes: Option<&Changes>,
) -> Result<TestMapResponse> {
    let view = structure.view;
    let inside: HashSet<u32> = view
        .below(request.path.as_deref().unwrap_or_default())?
        .into_iter()
        .collect();
    let is_test = |file: u32| {
        view.index.roles[file as usize] == FileRole::Test && !is_benchmark(view.path(file))
    };
    let counts = |file: u32| view.is_code(file) && inside.contains(&file);
    let symbol_asked = request.symbol.as_deref();
    let path = request.path.as_deref();
    let mut near = Vec::new();
    let mut found = match (symbol_asked, changes) {
        (Some(name), _) => {
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
        (None, None) => testable(structure.uses, &is_test, &counts),
        (None, Some(changes)) => changed_definitions(structure, changes, &counts),
    };
    found.sort_unstable();
    found.dedup();
    let depth = match request.depth {
        0 => DEFAULT_DEPTH,
        depth => depth.min(MAX_DEPTH),
    };
    // A whole folder has too many ways to its tests; what changed has few.
    let reach = TestReach {
        depth,
        nearest: changes.is_none() && symbol_asked.is_none(),
    };
    let tested = test_map(structure.uses, structure.links, &is_test, (&found, reach));
    let most = if changes.is_none() && symbol_asked.is_none() {
        N_LISTED
    } else {
        usize::MAX
    };
    let mut symbols: Vec<TestedSymbol> = tested
        .iter()
        .map(|one| symbol(structure, one, most))
        .collect();
    symbols.sort_by(|a, b| {
        let by_risk = b.risk.total_cmp(&a.risk).then(b.rank.total_cmp(&a.rank));
        let place = |one: &TestedSymbol| (one.symbol.path.clone(), one.symbol.name_line);
        let untested = a.tests.is_empty().cmp(&b.tests.is_empty()).reverse();
        by_risk.then(untested).then_with(|| place(a).cmp(&place(b)))
    });
    let with_targets: BTreeSet<u32> = found.iter().map(|id| id.file).collect();
    let all_changed = changes
        .iter()
        .flat_map(|changes| changes.lines.keys().copied());
    let (changed, unmapped) = all_changed
        .filter(|file| inside.contains(file))
        .partition::<Vec<u32>, _>(|file| with_targets.contains(file));
    let paths = |files: Vec<u32>| {
        files
            .into_iter()
            .map(|file| view.path(file).to_owned())
            .collect()
    };
    Ok(TestMapResponse {
        symbols,
        base: changes.map(|changes| changes.base.clone()),
        changed: paths(changed),
        unmapped: paths(unmapped),
        n_test_files: (0..view.n_files()).filter(|file| is_test(*file)).count() as u32,
        unfollowed: unfollowed(view, &found, &is_test),
        depth,
        near,
    })
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
fn unfollowed(
    view: &LiveView,
    targets: &[SymbolId],
    is_test: &dyn Fn(u32) -> bool,
) -> Vec<ReasonCount> {
    let language = |file: u32| view.files[file as usize].language;
    let tested: HashSet<&str> = targets
        .iter()
        .map(|id| kin(language(id.file).name()))
        .collect();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for file in (0..view.n_files()).filter(|file| is_test(*file) && language(*file).is_code()) {
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
        "tsx" | "javascript" | "vue" | "svelte" => "typescript",
        "cpp" | "objc" | "cuda" => "c",
        "kotlin" | "scala" | "groovy" => "java",
        language => language,
    }
}

/// The innermost definitions that changed lines lie in; of a type its members rather than itself.
pub(super) fn changed_definitions(
    structure: &StructureSession<'_, '_>,
    changes: &Changes,
    counts: &dyn Fn(u32) -> bool,
) -> Vec<SymbolId> {
    let mut found = Vec::new();
    let of_code = changes.lines.iter().filter(|(file, _)| counts(**file));
    for (file, changed) in of_code {
        let symbols = &structure.view.files[*file as usize].outline().symbols;
        let mut innermost: HashMap<u32, Option<u32>> = HashMap::new();
        for line in changed.iter().flat_map(lines_of) {
            let at = *innermost
                .entry(line)
                .or_insert_with(|| innermost_at(symbols, line));
            found.extend(at.map(|symbol| SymbolId {
                file: *file,
                symbol,
            }));
        }
    }
    found
}

/// The lines of the new text that a change touches; around a gap, both neighbours.
fn lines_of(change: &LineChange) -> impl Iterator<Item = u32> + use<> {
    match change.n_lines {
        0 => change.start..=change.start + 1,
        n => change.start..=change.start + n - 1,
    }
}

fn innermost_at(symbols: &[Symbol], line: u32) -> Option<u32> {
    let holds = |symbol: &Symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&line);
    let around = (0u32..).zip(symbols).filter(|(_, symbol)| holds(symbol));
    let mut at = around.map(|(symbol, _)| symbol).last();
    // A field is covered with its type, a local name with its function.
    while let Some(symbol) = at.map(|at| &symbols[at as usize]) {
        let stands = match symbol.kind {
            SymbolKind::Field
            | SymbolKind::EnumMember
            | SymbolKind::Property
            | SymbolKind::Impl
            | SymbolKind::Module
            | SymbolKind::Namespace
            | SymbolKind::Section => false,
            SymbolKind::Variable | SymbolKind::Constant => symbol.parent.is_none(),
            _ => true,
        };
        if stands {
            break;
        }
        at = symbol.parent;
    }
    at
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

//! Which tests reach which definitions, by the uses that lead from tests to them.

use std::collections::VecDeque;

use whyrank_syntax::SymbolKind;

use super::settled::SettledUses;
use crate::{
    analysis::roots::Roots,
    input::{files::SymbolId, test_code::in_test_module},
    references::reference_query::ReferenceQuery,
};

/// A test that reaches a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestUse {
    /// Steps from the test to the definition; 1 where the test uses it itself.
    pub depth: u32,
    /// The test's file.
    pub file: u32,
    /// The test's definition; none where it is code that runs when the file is loaded.
    pub symbol: Option<SymbolId>,
    /// Line of the use that begins the way.
    pub line: u32,
    /// Whether every use on the way is settled by scope, import or type.
    pub is_sure: bool,
}

/// A definition and the tests that reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestedBy {
    /// The definition.
    pub symbol: SymbolId,
    /// Nearest first, then by file and line; each test once.
    pub tests: Vec<TestUse>,
}

/// How far to look for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestReach {
    /// Uses from a test at most.
    pub depth: u32,
    /// Stop with the nearest tests of each definition.
    pub nearest: bool,
}

/// Finds the tests that reach each target.
///
/// `is_test` tells test files; a module `tests` in other files is one too. A constructor is reached by
/// who uses its type, a type by who uses its members, an override by who uses what it overrides (then
/// unsure), and what a framework calls by convention by who uses its owner. Steps within test code, from
/// a test to its helper, are free. O(uses of the view, and for each target the
/// ways that lead to a test in time).
pub fn test_map(
    uses: &ReferenceQuery<'_>,
    links: &SettledUses,
    is_test: &dyn Fn(u32) -> bool,
    targets: &[SymbolId],
    reach: TestReach,
) -> Vec<TestedBy> {
    let nodes = Nodes::new(uses, is_test);
    let before = nodes.before(uses, links);
    let mut walk = TestWalk {
        to_test: to_tests(&nodes, &before),
        before,
        seen: vec![u32::MAX; nodes.places.len()],
        nodes,
        reach,
    };
    let found = (0u32..).zip(targets).map(|(round, target)| TestedBy {
        symbol: *target,
        tests: walk.tests_of(round, *target),
    });
    found.collect()
}

/// Definitions and the outermost code of files, numbered: definitions by file, then files.
struct Nodes {
    first: Vec<u32>,
    places: Vec<(u32, Option<SymbolId>)>,
    in_test: Vec<bool>,
}

/// A step back: to who uses, or runs without naming.
#[derive(Clone, Copy)]
struct Step {
    to: u32,
    line: u32,
    /// A use; otherwise the two are run together.
    is_use: bool,
    is_sure: bool,
    /// Only from the target itself: a type is covered with its members.
    only_first: bool,
}

impl Nodes {
    fn new(uses: &ReferenceQuery<'_>, is_test: &dyn Fn(u32) -> bool) -> Self {
        let mut nodes = Self {
            first: Vec::new(),
            places: Vec::new(),
            in_test: Vec::new(),
        };
        for (file, input) in (0u32..).zip(uses.resolver.files) {
            nodes.first.push(nodes.places.len() as u32);
            for symbol in 0..input.symbols().len() as u32 {
                let id = SymbolId { file, symbol };
                nodes.places.push((file, Some(id)));
                nodes.in_test.push(is_test_definition(uses, is_test, id));
            }
        }
        for file in 0..uses.resolver.files.len() as u32 {
            nodes.places.push((file, None));
            nodes.in_test.push(is_test(file));
        }
        nodes
    }

    fn of(&self, id: SymbolId) -> u32 {
        self.first[id.file as usize] + id.symbol
    }

    fn of_file(&self, file: u32) -> u32 {
        (self.places.len() - self.first.len()) as u32 + file
    }

    /// The steps back from each node.
    fn before(&self, uses: &ReferenceQuery<'_>, links: &SettledUses) -> Vec<Vec<Step>> {
        let mut before: Vec<Vec<Step>> = vec![Vec::new(); self.places.len()];
        for link in links.all() {
            let from = link
                .from
                .map_or_else(|| self.of_file(link.file), |id| self.of(id));
            before[self.of(link.to) as usize].push(Step {
                to: from,
                line: link.line,
                is_use: true,
                is_sure: link.confidence.is_certain(),
                only_first: false,
            });
        }
        let roots = Roots::default();
        let mut beside = |of: SymbolId, to: SymbolId, is_sure, only_first| {
            before[self.of(of) as usize].push(Step {
                to: self.of(to),
                line: 0,
                is_use: false,
                is_sure,
                only_first,
            });
        };
        for id in uses.definitions() {
            let Some(owner) = uses.resolver.parent(id) else {
                continue;
            };
            if uses.resolver.symbol(owner).kind.has_members() {
                beside(owner, id, true, true);
            }
            let is_constructor = is_constructor(uses, id);
            let comes = uses.resolver.symbol(id).kind.is_member()
                && (is_constructor || roots.comes_with_owner(uses, id, owner));
            let is_inner = is_function(uses.resolver.symbol(owner).kind);
            if (comes || is_inner) && !self.in_test[self.of(id) as usize] {
                beside(id, owner, is_constructor, false);
            }
        }
        for member in uses
            .definitions()
            .filter(|id| is_function(uses.resolver.symbol(*id).kind))
        {
            for other in uses.overridden(&[member]) {
                beside(member, other.symbol, false, false);
            }
        }
        before
    }
}

/// What lies in a function runs with it, if it runs.
fn is_function(kind: SymbolKind) -> bool {
    kind.is_callable()
}

fn is_constructor(uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
    let symbol = uses.resolver.symbol(id);
    symbol.kind == SymbolKind::Constructor
        || matches!(
            symbol.name.as_str(),
            "__init__" | "constructor" | "__construct" | "initialize"
        )
}

/// No way.
const NONE: u32 = u32::MAX;

/// How many uses lead from the nearest test to each node: breadth first from all tests at once.
fn to_tests(nodes: &Nodes, before: &[Vec<Step>]) -> Vec<u32> {
    let mut after: Vec<Vec<(u32, u32)>> = vec![Vec::new(); before.len()];
    for (at, steps) in (0u32..).zip(before) {
        for step in steps.iter().filter(|step| !step.only_first) {
            let is_free = !step.is_use || nodes.in_test[at as usize];
            after[step.to as usize].push((at, u32::from(!is_free)));
        }
    }
    let mut found = vec![NONE; before.len()];
    let tests = (0..before.len()).filter(|at| nodes.in_test[*at] && is_unused(&before[*at]));
    let mut open: VecDeque<(u32, u32)> = tests.map(|at| (at as u32, 0)).collect();
    while let Some((at, depth)) = open.pop_front() {
        if found[at as usize] != NONE {
            continue;
        }
        found[at as usize] = depth;
        for (next, cost) in &after[at as usize] {
            match cost {
                0 => open.push_front((*next, depth)),
                _ => open.push_back((*next, depth + 1)),
            }
        }
    }
    found
}

/// Says whether nothing leads on to a use: a type is no helper for having members.
fn is_unused(before: &[Step]) -> bool {
    before.iter().all(|step| step.only_first)
}

struct TestWalk {
    nodes: Nodes,
    before: Vec<Vec<Step>>,
    /// Uses from the nearest test to each node.
    to_test: Vec<u32>,
    /// The round in which each node was last visited.
    seen: Vec<u32>,
    reach: TestReach,
}

/// A node on the way back from a target.
#[derive(Clone, Copy)]
struct Open {
    node: u32,
    depth: u32,
    is_sure: bool,
    line: u32,
}

impl TestWalk {
    fn tests_of(&mut self, round: u32, target: SymbolId) -> Vec<TestUse> {
        let mut tests: Vec<TestUse> = Vec::new();
        let start = Open {
            node: self.nodes.of(target),
            depth: 0,
            is_sure: true,
            line: 0,
        };
        let nearest = self.steps(start).map(|next| self.least(next)).min();
        let limit = if self.reach.nearest {
            self.reach.depth.min(nearest.unwrap_or(NONE))
        } else {
            self.reach.depth
        };
        let mut open = VecDeque::from([start]);
        while let Some(at) = open.pop_front() {
            if std::mem::replace(&mut self.seen[at.node as usize], round) == round {
                continue;
            }
            // A helper leads on to the tests that use it; what nothing uses is a test.
            if self.nodes.in_test[at.node as usize] && is_unused(&self.before[at.node as usize]) {
                tests.push(self.test(at));
                continue;
            }
            for next in self.steps(at).filter(|next| self.least(*next) <= limit) {
                if next.depth == at.depth {
                    open.push_front(next);
                } else {
                    open.push_back(next);
                }
            }
        }
        tests.sort_by_key(|test| (test.depth, !test.is_sure, test.file, test.line));
        tests
    }

    /// The nodes one step back.
    fn steps(&self, at: Open) -> impl Iterator<Item = Open> + '_ {
        let in_test = self.nodes.in_test[at.node as usize];
        let before = self.before[at.node as usize].iter();
        let is_first = at.depth == 0 && at.line == 0;
        let steps = before.filter(move |step| !step.only_first || is_first);
        steps.map(move |step| Open {
            node: step.to,
            depth: at.depth + u32::from(step.is_use && !in_test),
            is_sure: at.is_sure && (step.is_sure || in_test),
            line: if step.is_use { step.line } else { at.line },
        })
    }

    /// The uses of the shortest way to a test over this node.
    fn least(&self, at: Open) -> u32 {
        at.depth.saturating_add(self.to_test[at.node as usize])
    }

    fn test(&self, at: Open) -> TestUse {
        let (file, symbol) = self.nodes.places[at.node as usize];
        TestUse {
            depth: at.depth,
            file,
            symbol,
            line: at.line,
            is_sure: at.is_sure,
        }
    }
}

/// Says whether a definition is part of a test: its file is, or a module `tests` around it.
fn is_test_definition(
    uses: &ReferenceQuery<'_>,
    is_test: &dyn Fn(u32) -> bool,
    id: SymbolId,
) -> bool {
    let symbols = uses.resolver.files[id.file as usize].symbols();
    is_test(id.file) || in_test_module(symbols, id.symbol)
}

/// Returns the definitions that tests can cover: functions and methods outside of tests that
/// `counts` lets take part, by file and position.
pub fn testable(
    uses: &ReferenceQuery<'_>,
    is_test: &dyn Fn(u32) -> bool,
    counts: &dyn Fn(u32) -> bool,
) -> Vec<SymbolId> {
    let has_code = |id: &SymbolId| {
        let parent = uses.resolver.parent(*id);
        let is_promise = parent.is_some_and(|parent| {
            let kind = uses.resolver.symbol(parent).kind;
            matches!(kind, SymbolKind::Interface | SymbolKind::Trait)
        });
        !is_promise
            && matches!(
                uses.resolver.symbol(*id).kind,
                SymbolKind::Function
                    | SymbolKind::Method
                    | SymbolKind::Constructor
                    | SymbolKind::Macro
            )
    };
    let all = uses.definitions();
    let is_tested = |id: &SymbolId| uses.resolver.rules(id.file).names_are_known;
    all.filter(|id| {
        is_tested(id) && counts(id.file) && has_code(id) && !is_test_definition(uses, is_test, *id)
    })
    .collect()
}

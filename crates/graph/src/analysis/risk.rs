//! What a change of a definition puts at risk.

use std::collections::HashSet;

use crate::references::{
    find_references::Confidence,
    neighbours::{EdgeKind, Neighbours, Node},
};

/// Steps that a test may lie away.
const N_STEPS: u32 = 3;
/// Nodes looked at for the tests of one.
const MAX_VISITED: usize = 120;
/// This many dependents are half of all the reach there is.
const HALF_REACH: f64 = 8.0;
/// Tests that are named.
const MAX_SHOWN: usize = 5;
/// Tests beyond this make it no safer.
const MAX_TESTS: u32 = 8;
/// Changes beyond this make it no riskier.
const MAX_CHANGES: u32 = 20;

/// Evidence for and against changing a definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exposure {
    /// PageRank, 1 for the highest.
    pub rank: f64,
    /// Definitions outside of tests that use it.
    pub n_dependents: u32,
    /// Files that these lie in.
    pub n_files: u32,
    /// Tests that reach it in three steps.
    pub n_tests: u32,
    /// The first of them, nearest first.
    pub tests: Vec<Node>,
    /// Commits that changed its file, of those looked at.
    pub changes: Option<u32>,
}

impl Exposure {
    /// Returns the exposure of a node, as far as its links tell.
    pub fn of(links: &Neighbours<'_, '_>, node: Node, rank: f64) -> Self {
        let users = links.incoming(node);
        let dependents: HashSet<Node> = users
            .iter()
            .filter(|link| link.kind != EdgeKind::Test && link.node != node)
            .map(|link| link.node)
            .collect();
        let files: HashSet<u32> = dependents.iter().map(|node| node.file()).collect();
        let mut tests = tests_reaching(links, node);
        let n_tests = tests.len() as u32;
        tests.truncate(MAX_SHOWN);
        Self {
            rank,
            n_dependents: dependents.len() as u32,
            n_files: files.len() as u32,
            n_tests,
            tests,
            changes: None,
        }
    }

    /// Returns a figure from 0 to 1: `sqrt(sqrt(rank) * reach) * untested`, a quarter less for what seldom changes
    /// where that is known. `reach` = n / (n + 8) of the dependents, `untested` = 1 / (1 + tests / 2).
    pub fn risk(&self) -> f64 {
        let n = f64::from(self.n_dependents);
        let reach = n / (n + HALF_REACH);
        let untested = 1.0 / (1.0 + f64::from(self.n_tests.min(MAX_TESTS)) / 2.0);
        let churn = self.changes.map_or(1.0, |n| {
            0.75 + 0.25 * f64::from(n.min(MAX_CHANGES)) / f64::from(MAX_CHANGES)
        });
        let risk = (self.rank.max(0.0).sqrt() * reach).sqrt() * untested * churn;
        (risk.min(1.0) * 1000.0).round() / 1000.0
    }

    /// Returns the figures in words.
    pub fn reason(&self) -> String {
        let many = |n: u32, one: &str| match n {
            1 => format!("1 {one}"),
            n => format!("{n} {one}s"),
        };
        let dependents = match self.n_dependents {
            0 => "nothing depends on it".to_owned(),
            n => format!("{} in {}", many(n, "dependent"), many(self.n_files, "file")),
        };
        let tests = match self.n_tests {
            0 => "no test is known to reach it".to_owned(),
            1 => "1 test reaches it".to_owned(),
            n => format!("{n} tests reach it"),
        };
        let changes = self.changes.map(|n| match n {
            0 => ", not changed lately".to_owned(),
            1 => ", changed once lately".to_owned(),
            n => format!(", changed {n} times lately"),
        });
        let rank = format!("rank {:.2}", self.rank);
        format!(
            "{dependents}, {rank}, {tests}{}",
            changes.unwrap_or_default()
        )
    }
}

/// Tests that reach a node in three steps, breadth first; a bounded number of nodes is looked at,
/// and uses that may mean another definition do not count.
fn tests_reaching(links: &Neighbours<'_, '_>, node: Node) -> Vec<Node> {
    let mut tests = Vec::new();
    let mut seen: HashSet<Node> = HashSet::from([node]);
    let mut level = if links.is_test(node) {
        Vec::new()
    } else {
        vec![node]
    };
    let mut n_visited = 0;
    for _ in 0..N_STEPS {
        let mut next = Vec::new();
        for node in level {
            n_visited += 1;
            if n_visited > MAX_VISITED {
                return tests;
            }
            for link in links.incoming(node).iter() {
                let is_guess = link.confidence == Confidence::Ambiguous;
                if is_guess || !seen.insert(link.node) {
                    continue;
                }
                match (link.kind, link.node) {
                    (EdgeKind::Test, test) => tests.push(test),
                    // What imports a file reaches it; who imports that is another matter.
                    (_, Node::File(_)) => {}
                    (_, user) => next.push(user),
                }
            }
        }
        level = next;
    }
    tests
}

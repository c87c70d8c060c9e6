//! Import cycles: one shortest way round for each knot of files, and the import to cut.

use std::collections::{BTreeMap, HashMap, VecDeque};

use petgraph::{algo::tarjan_scc, graph::DiGraph};

/// In a larger knot only the imports that most shortest ways run over are tried as the cut.
const MAX_TRIED: usize = 64;

/// A file that imports another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CycleEdge {
    /// The importing file.
    pub from: u32,
    /// The imported one.
    pub to: u32,
    /// Line of the import.
    pub line: u32,
}

/// Files that all reach each other by imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportCycle {
    /// All of them, by index.
    pub files: Vec<u32>,
    /// A shortest way round, from its smallest file.
    pub shortest: Vec<CycleEdge>,
    /// The import without which the fewest files are left in cycles.
    pub cut: CycleEdge,
    /// Files that are still in cycles then.
    pub n_left: u32,
}

/// Finds the knots among the imports, largest first; parallel imports count once, at their first line.
///
/// O(files × imports) within a knot.
pub fn import_cycles(edges: &[CycleEdge]) -> Vec<ImportCycle> {
    let mut lines: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| edge.from != edge.to) {
        let line = lines.entry((edge.from, edge.to)).or_insert(edge.line);
        *line = edge.line.min(*line);
    }
    let mut cycles: Vec<ImportCycle> = knots(lines.keys().copied())
        .into_iter()
        .map(|files| cycle(files, &lines))
        .collect();
    cycles.sort_by(|a, b| (b.files.len(), &a.files).cmp(&(a.files.len(), &b.files)));
    cycles
}

/// Strongly connected components of two files and more, each sorted.
fn knots(edges: impl Iterator<Item = (u32, u32)>) -> Vec<Vec<u32>> {
    let graph = DiGraph::<(), ()>::from_edges(edges);
    let found = tarjan_scc(&graph).into_iter().filter(|knot| knot.len() > 1);
    found
        .map(|knot| {
            let mut files: Vec<u32> = knot.iter().map(|node| node.index() as u32).collect();
            files.sort_unstable();
            files
        })
        .collect()
}

fn cycle(files: Vec<u32>, lines: &BTreeMap<(u32, u32), u32>) -> ImportCycle {
    let mut next: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut inner: Vec<(u32, u32)> = Vec::new();
    for from in &files {
        for ((_, to), _) in lines.range((*from, 0)..=(*from, u32::MAX)) {
            if files.binary_search(to).is_ok() {
                next.entry(*from).or_default().push(*to);
                inner.push((*from, *to));
            }
        }
    }
    let ways: Vec<Vec<u32>> = files.iter().map(|file| way_round(*file, &next)).collect();
    let shortest = ways.iter().min_by_key(|way| way.len());
    let edge = |(from, to): (u32, u32)| CycleEdge {
        from,
        to,
        line: lines[&(from, to)],
    };
    let (cut, n_left) = best_cut(&inner, &ways);
    ImportCycle {
        shortest: shortest
            .into_iter()
            .flat_map(|way| steps(way))
            .map(edge)
            .collect(),
        cut: edge(cut),
        n_left,
        files,
    }
}

/// A shortest way from a file back to it, without the end.
fn way_round(start: u32, next: &HashMap<u32, Vec<u32>>) -> Vec<u32> {
    let mut before: HashMap<u32, u32> = HashMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(file) = open.pop_front() {
        for to in next.get(&file).into_iter().flatten() {
            if *to == start {
                let back = std::iter::successors(Some(file), |at| before.get(at).copied());
                let mut way: Vec<u32> = back.collect();
                way.reverse();
                return way;
            }
            before.entry(*to).or_insert_with(|| {
                open.push_back(*to);
                file
            });
        }
    }
    vec![start]
}

fn steps(way: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    let ends = way.iter().skip(1).chain(way.first());
    way.iter().copied().zip(ends.copied())
}

/// The edge without which the fewest files stay in cycles; of equals the one most ways run over.
fn best_cut(inner: &[(u32, u32)], ways: &[Vec<u32>]) -> ((u32, u32), u32) {
    let mut n_ways: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for step in ways.iter().flat_map(|way| steps(way)) {
        *n_ways.entry(step).or_default() += 1;
    }
    let mut tried: Vec<((u32, u32), u32)> = n_ways.into_iter().collect();
    tried.sort_by_key(|(step, n)| (std::cmp::Reverse(*n), *step));
    tried.truncate(MAX_TRIED);
    let left = |cut: (u32, u32)| -> u32 {
        let rest = inner.iter().copied().filter(|edge| *edge != cut);
        knots(rest).iter().map(|knot| knot.len() as u32).sum()
    };
    let best = tried.iter().map(|(step, _)| (*step, left(*step)));
    best.min_by_key(|(_, n_left)| *n_left).unwrap_or_default()
}

//! Folders in the order in which they depend on each other, and what runs against that order.

use std::collections::BTreeMap;

use petgraph::{algo::tarjan_scc, graph::DiGraph};

use super::file_graph::FileEdge;

/// Above this many folders in one knot the order is not improved by moving single ones.
const MAX_MOVED: usize = 400;

/// A folder that depends on another which otherwise depends on it.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerBreak {
    /// The folder that the order has below.
    pub from: u32,
    /// The folder above.
    pub to: u32,
    /// Pairs of files that run against the order.
    pub edges: Vec<FileEdge>,
    /// Pairs of files that run along it, between the same two folders.
    pub n_along: u32,
}

/// Finds the edges between folders that run against the main direction.
///
/// `folder_of` gives each file's folder as a number. Only folders that reach each other can be out of
/// order. Among them an order is sought that few file pairs run against: greedily (Eades, Lin, Smyth
/// 1993), then by moving single folders while that helps. Fewest pairs first: they are cheapest to fix.
pub fn layer_breaks(edges: &[FileEdge], folder_of: &dyn Fn(u32) -> u32) -> Vec<LayerBreak> {
    let mut flows: BTreeMap<(u32, u32), Vec<FileEdge>> = BTreeMap::new();
    for edge in edges {
        let ends = (folder_of(edge.from), folder_of(edge.to));
        if ends.0 != ends.1 {
            flows.entry(ends).or_default().push(*edge);
        }
    }
    let graph = DiGraph::<(), ()>::from_edges(flows.keys().copied());
    let mut found: Vec<LayerBreak> = Vec::new();
    for knot in tarjan_scc(&graph).iter().filter(|knot| knot.len() > 1) {
        let mut folders: Vec<u32> = knot.iter().map(|node| node.index() as u32).collect();
        folders.sort_unstable();
        found.extend(breaks_of(&folders, &flows));
    }
    found.sort_by(|a, b| {
        let key = |found: &LayerBreak| {
            let n_against = found.edges.len() as f64;
            (n_against / f64::from(found.n_along.max(1)), n_against)
        };
        let (a_key, b_key) = (key(a), key(b));
        let by_cost = a_key
            .0
            .total_cmp(&b_key.0)
            .then(a_key.1.total_cmp(&b_key.1));
        by_cost.then((a.from, a.to).cmp(&(b.from, b.to)))
    });
    found
}

fn breaks_of(folders: &[u32], flows: &BTreeMap<(u32, u32), Vec<FileEdge>>) -> Vec<LayerBreak> {
    let at = |folder: &u32| folders.binary_search(folder).ok();
    let mut flow = Flow::new(folders.len());
    let mut inner = Vec::new();
    for ((from, to), edges) in flows {
        if let (Some(a), Some(b)) = (at(from), at(to)) {
            flow.add(a, b, edges.len() as i64);
            inner.push((a, b, edges));
        }
    }
    let places = flow.places();
    let against = inner
        .into_iter()
        .filter(|(a, b, _)| places[*a] > places[*b]);
    against
        .map(|(a, b, edges)| LayerBreak {
            from: folders[a],
            to: folders[b],
            edges: edges.clone(),
            n_along: flow.weight(b, a) as u32,
        })
        .collect()
}

/// How many file pairs lead from each folder of a knot to each other one.
struct Flow {
    next: Vec<BTreeMap<usize, i64>>,
    before: Vec<BTreeMap<usize, i64>>,
}

impl Flow {
    fn new(n_folders: usize) -> Self {
        Self {
            next: vec![BTreeMap::new(); n_folders],
            before: vec![BTreeMap::new(); n_folders],
        }
    }

    fn add(&mut self, from: usize, to: usize, weight: i64) {
        self.next[from].insert(to, weight);
        self.before[to].insert(from, weight);
    }

    fn weight(&self, from: usize, to: usize) -> i64 {
        self.next[from].get(&to).copied().unwrap_or(0)
    }

    /// The place of each folder in the order; what depends on others comes first.
    fn places(&self) -> Vec<usize> {
        let mut order = self.greedy();
        if order.len() <= MAX_MOVED {
            self.improve(&mut order);
        }
        let mut places = vec![0; order.len()];
        for (place, folder) in order.iter().enumerate() {
            places[*folder] = place;
        }
        places
    }

    fn greedy(&self) -> Vec<usize> {
        let mut left: Vec<usize> = (0..self.next.len()).collect();
        let mut is_left = vec![true; left.len()];
        let sum = |edges: &BTreeMap<usize, i64>, is_left: &[bool]| -> i64 {
            let open = edges.iter().filter(|(other, _)| is_left[**other]);
            open.map(|(_, weight)| weight).sum()
        };
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        while !left.is_empty() {
            let sink = left
                .iter()
                .position(|at| sum(&self.next[*at], &is_left) == 0);
            let source = left
                .iter()
                .position(|at| sum(&self.before[*at], &is_left) == 0);
            let lead =
                |at: &usize| sum(&self.next[*at], &is_left) - sum(&self.before[*at], &is_left);
            let widest =
                (0..left.len()).max_by_key(|place| (lead(&left[*place]), usize::MAX - place));
            let Some(place) = sink.or(source).or(widest) else {
                break;
            };
            let folder = left.remove(place);
            is_left[folder] = false;
            if sink.is_some() {
                tail.push(folder);
            } else {
                head.push(folder);
            }
        }
        head.extend(tail.into_iter().rev());
        head
    }

    /// Moves each folder to where it breaks least, as long as that helps.
    fn improve(&self, order: &mut Vec<usize>) {
        for _ in 0..8 {
            let mut has_moved = false;
            for folder in 0..self.next.len() {
                has_moved |= self.move_one(folder, order);
            }
            if !has_moved {
                return;
            }
        }
    }

    fn move_one(&self, folder: usize, order: &mut Vec<usize>) -> bool {
        let Some(place) = order.iter().position(|at| *at == folder) else {
            return false;
        };
        order.remove(place);
        // At the front, all that leads to it runs against the order.
        let mut cost: i64 = self.before[folder].values().sum();
        let (mut best, mut here) = ((i64::MAX, 0), 0);
        for to in 0..=order.len() {
            if to == place {
                here = cost;
            }
            best = best.min((cost, to));
            if let Some(passed) = order.get(to) {
                cost += self.weight(folder, *passed) - self.weight(*passed, folder);
            }
        }
        let moves = best.0 < here;
        order.insert(if moves { best.1 } else { place }, folder);
        moves
    }
}

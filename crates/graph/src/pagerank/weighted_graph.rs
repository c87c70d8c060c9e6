//! PageRank by power iteration over a compressed row graph (Page, Brin 1998).
//!
//! Rows are normalised by weight; what dangles is spread over the teleport set, so the sum stays 1.

use crate::pagerank::numbers::{Numbers, Sections};
use std::ops::Range;
use std::sync::Arc;

/// The probability of following an edge.
pub const DAMPING: f32 = 0.85;

const MAX_ROUNDS: usize = 60;
const TOLERANCE: f64 = 1e-7;

/// A weighted directed graph in compressed rows: `targets[offsets[u]..offsets[u + 1]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightedGraph {
    offsets: Numbers<u32>,
    targets: Numbers<u32>,
    weights: Numbers<f32>,
}

impl WeightedGraph {
    /// Builds the rows from `(from, to, weight)`; parallel edges add up; loops and weights <= 0 go.
    pub fn new(n_nodes: usize, edges: &[(u32, u32, f32)]) -> Self {
        let mut rows = GraphRows::new(n_nodes);
        rows.add(edges.to_vec());
        rows.finish()
    }

    /// Takes rows as they are: `targets` and `weights` of node `u` at `offsets[u]..offsets[u + 1]`.
    pub(crate) fn from_rows(offsets: Vec<u32>, targets: Vec<u32>, weights: Vec<f32>) -> Self {
        Self {
            offsets: Numbers::Owned(offsets),
            targets: Numbers::Owned(targets),
            weights: Numbers::Owned(weights),
        }
    }

    /// Rows in a file; `sections` are those of offsets, targets and weights.
    pub(crate) fn mapped(file: &Arc<dyn Sections>, sections: [usize; 3]) -> Self {
        let [offsets, targets, weights] = sections;
        Self {
            offsets: Numbers::Mapped(Arc::clone(file), offsets),
            targets: Numbers::Mapped(Arc::clone(file), targets),
            weights: Numbers::Mapped(Arc::clone(file), weights),
        }
    }

    /// Offsets, targets and weights as bytes.
    pub(crate) fn sections(&self) -> [&[u8]; 3] {
        [
            bytemuck::cast_slice(self.offsets.all()),
            bytemuck::cast_slice(self.targets.all()),
            bytemuck::cast_slice(self.weights.all()),
        ]
    }

    /// Scales every row to the sum 1, as [`WeightedGraph::push`] needs it; empty rows stay empty.
    #[must_use]
    pub fn normalised(mut self) -> Self {
        let weights = self.weights.make_mut();
        for bounds in self.offsets.all().windows(2) {
            let row = &mut weights[bounds[0] as usize..bounds[1] as usize];
            let sum: f64 = row.iter().map(|weight| f64::from(*weight)).sum();
            row.iter_mut()
                .for_each(|weight| *weight = (f64::from(*weight) / sum) as f32);
        }
        self
    }

    /// Returns the number of edges.
    pub fn n_edges(&self) -> usize {
        self.targets.len()
    }

    /// Says whether there are rows for so many nodes. Looks at no row.
    pub(crate) fn fits(&self, n_nodes: usize) -> bool {
        let n_edges = self.targets.len();
        self.n_nodes() == n_nodes
            && self.offsets.at(0) == Some(0)
            && self.offsets.at(n_nodes) == Some(n_edges as u32)
            && self.weights.len() == n_edges
    }

    /// The number of edges out of a node.
    pub(crate) fn degree(&self, node: u32) -> u32 {
        self.row(node).len() as u32
    }

    /// Where a node's edges lie among all.
    pub(crate) fn row(&self, node: u32) -> Range<usize> {
        match self.offsets.get(node as usize..node as usize + 2) {
            [start, end] if start <= end => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// Returns the number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns the edges out of a node with their weights.
    pub fn edges(&self, node: u32) -> impl Iterator<Item = (u32, f32)> + '_ {
        let row = self.row(node);
        let targets = self.targets.get(row.clone()).iter().copied();
        targets.zip(self.weights.get(row).iter().copied())
    }

    /// Ranks the nodes; the sum is 1.
    ///
    /// `teleport` has one weight >= 0 a node, `None` for uniform. At most 60 rounds of O(edges).
    pub fn page_rank(&self, damping: f32, teleport: Option<&[f32]>) -> Vec<f32> {
        let n_nodes = self.n_nodes();
        if n_nodes == 0 {
            return Vec::new();
        }
        let teleport = normalised(teleport, n_nodes);
        let out_weight: Vec<f64> = (0..n_nodes as u32)
            .map(|node| self.edges(node).map(|(_, weight)| f64::from(weight)).sum())
            .collect();
        let mut ranks = teleport.clone();
        for _ in 0..MAX_ROUNDS {
            let next = self.round(f64::from(damping), &teleport, &out_weight, &ranks);
            let change: f64 = next.iter().zip(&ranks).map(|(a, b)| (a - b).abs()).sum();
            ranks = next;
            if change < TOLERANCE {
                break;
            }
        }
        ranks.into_iter().map(|rank| rank as f32).collect()
    }

    fn round(&self, damping: f64, teleport: &[f64], out: &[f64], ranks: &[f64]) -> Vec<f64> {
        let dangling: f64 = ranks
            .iter()
            .zip(out)
            .filter(|(_, w)| **w == 0.0)
            .map(|(r, _)| r)
            .sum();
        let jump = 1.0 - damping + damping * dangling;
        let mut next: Vec<f64> = teleport.iter().map(|share| share * jump).collect();
        for (node, rank) in ranks.iter().enumerate() {
            if out[node] == 0.0 {
                continue;
            }
            let unit = damping * rank / out[node];
            for (target, weight) in self.edges(node as u32) {
                next[target as usize] += unit * f64::from(weight);
            }
        }
        next
    }
}

/// A graph in the making, row after row.
#[derive(Default)]
pub(crate) struct GraphRows {
    /// How many edges each node has, behind it.
    offsets: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<f32>,
}

impl GraphRows {
    pub(crate) fn new(n_nodes: usize) -> Self {
        Self {
            offsets: vec![0; n_nodes + 1],
            ..Self::default()
        }
    }

    /// Adds all edges `(from, to, weight)` of nodes that follow those of earlier calls.
    pub(crate) fn add(&mut self, mut edges: Vec<(u32, u32, f32)>) {
        edges.retain(|(from, to, weight)| from != to && *weight > 0.0);
        // Stable: parallel edges add up in the order given.
        edges.sort_by_key(|(from, to, _)| u64::from(*from) << 32 | u64::from(*to));
        let mut previous = None;
        for (from, to, weight) in edges {
            if previous == Some((from, to)) {
                if let Some(last) = self.weights.last_mut() {
                    *last += weight;
                }
                continue;
            }
            previous = Some((from, to));
            self.targets.push(to);
            self.weights.push(weight);
            self.offsets[from as usize + 1] += 1;
        }
    }

    pub(crate) fn finish(mut self) -> WeightedGraph {
        for node in 1..self.offsets.len() {
            self.offsets[node] += self.offsets[node - 1];
        }
        WeightedGraph::from_rows(self.offsets, self.targets, self.weights)
    }
}

fn normalised(teleport: Option<&[f32]>, n_nodes: usize) -> Vec<f64> {
    let uniform = vec![1.0 / n_nodes as f64; n_nodes];
    let Some(teleport) = teleport else {
        return uniform;
    };
    let sum: f64 = teleport.iter().map(|share| f64::from(*share)).sum();
    if sum > 0.0 {
        teleport
            .iter()
            .map(|share| f64::from(*share) / sum)
            .collect()
    } else {
        uniform
    }
}

/// Scales so that the largest is 1.
pub(crate) fn scaled_to_max(mut ranks: Vec<f32>) -> Vec<f32> {
    let max = ranks.iter().copied().fold(0.0, f32::max);
    if max > 0.0 {
        ranks.iter_mut().for_each(|rank| *rank /= max);
    }
    ranks
}

//! Personalised PageRank by forward push (Andersen, Chung, Lang 2006): what lies near some nodes,
//! found without looking at the rest of the graph.
//!
//! Every node has an estimate `p` and a residual `r`. At first all mass is residual, at the seeds. A
//! push at `u` keeps the share [`RESTART`] of `r[u]` in `p[u]` and spreads the rest along the row of
//! `u`; nodes without edges give it back to the seeds. Nodes whose residual is below
//! `epsilon * degree` are left alone, so the work is at most `1 / (epsilon * RESTART)` edges however
//! large the graph is. `sum p + sum r = 1` holds throughout, and what is left in `r` is the L1 distance
//! to the exact ranks.

use std::collections::VecDeque;

use crate::pagerank::weighted_graph::WeightedGraph;

/// The share of a walk's steps that start over at a seed.
pub const RESTART: f32 = 0.15;

const NONE: u32 = u32::MAX;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushLimits {
    /// Residual for each edge out of a node below which it is left alone; > 0.
    pub epsilon: f32,
    /// Edges to walk at most.
    pub max_edges: u32,
}

impl Default for PushLimits {
    fn default() -> Self {
        Self {
            epsilon: 3e-5,
            max_edges: 50_000,
        }
    }
}

/// What a push found.
#[derive(Clone, Debug, PartialEq)]
pub struct PushOutcome {
    /// Reached nodes with their estimates, best first, ties by node.
    pub ranked: Vec<(u32, f32)>,
    /// Mass that was not placed: the L1 distance of the estimates to the exact ranks.
    pub residual: f32,
    /// Edges walked.
    pub n_edges: u32,
    /// Whether the edges ran out before the residuals were small.
    pub cut: bool,
}

/// Working memory of pushes, to be kept between them: a push costs what it touches, not the graph.
#[derive(Debug, Default)]
pub struct PushScratch {
    /// By page, each made when a walk first comes there.
    pages: Vec<Option<Box<Page>>>,
    n_nodes: usize,
    touched: Vec<u32>,
    queue: VecDeque<u32>,
}

/// Neighbours in a file are neighbours here: few pages for what belongs together.
const PAGE_NODES: usize = 64;
type Page = [Node; PAGE_NODES];

#[derive(Clone, Copy, Debug)]
struct Node {
    estimate: f32,
    residual: f32,
    /// Most mass that one push of the parent brought.
    brought: f32,
    parent: u32,
    /// Steps from a seed.
    depth: u32,
    is_queued: bool,
}

const UNTOUCHED: Node = Node {
    estimate: 0.0,
    residual: 0.0,
    brought: 0.0,
    parent: NONE,
    depth: NONE,
    is_queued: false,
};

impl PushScratch {
    /// Returns the way from a seed to a node that the last push reached, seed first; empty for
    /// others.
    ///
    /// Of the shortest ways the one on which most mass came.
    pub fn path_to(&self, node: u32) -> Vec<u32> {
        let reached = |node: &u32| self.known(*node).is_some_and(|known| known.depth != NONE);
        let parent = |node: &u32| self.known(*node).map(|known| known.parent).filter(reached);
        let mut path: Vec<u32> =
            std::iter::successors(Some(node).filter(reached), parent).collect();
        path.reverse();
        path
    }

    fn reset(&mut self, n_nodes: usize) {
        if self.n_nodes == n_nodes {
            for node in std::mem::take(&mut self.touched) {
                *self.node(node) = UNTOUCHED;
            }
        } else {
            self.pages.clear();
            self.pages
                .resize_with(n_nodes.div_ceil(PAGE_NODES), || None);
            self.n_nodes = n_nodes;
            self.touched.clear();
        }
        self.queue.clear();
    }

    fn known(&self, node: u32) -> Option<&Node> {
        let page = self.pages.get(node as usize / PAGE_NODES)?.as_ref()?;
        page.get(node as usize % PAGE_NODES)
    }

    fn node(&mut self, node: u32) -> &mut Node {
        let page = &mut self.pages[node as usize / PAGE_NODES];
        let page = page.get_or_insert_with(|| Box::new([UNTOUCHED; PAGE_NODES]));
        &mut page[node as usize % PAGE_NODES]
    }

    /// Adds mass to a node's residual; queues it when there is enough to push.
    fn give(&mut self, graph: &WeightedGraph, epsilon: f32, node: u32, mass: f32) {
        let degree = graph.degree(node).max(1) as f32;
        let entry = self.node(node);
        let is_new = entry.depth == NONE;
        if is_new {
            entry.depth = 0;
        }
        entry.residual += mass;
        let is_due = !entry.is_queued && entry.residual >= epsilon * degree;
        entry.is_queued |= is_due;
        if is_new {
            self.touched.push(node);
        }
        if is_due {
            self.queue.push_back(node);
        }
    }

    /// Remembers who led to a node: of the nearest ones to a seed the one that brought most.
    fn lead(&mut self, from: u32, depth: u32, node: u32, mass: f32) {
        let entry = self.node(node);
        let is_nearer = entry.depth == NONE;
        if is_nearer || (entry.depth == depth && mass > entry.brought) {
            entry.depth = depth;
            entry.parent = from;
            entry.brought = mass;
        }
        if is_nearer {
            self.touched.push(node);
        }
    }

    /// Reads the estimates off. A residual's restart share belongs to its node whatever comes after.
    fn outcome(&mut self, n_edges: u32, cut: bool) -> PushOutcome {
        let mut ranked = Vec::with_capacity(self.touched.len());
        let mut residual = 0.0_f64;
        for at in 0..self.touched.len() {
            let node = self.touched[at];
            let entry = self.node(node);
            entry.estimate += RESTART * entry.residual;
            entry.residual *= 1.0 - RESTART;
            residual += f64::from(entry.residual);
            if entry.estimate > 0.0 {
                ranked.push((node, entry.estimate));
            }
        }
        ranked.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        PushOutcome {
            ranked,
            residual: residual as f32,
            n_edges,
            cut,
        }
    }
}

impl WeightedGraph {
    /// Ranks the nodes by how much of a walk from the seeds passes them.
    ///
    /// Rows must be [`WeightedGraph::normalised`]. `seeds` are nodes with weights > 0; a node may be given
    /// twice, and unknown nodes are ignored. No seeds give no ranks. O(edges walked + nodes touched);
    /// the same input gives the same output to the bit.
    pub fn push(
        &self,
        seeds: &[(u32, f32)],
        limits: PushLimits,
        scratch: &mut PushScratch,
    ) -> PushOutcome {
        let n_nodes = self.n_nodes();
        scratch.reset(n_nodes);
        let seeds = teleport(seeds, n_nodes);
        for (node, share) in &seeds {
            scratch.give(self, limits.epsilon, *node, *share);
        }
        let (mut n_edges, mut cut) = (0u32, false);
        while let Some(node) = scratch.queue.pop_front() {
            let degree = self.degree(node);
            let entry = scratch.node(node);
            entry.is_queued = false;
            let cost = if degree == 0 {
                seeds.len() as u32
            } else {
                degree
            };
            // A hub that is too expensive keeps its residual; smaller nodes behind it still have their turn.
            if cost > limits.max_edges - n_edges {
                cut = true;
                continue;
            }
            n_edges += cost;
            let mass = std::mem::take(&mut entry.residual);
            entry.estimate += RESTART * mass;
            let (mass, depth) = ((1.0 - RESTART) * mass, entry.depth + 1);
            if degree == 0 {
                for (seed, share) in &seeds {
                    scratch.give(self, limits.epsilon, *seed, mass * share);
                }
            }
            // What a file says is not trusted.
            let is_node = |(target, _): &(u32, f32)| (*target as usize) < n_nodes;
            for (target, weight) in self.edges(node).filter(is_node) {
                scratch.lead(node, depth, target, mass * weight);
                scratch.give(self, limits.epsilon, target, mass * weight);
            }
        }
        scratch.outcome(n_edges, cut)
    }
}

/// Seeds each once, by node, with shares that sum to 1.
fn teleport(seeds: &[(u32, f32)], n_nodes: usize) -> Vec<(u32, f32)> {
    let is_node = |seed: &&(u32, f32)| (seed.0 as usize) < n_nodes && seed.1 > 0.0;
    let mut shares: Vec<(u32, f32)> = seeds.iter().filter(is_node).copied().collect();
    shares.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    shares.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    let sum: f64 = shares.iter().map(|(_, share)| f64::from(*share)).sum();
    for (_, share) in &mut shares {
        *share = (f64::from(*share) / sum) as f32;
    }
    shares
}

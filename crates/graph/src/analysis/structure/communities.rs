//! Communities of a weighted graph by modularity (Louvain: Blondel et al. 2008).
//!
//! Nodes are visited in their order and ties go to the smaller community, so the same graph gives the
//! same communities. What falls apart in the end is split, as connectedness demands (Traag et al. 2019).

use std::collections::BTreeMap;

/// Rounds over all nodes on one level.
const MAX_ROUNDS: usize = 32;
/// Gains below this are noise of the arithmetic.
const LEAST_GAIN: f64 = 1e-9;

/// Which nodes belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Communities {
    /// The community of each node, numbered by first member.
    pub of: Vec<u32>,
    /// Weight within communities above what chance would put there; -0.5 to 1.
    pub modularity: f64,
}

/// Finds communities. `edges` have no direction; parallel ones add up, loops and weights <= 0 go.
///
/// A node without an edge is a community of its own. About O(edges × levels).
pub fn communities(n_nodes: usize, edges: &[(u32, u32, f32)]) -> Communities {
    let whole = Level::new(n_nodes, edges);
    let mut of: Vec<u32> = (0..n_nodes as u32).collect();
    let mut level = whole.clone();
    loop {
        let moved = level.moved();
        let n_groups = moved.iter().max().map_or(0, |most| *most as usize + 1);
        for community in &mut of {
            *community = moved[*community as usize];
        }
        if n_groups == level.next.len() {
            break;
        }
        level = level.merged(&moved, n_groups);
    }
    let of = whole.split(&of);
    let modularity = whole.modularity(&of);
    Communities { of, modularity }
}

/// A graph whose nodes may represent several.
#[derive(Clone, Default)]
struct Level {
    next: Vec<Vec<(u32, f64)>>,
    /// Weight of what lies within a node, counted from both ends.
    inner: Vec<f64>,
    /// Sum of a node's weights, its inner ones included.
    degree: Vec<f64>,
    total: f64,
}

impl Level {
    fn new(n_nodes: usize, edges: &[(u32, u32, f32)]) -> Self {
        let mut sums: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for (a, b, weight) in edges {
            if a != b && *weight > 0.0 {
                *sums.entry((*a.min(b), *a.max(b))).or_default() += f64::from(*weight);
            }
        }
        Self::of(vec![0.0; n_nodes], &sums)
    }

    fn of(inner: Vec<f64>, sums: &BTreeMap<(u32, u32), f64>) -> Self {
        let mut next = vec![Vec::new(); inner.len()];
        let mut degree = inner.clone();
        for ((a, b), weight) in sums {
            next[*a as usize].push((*b, *weight));
            next[*b as usize].push((*a, *weight));
            degree[*a as usize] += weight;
            degree[*b as usize] += weight;
        }
        let total = degree.iter().sum();
        Self {
            next,
            inner,
            degree,
            total,
        }
    }

    /// Moves single nodes to the neighbouring community that gains most, until none gains.
    fn moved(&self) -> Vec<u32> {
        let n_nodes = self.next.len();
        let mut of: Vec<u32> = (0..n_nodes as u32).collect();
        let mut weights = self.degree.clone();
        for _ in 0..MAX_ROUNDS {
            let mut has_moved = false;
            for node in 0..n_nodes {
                has_moved |= self.move_one(node, &mut of, &mut weights);
            }
            if !has_moved {
                break;
            }
        }
        renumbered(&of)
    }

    fn move_one(&self, node: usize, of: &mut [u32], weights: &mut [f64]) -> bool {
        let old = of[node];
        let mut ties: BTreeMap<u32, f64> = BTreeMap::from([(old, 0.0)]);
        for (other, weight) in &self.next[node] {
            *ties.entry(of[*other as usize]).or_default() += weight;
        }
        let degree = self.degree[node];
        weights[old as usize] -= degree;
        let gain = |community: u32, tie: f64| {
            tie - degree * weights[community as usize] / self.total.max(f64::MIN_POSITIVE)
        };
        let mut best = (old, gain(old, ties[&old]));
        for (community, tie) in &ties {
            let gained = gain(*community, *tie);
            if gained > best.1 + LEAST_GAIN {
                best = (*community, gained);
            }
        }
        weights[best.0 as usize] += degree;
        of[node] = best.0;
        best.0 != old
    }

    /// A graph with a node for each community.
    fn merged(&self, of: &[u32], n_groups: usize) -> Self {
        let mut inner = vec![0.0; n_groups];
        let mut sums: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for (node, edges) in self.next.iter().enumerate() {
            let own = of[node];
            inner[own as usize] += self.inner[node];
            for (other, weight) in edges {
                let theirs = of[*other as usize];
                match own.cmp(&theirs) {
                    std::cmp::Ordering::Equal => inner[own as usize] += weight,
                    std::cmp::Ordering::Less => *sums.entry((own, theirs)).or_default() += weight,
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
        Self::of(inner, &sums)
    }

    /// Communities that hang together.
    fn split(&self, of: &[u32]) -> Vec<u32> {
        let mut part: Vec<Option<u32>> = vec![None; of.len()];
        for start in 0..of.len() {
            if part[start].is_some() {
                continue;
            }
            let mut open = vec![start];
            part[start] = Some(start as u32);
            while let Some(node) = open.pop() {
                for (other, _) in &self.next[node] {
                    let other = *other as usize;
                    if part[other].is_none() && of[other] == of[start] {
                        part[other] = Some(start as u32);
                        open.push(other);
                    }
                }
            }
        }
        let part: Vec<u32> = part.into_iter().map(Option::unwrap_or_default).collect();
        renumbered(&part)
    }

    fn modularity(&self, of: &[u32]) -> f64 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let n_groups = of.iter().max().map_or(0, |most| *most as usize + 1);
        let (mut inner, mut degree) = (vec![0.0; n_groups], vec![0.0; n_groups]);
        for (node, edges) in self.next.iter().enumerate() {
            let own = of[node];
            degree[own as usize] += self.degree[node];
            let within = edges.iter().filter(|(other, _)| of[*other as usize] == own);
            inner[own as usize] += within.map(|(_, weight)| weight).sum::<f64>();
        }
        let share =
            |(inner, degree): (&f64, &f64)| inner / self.total - (degree / self.total).powi(2);
        inner.iter().zip(&degree).map(share).sum()
    }
}

/// The same groups, numbered by first member.
fn renumbered(of: &[u32]) -> Vec<u32> {
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    of.iter()
        .map(|group| {
            let next = numbers.len() as u32;
            *numbers.entry(*group).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::communities;

    /// Two rings of four with one edge between them.
    fn rings() -> Vec<(u32, u32, f32)> {
        let ring = |start: u32| (0..4).map(move |at| (start + at, start + (at + 1) % 4, 1.0));
        ring(0).chain(ring(4)).chain([(0, 4, 0.5)]).collect()
    }

    #[test]
    fn dense_parts_are_communities_and_loners_stay_alone() {
        let found = communities(9, &rings());
        assert_eq!(found.of, [0, 0, 0, 0, 1, 1, 1, 1, 2]);
        assert!(
            (found.modularity - 0.441).abs() < 0.01,
            "{}",
            found.modularity
        );
    }

    #[test]
    fn the_order_of_edges_does_not_matter() {
        let mut turned = rings();
        turned.reverse();
        assert_eq!(communities(9, &turned), communities(9, &rings()));
    }

    #[test]
    fn nothing_has_no_communities() {
        assert!(communities(0, &[]).of.is_empty());
        let loners = communities(2, &[(0, 0, 3.0), (0, 1, 0.0)]);
        assert_eq!((loners.of, loners.modularity), (vec![0, 1], 0.0));
    }
}

//! Which column each box lies in.

use std::collections::BTreeMap;

use super::frame::NodeFrame;

/// A band takes as many columns for its own edges at most.
const MAX_DEPTH: usize = 5;
/// Rows that a column has at least before the next one is begun.
const MIN_ROWS: usize = 12;
/// Rows of a column for each box of the drawing, squared: about as wide as a screen.
const ROWS_SQUARED_PER_BOX: f64 = 2.8;

/// The column of every box, without gaps.
pub(super) struct Columns {
    pub(super) of: Vec<usize>,
    pub(super) n: usize,
}

impl Columns {
    pub(super) fn new(boxes: &[NodeFrame], edges: &[(usize, usize)]) -> Self {
        let mut bands: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
        for (at, one) in boxes.iter().enumerate() {
            bands.entry(one.band).or_default().push(at);
        }
        let n_rows = (boxes.len() as f64 * ROWS_SQUARED_PER_BOX).sqrt().ceil() as usize;
        let n_rows = n_rows.max(MIN_ROWS);
        let mut columns = Self {
            of: vec![0; boxes.len()],
            n: 0,
        };
        for (band, members) in bands {
            columns.add_band(band, &members, edges, n_rows);
        }
        columns
    }

    fn add_band(&mut self, band: i32, members: &[usize], edges: &[(usize, usize)], n_rows: usize) {
        let is_left = band < 0;
        let depths = depths(members, edges, is_left);
        // From the side of band 0 outwards.
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for depth in 0..=MAX_DEPTH {
            let of_depth: Vec<usize> = (0..members.len())
                .filter(|at| depths[*at] == depth)
                .map(|at| members[at])
                .collect();
            groups.extend(of_depth.chunks(n_rows).map(<[usize]>::to_vec));
        }
        let n_groups = groups.len();
        for (at, group) in groups.into_iter().enumerate() {
            let column = if is_left {
                self.n + n_groups - 1 - at
            } else {
                self.n + at
            };
            for node in group {
                self.of[node] = column;
            }
        }
        self.n += n_groups;
    }
}

/// How many edges of the band lie between a member and the side of band 0; edges that close a cycle
/// do not count.
fn depths(members: &[usize], edges: &[(usize, usize)], is_left: bool) -> Vec<usize> {
    let place = |node: usize| members.binary_search(&node).ok();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    for (from, to) in edges {
        if let (Some(from), Some(to)) = (place(*from), place(*to))
            && from != to
        {
            // Away from band 0: callers of the callers, or what the callees call.
            let (near, far) = if is_left { (to, from) } else { (from, to) };
            next[near].push(far);
        }
    }
    for far in &mut next {
        far.sort_unstable();
        far.dedup();
    }
    let order = topological(&next);
    let mut place_in_order = vec![0; members.len()];
    for (at, member) in order.iter().enumerate() {
        place_in_order[*member] = at;
    }
    let mut depths = vec![0; members.len()];
    for near in &order {
        for far in &next[*near] {
            if place_in_order[*near] < place_in_order[*far] {
                depths[*far] = depths[*far].max(depths[*near] + 1).min(MAX_DEPTH);
            }
        }
    }
    depths
}

/// The reverse of the order in which a depth-first walk leaves the nodes: all edges lead forward but
/// those that close a cycle.
fn topological(next: &[Vec<usize>]) -> Vec<usize> {
    let mut left = Vec::with_capacity(next.len());
    let mut seen = vec![false; next.len()];
    for start in (0..next.len()).rev() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut open: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((node, at)) = open.pop() {
            match next[node].get(at) {
                None => left.push(node),
                Some(child) => {
                    open.push((node, at + 1));
                    if !std::mem::replace(&mut seen[*child], true) {
                        open.push((*child, 0));
                    }
                }
            }
        }
    }
    left.reverse();
    left
}

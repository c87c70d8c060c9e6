//! The neighbourhood of a definition or a file: breadth first, the nearest and highest ranked one by
//! one, the rest in clusters by file or folder.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::{
    analysis::clusters::{Cluster, Hidden, Side},
    references::{
        find_references::Confidence,
        neighbours::{EdgeKind, Neighbour, Neighbours, Node},
    },
};

/// Nodes shown one by one, whatever is asked for and opened.
const MAX_SHOWN: usize = 1_000;
/// Edges of an answer; those nearest to the focus stay.
const MAX_EDGES: usize = 2_000;
/// Links looked at for one answer: a second or so.
const MAX_LOOKED_AT: usize = 2_000_000;

/// Which way the neighbourhood is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeighbourhoodDirection {
    /// Users and what is used.
    Both,
    /// Who uses it.
    Callers,
    /// What it uses.
    Callees,
    /// Who uses it or, where it is a type, one of its members.
    Impact,
}

impl NeighbourhoodDirection {
    fn sides(self) -> &'static [Side] {
        match self {
            Self::Both => &[Side::Callers, Side::Callees],
            Self::Callers | Self::Impact => &[Side::Callers],
            Self::Callees => &[Side::Callees],
        }
    }
}

/// What is asked for.
pub struct NeighbourhoodRequest<'s> {
    /// The focus; among files where it is one, else among definitions.
    pub focus: Node,
    /// Which way.
    pub direction: NeighbourhoodDirection,
    /// Steps.
    pub radius: u32,
    /// Edges to follow.
    pub kinds: &'s [EdgeKind],
    /// Nodes shown one by one.
    pub max_nodes: usize,
    /// Clusters to open.
    pub expanded: &'s HashSet<String>,
    /// The rank of a node; higher ones come first.
    pub rank: &'s dyn Fn(Node) -> f32,
    /// Files that were changed together with the focus, and how often, most first.
    pub together: &'s [(u32, u32)],
}

/// A node that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    /// The node.
    pub node: Node,
    /// Where it lies.
    pub side: Side,
    /// Steps to the focus.
    pub distance: u32,
}

/// An edge from the one that uses to the one that is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index among the nodes, then the clusters.
    pub from: usize,
    /// The same.
    pub to: usize,
    /// What it says.
    pub kind: EdgeKind,
    /// Lines with uses, or commits.
    pub count: u32,
    /// The surest of them.
    pub confidence: Confidence,
    /// Line of the first, in the file of the user; 0 for commits.
    pub line: u32,
}

/// What lies around a focus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbourhood {
    /// The focus first, then by distance, side, production code before tests, rank and place.
    pub nodes: Vec<Near>,
    /// What is not shown one by one.
    pub clusters: Vec<Cluster>,
    /// By ends and kind.
    pub edges: Vec<Edge>,
    /// Edges too many to be drawn.
    pub n_edges_left_out: usize,
    /// Whether it was given up because too much lies around.
    pub is_cut: bool,
}

/// Gathers what lies around the focus. O(links of what is shown), bounded.
pub fn neighbourhood(
    links: &Neighbours<'_, '_>,
    request: &NeighbourhoodRequest<'_>,
) -> Neighbourhood {
    let mut walk = NeighbourhoodWalk {
        links,
        request,
        found: Neighbourhood::default(),
        seen: HashSet::from([request.focus]),
        edges: BTreeMap::new(),
        n_looked_at: 0,
    };
    walk.found.nodes.push(Near {
        node: request.focus,
        side: Side::Focus,
        distance: 0,
    });
    walk.spread();
    walk.add_together();
    walk.join_up();
    walk.finish()
}

/// The state of a walk. Edges are keyed by user, used and kind, so that an edge met from both ends
/// counts once.
struct NeighbourhoodWalk<'w, 'u, 'a> {
    links: &'w Neighbours<'u, 'a>,
    request: &'w NeighbourhoodRequest<'w>,
    found: Neighbourhood,
    seen: HashSet<Node>,
    edges: BTreeMap<(Node, Node, EdgeKind), Neighbour>,
    n_looked_at: usize,
}

impl NeighbourhoodWalk<'_, '_, '_> {
    fn spread(&mut self) {
        let sides = self.request.direction.sides();
        let mut frontiers: Vec<Vec<Node>> = vec![vec![self.request.focus]; sides.len()];
        for distance in 1..=self.request.radius {
            let levels: Vec<Vec<Node>> = sides
                .iter()
                .zip(&frontiers)
                .map(|(side, frontier)| self.next_level(*side, frontier))
                .collect();
            let rooms = self.rooms(&levels);
            for (at, (level, room)) in levels.into_iter().zip(rooms).enumerate() {
                frontiers[at] = self.show(level, room, sides[at], distance);
            }
        }
    }

    fn next_level(&mut self, side: Side, frontier: &[Node]) -> Vec<Node> {
        let mut level: BTreeSet<Node> = BTreeSet::new();
        for node in frontier {
            for link in self.neighbours(*node, side) {
                let ends = match side {
                    Side::Callees => (*node, link.node),
                    _ => (link.node, *node),
                };
                self.edges
                    .entry((ends.0, ends.1, link.kind))
                    .or_insert(link);
                if !self.seen.contains(&link.node) {
                    level.insert(link.node);
                }
            }
        }
        self.seen.extend(&level);
        self.in_order(level)
    }

    fn neighbours(&mut self, node: Node, side: Side) -> Vec<Neighbour> {
        if self.n_looked_at > MAX_LOOKED_AT {
            self.found.is_cut = true;
            return Vec::new();
        }
        let mut links = match side {
            Side::Callees => self.links.outgoing(node).to_vec(),
            _ => self.links.incoming(node).to_vec(),
        };
        if self.request.direction == NeighbourhoodDirection::Impact {
            let members = self.links.members(node);
            for member in &members {
                let users = self.links.incoming(*member);
                let outer = users.iter().filter(|link| !members.contains(&link.node));
                links.extend(outer.filter(|link| link.node != node));
            }
        }
        self.n_looked_at += links.len();
        links.retain(|link| self.request.kinds.contains(&link.kind));
        links
    }

    /// Production code first, then by rank and place.
    fn in_order(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<Node> {
        let mut keyed: Vec<_> = nodes
            .into_iter()
            .map(|node| {
                let rank = (self.request.rank)(node);
                (self.links.is_test(node), rank, self.links.place(node), node)
            })
            .collect();
        keyed.sort_by(|a, b| {
            let by_rank = a.0.cmp(&b.0).then(b.1.total_cmp(&a.1));
            by_rank.then(a.2.cmp(&b.2)).then(a.3.cmp(&b.3))
        });
        keyed.into_iter().map(|(_, _, _, node)| node).collect()
    }

    /// How many of each level are shown: half each, and what the other leaves.
    fn rooms(&self, levels: &[Vec<Node>]) -> Vec<usize> {
        let max_nodes = self.request.max_nodes.min(MAX_SHOWN);
        let room = max_nodes.saturating_sub(self.found.nodes.len());
        let sizes: Vec<usize> = levels.iter().map(Vec::len).collect();
        match sizes.as_slice() {
            [left, right] => {
                let half = room / 2;
                let for_left = (*left).min(half.max(room - (*right).min(half)));
                vec![for_left, (*right).min(room - for_left)]
            }
            sizes => sizes.iter().map(|size| (*size).min(room)).collect(),
        }
    }

    /// Shows the first of a level and puts the rest into clusters; returns what to go on from.
    fn show(&mut self, level: Vec<Node>, room: usize, side: Side, distance: u32) -> Vec<Node> {
        let (shown, rest) = level.split_at(room.min(level.len()));
        let path = |node: Node| self.links.path(node).to_owned();
        let hidden = Hidden::new(rest, side, distance, &path, self.request.expanded);
        let room = MAX_SHOWN.saturating_sub(self.found.nodes.len() + shown.len());
        let (opened, kept) = hidden.opened.split_at(room.min(hidden.opened.len()));
        self.found.is_cut |= !kept.is_empty();
        let shown: Vec<Node> = self.in_order(shown.iter().chain(opened).copied());
        self.found.nodes.extend(shown.iter().map(|node| Near {
            node: *node,
            side,
            distance,
        }));
        self.found.clusters.extend(hidden.clusters);
        // Among definitions a file represents code that nothing else can use.
        let follows = |node: &Node| self.is_of_the_kind(*node);
        shown.into_iter().filter(follows).collect()
    }

    fn is_of_the_kind(&self, node: Node) -> bool {
        matches!(node, Node::File(_)) == matches!(self.request.focus, Node::File(_))
    }

    fn add_together(&mut self) {
        let focus = self.request.focus;
        for (file, count) in self.request.together {
            let node = Node::File(*file);
            let link = Neighbour {
                node,
                kind: EdgeKind::CoChange,
                count: *count,
                confidence: Confidence::Resolved,
                line: 0,
            };
            self.edges.insert((focus, node, EdgeKind::CoChange), link);
            let is_shown = self.found.nodes.iter().any(|near| near.node == node);
            if !is_shown && self.found.nodes.len() < MAX_SHOWN {
                self.found.nodes.push(Near {
                    node,
                    side: Side::CoChange,
                    distance: 1,
                });
            }
        }
    }

    /// Finds the edges between what is shown that the walk did not come along.
    fn join_up(&mut self) {
        let shown: Vec<Node> = self.found.nodes.iter().map(|near| near.node).collect();
        let in_clusters = self.found.clusters.iter().flat_map(|one| &one.members);
        let known: HashSet<Node> = shown.iter().chain(in_clusters).copied().collect();
        for node in shown {
            if self.n_looked_at > MAX_LOOKED_AT {
                self.found.is_cut = true;
                return;
            }
            if !self.is_of_the_kind(node) {
                continue;
            }
            let users = self.links.incoming(node);
            self.n_looked_at += users.len();
            for link in users.iter() {
                if known.contains(&link.node) && self.request.kinds.contains(&link.kind) {
                    let edge = self.edges.entry((link.node, node, link.kind));
                    edge.or_insert(*link);
                }
            }
        }
    }

    fn finish(mut self) -> Neighbourhood {
        self.found
            .nodes
            .sort_by_key(|near| (near.distance, near.side));
        let nodes = self.found.nodes.iter().map(|near| near.node).enumerate();
        let mut place: HashMap<Node, usize> = nodes.map(|(at, node)| (node, at)).collect();
        for (at, cluster) in self.found.clusters.iter().enumerate() {
            let at = self.found.nodes.len() + at;
            place.extend(cluster.members.iter().map(|node| (*node, at)));
        }
        let mut edges: BTreeMap<(usize, usize, EdgeKind), Edge> = BTreeMap::new();
        for ((user, used, kind), link) in &self.edges {
            let (Some(from), Some(to)) = (place.get(user), place.get(used)) else {
                continue;
            };
            if from == to && user != used {
                continue;
            }
            let edge = edges.entry((*from, *to, *kind)).or_insert(Edge {
                from: *from,
                to: *to,
                kind: *kind,
                count: 0,
                confidence: link.confidence,
                line: link.line,
            });
            edge.count += link.count;
            edge.confidence = edge.confidence.min(link.confidence);
        }
        let mut edges: Vec<Edge> = edges.into_values().collect();
        self.found.n_edges_left_out = edges.len().saturating_sub(MAX_EDGES);
        if edges.len() > MAX_EDGES {
            edges.sort_by_key(|edge| {
                (
                    edge.from.min(edge.to),
                    edge.from.max(edge.to),
                    edge.from,
                    edge.kind,
                )
            });
            edges.truncate(MAX_EDGES);
            edges.sort_by_key(|edge| (edge.from, edge.to, edge.kind));
        }
        self.found.edges = edges;
        self.found
    }
}

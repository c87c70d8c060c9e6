//! Nodes and edges with all that is said about them, and their places.

use super::scene::Scene;
use crate::api::{
    GraphEdge, GraphEdgeKind, GraphNode, GraphNodeKind, GraphSide, GraphView, SymbolLine,
    UseConfidence,
};
use crate::paths::folder_name;
use std::collections::HashSet;
use std::path::Path;
use whyrank_graph::{Cluster, Edge, EdgeKind, Exposure, Neighbour, Node, NodeFrame, layout};

const MAX_LABEL_CHARS: usize = 34;
/// Width of a character at 12 pixels, and of the dot before a label and the room around it.
const CHAR_WIDTH: f64 = 7.2;
const LABEL_PADDING: f64 = 44.0;
const MIN_WIDTH: f64 = 72.0;
/// Height of a node of rank 0, and what rank 1 adds.
const MIN_HEIGHT: f64 = 26.0;
const RANK_HEIGHT: f64 = 22.0;

/// A node before it has a place.
pub(super) struct BandedNode {
    pub(super) node: GraphNode,
    pub(super) band: i32,
}

/// All that is drawn.
#[derive(Default)]
pub(super) struct Picture {
    /// The focus first.
    pub(super) shown: Vec<BandedNode>,
    pub(super) edges: Vec<((usize, usize), GraphEdge)>,
    pub(super) notes: Vec<String>,
}

impl Picture {
    /// Puts nodes into the order of the list, and gives everything its place.
    pub(super) fn draw(self) -> GraphView {
        let mut order: Vec<usize> = (0..self.shown.len()).collect();
        order.sort_by_key(|at| {
            let node = &self.shown[*at].node;
            (node.distance, node.side, node.group > 0)
        });
        let mut place = vec![0; order.len()];
        for (to, from) in order.iter().enumerate() {
            place[*from] = to;
        }
        let frames: Vec<NodeFrame> = order
            .iter()
            .map(|at| {
                let shown = &self.shown[*at];
                NodeFrame {
                    width: shown.node.width,
                    height: shown.node.height,
                    band: shown.band,
                }
            })
            .collect();
        let mut edges: Vec<((usize, usize), GraphEdge)> = self
            .edges
            .into_iter()
            .map(|((from, to), edge)| ((place[from], place[to]), edge))
            .collect();
        edges.sort_by_key(|(ends, edge)| (*ends, edge.kind));
        let ends: Vec<(usize, usize)> = edges.iter().map(|(ends, _)| *ends).collect();
        let drawn = layout(&frames, &ends);
        let mut by_place: Vec<Option<GraphNode>> = self
            .shown
            .into_iter()
            .map(|shown| Some(shown.node))
            .collect();
        let nodes: Vec<GraphNode> = order
            .iter()
            .zip(&drawn.nodes)
            .filter_map(|(at, placed)| {
                let mut node = by_place[*at].take()?;
                (node.x, node.y, node.layer) = (placed.x, placed.y, placed.layer);
                Some(node)
            })
            .collect();
        let routed = edges.into_iter().zip(drawn.edges);
        let edges = routed.map(|((_, edge), route)| GraphEdge {
            points: route.points,
            is_back: route.is_back,
            ..edge
        });
        GraphView {
            focus: nodes.first().map(|node| node.id.clone()),
            to: None,
            n_hidden: nodes.iter().map(|node| node.group).sum(),
            edges: edges.collect(),
            nodes,
            chains: Vec::new(),
            width: drawn.width,
            height: drawn.height,
            notes: self.notes,
            near: Vec::new(),
        }
    }
}

impl Scene<'_, '_, '_> {
    /// A node and what is known about it, in band 0.
    pub(super) fn shown(&self, node: Node, side: GraphSide, distance: u32) -> BandedNode {
        let rank = f64::from(self.rank(node));
        let is_test = self.links.is_test(node);
        let mut exposure = match side {
            // Its users are files of another history: only what was asked about is worked out.
            GraphSide::CoChange => Exposure {
                rank,
                ..Exposure::default()
            },
            _ => Exposure::of(self.links, node, rank),
        };
        exposure.changes = self.history.map(|history| history.n_changes(node.file()));
        let others = |links: &[Neighbour]| {
            let others: HashSet<Node> = links.iter().map(|link| link.node).collect();
            others.len() as u32
        };
        let (callers, callees) = match side {
            GraphSide::CoChange => (0, 0),
            _ => (
                others(&self.links.incoming(node)),
                others(&self.links.outgoing(node)),
            ),
        };
        let (risk, risk_reason) = match (side, is_test) {
            (_, true) => (0.0, "a test, example or benchmark".to_owned()),
            (GraphSide::CoChange, _) => (0.0, "changed together with the focus".to_owned()),
            _ => (exposure.risk(), exposure.reason()),
        };
        let symbol = self.symbol_line(node);
        let label = match node {
            Node::Symbol(_) => short(&symbol.qualified),
            Node::File(_) => short(&symbol.name),
        };
        let node = GraphNode {
            id: self.id(node),
            kind: match node {
                Node::Symbol(_) => GraphNodeKind::Symbol,
                Node::File(_) => GraphNodeKind::File,
            },
            width: width(&label),
            height: height(rank),
            label,
            path: symbol.path.clone(),
            symbol: Some(symbol),
            x: 0.0,
            y: 0.0,
            layer: 0,
            distance,
            side,
            rank,
            risk,
            risk_reason,
            tested: exposure.n_tests,
            tests: exposure
                .tests
                .iter()
                .map(|test| self.symbol_line(*test))
                .collect(),
            is_test,
            group: 0,
            callers,
            callees,
            changes: exposure.changes,
        };
        BandedNode { node, band: 0 }
    }

    pub(super) fn id(&self, node: Node) -> String {
        let path = self.links.path(node);
        match node {
            Node::Symbol(id) => {
                let symbol = self.view().symbol(id);
                format!("{path}#{}:{}", symbol.qualified, symbol.name_line)
            }
            Node::File(_) => path.to_owned(),
        }
    }

    fn symbol_line(&self, node: Node) -> SymbolLine {
        let file = match node {
            Node::Symbol(id) => return self.view().symbol_line(id),
            Node::File(file) => &self.view().files[file as usize],
        };
        SymbolLine {
            path: file.path.clone(),
            start_line: 1,
            end_line: file.n_lines.max(1),
            name_line: 1,
            kind: "file".to_owned(),
            name: folder_name(Path::new(&file.path)),
            qualified: file.path.clone(),
            signature: String::new(),
            exported: true,
        }
    }

    pub(super) fn cluster(&self, cluster: &Cluster, side: GraphSide, band: i32) -> BandedNode {
        let ranks = cluster.members.iter().map(|node| self.rank(*node));
        let rank = f64::from(ranks.fold(0.0, f32::max));
        let n = cluster.members.len() as u32;
        let label = match cluster.path.as_str() {
            "" => format!("+{n} more"),
            path => format!("+{n} in {}", short_path(path)),
        };
        let node = GraphNode {
            id: cluster.id.clone(),
            kind: GraphNodeKind::Cluster,
            width: width(&label),
            height: height(rank),
            label,
            path: cluster.path.clone(),
            symbol: None,
            x: 0.0,
            y: 0.0,
            layer: 0,
            distance: cluster.distance,
            side,
            rank,
            risk: 0.0,
            risk_reason: format!("{n} nodes that are not shown one by one"),
            tested: 0,
            tests: Vec::new(),
            is_test: cluster.members.iter().all(|node| self.links.is_test(*node)),
            group: n,
            callers: 0,
            callees: 0,
            changes: None,
        };
        BandedNode { node, band }
    }

    /// An edge between two of the nodes shown, by their indices.
    pub(super) fn edge(
        &self,
        shown: &[BandedNode],
        (from, to): (usize, usize),
        edge: &Edge,
    ) -> ((usize, usize), GraphEdge) {
        let (user, used) = (&shown[from].node, &shown[to].node);
        let has_line = user.group == 0 && edge.kind != EdgeKind::CoChange;
        let confidence = match edge.kind {
            EdgeKind::CoChange => UseConfidence::History,
            _ => edge.confidence.into(),
        };
        let edge = GraphEdge {
            from: user.id.clone(),
            to: used.id.clone(),
            kind: kind(edge.kind),
            count: edge.count,
            confidence,
            line: has_line.then_some(edge.line),
            detail: detail(edge, user.changes, confidence),
            points: Vec::new(),
            is_back: false,
        };
        ((from, to), edge)
    }
}

fn kind(kind: EdgeKind) -> GraphEdgeKind {
    match kind {
        EdgeKind::Call => GraphEdgeKind::Call,
        EdgeKind::Import => GraphEdgeKind::Import,
        EdgeKind::Inherit => GraphEdgeKind::Inherit,
        EdgeKind::Type => GraphEdgeKind::Type,
        EdgeKind::Reference => GraphEdgeKind::Reference,
        EdgeKind::Test => GraphEdgeKind::Test,
        EdgeKind::CoChange => GraphEdgeKind::CoChange,
    }
}

fn detail(edge: &Edge, changes: Option<u32>, confidence: UseConfidence) -> String {
    let times = match edge.count {
        1 => String::new(),
        n => format!(" {n} times"),
    };
    let said = match edge.kind {
        EdgeKind::Call => format!("calls it{times}"),
        EdgeKind::Import => format!("imports it{times}"),
        EdgeKind::Inherit => format!("inherits from it{times}"),
        EdgeKind::Type => format!("names it as a type{times}"),
        EdgeKind::Reference => format!("references it{times}"),
        EdgeKind::Test => format!("tests it{times}"),
        EdgeKind::CoChange => {
            let (n, of) = (edge.count, changes.unwrap_or(edge.count));
            return format!("changed together in {n} of {of} commits");
        }
    };
    match confidence {
        UseConfidence::NameOnly => format!("{said}, by its name alone"),
        UseConfidence::Ambiguous => format!("{said}, or another of this name"),
        _ => said,
    }
}

fn width(label: &str) -> f64 {
    let n_chars = label.chars().count() as f64;
    (n_chars * CHAR_WIDTH + LABEL_PADDING).max(MIN_WIDTH)
}

fn height(rank: f64) -> f64 {
    (MIN_HEIGHT + RANK_HEIGHT * rank.clamp(0.0, 1.0).sqrt()).round()
}

/// A name in the room that a node has; its end tells most.
fn short(name: &str) -> String {
    let n_chars = name.chars().count();
    if n_chars <= MAX_LABEL_CHARS {
        return name.to_owned();
    }
    let end: String = name.chars().skip(n_chars - MAX_LABEL_CHARS + 1).collect();
    format!("…{end}")
}

/// A path in the room that a cluster has.
fn short_path(path: &str) -> String {
    match path.rsplit('/').take(2).collect::<Vec<_>>().as_slice() {
        [name, folder] => short(&format!("{folder}/{name}")),
        _ => short(path),
    }
}

//! The neighbourhood of a symbol or a file, laid out to be drawn.

use super::{RepoId, SymbolLine, SymbolPlace, UseConfidence};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Which way the neighbourhood is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum GraphDirection {
    /// Who uses the focus, and what it uses.
    #[default]
    Both,
    /// Who uses the focus.
    Callers,
    /// What the focus uses.
    Callees,
    /// Who may break when the focus changes: who uses it or, where it is a type, one of its members.
    Impact,
}

/// What an edge says.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "kebab-case")]
pub enum GraphEdgeKind {
    /// Calls it, or decorates with it.
    Call,
    /// Imports it, or passes it on.
    Import,
    /// Inherits from it or implements it.
    Inherit,
    /// Names it as a type.
    Type,
    /// Reads or writes it.
    Reference,
    /// Any of these, from a test, example or benchmark.
    Test,
    /// Was changed in the same commits.
    CoChange,
}

/// What a node represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum GraphNodeKind {
    /// A definition.
    Symbol,
    /// A file: its code outside of definitions, or all of it where the focus is a file.
    File,
    /// Several hidden nodes.
    Cluster,
}

/// Where a node lies, seen from the focus.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "kebab-case")]
pub enum GraphSide {
    /// The focus itself.
    Focus,
    /// It uses the focus, directly or through others: left of it.
    Callers,
    /// The focus uses it, directly or through others: right of it.
    Callees,
    /// It was changed together with the focus: right of it.
    CoChange,
    /// A step on the way to the other symbol.
    Way,
}

/// Asks for a neighbourhood, or, with `to`, for the shortest ways between two symbols.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct GraphViewRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// A symbol, told apart by file and line where several share the name; or a file, by `path`
    /// with an empty `symbol`; without both, the answer names what others use most.
    pub focus: SymbolPlace,
    /// Show the shortest ways from the focus to this one instead; the five first, either way round.
    pub to: Option<SymbolPlace>,
    /// Steps from the focus, 1 to 3; 0 for 1.
    pub radius: u32,
    /// Which way.
    pub direction: GraphDirection,
    /// Edges to follow; empty for all but `co-change`.
    pub kinds: Vec<GraphEdgeKind>,
    /// Nodes shown one by one, at most 500; 0 for 200. The rest comes in clusters.
    pub max_nodes: u32,
    /// Ids of clusters whose nodes are to be shown, up to 100 of each.
    pub expanded: Vec<String>,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A node of the drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GraphNode {
    /// The same for every request: `src/app.rs#App.run:12`, `src/app.rs`, or a cluster's id.
    pub id: String,
    /// What it represents.
    pub kind: GraphNodeKind,
    /// Short text for the drawing: `App.run`, `app.rs`, `+84 in src/http`.
    pub label: String,
    /// File; for a cluster the file or folder that its nodes lie in, empty for the whole repository.
    pub path: String,
    /// The definition; for a file its path and lines; none for a cluster.
    pub symbol: Option<SymbolLine>,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height; grows with the rank.
    pub height: f64,
    /// Column, from 0 at the left.
    pub layer: u32,
    /// Steps to the focus.
    pub distance: u32,
    /// Where it lies.
    pub side: GraphSide,
    /// PageRank, 1 for the highest of the repository; of a cluster, the highest in it.
    pub rank: f64,
    /// What a change of it puts at risk, from 0 to 1; of a cluster, the highest in it.
    pub risk: f64,
    /// Why, in words: `12 dependents in 5 files, rank 0.41, 2 tests reach it`.
    pub risk_reason: String,
    /// Tests that reach it within three steps.
    pub tested: u32,
    /// The first five of them, nearest first.
    pub tests: Vec<SymbolLine>,
    /// Lies in a test, example or benchmark.
    pub is_test: bool,
    /// Hidden nodes that it represents; 0 for all but a cluster.
    pub group: u32,
    /// Definitions and files of the repository that use it.
    pub callers: u32,
    /// Definitions and files of the repository that it uses.
    pub callees: u32,
    /// Changes of its file in the commits looked at; none unless co-change was asked for.
    pub changes: Option<u32>,
}

/// An edge of the drawing, from the one that uses to the one that is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GraphEdge {
    /// Id of the node that uses.
    pub from: String,
    /// Id of the node that is used; the same for a recursion.
    pub to: String,
    /// What it says.
    pub kind: GraphEdgeKind,
    /// Lines with uses; commits for `co-change`.
    pub count: u32,
    /// The surest of them: `resolved`, `name-only`, `ambiguous`; `history` for `co-change`.
    pub confidence: UseConfidence,
    /// Line of the first, in the file of `from`; none for clusters and `co-change`.
    pub line: Option<u32>,
    /// In words: `calls it 3 times`, `changed together in 7 of 12 commits`.
    pub detail: String,
    /// Corners of the line from `from` to `to`.
    pub points: Vec<[f64; 2]>,
    /// Does not lead to the right: it closes a cycle, or joins nodes of one column.
    pub is_back: bool,
}

/// A neighbourhood, laid out from left (callers) to right (callees).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GraphView {
    /// Id of the focus; none when it is unknown.
    pub focus: Option<String>,
    /// Id of the other end, where ways were asked for.
    pub to: Option<String>,
    /// The focus first, then by distance, side, rank and path: the order of the list.
    pub nodes: Vec<GraphNode>,
    /// By `from`, `to` and kind.
    pub edges: Vec<GraphEdge>,
    /// The ways, each as ids from start to end; empty unless they were asked for.
    pub chains: Vec<Vec<String>>,
    /// Width of the drawing.
    pub width: f64,
    /// Height of the drawing.
    pub height: f64,
    /// Nodes that lie in clusters.
    pub n_hidden: u32,
    /// What was left out and why, in words.
    pub notes: Vec<String>,
    /// Near names when the focus (or the other end) is unknown; else the other definitions of its
    /// name; where nothing is named, the definitions that others use most.
    pub near: Vec<SymbolLine>,
}

/// A format to write a neighbourhood in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum GraphFormat {
    /// A picture that stands alone, for light and dark.
    Svg,
    /// Graphviz.
    Dot,
    /// The view as it is.
    Json,
}

/// A neighbourhood as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct GraphExport {
    /// The text.
    pub text: String,
    /// A name for the file: `graph-App.run.svg`.
    pub file_name: String,
}

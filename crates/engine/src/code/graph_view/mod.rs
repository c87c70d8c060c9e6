//! The neighbourhood of a symbol or a file, laid out to be drawn.

mod scene;
use scene::Scene;

mod export;
mod history;
mod picture;
mod svg;
mod ways;

use crate::Engine;
use crate::api::{
    GraphDirection, GraphEdgeKind, GraphExport, GraphFormat, GraphSide, GraphView,
    GraphViewRequest, SymbolPlace,
};
use crate::choices::need;
use crate::code::deps::find_file;
use crate::code::graph::OpenGraph;
use crate::code::narrowing::MAX_NEAR;
use crate::code::selection::{SymbolSelector, targets};
use crate::error::{EngineError, Result};
use crate::views::LiveView;
pub(crate) use history::History;
use picture::{BandedNode, Picture};
use std::collections::HashSet;
use std::path::Path;
use whyrank_graph::{
    EdgeKind, Neighbourhood, NeighbourhoodDirection, NeighbourhoodRequest, Neighbours, Node, Side,
    SymbolId, neighbourhood,
};
use whyrank_syntax::SymbolKind;

const MAX_RADIUS: u32 = 3;
const DEFAULT_NODES: u32 = 200;
const MAX_NODES: u32 = 500;
/// Files changed together with the focus that are shown.
const MAX_TOGETHER: usize = 24;
/// Each repository has commits of its own.
const NO_SHARED_HISTORY: &str =
    "no co-change: repositories share no commits; choose one to see what changed together in it";
/// Definitions offered where nothing is named.
const MAX_CENTRAL: usize = 12;

impl Engine {
    /// Lays out the neighbourhood of a symbol or a file, or the shortest ways between two.
    ///
    /// # Errors
    /// As [`Engine::refs`]; `bad-argument` for an end without name and path.
    pub fn graph_view(&self, request: &GraphViewRequest) -> Result<GraphView> {
        let session = match self.graph_or_note(&request.repo, request.as_of.as_deref())? {
            OpenGraph::Made(session) => session,
            OpenGraph::Pending(pending) => return Err(pending.error()),
        };
        let wants_history = request.kinds.contains(&GraphEdgeKind::CoChange);
        let root = match request.repo.several() {
            None if wants_history => Some(self.state.registry.get(&request.repo)?.root),
            _ => None,
        };
        let mut drawn = session.with(|known, uses| {
            let view = &session.view;
            let is_test = |file: u32| view.is_test(file);
            let imports = &view.graph.imports;
            let links = Neighbours::new(uses, imports, &is_test, &known.links);
            let scene = Scene {
                session: &session,
                known,
                uses,
                links: &links,
                history: root.map(|root| view.history.get_or_init(|| History::read(view, &root))),
            };
            match &request.to {
                Some(to) => scene.ways(&request.focus, to),
                None => scene.around(request),
            }
        })?;
        if wants_history && request.repo.several().is_some() {
            drawn.notes.push(NO_SHARED_HISTORY.to_owned());
        }
        Ok(drawn)
    }

    /// Writes a neighbourhood as text in a format.
    ///
    /// # Errors
    /// As [`Engine::graph_view`]; `unknown-symbol` when there is nothing to draw.
    pub fn graph_export(
        &self,
        request: &GraphViewRequest,
        format: GraphFormat,
    ) -> Result<GraphExport> {
        export::export(&self.graph_view(request)?, format)
    }

    /// Writes a neighbourhood to a file.
    ///
    /// # Errors
    /// As [`Engine::graph_export`]; `write-failed`.
    pub fn graph_save(
        &self,
        request: &GraphViewRequest,
        format: GraphFormat,
        path: &Path,
    ) -> Result<()> {
        let export = self.graph_export(request, format)?;
        std::fs::write(path, export.text).map_err(|error| {
            let message = format!("cannot write {}: {error}", path.display());
            EngineError::new("write-failed", message, "choose another folder")
        })
    }
}

/// What a place means: the node, the other definitions of its name, or near names.
enum ResolvedPlace {
    Node(Node, Vec<SymbolId>),
    Unknown(Vec<SymbolId>),
}

impl Scene<'_, '_, '_> {
    fn view(&self) -> &LiveView {
        &self.session.view
    }

    fn rank(&self, node: Node) -> f32 {
        match node {
            Node::Symbol(id) => self.known.ranks.get(id),
            Node::File(file) => self.view().file_rank(file),
        }
    }

    fn resolve(&self, place: &SymbolPlace) -> Result<ResolvedPlace> {
        let view = self.view();
        let symbol = place.symbol.trim();
        let path = place.path.as_deref().filter(|path| !path.is_empty());
        if symbol.is_empty() {
            need(path.unwrap_or_default(), "symbol")?;
            let file = find_file(view, path.unwrap_or_default())?;
            return Ok(ResolvedPlace::Node(Node::File(file), Vec::new()));
        }
        let found = targets(
            view,
            &self.known.table,
            SymbolSelector {
                symbol,
                path,
                line: place.line,
            },
        )?;
        let Some(first) = found.first() else {
            if let Ok(file) = find_file(view, symbol) {
                return Ok(ResolvedPlace::Node(Node::File(file), Vec::new()));
            }
            return Ok(ResolvedPlace::Unknown(
                self.known.table.near(symbol, MAX_NEAR),
            ));
        };
        let node = self.links.node_of(*first);
        let others = found.iter().copied();
        let others = others.filter(|id| self.links.node_of(*id) != node);
        Ok(ResolvedPlace::Node(node, others.collect()))
    }

    /// Nothing drawn, and what others use most to begin with; no tests.
    fn central(&self) -> GraphView {
        let view = self.view();
        let files = 0..view.files.len() as u32;
        let mut ranked: Vec<(f32, SymbolId)> = files
            .filter(|file| !view.is_test(*file))
            .flat_map(|file| {
                let ranks = self.known.ranks.of_file(file).iter();
                (0..)
                    .zip(ranks)
                    .map(move |(symbol, rank)| (*rank, SymbolId { file, symbol }))
            })
            .filter(|(_, id)| !is_part(view.symbol(*id).kind))
            .collect();
        ranked.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
        ranked.truncate(MAX_CENTRAL);
        let mut drawn = Picture::default().draw();
        let ids: Vec<SymbolId> = ranked.into_iter().map(|(_, id)| id).collect();
        drawn.near = view.lines(&ids);
        drawn
    }

    fn around(&self, request: &GraphViewRequest) -> Result<GraphView> {
        let names_path = request
            .focus
            .path
            .as_deref()
            .is_some_and(|path| !path.is_empty());
        if request.focus.symbol.trim().is_empty() && !names_path {
            return Ok(self.central());
        }
        let (focus, others) = match self.resolve(&request.focus)? {
            ResolvedPlace::Node(node, others) => (node, others),
            ResolvedPlace::Unknown(near) => return Ok(self.unknown(&request.focus.symbol, &near)),
        };
        let together = self.history.map_or_else(Vec::new, |history| {
            history.together(focus.file(), MAX_TOGETHER)
        });
        let found = neighbourhood(
            self.links,
            &NeighbourhoodRequest {
                focus,
                direction: direction(request.direction),
                radius: request.radius.clamp(1, MAX_RADIUS),
                kinds: &kinds(&request.kinds),
                max_nodes: match request.max_nodes {
                    0 => DEFAULT_NODES,
                    n => n.min(MAX_NODES),
                } as usize,
                expanded: &request.expanded.iter().cloned().collect::<HashSet<_>>(),
                rank: &|node| self.rank(node),
                together: &together,
            },
        );
        let mut picture = Picture {
            notes: self.notes(&found, &others, focus),
            ..Picture::default()
        };
        for near in &found.nodes {
            let (side, band) = place(near.side, near.distance, request.radius);
            picture.shown.push(BandedNode {
                band,
                ..self.shown(near.node, side, near.distance)
            });
        }
        for cluster in &found.clusters {
            let (side, band) = place(cluster.side, cluster.distance, request.radius);
            picture.shown.push(self.cluster(cluster, side, band));
        }
        for edge in &found.edges {
            let ends = (edge.from, edge.to);
            picture.edges.push(self.edge(&picture.shown, ends, edge));
        }
        let mut drawn = picture.draw();
        drawn.near = self
            .view()
            .lines(&others.into_iter().take(MAX_NEAR).collect::<Vec<_>>());
        Ok(drawn)
    }

    fn unknown(&self, symbol: &str, near: &[SymbolId]) -> GraphView {
        let mut view = Picture::default().draw();
        view.notes = vec![format!("no definition is called `{symbol}`")];
        view.near = self.view().lines(near);
        view
    }

    fn notes(&self, found: &Neighbourhood, others: &[SymbolId], focus: Node) -> Vec<String> {
        let mut notes = Vec::new();
        if !others.is_empty() {
            notes.push(format!(
                "{} more definitions bear this name; name the file to see another",
                others.len()
            ));
        }
        if found.nodes.len() == 1 && found.edges.is_empty() {
            notes.push("nothing around it with these edges".to_owned());
        }
        let n_hidden: usize = found.clusters.iter().map(|one| one.members.len()).sum();
        if n_hidden > 0 {
            let clusters = match found.clusters.len() {
                1 => "1 cluster".to_owned(),
                n => format!("{n} clusters"),
            };
            notes.push(format!(
                "{n_hidden} more nodes in {clusters}; their own neighbors are not shown"
            ));
        }
        if found.n_edges_left_out > 0 {
            notes.push(format!(
                "{} edges far from the focus are left out",
                found.n_edges_left_out
            ));
        }
        if found.is_cut {
            notes.push("too much lies around it: only a part was looked at".to_owned());
        }
        notes.extend(self.history.map(|history| history.note(focus.file())));
        notes
    }
}

/// Says little by itself: a part of something that is named elsewhere, or a mere value.
fn is_part(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Constant
            | SymbolKind::Field
            | SymbolKind::EnumMember
            | SymbolKind::Property
            | SymbolKind::Section
    )
}

/// Where a node is drawn: side, and band from left to right.
fn place(side: Side, distance: u32, radius: u32) -> (GraphSide, i32) {
    let distance = distance as i32;
    match side {
        Side::Focus => (GraphSide::Focus, 0),
        Side::Callers => (GraphSide::Callers, -distance),
        Side::Callees => (GraphSide::Callees, distance),
        Side::CoChange => (GraphSide::CoChange, radius.clamp(1, MAX_RADIUS) as i32 + 1),
    }
}

fn direction(direction: GraphDirection) -> NeighbourhoodDirection {
    match direction {
        GraphDirection::Both => NeighbourhoodDirection::Both,
        GraphDirection::Callers => NeighbourhoodDirection::Callers,
        GraphDirection::Callees => NeighbourhoodDirection::Callees,
        GraphDirection::Impact => NeighbourhoodDirection::Impact,
    }
}

/// The edges to follow; all within the code where none are named.
fn kinds(kinds: &[GraphEdgeKind]) -> Vec<EdgeKind> {
    if kinds.is_empty() {
        return vec![
            EdgeKind::Call,
            EdgeKind::Import,
            EdgeKind::Inherit,
            EdgeKind::Type,
            EdgeKind::Reference,
            EdgeKind::Test,
        ];
    }
    let kind = |kind: &GraphEdgeKind| match kind {
        GraphEdgeKind::Call => EdgeKind::Call,
        GraphEdgeKind::Import => EdgeKind::Import,
        GraphEdgeKind::Inherit => EdgeKind::Inherit,
        GraphEdgeKind::Type => EdgeKind::Type,
        GraphEdgeKind::Reference => EdgeKind::Reference,
        GraphEdgeKind::Test => EdgeKind::Test,
        GraphEdgeKind::CoChange => EdgeKind::CoChange,
    };
    kinds.iter().map(kind).collect()
}

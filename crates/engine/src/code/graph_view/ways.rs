//! The shortest ways between two symbols or files.

use super::ResolvedPlace;
use super::scene::Scene;
use crate::api::{GraphSide, GraphView, SymbolPlace};
use crate::code::graph_view::picture::Picture;
use crate::error::Result;
use std::collections::BTreeMap;
use whyrank_graph::{Confidence, Edge, EdgeKind, Node, SymbolId, call_path, import_path};

const MAX_WAYS: usize = 5;

/// Ways, and what a reader has to know about them.
struct ShortestPaths {
    ways: Vec<Vec<Node>>,
    note: Option<String>,
}

impl Scene<'_, '_, '_> {
    pub(super) fn ways(&self, from: &SymbolPlace, to: &SymbolPlace) -> Result<GraphView> {
        let (from, to) = match (self.resolve(from)?, self.resolve(to)?) {
            (ResolvedPlace::Unknown(near), _) => return Ok(self.unknown(&from.symbol, &near)),
            (_, ResolvedPlace::Unknown(near)) => return Ok(self.unknown(&to.symbol, &near)),
            (ResolvedPlace::Node(from, _), ResolvedPlace::Node(to, _)) => (from, to),
        };
        let found = self.find(from, to);
        let mut picture = Picture::default();
        let ends = [from, to].map(|end| self.end(end, &found.ways));
        picture.notes = found.note.into_iter().collect();
        let mut place: BTreeMap<Node, usize> = BTreeMap::new();
        // The focus leads the list, wherever it lies on the way.
        let on_the_way = found
            .ways
            .iter()
            .flat_map(|way| way.iter().copied().zip(0u32..));
        let both = [(ends[0], 0), (ends[1], 1)];
        let alone = both.into_iter().filter(|_| found.ways.is_empty());
        for (node, step) in on_the_way.chain(alone) {
            place.entry(node).or_insert_with(|| {
                let side = if node == ends[0] {
                    GraphSide::Focus
                } else {
                    GraphSide::Way
                };
                let mut shown = self.shown(node, side, step);
                shown.band = step as i32;
                picture.shown.push(shown);
                picture.shown.len() - 1
            });
        }
        for shown in &mut picture.shown {
            if shown.node.side == GraphSide::Focus {
                shown.node.distance = 0;
            }
        }
        picture.edges = self.steps(&picture, &place, &found.ways);
        let mut view = picture.draw();
        view.focus = Some(self.id(ends[0]));
        view.to = Some(self.id(ends[1]));
        let ids = |way: &Vec<Node>| way.iter().map(|node| self.id(*node)).collect();
        view.chains = found.ways.iter().map(ids).collect();
        Ok(view)
    }

    /// What represents an end on the ways: its file where these lead along imports.
    fn end(&self, end: Node, ways: &[Vec<Node>]) -> Node {
        let is_on = |node: Node| ways.iter().any(|way| way.contains(&node));
        if is_on(Node::File(end.file())) && !is_on(end) {
            Node::File(end.file())
        } else {
            end
        }
    }

    fn steps(
        &self,
        picture: &Picture,
        place: &BTreeMap<Node, usize>,
        ways: &[Vec<Node>],
    ) -> Vec<((usize, usize), crate::api::GraphEdge)> {
        let mut pairs: Vec<(Node, Node)> = ways
            .iter()
            .flat_map(|way| way.windows(2))
            .filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut edges = Vec::new();
        for (user, used) in pairs {
            let (Some(from), Some(to)) = (place.get(&user), place.get(&used)) else {
                continue;
            };
            let users = self.links.incoming(used);
            let links = users.iter().filter(|link| link.node == user);
            let known = links.map(|link| (link.kind, link.count, link.confidence, link.line));
            let mut known: Vec<_> = known.collect();
            if known.is_empty() {
                // A step through a member or an overload.
                known.push((EdgeKind::Call, 1, Confidence::NameOnly, 0));
            }
            for (kind, count, confidence, line) in known {
                let edge = Edge {
                    from: *from,
                    to: *to,
                    kind,
                    count,
                    confidence,
                    line,
                };
                edges.push(self.edge(&picture.shown, (*from, *to), &edge));
            }
        }
        edges
    }

    fn find(&self, from: Node, to: Node) -> ShortestPaths {
        if let (Node::Symbol(start), Node::Symbol(end)) = (from, to) {
            let ways = self.chains(start, end);
            if !ways.is_empty() {
                return ShortestPaths { ways, note: None };
            }
            let ways = self.chains(end, start);
            if !ways.is_empty() {
                let note = "no path in this direction; the reverse path is shown".to_owned();
                return ShortestPaths {
                    ways,
                    note: Some(note),
                };
            }
        }
        let imports = &self.view().graph.imports;
        let by_files = |from: Node, to: Node| {
            let way = import_path(imports, &[from.file()], &[to.file()]);
            let way: Vec<Node> = way.iter().map(|step| Node::File(step.file)).collect();
            (!way.is_empty()).then_some(way)
        };
        let among_files = matches!((from, to), (Node::File(_), Node::File(_)));
        let (way, note) = match (by_files(from, to), by_files(to, from)) {
            (Some(way), _) if among_files => (Some(way), None),
            (Some(way), _) => (
                Some(way),
                Some("no chain of uses; the files import each other so"),
            ),
            (None, Some(way)) => (
                Some(way),
                Some("only imports lead from one to the other, back"),
            ),
            (None, None) => (None, Some("neither reaches the other")),
        };
        ShortestPaths {
            ways: way.into_iter().collect(),
            note: note.map(str::to_owned),
        }
    }

    fn chains(&self, from: SymbolId, to: SymbolId) -> Vec<Vec<Node>> {
        let mut ways: Vec<Vec<Node>> = Vec::new();
        for path in call_path(self.uses, &[from], &[to], MAX_WAYS) {
            let mut way: Vec<Node> = path
                .iter()
                .map(|step| self.links.node_of(step.symbol))
                .collect();
            way.dedup();
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        ways
    }
}

//! Definitions and files as one graph.

#![expect(
    clippy::unwrap_used,
    reason = "a node that is missing is a failed test"
)]

use std::sync::Arc;
use whyrank_graph::{
    PushLimits, PushScratch, ReferenceIndex, Relation, RelationGraph, RelationNode, SymbolId,
};

use crate::sections::MemorySections;
use crate::support::View;

struct Walked<'a> {
    view: &'a View,
    relations: RelationGraph,
    scratch: PushScratch,
}

impl<'a> Walked<'a> {
    fn new(view: &'a View, shares: &[f32]) -> Self {
        let inputs = view.inputs();
        let uses = ReferenceIndex::new(&inputs, &view.graph, &view.table);
        let relations = RelationGraph::new(&inputs, &view.graph, &view.table, &uses, shares);
        Self {
            view,
            relations,
            scratch: PushScratch::default(),
        }
    }

    fn definition(&self, name: &str) -> u32 {
        let id = self.view.table.definitions(name)[0];
        let node = RelationNode::Definition(id);
        let index = self.relations.index(node).unwrap();
        assert_eq!(self.relations.node(index), Some(node));
        index
    }

    fn reached_from(&mut self, name: &str) -> Vec<u32> {
        let seed = self.definition(name);
        let outcome = self
            .relations
            .near(&[(seed, 1.0)], PushLimits::default(), &mut self.scratch);
        outcome.ranked.iter().map(|(node, _)| *node).collect()
    }

    fn relations_to(&self, name: &str) -> Vec<(Relation, bool)> {
        let way = self.scratch.path_to(self.definition(name));
        let steps = way.windows(2).map(|pair| {
            let step = self.relations.step(pair[0], pair[1]).unwrap();
            (step.relation, step.is_backwards)
        });
        steps.collect()
    }
}

const FILES: [(&str, &str); 3] = [
    (
        "app/router.py",
        "from app.layer import Layer\n\n\nclass Router:\n    def use(self, path):\n        return make(path)\n\n\ndef make(path):\n    return Layer(path)\n",
    ),
    (
        "app/layer.py",
        "class Layer:\n    def __init__(self, path):\n        self.path = path\n\n    def matches(self, path):\n        return path == self.path\n",
    ),
    (
        "tests/test_router.py",
        "from app.router import Router, make\n\n\ndef test_use():\n    Router().use('/')\n    make('/')\n",
    ),
];

#[test]
fn callees_callers_members_and_neighbours_are_reached() {
    let view = View::new(&FILES);
    let mut walked = Walked::new(&view, &[1.0; 3]);
    walked.reached_from("Router.use");
    assert_eq!(walked.relations_to("make"), [(Relation::Call, false)]);
    assert_eq!(walked.relations_to("Router"), [(Relation::Member, true)]);
    assert_eq!(
        walked.relations_to("Layer"),
        [(Relation::Call, false), (Relation::Call, false)]
    );
    walked.reached_from("make");
    assert_eq!(walked.relations_to("Router.use"), [(Relation::Call, true)]);
}

#[test]
fn nearer_definitions_come_first() {
    let view = View::new(&FILES);
    let mut walked = Walked::new(&view, &[1.0, 1.0, 0.05]);
    let reached = walked.reached_from("Router.use");
    let rank = |name: &str| {
        let node = walked.definition(name);
        reached.iter().position(|found| *found == node).unwrap()
    };
    assert_eq!(rank("Router.use"), 0);
    assert!(rank("make") < rank("Layer.matches"));
    assert!(rank("make") < rank("test_use"));
}

#[test]
fn a_file_without_a_share_is_not_entered() {
    let view = View::new(&FILES);
    let mut walked = Walked::new(&view, &[1.0, 1.0, 0.0]);
    let test = walked.definition("test_use");
    assert!(!walked.reached_from("Router.use").contains(&test));
    // It still leads to what it uses.
    assert!(walked.reached_from("test_use").len() > 3);
}

#[test]
fn neighbours_in_a_file_cost_two_edges_each() {
    let many: String = (0..500)
        .map(|n| format!("def f{n}():\n    pass\n\n\n"))
        .collect();
    let view = View::new(&[("many.py", Box::leak(many.into_boxed_str()))]);
    let mut walked = Walked::new(&view, &[]);
    assert_eq!(walked.relations.n_nodes(), 501);
    assert_eq!(walked.relations.n_edges(), 1000);
    assert_eq!(walked.reached_from("f7").len(), 501);
    assert_eq!(
        walked.relations_to("f8"),
        [(Relation::Module, true), (Relation::Module, false)]
    );
}

#[test]
fn what_is_not_in_the_view_has_no_node() {
    let view = View::new(&FILES);
    let walked = Walked::new(&view, &[]);
    let definition = |file, symbol| RelationNode::Definition(SymbolId { file, symbol });
    assert_eq!(walked.relations.index(definition(0, 99)), None);
    assert_eq!(walked.relations.index(definition(9, 0)), None);
    assert_eq!(walked.relations.index(RelationNode::File(3)), None);
    assert!(walked.relations.index(RelationNode::File(2)).is_some());
    assert_eq!(RelationGraph::default().n_nodes(), 0);
}

#[test]
fn a_graph_in_a_file_is_the_same_and_is_known_by_its_view() {
    let view = View::new(&FILES);
    let relations = Walked::new(&view, &[]).relations;
    let counts = || {
        let inputs = view.inputs();
        let counts: Vec<usize> = inputs
            .iter()
            .map(|file| file.facts().symbols.len())
            .collect();
        counts.into_iter()
    };
    let mapped = |file: MemorySections| RelationGraph::mapped(Arc::new(file), counts());
    let walk = |graph: &RelationGraph, seed: u32| {
        let mut scratch = PushScratch::default();
        let found = graph.near(&[(seed, 1.0)], PushLimits::default(), &mut scratch);
        let ways = found.ranked.iter().map(|(node, _)| scratch.path_to(*node));
        (ways.collect::<Vec<_>>(), found)
    };
    let kept = mapped(MemorySections::of(&relations.sections())).unwrap();
    assert_eq!(kept, relations);
    for node in 0..relations.n_nodes() as u32 {
        assert_eq!(walk(&kept, node), walk(&relations, node));
        for other in 0..relations.n_nodes() as u32 {
            assert_eq!(kept.step(node, other), relations.step(node, other));
        }
    }
    assert!(!kept.met_damage());
    let file = || Arc::new(MemorySections::of(&relations.sections()));
    assert!(RelationGraph::mapped(file(), counts().skip(1)).is_none());
    assert!(RelationGraph::mapped(file(), std::iter::empty()).is_none());

    for (section, bytes) in relations.sections().iter().enumerate() {
        for at in 0..bytes.len() {
            // Where no checksum stands before it, the walk may differ; nothing may be out of bounds.
            let file = MemorySections::of(&relations.sections());
            if let Some(damaged) = mapped(file.flipped(section, at)) {
                walk(&damaged, 0);
            }
        }
        let mut unread = MemorySections::of(&relations.sections());
        unread.unread = Some(section);
        if let Some(graph) = mapped(unread) {
            walk(&graph, 0);
            let _ = graph.step(0, 1);
            assert!(graph.met_damage() || section == 3, "section {section}");
        }
    }
}

#[test]
fn the_same_view_gives_the_same_graph() {
    let view = View::new(&FILES);
    let mut one = Walked::new(&view, &[]);
    let mut two = Walked::new(&view, &[]);
    assert_eq!(one.reached_from("make"), two.reached_from("make"));
    let ranks = (one.relations.page_rank(), two.relations.page_rank());
    assert_eq!(ranks.0, ranks.1);
}

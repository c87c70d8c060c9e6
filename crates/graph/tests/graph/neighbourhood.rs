//! What lies around a definition or a file.

use std::collections::HashSet;

use whyrank_graph::{
    EdgeKind, Exposure, NeighbourCache, Neighbourhood, NeighbourhoodDirection,
    NeighbourhoodRequest, Neighbours, Node, neighbourhood, symbol_rank,
};

use crate::support::View;

const ALL: &[EdgeKind] = &[
    EdgeKind::Call,
    EdgeKind::Import,
    EdgeKind::Inherit,
    EdgeKind::Type,
    EdgeKind::Reference,
    EdgeKind::Test,
];

struct Query<'s> {
    direction: NeighbourhoodDirection,
    radius: u32,
    kinds: &'s [EdgeKind],
    max_nodes: usize,
    expanded: &'s [&'s str],
}

const BOTH: Query<'_> = Query {
    direction: NeighbourhoodDirection::Both,
    radius: 1,
    kinds: ALL,
    max_nodes: 200,
    expanded: &[],
};

/// `name` of a definition, path of a file.
fn name(view: &View, node: Node) -> String {
    let inputs = view.inputs();
    match node {
        Node::Symbol(id) => {
            let facts = inputs[id.file as usize].facts();
            facts.symbols[id.symbol as usize].qualified.clone()
        }
        Node::File(file) => inputs[file as usize].path.to_owned(),
    }
}

fn with_links<T>(view: &View, ask: impl FnOnce(&Neighbours<'_, '_>) -> T) -> T {
    let inputs = view.inputs();
    let is_test = |file: u32| inputs[file as usize].path.contains("test");
    view.with_uses(|uses| {
        let known = NeighbourCache::default();
        ask(&Neighbours::new(uses, &view.graph, &is_test, &known))
    })
}

fn focus(view: &View, links: &Neighbours<'_, '_>, focus: &str) -> Node {
    let files = view.inputs();
    match files.iter().position(|file| file.path == focus) {
        Some(file) => Node::File(file as u32),
        None => links.node_of(view.table.definitions(focus)[0]),
    }
}

fn around(view: &View, name: &str, asked: &Query<'_>) -> Neighbourhood {
    let ranks = view.with_uses(symbol_rank);
    let rank = |node: Node| match node {
        Node::Symbol(id) => ranks.get(id),
        Node::File(_) => 0.0,
    };
    with_links(view, |links| {
        neighbourhood(
            links,
            &NeighbourhoodRequest {
                focus: focus(view, links, name),
                direction: asked.direction,
                radius: asked.radius,
                kinds: asked.kinds,
                max_nodes: asked.max_nodes,
                expanded: &asked.expanded.iter().map(|id| (*id).to_owned()).collect(),
                rank: &rank,
                together: &[],
            },
        )
    })
}

/// `distance side name` of each node, in order.
fn nodes(view: &View, name_: &str, asked: &Query<'_>) -> Vec<String> {
    let found = around(view, name_, asked);
    let show = |near: &whyrank_graph::Near| {
        format!(
            "{} {:?} {}",
            near.distance,
            near.side,
            name(view, near.node)
        )
    };
    found.nodes.iter().map(show).collect()
}

/// `user kind used ×count` of each edge; `+n` for a cluster.
fn edges(view: &View, name_: &str, asked: &Query<'_>) -> Vec<String> {
    let found = around(view, name_, asked);
    let end = |at: usize| match found.nodes.get(at) {
        Some(near) => name(view, near.node),
        None => format!("+{}", found.clusters[at - found.nodes.len()].members.len()),
    };
    let show = |edge: &whyrank_graph::Edge| {
        format!(
            "{} {:?} {} ×{}",
            end(edge.from),
            edge.kind,
            end(edge.to),
            edge.count
        )
    };
    found.edges.iter().map(show).collect()
}

fn shop() -> View {
    View::new(&[
        (
            "shop/tax.py",
            "class Rate:\n    def of(self, price):\n        return price\n\n\n\
             def tax(price):\n    rate = Rate()\n    price = round_up(price)\n    return round_up(rate.of(price))\n\n\n\
             def round_up(price):\n    return price\n",
        ),
        (
            "shop/cart.py",
            "from .tax import tax\n\n\ndef total(prices):\n    return sum(tax(p) for p in prices)\n\n\n\
             def receipt(prices):\n    return str(total(prices)) + str(tax(1))\n",
        ),
        ("shop/__init__.py", "from .tax import tax\n"),
        (
            "tests/test_tax.py",
            "from shop.tax import tax\n\n\ndef test_tax():\n    assert tax(1) == 2\n",
        ),
    ])
}

#[test]
fn callers_lie_on_one_side_and_callees_on_the_other() {
    let found = nodes(&shop(), "tax", &BOTH);
    assert_eq!(found[0], "0 Focus tax");
    let found: HashSet<&str> = found.iter().map(String::as_str).collect();
    for expected in [
        "1 Callers total",
        "1 Callers receipt",
        "1 Callers test_tax",
        "1 Callers shop/__init__.py",
        "1 Callees round_up",
        "1 Callees Rate",
    ] {
        assert!(found.contains(expected), "{expected} is not in {found:?}");
    }
}

#[test]
fn edges_count_uses_and_join_neighbours() {
    let found = edges(&shop(), "tax", &BOTH);
    for expected in [
        "tax Call round_up ×2",
        "total Call tax ×1",
        "receipt Call total ×1",
        "test_tax Test tax ×1",
        "shop/__init__.py Import tax ×1",
    ] {
        assert!(
            found.iter().any(|edge| edge == expected),
            "{expected} is not in {found:?}"
        );
    }
    assert!(
        !found
            .iter()
            .any(|edge| edge.starts_with("shop/cart.py Import"))
    );
}

#[test]
fn kinds_narrow_what_is_followed() {
    let asked = Query {
        kinds: &[EdgeKind::Test],
        radius: 3,
        ..BOTH
    };
    assert_eq!(
        nodes(&shop(), "tax", &asked),
        ["0 Focus tax", "1 Callers test_tax"]
    );
}

#[test]
fn the_radius_bounds_the_way() {
    let asked = |radius| Query {
        radius,
        direction: NeighbourhoodDirection::Callers,
        ..BOTH
    };
    let names = |radius| nodes(&shop(), "Rate", &asked(radius));
    assert_eq!(names(1), ["0 Focus Rate", "1 Callers tax"]);
    assert!(names(2).contains(&"2 Callers total".to_owned()));
    assert_eq!(nodes(&shop(), "round_up", &asked(1)).len(), 2);
}

#[test]
fn impact_of_a_type_takes_in_its_members() {
    let view = View::new(&[
        (
            "a.py",
            "class Cup:\n    def fill(self):\n        return 1\n",
        ),
        ("b.py", "def pour(cup):\n    cup.fill()\n"),
    ]);
    let asked = |direction| Query { direction, ..BOTH };
    assert_eq!(
        nodes(&view, "Cup", &asked(NeighbourhoodDirection::Callers)).len(),
        1
    );
    let expected = ["0 Focus Cup", "1 Callers pour"];
    assert_eq!(
        nodes(&view, "Cup", &asked(NeighbourhoodDirection::Impact)),
        expected
    );
}

#[test]
fn a_type_uses_what_its_methods_use() {
    let view = View::new(&[(
        "src/lib.rs",
        "pub struct Cup;\n\nimpl Cup {\n    pub fn fill(&self) {\n        pour();\n    }\n}\n\n\
         fn pour() {}\n",
    )]);
    let found = nodes(&view, "Cup", &BOTH);
    assert_eq!(found, ["0 Focus Cup", "1 Callees pour"]);
}

#[test]
fn cycles_and_recursion_end() {
    let view = View::new(&[(
        "a.py",
        "def one():\n    two()\n    one()\n\n\ndef two():\n    one()\n",
    )]);
    let asked = Query { radius: 3, ..BOTH };
    assert_eq!(
        nodes(&view, "one", &asked),
        ["0 Focus one", "1 Callers two"]
    );
    let expected = ["one Call one ×1", "one Call two ×1", "two Call one ×1"];
    assert_eq!(edges(&view, "one", &asked), expected);
}

#[test]
fn a_node_without_an_edge_stands_alone() {
    let view = View::new(&[("a.py", "def alone():\n    return 1\n")]);
    assert_eq!(nodes(&view, "alone", &BOTH), ["0 Focus alone"]);
    assert!(edges(&view, "alone", &BOTH).is_empty());
}

#[test]
fn files_lie_among_files() {
    let asked = Query { radius: 2, ..BOTH };
    let found = nodes(&shop(), "shop/cart.py", &asked);
    assert_eq!(found[0], "0 Focus shop/cart.py");
    assert!(
        found.contains(&"1 Callees shop/tax.py".to_owned()),
        "{found:?}"
    );
    let found = edges(&shop(), "shop/cart.py", &asked);
    for expected in [
        "shop/cart.py Import shop/tax.py ×1",
        "shop/cart.py Call shop/tax.py ×2",
    ] {
        assert!(
            found.iter().any(|edge| edge == expected),
            "{expected} is not in {found:?}"
        );
    }
}

/// One function that `n` others in as many files call, `n_files` of them in each folder.
fn hub(n: usize) -> View {
    let mut files: Vec<(&'static str, &'static str)> =
        vec![("core/hub.py", "def hub():\n    return 1\n")];
    for at in 0..n {
        let path = format!("part{}/m{at:05}.py", at % 3);
        let text = format!("from core.hub import hub\n\n\ndef caller_{at}():\n    return hub()\n");
        files.push((path.leak(), text.leak()));
    }
    View::new(&files)
}

#[test]
fn what_is_too_much_comes_in_clusters_that_open() {
    let view = hub(400);
    let asked = |expanded| Query {
        max_nodes: 21,
        expanded,
        ..BOTH
    };
    let found = around(&view, "hub", &asked(&[]));
    assert_eq!(found.nodes.len(), 21);
    let ids: Vec<&str> = found.clusters.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(
        ids,
        ["callers:1:part0", "callers:1:part1", "callers:1:part2"]
    );
    let n_hidden: usize = found.clusters.iter().map(|one| one.members.len()).sum();
    assert_eq!(n_hidden + 20, 400);
    let opened = around(&view, "hub", &asked(&["callers:1:part1"]));
    assert_eq!(opened.nodes.len(), 121);
    assert_eq!(opened.clusters[1].id, "callers:1:part1~2");
    let both = around(
        &view,
        "hub",
        &asked(&["callers:1:part1", "callers:1:part1~2"]),
    );
    assert_eq!(both.clusters.len(), 2);
    assert_eq!(
        both.nodes.len() + both.clusters.iter().map(|c| c.members.len()).sum::<usize>(),
        401
    );
    assert!(
        edges(&view, "hub", &asked(&[]))
            .iter()
            .any(|edge| edge.starts_with('+'))
    );
}

#[test]
fn an_answer_is_the_same_again() {
    let view = hub(300);
    let asked = Query {
        radius: 3,
        max_nodes: 50,
        ..BOTH
    };
    assert_eq!(around(&view, "hub", &asked), around(&view, "hub", &asked));
}

#[test]
fn tests_lower_the_risk_and_dependents_raise_it() {
    let view = shop();
    let exposure = |name: &str, rank: f64| {
        with_links(&view, |links| {
            Exposure::of(links, focus(&view, links, name), rank)
        })
    };
    let tax = exposure("tax", 0.5);
    assert_eq!((tax.n_dependents, tax.n_files, tax.n_tests), (3, 2, 1));
    assert_eq!(exposure("round_up", 0.5).n_tests, 1, "through tax");
    assert_eq!(name(&view, tax.tests[0]), "test_tax");
    let untested = Exposure {
        n_tests: 0,
        ..tax.clone()
    };
    assert!(untested.risk() > tax.risk());
    let wanted = Exposure {
        n_dependents: 30,
        ..tax.clone()
    };
    assert!(wanted.risk() > tax.risk());
    let still = Exposure {
        changes: Some(0),
        ..tax.clone()
    };
    assert!(still.risk() < tax.risk());
    assert_eq!(
        tax.reason(),
        "3 dependents in 2 files, rank 0.50, 1 test reaches it"
    );
    assert_eq!(exposure("receipt", 0.0).risk(), 0.0);
}

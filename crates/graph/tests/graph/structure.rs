//! Who depends on whom, what sticks out, what tests reach.

use crate::support::View;
use whyrank_graph::{
    CycleEdge, FileEdge, FileGraph, OrphanReason, SettledUses, TestReach, entry_points,
    import_cycles, layer_breaks, orphans, test_map, testable,
};

fn edge(from: u32, to: u32) -> CycleEdge {
    CycleEdge {
        from,
        to,
        line: from * 10 + to,
    }
}

#[test]
fn a_knot_has_a_shortest_way_round_and_a_cut() {
    // 0 -> 1 -> 2 -> 0 and 2 -> 3 -> 1: without 1 -> 2 nothing is left.
    let edges = [
        edge(0, 1),
        edge(1, 2),
        edge(2, 0),
        edge(2, 3),
        edge(3, 1),
        edge(4, 0),
    ];
    let found = import_cycles(&edges);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].files, [0, 1, 2, 3]);
    assert_eq!(found[0].shortest.len(), 3);
    assert_eq!((found[0].cut, found[0].n_left), (edge(1, 2), 0));
}

#[test]
fn a_cut_that_leaves_a_cycle_says_so() {
    let edges = [edge(0, 1), edge(1, 0), edge(1, 2), edge(2, 1)];
    let found = import_cycles(&edges);
    assert_eq!((found[0].files.len(), found[0].n_left), (3, 2));
}

#[test]
fn no_cycle_is_none() {
    assert!(import_cycles(&[]).is_empty());
    assert!(import_cycles(&[edge(0, 0), edge(0, 1), edge(1, 2)]).is_empty());
}

fn leans(from: u32, to: u32) -> FileEdge {
    FileEdge {
        from,
        to,
        n_imports: 1,
        n_uses: 2,
        line: 1,
    }
}

#[test]
fn the_few_edges_against_the_many_are_out_of_order() {
    // Files 0..4 lie in folder 0, 10..14 in folder 1, 20 in folder 2.
    let mut edges: Vec<FileEdge> = (0..4).map(|at| leans(at, 10 + at)).collect();
    edges.push(leans(12, 2));
    edges.push(leans(10, 20));
    let found = layer_breaks(&edges, &|file| file / 10);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].from, found[0].to), (1, 0));
    assert_eq!(found[0].edges, [leans(12, 2)]);
    assert_eq!(found[0].n_along, 4);
}

#[test]
fn a_ring_of_folders_is_cut_at_its_weakest_edge() {
    let edges = [
        leans(0, 10),
        leans(1, 11),
        leans(10, 20),
        leans(11, 21),
        leans(20, 0),
    ];
    let found = layer_breaks(&edges, &|file| file / 10);
    let ends: Vec<(u32, u32)> = found.iter().map(|found| (found.from, found.to)).collect();
    assert_eq!(ends, [(2, 0)]);
}

const APP: &[(&str, &str)] = &[
    (
        "src/app.py",
        "from src.store import Store\n\n\ndef main():\n    return serve(Store())\n\n\ndef \
         serve(store):\n    return store.load()\n",
    ),
    (
        "src/store.py",
        "class Store:\n    def __init__(self):\n        self.rows = []\n\n    def load(self):\n        \
         return parse(self.rows)\n\n\ndef parse(rows):\n    return rows\n\n\ndef spare():\n    return 1\n",
    ),
    ("src/_left.py", "def _left():\n    return 1\n"),
    ("src/shown.py", "def shown():\n    return 1\n"),
    ("src/_helped.py", "def helped():\n    return 1\n"),
    (
        "tests/test_app.py",
        "from src.app import serve\nfrom src.store import Store\nfrom src._helped import helped\n\n\ndef \
         make():\n    return Store()\n\n\ndef test_serve():\n    assert serve(make()) == []\n    assert \
         helped() == 1\n",
    ),
];

#[test]
fn files_lean_by_imports_and_uses() {
    let view = View::new(APP);
    let edges = view.with_uses(|uses| {
        let links = SettledUses::new(uses);
        let graph = FileGraph::new(&view.graph, &links, APP.len());
        graph.edges().to_vec()
    });
    let app = view.file("src/app.py");
    let store = view.file("src/store.py");
    let found = edges
        .iter()
        .find(|edge| (edge.from, edge.to) == (app, store));
    let found = found.expect("app depends on store");
    assert_eq!((found.n_imports, found.line), (1, 1));
    // `store.load()` of a parameter without a type is a guess, and nothing depends on a guess.
    assert_eq!(found.n_uses, 1, "{found:?}");
    let load = view.table.definitions("Store.load")[0];
    view.with_uses(|uses| {
        let links = SettledUses::new(uses);
        assert_eq!(links.n_callers(load, &|_| true), 0);
        assert_eq!(links.to(load).len(), 1);
    });
    assert!(
        edges
            .iter()
            .all(|edge| (edge.from, edge.to) != (store, app))
    );
}

#[test]
fn orphans_are_told_apart_and_entry_points_are_none() {
    let view = View::new(APP);
    let is_code = |file: u32| !view.path(file).starts_with("tests");
    let (found, starts) = view.with_uses(|uses| {
        let links = SettledUses::new(uses);
        let graph = FileGraph::new(&view.graph, &links, APP.len());
        let found = orphans(uses, &graph, &links, &is_code, &|_| false);
        (found, entry_points(uses, &|_| false))
    });
    let mut found: Vec<(&str, OrphanReason)> = found
        .iter()
        .map(|orphan| (view.path(orphan.file), orphan.reason))
        .collect();
    found.sort();
    let expected = [
        ("src/_helped.py", OrphanReason::TestsOnly),
        ("src/_left.py", OrphanReason::Unreached),
        ("src/shown.py", OrphanReason::Exported),
    ];
    assert_eq!(found, expected);
    assert_eq!(starts, [(view.file("src/app.py"), 4)]);
}

/// `name depth test` of the nearest test of each definition.
fn nearest(files: &[(&'static str, &'static str)], depth: u32) -> Vec<String> {
    let view = View::new(files);
    let is_test = |file: u32| view.path(file).starts_with("tests");
    view.with_uses(|uses| {
        let links = SettledUses::new(uses);
        let targets = testable(uses, &is_test, &|file| !is_test(file));
        let reach = TestReach {
            depth,
            nearest: false,
        };
        let mapped = test_map(uses, &links, &is_test, &targets, reach);
        let shown = mapped.iter().map(|one| {
            let test = one.tests.first().map(|test| {
                let name = test.symbol.map_or("file", |id| view.qualified(id));
                format!("{} {name}", test.depth)
            });
            let name = view.qualified(one.symbol);
            format!("{name} {}", test.unwrap_or_else(|| "none".to_owned()))
        });
        shown.collect()
    })
}

#[test]
fn tests_reach_directly_through_others_and_through_helpers() {
    let found = nearest(APP, 4);
    let expected = [
        "serve 1 test_serve",
        "Store.__init__ 1 test_serve",
        "Store.load 2 test_serve",
        "parse 3 test_serve",
        "helped 1 test_serve",
        "spare none",
    ];
    for line in expected {
        assert!(found.contains(&line.to_owned()), "{line}: {found:?}");
    }
    let short = nearest(APP, 2);
    assert!(short.contains(&"parse none".to_owned()), "{short:?}");
}

#[test]
fn calls_in_a_circle_end() {
    let files: &[(&str, &str)] = &[
        (
            "src/a.py",
            "def first():\n    return second()\n\n\ndef second():\n    return first()\n",
        ),
        (
            "tests/test_a.py",
            "from src.a import first\n\n\ndef test_first():\n    first()\n",
        ),
    ];
    assert_eq!(
        nearest(files, 9),
        ["first 1 test_first", "second 2 test_first"]
    );
}

#[test]
fn an_override_is_reached_by_the_one_who_calls_the_base() {
    let files: &[(&str, &str)] = &[
        (
            "src/a.py",
            "class Base:\n    def run(self):\n        return 0\n\n\nclass Own(Base):\n    def run(self):\n        \
             return 1\n",
        ),
        (
            "tests/test_a.py",
            "from src.a import Base\n\n\ndef test_run():\n    base = Base()\n    base.run()\n",
        ),
    ];
    let found = nearest(files, 3);
    assert!(
        found.contains(&"Own.run 1 test_run".to_owned()),
        "{found:?}"
    );
}

#[test]
fn a_suite_that_has_members_is_a_test_by_its_own_body() {
    let source = "package org.h\nobject Calc { def sum(a: Int): Int = a; def dif(a: Int): Int = a; def prod(a: Int): Int = a }\n";
    let suite = "package org.h\nclass CalcSuite extends FunSuite {\n  test(\"sum\") {\n    assertEquals(Calc.sum(3), 3)\n  }\n  val n = 3\n  def check = Calc.dif(3)\n}\n";
    let found = nearest(
        &[("src/Calc.scala", source), ("tests/CalcSuite.scala", suite)],
        4,
    );
    assert_eq!(
        found,
        [
            "Calc.sum 1 CalcSuite",
            "Calc.dif 1 CalcSuite.check",
            "Calc.prod none"
        ]
    );
    let source = "package app\nobject Calc { fun sum(a: Int): Int = a }\n";
    let suite = "package app\nclass CalcSpec : FunSpec({\n  test(\"sum\") { Calc.sum(3) }\n}) {\n  fun check() = 3\n}\n";
    let found = nearest(&[("src/Calc.kt", source), ("tests/CalcSpec.kt", suite)], 4);
    assert_eq!(found, ["Calc.sum 1 CalcSpec"]);
}

//! PageRank against an oracle and its laws.

use petgraph::graph::DiGraph;
use proptest::prelude::{Strategy, any, prop_assert, proptest};
use whyrank_graph::{DAMPING, WeightedGraph, symbol_rank};

use crate::support::{View, file, graph};

/// Solves the same equations with a dense matrix, for many rounds.
fn dense(n_nodes: usize, edges: &[(u32, u32, f32)], damping: f64, teleport: &[f64]) -> Vec<f64> {
    let mut matrix = vec![vec![0.0; n_nodes]; n_nodes];
    for (from, to, weight) in edges {
        if from != to && *weight > 0.0 {
            matrix[*from as usize][*to as usize] += f64::from(*weight);
        }
    }
    for row in &mut matrix {
        let sum: f64 = row.iter().sum();
        for (cell, share) in row.iter_mut().zip(teleport) {
            *cell = if sum > 0.0 { *cell / sum } else { *share };
        }
    }
    let mut ranks = teleport.to_vec();
    for _ in 0..300 {
        ranks = (0..n_nodes)
            .map(|to| {
                let inflow: f64 = (0..n_nodes)
                    .map(|from| ranks[from] * matrix[from][to])
                    .sum();
                (1.0 - damping) * teleport[to] + damping * inflow
            })
            .collect();
    }
    ranks
}

fn small_graph() -> impl Strategy<Value = (usize, Vec<(u32, u32, f32)>)> {
    (1usize..9).prop_flat_map(|n_nodes| {
        let node = 0..n_nodes as u32;
        let weight = (1u8..=30).prop_map(|tenths| f32::from(tenths) / 10.0);
        let edge = (node.clone(), node, weight);
        (
            proptest::strategy::Just(n_nodes),
            proptest::collection::vec(edge, 0..24),
        )
    })
}

proptest! {
    #[test]
    fn ranks_agree_with_a_dense_oracle((n_nodes, edges) in small_graph(), damping in 0.1f32..0.86) {
        let uniform = vec![1.0 / n_nodes as f64; n_nodes];
        let expected = dense(n_nodes, &edges, f64::from(damping), &uniform);
        let ranks = WeightedGraph::new(n_nodes, &edges).page_rank(damping, None);
        for (rank, expected) in ranks.iter().zip(expected) {
            prop_assert!((f64::from(*rank) - expected).abs() < 2e-4);
        }
    }

    #[test]
    fn ranks_sum_to_one_whatever_dangles(
        (n_nodes, edges) in small_graph(),
        shares in proptest::collection::vec(0.0f32..1.0, 9),
        uniform in any::<bool>(),
    ) {
        let teleport = (!uniform).then_some(&shares[..n_nodes]);
        let ranks = WeightedGraph::new(n_nodes, &edges).page_rank(DAMPING, teleport);
        prop_assert!((ranks.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        prop_assert!(ranks.iter().all(|rank| *rank >= 0.0));
    }
}

/// petgraph leaves the jump out along edges, so its figures differ in the third place.
#[test]
fn petgraph_ranks_in_the_same_order() {
    let edges = [(0, 1), (1, 2), (2, 0), (3, 0), (3, 2), (2, 1), (0, 3)];
    let weighted: Vec<(u32, u32, f32)> = edges.iter().map(|(a, b)| (*a, *b, 1.0)).collect();
    let ours = WeightedGraph::new(4, &weighted).page_rank(DAMPING, None);
    let theirs = petgraph::algo::page_rank(&DiGraph::<(), ()>::from_edges(edges), DAMPING, 100);
    for (a, b) in ours.iter().zip(&theirs) {
        assert!((a - b).abs() < 5e-3, "{ours:?} {theirs:?}");
    }
}

#[test]
fn damping_zero_leaves_the_teleport_set() {
    let graph = WeightedGraph::new(3, &[(0, 1, 1.0), (1, 2, 1.0)]);
    assert_eq!(
        graph.page_rank(0.0, Some(&[1.0, 0.0, 3.0])),
        [0.25, 0.0, 0.75]
    );
}

#[test]
fn the_most_imported_file_ranks_one() {
    let files = [
        file("a.ts").import("./core", &[]),
        file("b.ts").import("./core", &[]).import("./a", &[]),
        file("core.ts"),
    ];
    let graph = graph(&files, &[]);
    let ranks = graph.page_rank();
    assert_eq!(ranks[2], 1.0);
    assert!(ranks[0] > ranks[1]);
    let with_uses = graph.page_rank_with(&[(0, 1, 5.0), (2, 1, 5.0)]);
    assert_eq!(with_uses[1], 1.0);
}

#[test]
fn a_symbol_ranks_by_who_uses_it_among_visible_files() {
    let view = View::new(&[
        ("core.py", "def hub():\n    pass\n\ndef lone():\n    pass\n"),
        ("fake.py", "def hub():\n    pass\n"),
        (
            "a.py",
            "from core import hub\n\ndef a():\n    hub()\n\ndef b():\n    hub()\n",
        ),
    ]);
    let ranks = view.with_uses(symbol_rank);
    let of = |query: &str| ranks.get(view.table.definitions(query)[0]);
    assert_eq!(of("core.py:hub"), 1.0);
    assert!(of("core.py:lone") < 0.6);
    assert!(of("fake.py:hub") < 0.6);
}

#[test]
fn a_guess_lends_no_rank() {
    let view = View::new(&[
        (
            "map.py",
            "class Parser:\n    def wrap(self):\n        pass\n\n    def idle(self):\n        pass\n",
        ),
        (
            "a.py",
            "import map\n\ndef a(x):\n    x.wrap()\n\ndef b(x):\n    x.wrap()\n",
        ),
    ]);
    let ranks = view.with_uses(symbol_rank);
    let of = |query: &str| ranks.get(view.table.definitions(query)[0]);
    assert_eq!(of("Parser.wrap"), of("Parser.idle"));
}

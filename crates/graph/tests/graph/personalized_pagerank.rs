//! Forward push against power iteration, and its laws.

use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
use whyrank_graph::{DAMPING, PushLimits, PushOutcome, PushScratch, WeightedGraph};

/// A larger graph than the seeds touch, with a few nodes that everybody knows.
fn sparse_graph() -> impl Strategy<Value = (usize, Vec<(u32, u32, f32)>)> {
    (20usize..300).prop_flat_map(|n_nodes| {
        let node = 0..n_nodes as u32;
        let popular = 0..8u32;
        let to = proptest::prop_oneof![3 => node.clone(), 1 => popular];
        // Tenths, since proptest 1.12 now and then fails at a range of floats by an assertion of its own.
        let weight = (1u8..=20).prop_map(|tenths| f32::from(tenths) / 10.0);
        (
            proptest::strategy::Just(n_nodes),
            proptest::collection::vec((node, to, weight), n_nodes..4 * n_nodes),
        )
    })
}

fn limits(epsilon: f32) -> PushLimits {
    PushLimits {
        epsilon,
        max_edges: u32::MAX,
    }
}

fn exact(graph: &WeightedGraph, seeds: &[(u32, f32)]) -> Vec<f32> {
    let mut teleport = vec![0.0; graph.n_nodes()];
    for (node, share) in seeds {
        teleport[*node as usize] += share;
    }
    graph.page_rank(DAMPING, Some(&teleport))
}

fn dense(n_nodes: usize, outcome: &PushOutcome) -> Vec<f32> {
    let mut ranks = vec![0.0; n_nodes];
    for (node, rank) in &outcome.ranked {
        ranks[*node as usize] = *rank;
    }
    ranks
}

fn best(ranks: &[f32], n: usize) -> Vec<u32> {
    let mut nodes: Vec<u32> = (0..ranks.len() as u32).collect();
    nodes.sort_by(|a, b| {
        ranks[*b as usize]
            .total_cmp(&ranks[*a as usize])
            .then(a.cmp(b))
    });
    nodes.truncate(n);
    nodes
}

const SEEDS: [(u32, f32); 3] = [(3, 1.0), (11, 0.5), (17, 0.25)];

proptest! {
    #[test]
    fn no_mass_is_made_or_lost((n_nodes, edges) in sparse_graph(), epsilon in 1e-5f32..1e-2) {
        let graph = WeightedGraph::new(n_nodes, &edges).normalised();
        let outcome = graph.push(&SEEDS, limits(epsilon), &mut PushScratch::default());
        let placed: f32 = outcome.ranked.iter().map(|(_, rank)| rank).sum();
        prop_assert!((placed + outcome.residual - 1.0).abs() < 1e-3, "{}", placed + outcome.residual);
        prop_assert!(outcome.ranked.iter().all(|(_, rank)| *rank > 0.0));
    }

    #[test]
    fn the_distance_to_power_iteration_is_what_was_left(
        (n_nodes, edges) in sparse_graph(),
        epsilon in 1e-5f32..1e-2,
    ) {
        let graph = WeightedGraph::new(n_nodes, &edges).normalised();
        let outcome = graph.push(&SEEDS, limits(epsilon), &mut PushScratch::default());
        let found = dense(n_nodes, &outcome);
        let exact = exact(&graph, &SEEDS);
        let distance: f32 = found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).sum();
        prop_assert!((distance - outcome.residual).abs() < 2e-3, "{distance} {}", outcome.residual);
        // Every node may keep `epsilon` for each of its edges, and for none as for one.
        let most = epsilon * (graph.n_edges() + n_nodes) as f32;
        prop_assert!(outcome.residual <= most + 1e-4, "{} {most}", outcome.residual);
    }

    #[test]
    fn the_first_twenty_are_those_of_power_iteration((n_nodes, edges) in sparse_graph()) {
        let graph = WeightedGraph::new(n_nodes, &edges).normalised();
        let outcome = graph.push(&SEEDS, PushLimits::default(), &mut PushScratch::default());
        let exact = exact(&graph, &SEEDS);
        let wanted = best(&exact, 20);
        let found: Vec<u32> = outcome.ranked.iter().take(20).map(|(node, _)| *node).collect();
        // Of nodes that are all but equal either may come first.
        let last = wanted.last().map_or(0.0, |node| exact[*node as usize]);
        let good = |node: &&u32| exact[**node as usize] >= last - 1e-3;
        let n_reached = exact.iter().filter(|rank| **rank > 1e-3).count().min(20);
        prop_assert!(found.iter().filter(good).count() >= n_reached * 9 / 10);
    }

    #[test]
    fn scratch_that_was_used_changes_nothing((n_nodes, edges) in sparse_graph()) {
        let graph = WeightedGraph::new(n_nodes, &edges).normalised();
        let fresh = graph.push(&SEEDS, PushLimits::default(), &mut PushScratch::default());
        let mut used = PushScratch::default();
        let _ = graph.push(&[(1, 1.0)], PushLimits::default(), &mut used);
        prop_assert_eq!(&fresh, &graph.push(&SEEDS, PushLimits::default(), &mut used));
    }

    #[test]
    fn every_reached_node_has_a_way_from_a_seed((n_nodes, edges) in sparse_graph()) {
        let graph = WeightedGraph::new(n_nodes, &edges).normalised();
        let mut scratch = PushScratch::default();
        let outcome = graph.push(&SEEDS, PushLimits::default(), &mut scratch);
        for (node, _) in &outcome.ranked {
            let way = scratch.path_to(*node);
            prop_assert!(SEEDS.iter().any(|(seed, _)| way.first() == Some(seed)));
            prop_assert_eq!(way.last(), Some(node));
            for step in way.windows(2) {
                prop_assert!(graph.edges(step[0]).any(|(target, _)| target == step[1]));
            }
        }
    }
}

#[test]
fn a_hub_of_a_million_edges_is_not_walked_and_the_answer_says_so() {
    let n_leaves = 1_000_000u32;
    let mut edges: Vec<(u32, u32, f32)> = (2..n_leaves).map(|leaf| (1, leaf, 1.0)).collect();
    edges.extend([(0, 1, 1.0), (0, 2, 1.0), (2, 0, 1.0)]);
    let graph = WeightedGraph::new(n_leaves as usize, &edges).normalised();
    // Small enough that the hub's residual is above its bound.
    let limits = PushLimits {
        epsilon: 1e-8,
        max_edges: 50_000,
    };
    let outcome = graph.push(&[(0, 1.0)], limits, &mut PushScratch::default());
    assert!(outcome.cut && outcome.n_edges <= limits.max_edges);
    let mut reached: Vec<u32> = outcome.ranked.iter().map(|(node, _)| *node).collect();
    reached.sort_unstable();
    assert_eq!(reached, [0, 1, 2]);
    let placed: f32 = outcome.ranked.iter().map(|(_, rank)| rank).sum();
    assert!((placed + outcome.residual - 1.0).abs() < 1e-3);
}

#[test]
fn no_seeds_reach_nothing() {
    let graph = WeightedGraph::new(3, &[(0, 1, 1.0)]).normalised();
    for seeds in [&[][..], &[(7, 1.0)], &[(0, 0.0)], &[(0, f32::NAN)]] {
        let mut scratch = PushScratch::default();
        let outcome = graph.push(seeds, PushLimits::default(), &mut scratch);
        assert!(outcome.ranked.is_empty() && !outcome.cut);
        assert!(scratch.path_to(1).is_empty());
    }
}

#[test]
fn of_the_nearest_ways_the_strongest_is_told() {
    // 0 leads to 3 by 1 and, more strongly, by 2; the longer way by 4 and 5 is no rival.
    let edges = [
        (0, 1, 1.0),
        (0, 2, 3.0),
        (0, 4, 9.0),
        (1, 3, 1.0),
        (2, 3, 1.0),
        (4, 5, 1.0),
        (5, 3, 1.0),
    ];
    let graph = WeightedGraph::new(6, &edges).normalised();
    let mut scratch = PushScratch::default();
    let _ = graph.push(&[(0, 1.0)], PushLimits::default(), &mut scratch);
    assert_eq!(scratch.path_to(3), [0, 2, 3]);
    assert_eq!(scratch.path_to(0), [0]);
}

//! Drawings: no overlap, edges to the right, the same bytes again, in time.

use std::time::{Duration, Instant};

use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
use whyrank_graph::{Layout, NodeFrame, layout};

fn frame(width: u32, height: u32, band: i32) -> NodeFrame {
    NodeFrame {
        width: f64::from(width),
        height: f64::from(height),
        band,
    }
}

fn overlap(frames: &[NodeFrame], drawn: &Layout) -> Option<(usize, usize)> {
    let ends = |at: usize| {
        let (placed, frame) = (drawn.nodes[at], frames[at]);
        (
            placed.x,
            placed.x + frame.width,
            placed.y,
            placed.y + frame.height,
        )
    };
    for left in 0..frames.len() {
        for right in left + 1..frames.len() {
            let (a, b) = (ends(left), ends(right));
            if a.0 < b.1 && b.0 < a.1 && a.2 < b.3 && b.2 < a.3 {
                return Some((left, right));
            }
        }
    }
    None
}

/// Frames in bands -3 to 3, and edges between any of them.
fn graphs() -> impl Strategy<Value = (Vec<NodeFrame>, Vec<(usize, usize)>)> {
    (1usize..60).prop_flat_map(|n| {
        let frames = proptest::collection::vec((40u32..260, 20u32..60, -3i32..=3), n..=n);
        let edges = proptest::collection::vec((0..n, 0..n), 0..120);
        let frames = frames.prop_map(|frames| {
            let frames = frames.into_iter();
            frames
                .map(|(width, height, band)| frame(width, height, band))
                .collect()
        });
        (frames, edges)
    })
}

proptest! {
    #[test]
    fn nothing_overlaps_and_edges_lead_to_the_right((frames, edges) in graphs()) {
        let drawn = layout(&frames, &edges);
        prop_assert_eq!(overlap(&frames, &drawn), None);
        for ((from, to), route) in edges.iter().zip(&drawn.edges) {
            let leads_right = drawn.nodes[*from].layer < drawn.nodes[*to].layer;
            prop_assert_eq!(leads_right, !route.is_back);
            prop_assert!(route.points.len() >= 2);
            if leads_right {
                let x: Vec<f64> = route.points.iter().map(|point| point[0]).collect();
                prop_assert!(x.is_sorted(), "{:?}", route.points);
            }
        }
        for (placed, frame) in drawn.nodes.iter().zip(&frames) {
            prop_assert!(placed.x >= 0.0 && placed.x + frame.width <= drawn.width);
            prop_assert!(placed.y >= 0.0 && placed.y + frame.height <= drawn.height);
        }
    }

    #[test]
    fn the_same_graph_gives_the_same_bytes((frames, edges) in graphs()) {
        let (one, other) = (layout(&frames, &edges), layout(&frames, &edges));
        prop_assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }

    #[test]
    fn bands_lie_from_left_to_right((frames, edges) in graphs()) {
        let drawn = layout(&frames, &edges);
        for (left, a) in frames.iter().enumerate() {
            for (right, b) in frames.iter().enumerate() {
                if a.band < b.band {
                    prop_assert!(drawn.nodes[left].layer < drawn.nodes[right].layer);
                }
            }
        }
    }
}

#[test]
fn a_chain_within_a_band_leads_to_the_right() {
    let frames = [
        frame(80, 30, 0),
        frame(80, 30, -1),
        frame(80, 30, -1),
        frame(80, 30, -1),
    ];
    let drawn = layout(&frames, &[(1, 0), (2, 0), (3, 0), (3, 2), (2, 1)]);
    let layers: Vec<u32> = drawn.nodes.iter().map(|node| node.layer).collect();
    assert_eq!(layers, [3, 2, 1, 0]);
    assert!(drawn.edges.iter().all(|edge| !edge.is_back));
}

#[test]
fn a_cycle_has_one_edge_back() {
    let frames = vec![frame(80, 30, 1); 3];
    let drawn = layout(&frames, &[(0, 1), (1, 2), (2, 0)]);
    let n_back = drawn.edges.iter().filter(|edge| edge.is_back).count();
    assert_eq!(n_back, 1);
}

#[test]
fn a_long_edge_passes_between_boxes() {
    let frames: Vec<NodeFrame> = (0..5).map(|band| frame(100, 40, band)).collect();
    let drawn = layout(&frames, &[(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]);
    for [x, y] in &drawn.edges[4].points[1..drawn.edges[4].points.len() - 1] {
        let hit = drawn.nodes.iter().any(|node| {
            (node.x..=node.x + 100.0).contains(x) && (node.y..=node.y + 40.0).contains(y)
        });
        assert!(!hit, "the line runs through a box at {x}, {y}");
    }
}

#[test]
fn crossings_that_can_be_avoided_are() {
    let frames = [
        frame(80, 30, 0),
        frame(80, 30, 0),
        frame(80, 30, 1),
        frame(80, 30, 1),
    ];
    let drawn = layout(&frames, &[(0, 3), (1, 2)]);
    let is_above = |one: usize, other: usize| drawn.nodes[one].y < drawn.nodes[other].y;
    assert_eq!(is_above(0, 1), is_above(3, 2));
}

#[test]
fn nothing_and_edges_to_nowhere_are_drawn_as_nothing() {
    assert!(layout(&[], &[(0, 1)]).edges[0].points.is_empty());
    let drawn = layout(&[frame(80, 30, 0)], &[(0, 7), (0, 0)]);
    assert!(drawn.edges[0].points.is_empty());
    assert!(drawn.edges[1].is_back);
}

/// 50 ms as built for release; four times that for a debug build on a busy machine.
#[test]
fn two_hundred_nodes_are_drawn_at_once() {
    let frames: Vec<NodeFrame> = (0..200).map(|at| frame(120, 30, at % 7 - 3)).collect();
    let edges: Vec<(usize, usize)> = (0..900)
        .map(|at| (at * 7919 % 200, at * 104_729 % 199))
        .collect();
    let fastest = (0..5)
        .map(|_| {
            let start = Instant::now();
            assert_eq!(layout(&frames, &edges).nodes.len(), 200);
            start.elapsed()
        })
        .min();
    assert!(
        fastest.unwrap_or_default() < Duration::from_millis(200),
        "{fastest:?}"
    );
}

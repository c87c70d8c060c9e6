//! Where to draw the nodes and edges of a small graph: layered, from left to right.
//!
//! After Sugiyama, Tagawa and Toda (1981), with the layers given: columns from bands, long edges
//! through stand-ins, few crossings by barycentres, then heights by isotonic regression. Pure
//! arithmetic in a fixed order: the same input gives the same bytes.

mod columns;
mod heights;
mod order;
mod routes;

use columns::Columns;
use routes::Grid;

/// Free space around the drawing.
const MARGIN: f64 = 16.0;

/// A node to be placed: its size and how far left or right it belongs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeFrame {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Bands lie from left to right; one takes a column or more.
    pub band: i32,
}

/// Where a node lies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placed {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Column, from 0 at the left.
    pub layer: u32,
}

/// How an edge runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Corners, from the border of the first node to that of the second.
    pub points: Vec<[f64; 2]>,
    /// Does not lead to a column further right.
    pub is_back: bool,
}

/// A graph with its places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// One for each box.
    pub nodes: Vec<Placed>,
    /// One for each edge.
    pub edges: Vec<Route>,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// Places boxes so that none overlap and edges lead to the right wherever bands and cycles allow.
///
/// `edges` are pairs of indices; those out of range get an empty route. In a band the boxes named
/// first come nearest to band 0. O((boxes + edges) log) for each of a fixed number of sweeps.
pub fn layout(boxes: &[NodeFrame], edges: &[(usize, usize)]) -> Layout {
    if boxes.is_empty() {
        return Layout {
            edges: vec![Route::default(); edges.len()],
            ..Layout::default()
        };
    }
    let columns = Columns::new(boxes, edges);
    let mut grid = Grid::new(boxes, edges, &columns);
    order::reduce_crossings(&mut grid);
    let centres = heights::assign(&grid);
    grid.draw(boxes, edges, &centres)
}

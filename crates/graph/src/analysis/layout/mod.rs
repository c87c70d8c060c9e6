//! Where to draw the nodes and edges of a small graph: layered, from left to right.
//!
//! After Sugiyama, Tagawa and Toda (1981), with the layers given: columns from bands, long edges
//! through stand-ins, few crossings by barycentres, then heights by isotonic regression. Pure
//! arithmetic in a fixed order: the same input gives the same bytes.

mod frame;
pub use frame::{Layout, NodeFrame, Placed, Route};

mod columns;
mod heights;
mod order;
mod routes;

use columns::Columns;
use routes::Grid;

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

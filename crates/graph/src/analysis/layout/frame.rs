//! The frames of nodes, and where a layout puts them and their edges.

/// Free space around the drawing.
pub(super) const MARGIN: f64 = 16.0;

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

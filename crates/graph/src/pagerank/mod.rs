//! PageRank over weighted graphs, of a whole graph and from some of its nodes.
//!
//! What for: the mathematics, over numbered nodes. What not: nothing here knows what a node is.

pub(crate) mod numbers;
pub(crate) mod personalized_pagerank;
pub(crate) mod weighted_graph;

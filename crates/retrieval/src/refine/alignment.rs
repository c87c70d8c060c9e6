//! Which tokens of a passage each token of the query met.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A MaxSim score, taken apart: the listed contributions and the rest sum to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Alignment {
    /// MaxSim.
    pub score: f64,
    /// The largest contributions, by falling contribution.
    pub pairs: Vec<AlignedPair>,
    /// What the query tokens that are not listed bring together.
    pub rest: f64,
}

/// A query token and the place that answers it best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct AlignedPair {
    /// Index of the query token.
    pub query: u32,
    /// What it adds to MaxSim.
    pub score: f64,
    /// Line, from 1.
    pub line: u32,
    /// First column in UTF-16 units, from 0.
    pub column: u32,
    /// Length in UTF-16 units; 0 for a match in the definition's name, which the encoder reads first.
    pub length: u32,
    /// The identifier that holds the document's token; empty for a match in the name.
    pub text: String,
}

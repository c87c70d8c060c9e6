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
    /// All tokens against all, of the first hits; `None` for others, for long queries and in older traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<AlignedCells>,
}

/// Every token of the query against every token of the passage, as far as they are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AlignedCells {
    /// The passage's tokens in their order, by line.
    pub lines: Vec<TokenLine>,
    /// Tokens of the passage after these, which are not kept.
    pub n_more: u32,
    /// For each token of the query a letter for each token of the passage, its product in steps of 1/63: `A`
    /// for none, then `B` to `Z`, `a` to `z`, `0` to `9`, `+` and `/` for 1.
    pub rows: Vec<String>,
}

/// The tokens that begin in a line of the passage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TokenLine {
    /// Line, from 1; 0 for the definition's name, which the encoder reads first.
    pub line: u32,
    /// The tokens as they are written; empty for those of the name.
    pub tokens: Vec<String>,
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

//! Weights and coefficients. Defaults are measured on development data, not believed.

use crate::trace::{Channel, QueryShape};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Prior weight of each channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelWeights(pub BTreeMap<Channel, f64>);

impl Default for ChannelWeights {
    fn default() -> Self {
        Self(BTreeMap::from([
            (Channel::Fts, 1.5),
            (Channel::Vector, 1.0),
            (Channel::DocSection, 0.7),
            (Channel::Path, 1.5),
            (Channel::SymbolName, 1.2),
        ]))
    }
}

impl ChannelWeights {
    /// A channel's weight; 0 when it is off.
    pub fn get(&self, channel: Channel) -> f64 {
        self.0.get(&channel).copied().unwrap_or(0.0)
    }

    /// The weight for a query of this shape, and why it differs from the prior.
    pub(crate) fn effective(&self, channel: Channel, shape: QueryShape) -> (f64, &'static str) {
        let prior = self.get(channel);
        let (factor, reason) = shape_rule(channel, shape);
        (prior * factor, reason)
    }
}

/// How a query's shape changes a channel's weight.
fn shape_rule(channel: Channel, shape: QueryShape) -> (f64, &'static str) {
    use Channel::{DocSection, Fts, Path, SymbolName, Vector};
    match (shape, channel) {
        (QueryShape::Identifier, SymbolName) => (2.0, "an identifier names a definition"),
        (QueryShape::Identifier, Vector) => {
            (0.4, "identifiers are matched by letters, not by meaning")
        }
        (QueryShape::Identifier, DocSection) => (0.5, "an identifier asks for code"),
        (QueryShape::Path, Path) => (3.0, "the query is a path"),
        (QueryShape::Path, Vector | DocSection) => (0.2, "the query is a path"),
        (QueryShape::ErrorString, Fts) => (2.0, "messages stand in the code word for word"),
        (QueryShape::ErrorString, Path) => (0.3, "messages do not name files"),
        _ => (1.0, ""),
    }
}

/// Coefficients of the evidence terms, in units of a first place (`1 / (k + 1)`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tuning {
    /// A definition of the identifier that the query is.
    pub definition: f64,
    /// A definition of an identifier that stands among other words.
    pub embedded_definition: f64,
    /// Share of the query's keywords that the file's name and folder hold.
    pub file_name: f64,
    /// Share of the best file's evidence that this chunk's file has.
    pub file_coherence: f64,
    /// BM25 score against the best.
    pub lexical_score: f64,
    /// Whole-file BM25 (sum over its chunks) against the best.
    pub lexical_file: f64,
    /// The query holds every word of the file's name.
    pub file_named: f64,
    /// Cosine against the spread of the list.
    pub vector_score: f64,
    /// Share of the query's keywords that the definition's qualified name holds.
    pub name_cover: f64,
    /// Share of file terms that chunks other than the file's best carry.
    pub file_share: f64,
    /// Keywords from which a query counts as the description of one place.
    pub description_words: usize,
    /// What a further hit of the same file keeps of its score when the query describes one place;
    /// for other queries files are distinct.
    pub keep_repeat: f64,
    /// PageRank of the file.
    pub file_rank: f64,
    /// What code between definitions keeps of its score when words are searched for.
    pub keep_residue: f64,
    /// What a test file keeps of its score.
    pub keep_test: f64,
    /// What an example keeps.
    pub keep_example: f64,
    /// What prose keeps.
    pub keep_docs: f64,
    /// What vendored and generated files keep.
    pub keep_foreign: f64,
    /// What legacy code keeps.
    pub keep_legacy: f64,
    /// What declarations without code keep.
    pub keep_stub: f64,
    /// What a file of mere re-exports keeps.
    pub keep_barrel: f64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            definition: 4.0,
            embedded_definition: 1.5,
            file_name: 1.2,
            file_coherence: 0.6,
            lexical_score: 3.5,
            lexical_file: 3.0,
            file_named: 0.5,
            vector_score: 1.0,
            name_cover: 0.25,
            file_share: 1.0,
            description_words: 8,
            keep_repeat: 0.9,
            file_rank: 0.05,
            keep_residue: 1.0,
            keep_test: 0.3,
            keep_example: 0.4,
            keep_docs: 0.5,
            keep_foreign: 0.3,
            keep_legacy: 0.4,
            keep_stub: 0.7,
            keep_barrel: 0.5,
        }
    }
}

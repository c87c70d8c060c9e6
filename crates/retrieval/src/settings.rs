//! Weights and coefficients. Defaults are measured on development data, not believed.

mod issue;

pub use issue::IssueTuning;

use crate::query::QueryShape;
use crate::terms::Channel;
use serde::{Deserialize, Serialize};
use specta::Type;
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
            (Channel::Graph, 0.15),
            (Channel::LateInteraction, 0.0),
            (Channel::Static, 1.0),
        ]))
    }
}

impl ChannelWeights {
    /// Returns a channel's weight; 0 when it is off.
    pub fn get(&self, channel: Channel) -> f64 {
        self.0.get(&channel).copied().unwrap_or(0.0)
    }

    /// The weight for a query of this shape, and why it differs from the prior.
    pub(crate) fn effective(
        &self,
        channel: Channel,
        shape: QueryShape,
        has_rules: bool,
        is_description: bool,
    ) -> (f64, &'static str) {
        let prior = self.get(channel);
        if !has_rules {
            return (prior, "");
        }
        let (factor, reason) = match channel {
            Channel::Graph => graph_rule(shape, is_description),
            _ => shape_rule(channel, shape),
        };
        (prior * factor, reason)
    }
}

/// How a query's shape changes a channel's weight.
fn shape_rule(channel: Channel, shape: QueryShape) -> (f64, &'static str) {
    use Channel::{DocSection, Fts, LateInteraction, Path, Static, SymbolName, Vector};
    match (shape, channel) {
        (QueryShape::Identifier, SymbolName) => (2.0, "an identifier names a definition"),
        (QueryShape::Identifier, Vector | LateInteraction | Static) => {
            (0.4, "identifiers are matched by letters, not by meaning")
        }
        (QueryShape::Issue, DocSection) => (0.0, "documentation steps back for an issue"),
        (QueryShape::Issue, Fts | SymbolName) => {
            (0.8, "the parts of an issue count by their scores")
        }
        (QueryShape::Issue, Path) => (0.3, "the words of an issue name files by chance"),
        (QueryShape::Identifier, DocSection) => (0.5, "an identifier asks for code"),
        (QueryShape::Path, Path) => (3.0, "the query is a path"),
        (QueryShape::Path, Vector | DocSection | LateInteraction | Static) => {
            (0.2, "the query is a path")
        }
        (QueryShape::ErrorString, Fts) => (2.0, "messages occur in the code word for word"),
        (QueryShape::ErrorString, Path) => (0.3, "messages do not name files"),
        _ => (1.0, ""),
    }
}

/// The graph answers what belongs to a topic. Who means one place has named or described it.
fn graph_rule(shape: QueryShape, is_description: bool) -> (f64, &'static str) {
    match shape {
        QueryShape::Identifier => (0.0, "an identifier means its definition"),
        QueryShape::Path => (0.0, "the query is a path"),
        QueryShape::ErrorString => (0.0, "a message occurs in one place"),
        QueryShape::Issue => (0.0, "an issue is fixed in one place"),
        QueryShape::NaturalLanguage if is_description => (
            0.0,
            "a description means one place, not what lies around it",
        ),
        QueryShape::NaturalLanguage => (1.0, ""),
    }
}

/// A stage that can be switched off, to see what it is worth.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Weights that change with the query's shape.
    ShapeRules,
    /// All evidence terms: what is left is rank fusion, and late interaction with whole texts.
    Evidence,
    /// Which chunks of a file represent it, by name and kind.
    WithinFile,
    /// One hit a file.
    DistinctFiles,
    /// What a cross-encoder says about the best hits.
    CrossEncode,
    /// Vectors by their sketch where there are many; without it each search reads all of them.
    VectorSketch,
    /// The static table: its lane, its channel and its terms.
    StaticVectors,
}

impl Stage {
    /// All stages.
    pub const ALL: [Self; 7] = [
        Self::ShapeRules,
        Self::Evidence,
        Self::WithinFile,
        Self::DistinctFiles,
        Self::CrossEncode,
        Self::VectorSketch,
        Self::StaticVectors,
    ];

    /// Returns its name, as in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::ShapeRules => "shape-rules",
            Self::Evidence => "evidence",
            Self::WithinFile => "within-file",
            Self::DistinctFiles => "distinct-files",
            Self::CrossEncode => "cross-encode",
            Self::VectorSketch => "vector-sketch",
            Self::StaticVectors => "static-vectors",
        }
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
    /// What `lexical_score` is multiplied by where the query describes one place.
    pub described_lexical: f64,
    /// Whole-file BM25 (sum over its chunks) against the best.
    pub lexical_file: f64,
    /// What `lexical_file` is multiplied by where the query describes one place.
    pub described_file: f64,
    /// The query holds every word of the file's name.
    pub file_named: f64,
    /// Share of a question's words that the path holds, rare ones first.
    pub path_words: f64,
    /// The file lies in the part of the program that a message of a change names.
    pub area: f64,
    /// Cosine against the spread of the list.
    pub vector_score: f64,
    /// Static cosine against the spread of the list.
    pub static_score: f64,
    /// What `static_score` is multiplied by where the query describes one place.
    pub described_static: f64,
    /// The same among the chunks of a file.
    pub static_in_file: f64,
    /// What `vector_score` is multiplied by where the query is an identifier.
    pub identifier_vector: f64,
    /// MaxSim above the least of the rescored candidates, for each deviation.
    pub late_score: f64,
    /// The same of the file's best chunk, for every chunk of the file.
    pub late_file: f64,
    /// The same of a chunk without its comments, where the query is worded as a comment.
    pub late_code: f64,
    /// A passage's score by the cross-encoder above the least of those read, for each deviation.
    pub cross_encode: f64,
    /// PageRank from the best candidates against the best.
    pub graph_score: f64,
    /// Best files of the other channels from which the graph is walked.
    pub graph_seeds: usize,
    /// Share of the query's keywords that the definition's qualified name holds.
    pub name_cover: f64,
    /// Share of the definition's own name that the query holds, among the chunks of its file.
    pub name_in_query: f64,
    /// Share of the query that the definition's head holds, among the chunks of its file.
    pub signature_cover: f64,
    /// Share of file terms that chunks other than the file's best carry.
    pub file_share: f64,
    /// Keywords from which a query counts as the description of one place.
    pub description_words: usize,
    /// What a further hit of the same file keeps of its score when the query describes one place;
    /// for other queries files are distinct.
    pub keep_repeat: f64,
    /// The same where the query is a question of many words, which asks for files.
    pub keep_topic: f64,
    /// PageRank of the file.
    pub file_rank: f64,
    /// Among several repositories, those that the query names.
    pub repository_named: f64,
    /// Among several repositories, those that the asking one imports.
    pub repository_imported: f64,
    /// What the file that is open imports, and what imports it.
    pub open_file: f64,
    /// What code between definitions keeps of its score when words are searched for.
    pub keep_residue: f64,
    /// What anything but a function keeps of its score among the chunks of its file, when the query
    /// says what a function does.
    pub keep_inert: f64,
    /// What a test file keeps of its score.
    pub keep_test: f64,
    /// What an example keeps.
    pub keep_example: f64,
    /// What prose keeps.
    pub keep_docs: f64,
    /// What manifests, build files and settings keep.
    pub keep_config: f64,
    /// What vendored and generated files keep.
    pub keep_foreign: f64,
    /// What legacy code keeps.
    pub keep_legacy: f64,
    /// What declarations without code keep.
    pub keep_stub: f64,
    /// What a file of mere re-exports keeps.
    pub keep_barrel: f64,
    /// What the parts of an issue add.
    #[serde(flatten)]
    pub issue: IssueTuning,
}

impl Tuning {
    /// Returns settings without evidence: rank fusion decides alone.
    pub fn none() -> Self {
        Self {
            definition: 0.0,
            embedded_definition: 0.0,
            file_name: 0.0,
            file_coherence: 0.0,
            lexical_score: 0.0,
            lexical_file: 0.0,
            file_named: 0.0,
            path_words: 0.0,
            area: 0.0,
            vector_score: 0.0,
            static_score: 0.0,
            static_in_file: 0.0,
            identifier_vector: 1.0,
            late_score: 0.0,
            late_file: 0.0,
            late_code: 0.0,
            cross_encode: 0.0,
            graph_score: 0.0,
            name_cover: 0.0,
            name_in_query: 0.0,
            signature_cover: 0.0,
            file_rank: 0.0,
            repository_named: 0.0,
            repository_imported: 0.0,
            open_file: 0.0,
            keep_residue: 1.0,
            keep_inert: 1.0,
            keep_test: 1.0,
            keep_example: 1.0,
            keep_docs: 1.0,
            keep_config: 1.0,
            keep_foreign: 1.0,
            keep_legacy: 1.0,
            keep_stub: 1.0,
            keep_barrel: 1.0,
            keep_repeat: 1.0,
            keep_topic: 1.0,
            issue: IssueTuning::none(),
            ..Self::default()
        }
    }

    /// Returns the defaults with some coefficients changed, by name.
    ///
    /// # Errors
    /// The name that is none, or the value that does not fit.
    pub fn changed(changes: &BTreeMap<String, f64>) -> Result<Self, String> {
        let mut values =
            serde_json::to_value(Self::default()).map_err(|error| error.to_string())?;
        for (name, value) in changes {
            let slot = values
                .get_mut(name)
                .ok_or(format!("there is no coefficient `{name}`"))?;
            if !(0.0..=100.0).contains(value) {
                return Err(format!(
                    "the coefficient {name} is {value}; it must be between 0 and 100"
                ));
            }
            // Counts are whole numbers.
            *slot = if slot.is_u64() {
                (value.round() as u64).into()
            } else {
                (*value).into()
            };
        }
        serde_json::from_value(values).map_err(|error| error.to_string())
    }

    /// Returns names and values of all coefficients.
    pub fn values(&self) -> BTreeMap<String, f64> {
        let value = serde_json::to_value(self).unwrap_or_default();
        let entries = value.as_object().into_iter().flatten();
        let numbers = entries.filter_map(|(name, value)| Some((name.clone(), value.as_f64()?)));
        numbers.collect()
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            definition: 4.0,
            embedded_definition: 1.5,
            file_name: 1.2,
            file_coherence: 0.6,
            lexical_score: 3.5,
            described_lexical: 1.5,
            lexical_file: 3.0,
            described_file: 0.67,
            file_named: 0.5,
            path_words: 2.0,
            area: 1.5,
            vector_score: 4.5,
            static_score: 3.0,
            described_static: 4.0,
            static_in_file: 14.0,
            identifier_vector: 0.4,
            late_score: 0.25,
            late_file: 0.0,
            late_code: 2.0,
            cross_encode: 1.0,
            graph_score: 0.3,
            graph_seeds: 20,
            name_cover: 0.25,
            name_in_query: 3.5,
            signature_cover: 1.0,
            file_share: 1.0,
            description_words: 8,
            keep_repeat: 0.9,
            keep_topic: 0.33,
            file_rank: 0.05,
            repository_named: 6.0,
            repository_imported: 0.5,
            open_file: 2.0,
            keep_residue: 1.0,
            keep_inert: 0.7,
            keep_test: 0.3,
            keep_example: 0.4,
            keep_docs: 0.5,
            keep_config: 0.6,
            keep_foreign: 0.3,
            keep_legacy: 0.4,
            keep_stub: 0.7,
            keep_barrel: 0.5,
            issue: IssueTuning::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_change_by_name_and_nothing_else_does() {
        let changes = BTreeMap::from([
            ("keep_test".to_owned(), 0.9),
            ("description_words".to_owned(), 6.0),
        ]);
        let changed = Tuning::changed(&changes).unwrap();
        let expected = Tuning {
            keep_test: 0.9,
            description_words: 6,
            ..Tuning::default()
        };
        assert_eq!(changed, expected);
        assert!(Tuning::changed(&BTreeMap::from([("keep_tset".to_owned(), 1.0)])).is_err());
        assert!(Tuning::changed(&BTreeMap::from([("keep_test".to_owned(), f64::NAN)])).is_err());
    }

    #[test]
    fn every_coefficient_has_a_value_to_show() {
        assert_eq!(
            Tuning::default().values()["definition"],
            Tuning::default().definition
        );
    }
}

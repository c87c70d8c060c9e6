//! What a score is made of: ranks in channels, evidence, late interaction.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A ranked list that takes part in fusion.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// BM25 over code-aware tokens.
    Fts,
    /// Bi-encoder similarity.
    Vector,
    /// Documentation and prose.
    DocSection,
    /// Query tokens in file names.
    Path,
    /// Query tokens in definition names.
    SymbolName,
    /// What the symbol graph ties to the best hits of the others.
    Graph,
    /// The best of the whole view by token vectors; off unless it has a weight.
    LateInteraction,
    /// Similarity by the static table, which is part of the program.
    Static,
}

impl Channel {
    /// All channels, in display order.
    pub const ALL: [Self; 8] = [
        Self::Fts,
        Self::Vector,
        Self::DocSection,
        Self::Path,
        Self::SymbolName,
        Self::Graph,
        Self::LateInteraction,
        Self::Static,
    ];

    /// Names of channels that older versions had: settings and traces may still have them.
    pub const REMOVED: [&str; 1] = ["splade"];

    /// Returns the name as settings, traces and reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fts => "fts",
            Self::Vector => "vector",
            Self::DocSection => "doc-section",
            Self::Path => "path",
            Self::SymbolName => "symbol-name",
            Self::Graph => "graph",
            Self::LateInteraction => "late-interaction",
            Self::Static => "static",
        }
    }
}

/// A row's place in one channel and what it brings: `contribution = weight / (k + rank)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ChannelRank {
    /// The channel.
    pub channel: Channel,
    /// Rank from 1.
    pub rank: u32,
    /// The channel's own score, for the reader only; fusion ignores it.
    pub raw_score: f64,
    /// What it adds to the row's score.
    pub contribution: f64,
    /// How the channel came upon it, where a rank does not say: `from …` along the graph.
    pub way: Option<String>,
}

/// An additive term besides the channels: a boost, or a demotion (negative).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Evidence {
    /// Short stable name: `definition`, `file-coherence`, `test-file`.
    pub name: String,
    /// What it adds to the row's score.
    pub contribution: f64,
    /// The reason in words, with its figures.
    pub reason: String,
    /// Words of the query that it is about, as they were looked for; none where it is about none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

/// Why a term is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reason {
    pub(crate) text: String,
    /// Words of the query that it is about.
    pub(crate) words: Vec<String>,
}

impl From<String> for Reason {
    fn from(text: String) -> Self {
        Self {
            text,
            words: Vec::new(),
        }
    }
}

/// A row's MaxSim and its rank by that alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct LateRank {
    /// Rank from 1 among the rescored candidates.
    pub rank: u32,
    /// MaxSim: the sum over the query's tokens of their best match.
    pub score: f64,
}

/// A row's ranks among all candidates as the stages went, from 1. The row's own rank is that of the
/// last stage, which picks what to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct StageRanks {
    /// By rank fusion alone.
    pub fused: u32,
    /// With evidence: the first stage's order.
    pub evidence: u32,
    /// With late interaction; `None` when that stage did not run.
    pub refined: Option<u32>,
    /// After files and repeats were put in order.
    pub ordered: u32,
    /// With what the cross-encoder says; `None` when that stage did not run.
    #[serde(default)]
    pub crossed: Option<u32>,
    /// As presented before the reranker put it elsewhere; `None` where it was not asked about it.
    pub presented: Option<u32>,
    /// As the reranker has it.
    pub reranked: Option<u32>,
}

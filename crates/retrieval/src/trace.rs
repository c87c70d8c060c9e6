//! The record of how an answer came about. It comes from the run that answered, and its
//! arithmetic is complete: for every row the terms sum to the score within 1e-9.

use crate::gate::GateRecord;
use crate::refine::{Alignment, RefineRecord};
use crate::rerank::RerankRecord;
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
    /// Learned weights of words; off unless a sparse model is chosen.
    Splade,
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
        Self::Splade,
    ];

    /// The name as settings, traces and reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fts => "fts",
            Self::Vector => "vector",
            Self::DocSection => "doc-section",
            Self::Path => "path",
            Self::SymbolName => "symbol-name",
            Self::Graph => "graph",
            Self::LateInteraction => "late-interaction",
            Self::Splade => "splade",
        }
    }
}

/// What a query looks like; decides how the channels are weighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum QueryShape {
    /// One identifier, possibly qualified: `Router.use`.
    Identifier,
    /// A file path or a part of one.
    Path,
    /// A message or a literal as a program prints it.
    ErrorString,
    /// Words.
    NaturalLanguage,
}

/// A channel's weight for this query: prior, then changed by the query's shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ChannelWeight {
    /// The channel.
    pub channel: Channel,
    /// The weight from settings.
    pub prior: f64,
    /// The weight used.
    pub effective: f64,
    /// Why they differ; empty when they do not.
    pub reason: String,
}

/// What a channel did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ChannelRun {
    /// The channel.
    pub channel: Channel,
    /// Hits it gave to fusion.
    pub n_hits: u32,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
    /// What of it went into encoding the query, where it did; also unset in older traces.
    pub encode_ms: Option<f64>,
    /// Why it did not run or did not finish; `None` when it ran to its end.
    pub skipped: Option<String>,
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
    /// As presented before the reranker put it elsewhere; `None` where it was not asked about it.
    pub presented: Option<u32>,
    /// As the reranker has it.
    pub reranked: Option<u32>,
}

/// One candidate's way to its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TraceRow {
    /// Final rank from 1.
    pub rank: u32,
    /// Path in the view.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Qualified name of the definition, if it is one.
    pub symbol: Option<String>,
    /// Ranks in the channels that found it.
    pub channels: Vec<ChannelRank>,
    /// Further terms.
    pub evidence: Vec<Evidence>,
    /// Sum of the channels' contributions.
    pub fused: f64,
    /// Sum of all terms: the final score.
    pub score: f64,
    /// Whether it was among the hits returned (the rest were cut or hidden behind a hit of the same file).
    pub shown: bool,
    /// What late interaction makes of it; `None` where it was not rescored.
    pub late: Option<LateRank>,
    /// Its ranks from stage to stage; `None` in older traces.
    pub stages: Option<StageRanks>,
    /// Which of its words answer which of the query's; for the first hits that were rescored.
    pub alignment: Option<Alignment>,
}

/// A stage's time against its budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct StageTiming {
    /// Stage name: `query`, `channels`, `graph`, `fuse`, `evidence`, `gate`, `refine`, `order`,
    /// `present`, `align`, `rerank`.
    pub stage: String,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
    /// Its budget in milliseconds, if it has one.
    pub budget_ms: Option<f64>,
    /// What went in; `None` where nothing is counted, and in older traces.
    pub n_in: Option<u32>,
    /// What came out.
    pub n_out: Option<u32>,
    /// Why it did not run; `None` when it did.
    pub skipped: Option<String>,
}

/// How much of the view a lane has reached, and why not all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct Coverage {
    /// Files of the view in the lexical lane, 0 to 1.
    pub lexical: f64,
    /// Chunks of the view with a vector, 0 to 1.
    pub vector: f64,
    /// Why `vector` is below 1; `None` at 1.
    pub vector_note: Option<String>,
    /// Chunks of the view with token vectors, 0 to 1.
    #[serde(default)]
    pub tokens: f64,
    /// Why `tokens` is below 1; `None` at 1.
    pub tokens_note: Option<String>,
    /// Chunks of the view with sparse vectors, 0 to 1.
    #[serde(default)]
    pub sparse: f64,
    /// Why `sparse` is below 1; `None` at 1, and where no sparse model is chosen.
    #[serde(default)]
    pub sparse_note: Option<String>,
    /// Files left out of the index, with reasons in the repository's status.
    pub n_skipped: u32,
}

/// The whole record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Trace {
    /// The answer's id: `explain` takes it.
    pub query_id: String,
    /// The query as given.
    pub query: String,
    /// The repository's id.
    pub repo: String,
    /// Commit or working tree that was searched, in words.
    pub view: String,
    /// The query's shape.
    pub shape: QueryShape,
    /// Why it is that shape.
    pub shape_reason: String,
    /// The constant of reciprocal rank fusion.
    pub rrf_k: f64,
    /// Weights.
    pub weights: Vec<ChannelWeight>,
    /// What each channel did.
    pub channels: Vec<ChannelRun>,
    /// Candidates by final rank, at most 100.
    pub rows: Vec<TraceRow>,
    /// Stages in order.
    pub timings: Vec<StageTiming>,
    /// The gate's verdict on late interaction; `None` in older traces.
    pub gate: Option<GateRecord>,
    /// What late interaction did; `None` when it did not run.
    pub refine: Option<RefineRecord>,
    /// What the reranker did; `None` when it was not asked.
    pub rerank: Option<RerankRecord>,
    /// Coverage when the query ran.
    pub coverage: Coverage,
    /// Compatibility hash of the index, and the generation's id.
    pub manifest: String,
    /// What was cut or degraded, in words.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trace as it was written before there was a second stage.
    const OLD: &str = r#"{"query_id":"q1","query":"routes","repo":"r","view":"working tree",
        "shape":"natural-language","shape_reason":"one plain word","rrf_k":60.0,
        "weights":[{"channel":"fts","prior":1.5,"effective":1.5,"reason":""}],
        "channels":[{"channel":"fts","n_hits":1,"elapsed_ms":0.5,"skipped":null}],
        "rows":[{"rank":1,"path":"a.py","start_line":1,"end_line":2,"symbol":null,
            "channels":[{"channel":"fts","rank":1,"raw_score":3.0,"contribution":0.02,"way":null}],
            "evidence":[],"fused":0.02,"score":0.02,"shown":true}],
        "timings":[{"stage":"fuse","elapsed_ms":0.1,"budget_ms":null}],
        "coverage":{"lexical":1.0,"vector":0.0,"vector_note":null,"n_skipped":0},
        "manifest":"m","notes":[]}"#;

    #[test]
    fn older_traces_are_still_read() {
        let trace: Trace = serde_json::from_str(OLD).expect("it is read");
        assert_eq!((trace.gate, trace.refine), (None, None));
        assert_eq!(
            (trace.rows[0].stages, &trace.rows[0].alignment),
            (None, &None)
        );
        assert_eq!(trace.timings[0].n_in, None);
    }
}

//! The record of how an answer came about. It comes from the run that answered, and its
//! arithmetic is complete: for every row the terms sum to the score within 1e-9.

use crate::channels::{ChannelRun, ChannelWeight};
use crate::confidence::AnswerConfidence;
use crate::coverage::Coverage;
use crate::fuse::QueryFit;
use crate::gate::GateRecord;
use crate::issue::IssueRecord;
use crate::query::QueryShape;
use crate::refine::{Alignment, CrossRecord, RefineRecord};
use crate::rerank::RerankRecord;
use crate::terms::{Channel, ChannelRank, Evidence, LateRank, StageRanks};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;

/// One candidate's way to its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TraceRow {
    /// Final rank from 1.
    pub rank: u32,
    /// Name of its repository, where several were asked; `None` for one, and in older traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// Path in the view of its repository.
    pub path: String,
    /// First line, as the hit has it: of the whole definition, where it is one, without the comment
    /// before it; in older traces that of the part.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The lines that were found, where they are others; `None` in older traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<FoundPart>,
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

/// Lines of a definition, or around one, that a channel found and late interaction compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundPart {
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// A stage's time against its budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct StageTiming {
    /// Stage name: `open`, `query`, `channels`, `graph`, `fuse`, `evidence`, `gate`, `refine`, `order`,
    /// `cross-encode`, `present`, `align`, `snippets`, `rerank`, `memory`, `keep`. Together they take
    /// the whole time of an answer.
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
    /// The commit that was asked about, as it was named; `None` for the working tree, and in older traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// The query's shape.
    pub shape: QueryShape,
    /// Why it is that shape.
    pub shape_reason: String,
    /// The constant of reciprocal rank fusion.
    pub rrf_k: f64,
    /// How an issue was read; `None` for other shapes, and in older traces.
    #[serde(default)]
    pub issue: Option<IssueRecord>,
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
    /// What the cross-encoder did; `None` where there is none, and in older traces.
    #[serde(default)]
    pub cross: Option<CrossRecord>,
    /// What the reranker did; `None` when it was not asked.
    pub rerank: Option<RerankRecord>,
    /// How well the best candidates fit; `None` in older traces.
    pub fit: Option<QueryFit>,
    /// How sure the first file is; `None` where nothing was found, and in older traces.
    #[serde(default)]
    pub confidence: Option<AnswerConfidence>,
    /// Coverage when the query ran.
    pub coverage: Coverage,
    /// Compatibility hash of the index, and the generation's id.
    pub manifest: String,
    /// What was cut or degraded, in words.
    pub notes: Vec<String>,
}

impl Trace {
    /// Reads a stored trace, and leaves out what channels did that older versions had.
    ///
    /// # Errors
    /// A text that is no trace.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        let mut trace: Value = serde_json::from_str(text)?;
        for list in ["weights", "channels"] {
            drop_removed(trace.get_mut(list));
        }
        let rows = trace.get_mut("rows").and_then(Value::as_array_mut);
        for row in rows.into_iter().flatten() {
            drop_removed(row.get_mut("channels"));
        }
        serde_json::from_value(trace)
    }
}

fn drop_removed(records: Option<&mut Value>) {
    if let Some(records) = records.and_then(Value::as_array_mut) {
        records.retain(|record| {
            let channel = record["channel"].as_str();
            !channel.is_some_and(|name| Channel::REMOVED.contains(&name))
        });
    }
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

    #[test]
    fn what_a_removed_channel_did_is_passed_over() {
        let old = OLD
            .replace(
                r#""weights":["#,
                r#""weights":[{"channel":"splade","prior":0.5,"effective":0.5,"reason":""},"#,
            )
            .replace(
                r#""channels":[{"channel":"fts","n_hits""#,
                r#""channels":[{"channel":"splade","n_hits":1,"elapsed_ms":0.5,"skipped":null},
                {"channel":"fts","n_hits""#,
            )
            .replace(
                r#""channels":[{"channel":"fts","rank""#,
                r#""channels":[{"channel":"splade","rank":1,"raw_score":3.0,"contribution":0.02,
                "way":null},{"channel":"fts","rank""#,
            );
        let plain = Trace::read(OLD).expect("it is read");
        let trace = Trace::read(&old).expect("it is read");
        assert_eq!(trace, plain);
        let unknown = OLD.replace(r#""channel":"fts""#, r#""channel":"ftz""#);
        assert!(Trace::read(&unknown).is_err());
    }
}

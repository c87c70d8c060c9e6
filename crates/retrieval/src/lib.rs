//! Channels, fusion, evidence, trace.
//!
//! The path of a query is called on one page: [`pipeline`](search). Folders stand in its order; what
//! all of them use comes first.

mod context;
mod coverage;
mod error;
mod search_index;
mod settings;
mod term_table;
mod terms;

mod pipeline;

mod query;

mod channels;
mod issue;

mod fuse;

mod evidence;

mod gate;

mod refine;

mod order;

mod present;

mod confidence;

mod rerank;

mod explain;

mod unindexed_grep;

pub use channels::{ChannelRun, ChannelWeight, RankedChunk};
pub use confidence::AnswerConfidence;
pub use context::{
    CANDIDATES_BUDGET, CROSS_BUDGET, LAST_RESORT, OpenFile, REFINE_BUDGET, SearchContext,
    SearchQuery,
};
pub use coverage::Coverage;
pub use error::{Result, RetrievalError};
pub use explain::{ComparedTerm, FoundPart, HitComparison, StageTiming, Trace, TraceRow, compare};
pub use fuse::{Fused, QueryFit, WeightedList, fuse};
pub use gate::{
    GateCheck, GateFeatures, GateFigure, GateMode, GateReason, GateRecord, GateSettings,
    GateThresholds, GateVerdict, decide,
};
pub use issue::{IssuePart, IssueRecord, PastChanges};
pub use pipeline::{SearchOutcome, search};
pub use present::RankedHit;
pub use query::{Filters, ParsedQuery, PartKind, PathFilter, QueryShape};
pub use refine::{
    AlignedCells, AlignedPair, Alignment, CrossRecord, EncodedQuery, IndexTokens, MAX_RESCORED,
    QueryToken, RefineRecord, RescoredChunks, TokenIndex, TokenLine, TokenMatch,
};
pub use rerank::{
    Candidate, NoAnswer, ParsedAnswer, Prompt, Ranker, RerankLimits, RerankRecord, RerankRequest,
    RerankWindow, Reranked, apply_order, parse_answer, rerank,
};
pub use search_index::{
    CHUNK_KINDS, FileRole, REFERENCE_KINDS, SYMBOL_KINDS, SearchIndex, SymbolGraph, SymbolRef,
    chunk_kind_name, kind_name, reference_name,
};
pub use settings::{ChannelWeights, IssueTuning, Stage, Tuning};
pub use term_table::{EVIDENCE_TERMS, EvidenceTerm};
pub use terms::{Channel, ChannelRank, Evidence, LateRank, StageRanks};
pub use unindexed_grep::{FileReader, GrepLine, unindexed_grep};

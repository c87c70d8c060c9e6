//! Channels, fusion, evidence, trace.
//!
//! The path of a query, in module order, is called on one page: [`pipeline`](search).

mod ask;
mod blend;
mod change;
mod channels;
mod compare;
mod cross;
mod error;
mod evidence;
mod file_name;
mod filters;
mod fit;
mod fuse;
mod gate;
mod gather;
mod intent;
mod issue;
mod kind;
mod past;
mod pipeline;
mod present;
mod production;
mod query;
mod query_context;
mod refine;
mod rerank;
mod roles;
mod scored;
mod search_index;
mod settings;
mod shape;
mod stage_clock;
mod stages;
mod symbol_graph;
mod terms;
mod trace;
mod twins;
mod unindexed_grep;
mod within_file;

pub use ask::{
    CANDIDATES_BUDGET, CROSS_BUDGET, LAST_RESORT, REFINE_BUDGET, SearchContext, SearchQuery,
};
pub use channels::RankedChunk;
pub use compare::{ComparedTerm, HitComparison, compare};
pub use cross::CrossRecord;
pub use error::{Result, RetrievalError};
pub use filters::{Filters, PathFilter};
pub use fit::Fit;
pub use fuse::{Fused, WeightedList, fuse};
pub use gate::{
    GateCheck, GateFeatures, GateMode, GateReason, GateRecord, GateSettings, GateThresholds,
    GateVerdict, decide,
};
pub use issue::{IssuePart, IssueRecord, PartKind};
pub use kind::{
    CHUNK_KINDS, REFERENCE_KINDS, SYMBOL_KINDS, chunk_kind_name, kind_name, reference_name,
};
pub use past::PastChanges;
pub use pipeline::{SearchOutcome, search};
pub use present::RankedHit;
pub use query::ParsedQuery;
pub use refine::{
    AlignedPair, Alignment, EncodedQuery, IndexTokens, MAX_RESCORED, QueryToken, RefineRecord,
    RescoredChunks, TokenIndex, TokenMatch,
};
pub use rerank::{
    Candidate, NoAnswer, ParsedAnswer, Prompt, Ranker, RerankLimits, RerankRecord, RerankRequest,
    RerankWindow, Reranked, apply_order, parse_answer, rerank,
};
pub use roles::FileRole;
pub use search_index::{SearchIndex, SymbolRef};
pub use settings::{ChannelWeights, IssueTuning, Stage, Tuning};
pub use shape::QueryShape;
pub use symbol_graph::SymbolGraph;
pub use terms::{Channel, ChannelRank, Evidence, LateRank, StageRanks};
pub use trace::{ChannelRun, ChannelWeight, Coverage, StageTiming, Trace, TraceRow};
pub use unindexed_grep::{FileReader, GrepLine, unindexed_grep};

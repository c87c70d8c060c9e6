//! What the engine's callers exchange with it: plain data, the same for window, MCP and CLI.

mod blame;
mod call_log;
mod coverage;
mod dead_code;
mod error;
mod evidence;
mod freshness;
mod graph_view;
mod grep;
mod ids;
mod jobs;
mod judged;
mod memory;
mod names_in_file;
mod outline;
mod pool;
mod precise;
mod reports;
mod repos;
mod rerank;
mod review;
mod search;
mod settings;
mod stages;
mod structural_search;
mod structure;
mod symbols;
mod tables;
mod tasks;
mod unindexed_grep;
mod words;

pub use blame::{BlameCommit, BlameRange, FileBlame, Permalink};
pub use call_log::{
    CallDetail, CallLine, CallLog, CallRecord, CallSession, CallSessionName, CallTotals,
    CallsRequest, ClientHello, HeardClient, SessionCall, ShownPlace,
};
pub use coverage::*;
pub use dead_code::*;
pub use error::*;
pub use evidence::{
    CritiquePoint, CritiqueRequest, CritiqueResponse, VerifiedEvidence, VerifyRequest,
    VerifyResponse,
};
pub use freshness::{Freshness, TreeLook};
pub use graph_view::{
    GraphDirection, GraphEdge, GraphEdgeKind, GraphExport, GraphFormat, GraphNode, GraphNodeKind,
    GraphSide, GraphView, GraphViewRequest,
};
pub use grep::{EnclosingSymbol, GrepFile, GrepLine, GrepRequest, GrepResponse, PatternProblem};
pub use ids::{JobId, MemoId, QueryId, RepoId};
pub use jobs::*;
pub use judged::{JudgeRequest, JudgedHit, JudgedPlace};
pub use memory::*;
pub use names_in_file::{FileNames, FileNamesRequest, NamePlace};
pub use outline::{FileOutline, LocalPlace, OutlinedSymbol};
pub use pool::*;
pub use precise::*;
pub use reports::*;
pub use repos::*;
pub use rerank::{RerankMode, RerankNote, RerankProgress, RerankSettings, RerankTest};
pub use review::{
    BreakageRequest, Breakages, BrokenImports, ChangeState, DiffHunk, DiffSearchRequest,
    DiffSearchResponse, FileDiff, FileDiffRequest, HunkLine, LineKind, MainBranch, MovedFile,
    ReviewRequest, ReviewResponse, ReviewedFile, ReviewedSymbol, RiskReason, UnchangedCaller,
    UnreadChange,
};
pub use search::*;
pub use settings::*;
pub use stages::{CounterStats, StageMovement, StageStats, TimerStats};
pub use structural_search::{
    AstBinding, AstGrepRequest, AstGrepResponse, AstMatch, PatternEvidence, PatternFinding,
    PatternsRequest, PatternsResponse,
};
pub use structure::*;
pub use symbols::*;
pub use tables::*;
pub use tasks::{
    CodeLine, ContextPiece, ContextRequest, ContextResponse, InvestigateRequest,
    InvestigateResponse, InvestigatedHit, NeighbourPlace, TestFile,
};
pub use unindexed_grep::{UnindexedGrep, UnindexedLine};
pub use whyrank_retrieval::{
    AlignedCells, AlignedPair, Alignment, AnswerConfidence, Channel, ChannelRank, ChannelRun,
    ChannelWeight, ComparedTerm, Coverage, CrossRecord, EVIDENCE_TERMS, Evidence, EvidenceTerm,
    GateCheck, GateFeatures, GateFigure, GateMode, GateReason, GateRecord, GateSettings,
    GateThresholds, GateVerdict, HitComparison, IssuePart, IssueRecord, LateRank, QueryShape,
    QueryToken, RefineRecord, RerankRecord, RerankWindow, Stage, StageRanks, StageTiming,
    TokenLine, Trace, TraceRow,
};
pub use words::*;

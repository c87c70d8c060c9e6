//! What the engine's callers exchange with it: plain data, the same for window, MCP and CLI.

mod calls;
mod evidence;
mod glance;
mod graph_view;

pub use calls::{
    CallDetail, CallLine, CallLog, CallRecord, CallTotals, CallsRequest, ClientHello, HeardClient,
};
pub use evidence::{
    CritiquePoint, CritiqueRequest, CritiqueResponse, VerifiedEvidence, VerifyRequest,
    VerifyResponse,
};
pub use glance::{Glance, GlanceLine};
pub use graph_view::{
    GraphDirection, GraphEdge, GraphEdgeKind, GraphExport, GraphFormat, GraphNode, GraphNodeKind,
    GraphSide, GraphView, GraphViewRequest,
};
mod memory;
mod rerank;
mod review;
mod shapes;
mod stages;
mod structure;
mod tasks;

pub use memory::*;
pub use rerank::{RerankMode, RerankNote, RerankProgress, RerankSettings, RerankTest};
pub use review::{
    DiffSearchRequest, DiffSearchResponse, ReviewRequest, ReviewResponse, ReviewedFile,
    ReviewedSymbol, RiskReason, UnchangedCaller,
};
use serde::{Deserialize, Serialize};
pub use shapes::{
    AstBinding, AstGrepRequest, AstGrepResponse, AstMatch, PatternEvidence, PatternFinding,
    PatternsRequest, PatternsResponse,
};
use specta::Type;
pub use stages::{CounterStats, StageStats, TimerStats};
use std::collections::BTreeMap;
pub use structure::*;
pub use tasks::{
    ContextPiece, ContextRequest, ContextResponse, InvestigateRequest, InvestigateResponse,
    InvestigatedHit, NeighbourPlace,
};
pub use whyrank_retrieval::{
    AlignedPair, Alignment, Channel, ChannelRank, ChannelRun, ChannelWeight, ComparedTerm,
    Coverage, Evidence, GATE_INPUTS, GateCheck, GateFeatures, GateMode, GateReason, GateRecord,
    GateSettings, GateTerm, GateThresholds, GateVerdict, HitComparison, LateRank, LearnedGate,
    LearnedVerdict, QueryShape, QueryToken, RefineRecord, RerankRecord, RerankWindow, Stage,
    StageRanks, StageTiming, Trace, TraceRow, gate_inputs,
};

/// What a repository's index is up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum RepoState {
    /// Known, but never indexed.
    NotIndexed,
    /// A job is running.
    Indexing,
    /// A job is paused.
    Paused,
    /// Searchable and up to date when last looked at.
    Ready,
    /// Searchable, but the working tree or HEAD has moved on.
    Stale,
    /// The last job failed; the last good index, if any, still serves.
    Failed,
    /// The folder is gone.
    Missing,
}

/// A language's share of a repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct LanguageShare {
    /// Language name: `rust`, `typescript`.
    pub language: String,
    /// Files.
    pub files: u32,
    /// Lines.
    pub lines: u32,
}

/// A registered repository (one working tree).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RepoSummary {
    /// Stable id, 12 hex digits.
    pub id: String,
    /// Folder name.
    pub name: String,
    /// Absolute path of the working tree.
    pub root: String,
    /// Branch, if on one.
    pub branch: Option<String>,
    /// Commit HEAD points at, short.
    pub head: Option<String>,
    /// State.
    pub state: RepoState,
    /// State in words, with the next step where there is one.
    pub state_note: String,
    /// Files in the view.
    pub files: u32,
    /// Chunks in the view.
    pub chunks: u32,
    /// Definitions in the view.
    pub symbols: u32,
    /// Languages, largest first.
    pub languages: Vec<LanguageShare>,
    /// Size of the index on disk in bytes (shared by all worktrees of the repository).
    pub index_bytes: f64,
    /// Seconds since the epoch of the last completed lane 1; `None` if never.
    pub indexed_at: Option<f64>,
    /// Whether saves and checkouts are followed.
    pub watching: bool,
    /// Coverage per lane.
    pub coverage: Coverage,
    /// Of the symbol graph: `ready`, `building …`, or why it is made in memory when asked for.
    pub graph: String,
    /// Files left out, counted by reason.
    pub skipped_by_reason: Vec<ReasonCount>,
}

/// A reason and how often it occurred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ReasonCount {
    /// The reason in words: `too large (over 1 MB)`.
    pub reason: String,
    /// Files.
    pub count: u32,
}

/// A file that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SkippedEntry {
    /// Path in the repository.
    pub path: String,
    /// The reason in words.
    pub reason: String,
}

/// A repository's index in detail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RepoHealth {
    /// The summary.
    pub summary: RepoSummary,
    /// Compatibility hash, short.
    pub compatibility: String,
    /// The parts under the hash: name and value.
    pub manifest: Vec<ManifestPart>,
    /// Where the index lies.
    pub index_path: String,
    /// Files left out.
    pub skipped: Vec<SkippedEntry>,
    /// Files in which something could not be parsed: path and first error.
    pub parse_errors: Vec<SkippedEntry>,
    /// Views that share the store, in words.
    pub views: Vec<String>,
    /// What is wrong, if anything; empty when healthy.
    pub problems: Vec<String>,
    /// The SCIP index that answers take in.
    pub scip: Option<ScipImport>,
}

/// A SCIP index laid over a repository's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ScipImport {
    /// Its path, from the repository's root where it lies below.
    pub path: String,
    /// Who wrote it: `scip-typescript 0.4.0`.
    pub tool: String,
    /// Seconds since it was written.
    pub age_s: u32,
    /// Documents in it.
    pub n_documents: u32,
    /// Files that it fits: their uses are precise.
    pub n_files: u32,
    /// Files of the repository that define something.
    pub n_code_files: u32,
    /// Uses that it leads to definitions of the repository.
    pub n_uses: u32,
    /// What is missing and why: files changed since, documents of other files, damage.
    pub notes: Vec<String>,
}

/// A part of the compatibility hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ManifestPart {
    /// Name: `schema`, `chunker`, `tokenizer`, `model`.
    pub name: String,
    /// Value.
    pub value: String,
}

/// A lane of indexing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// Scan, parse, lexical, graph.
    Lexical,
    /// Vectors.
    Vector,
}

/// A job's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum JobState {
    Running,
    Paused,
    Done,
    Cancelled,
    Failed,
}

/// Progress of an indexing job. At most ten a second for each job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct JobProgress {
    /// The job's id.
    pub job_id: String,
    /// The repository's id.
    pub repo: String,
    /// Lane at work.
    pub lane: Lane,
    /// Stage in words: `scan`, `parse`, `lexical`, `graph`, `vectors`.
    pub stage: String,
    /// Units done in this stage (files; chunks in lane 2).
    pub done: u32,
    /// Units in all; 0 while unknown.
    pub total: u32,
    /// Units a second over the last few seconds.
    pub rate: f64,
    /// Seconds left; `None` while unknown.
    pub eta_s: Option<f64>,
    /// File at work.
    pub current: Option<String>,
    /// State.
    pub state: JobState,
    /// Error in words when failed.
    pub error: Option<EngineErrorDto>,
}

/// What changed, for whoever listens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum EngineEvent {
    /// A job moved on.
    Progress(JobProgress),
    /// A repository's summary changed: ask again.
    RepoChanged {
        /// The repository's id.
        repo: String,
    },
    /// A model's state changed: ask again.
    ModelsChanged,
    /// A model download moved on.
    ModelProgress(ModelProgress),
    /// A reranking moved on.
    Rerank(RerankProgress),
    /// Something was recorded in memory, here or by another process: ask again.
    MemoryChanged,
    /// Vectors of memos were made.
    MemoEncoding(MemoEncoding),
}

/// An error as callers see it: they read `code`, people read the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct EngineErrorDto {
    /// Stable: `not-a-repository`, `index-missing`, `model-missing`, `bad-argument`, `busy`, …
    pub code: String,
    /// What failed.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// Narrows a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct SearchFilters {
    /// Globs on the path; a leading `!` excludes.
    pub paths: Vec<String>,
    /// Languages.
    pub languages: Vec<String>,
    /// Symbol kinds: `function`, `class`.
    pub kinds: Vec<String>,
    /// Leave out tests.
    pub no_tests: bool,
}

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct SearchRequest {
    /// The repository's id.
    pub repo: String,
    /// The query.
    pub query: String,
    /// Hits at most; 0 for the default of 10.
    pub limit: u32,
    /// Filters.
    pub filters: SearchFilters,
    /// Commit to search; `None` for the working tree.
    pub as_of: Option<String>,
    /// Weights in place of the settings', for trying out.
    pub weights: Option<Vec<WeightSetting>>,
    /// One hit a file (the default of agents and of the window).
    pub distinct_files: bool,
}

impl SearchRequest {
    /// Hits at most: 10 where none are asked for, never more than 500.
    pub fn n_hits(&self) -> usize {
        match self.limit {
            0 => 10,
            limit => limit.min(500) as usize,
        }
    }
}

/// A channel's weight as set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct WeightSetting {
    /// The channel.
    pub channel: Channel,
    /// Its weight, 0 to 5; 0 switches the channel off.
    pub weight: f64,
}

/// A line of a snippet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SnippetLine {
    /// Line number, from 1.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// Ranges of the text that match the query, in UTF-16 units: start, end.
    pub matches: Vec<(u32, u32)>,
}

/// A search hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Hit {
    /// Rank from 1.
    pub rank: u32,
    /// Path in the repository.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Qualified name, if it is a definition.
    pub symbol: Option<String>,
    /// `function`, `class`, `code`, `doc`.
    pub kind: String,
    /// The definition's head, or the first line.
    pub signature: String,
    /// Language.
    pub language: String,
    /// Final score.
    pub score: f64,
    /// Channels that found it, strongest first.
    pub channels: Vec<Channel>,
    /// A few lines around the best match.
    pub snippet: Vec<SnippetLine>,
    /// `test`, `docs`, `generated`, `vendored`.
    pub badges: Vec<String>,
    /// Further hits in the same file.
    pub more_in_file: u32,
    /// Content hash + span + commit, for later verification.
    pub evidence_id: String,
}

/// A search's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SearchResponse {
    /// For `explain`.
    pub query_id: String,
    /// Hits by rank.
    pub hits: Vec<Hit>,
    /// Candidates before the cut.
    pub n_candidates: u32,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
    /// Degradations in words: `no embedding model: lexical only`.
    pub notes: Vec<String>,
    /// Coverage.
    pub coverage: Coverage,
    /// Counts per language and per folder among the candidates.
    pub facets: Vec<Facet>,
    /// Memos that speak of what was asked, best first; they hold at the commit that was searched.
    pub memos: Vec<Memo>,
    /// What the reranker made of the hits; `None` where it was not asked.
    pub rerank: Option<RerankNote>,
}

/// Values to narrow by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Facet {
    /// `language`, `kind`, `folder`.
    pub name: String,
    /// Value and count, most first.
    pub values: Vec<ReasonCount>,
}

/// A completion while typing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Suggestion {
    /// What to put into the box.
    pub text: String,
    /// `symbol`, `path`, `recent`.
    pub kind: String,
    /// Where it is: `src/router.rs:12`.
    pub detail: String,
}

/// A highlighted range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct PaintedRange {
    /// First UTF-16 unit in the text.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// `keyword`, `string`, `comment`, …
    pub class: String,
}

/// A file for the preview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct FilePreview {
    /// Path in the repository.
    pub path: String,
    /// Language.
    pub language: String,
    /// The text.
    pub text: String,
    /// Highlighting, by position.
    pub highlights: Vec<PaintedRange>,
    /// Definitions in the file, for a header and jumps.
    pub symbols: Vec<SymbolLine>,
    /// The text was cut at the size limit.
    pub truncated: bool,
}

/// A definition's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SymbolLine {
    /// Path in the repository.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Line of the name.
    pub name_line: u32,
    /// Kind.
    pub kind: String,
    /// Bare name.
    pub name: String,
    /// Qualified name.
    pub qualified: String,
    /// The definition's head.
    pub signature: String,
    /// Visible outside its file.
    pub exported: bool,
}

/// A model of the lock file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ModelSummary {
    /// Name in the lock file.
    pub name: String,
    /// What it is, in a line.
    pub description: String,
    /// Roles: `bi-encoder`, `token encoder`, `sparse encoder`.
    pub roles: Vec<String>,
    /// Licence.
    pub licence: String,
    /// Dimensions of its vectors.
    pub dimensions: u32,
    /// Size of its files in bytes, as far as it is known.
    pub size_bytes: f64,
    /// It cannot be downloaded: nobody has pinned all of its files.
    pub import_only: bool,
    /// `present`, `absent`, `damaged`.
    pub state: String,
    /// State in words, with the next step.
    pub state_note: String,
    /// Where it lies, if present.
    pub path: Option<String>,
    /// Whether searches use it.
    pub active: bool,
}

/// Progress of a model download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ModelProgress {
    /// The model.
    pub model: String,
    /// Source at work.
    pub source: String,
    /// `fetch`, `verify`, `done`, `failed`, `cancelled`.
    pub stage: String,
    /// Bytes so far.
    pub done_bytes: f64,
    /// Bytes in all; 0 while unknown.
    pub total_bytes: f64,
    /// Why it failed.
    pub error: Option<EngineErrorDto>,
}

/// Which token vectors indexing makes, for late interaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum TokenVectors {
    /// None: saves about 5 kB a chunk.
    Off,
    /// As scoring candidates needs them.
    #[default]
    Rescore,
    /// In the order that search over everything needs as well: twice the size.
    Wide,
}

/// The user's settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Settings {
    /// Channel weights.
    pub weights: Vec<WeightSetting>,
    /// The constant of reciprocal rank fusion.
    pub rrf_k: f64,
    /// The bi-encoder's name in the lock file.
    pub model: String,
    /// The token encoder's name in the lock file, if it is another than the bi-encoder's.
    pub token_model: Option<String>,
    /// The sparse encoder's name in the lock file; none of its channel without it.
    pub sparse_model: Option<String>,
    /// Which token vectors are made.
    pub token_vectors: TokenVectors,
    /// Threads for indexing; 0 for all but one.
    pub index_threads: u32,
    /// Coefficients of the evidence terms that differ from the defaults, by name.
    pub evidence: BTreeMap<String, f64>,
    /// When late interaction runs.
    pub gate: GateSettings,
    /// Stages that are switched off.
    pub off: Vec<Stage>,
    /// The reranker.
    pub rerank: RerankSettings,
}

/// What lies where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct AppInfo {
    /// Version.
    pub version: String,
    /// Data folder.
    pub data_dir: String,
    /// Configuration file.
    pub config_file: String,
}

/// What indexing a folder would take in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ScanReport {
    /// Root of the working tree that the path lies in.
    pub root: String,
    /// Files to index.
    pub files: u32,
    /// Their size in bytes.
    pub bytes: f64,
    /// Languages, largest first.
    pub languages: Vec<LanguageShare>,
    /// Files left out, by reason.
    pub skipped_by_reason: Vec<ReasonCount>,
}

/// How to index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct IndexOptions {
    /// Build from nothing instead of updating.
    pub rebuild: bool,
    /// Stop after lane 1.
    pub skip_vectors: bool,
    /// Give up after ten seconds while another process writes the index, for a command that a
    /// person waits for; else the job waits for its turn.
    pub impatient: bool,
}

/// Asks for a symbol's definitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct LookupRequest {
    /// The repository's id.
    pub repo: String,
    /// Bare or qualified name.
    pub symbol: String,
    /// Kind to narrow by.
    pub kind: Option<String>,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
    /// Definitions at most; 0 for 20.
    pub limit: u32,
}

/// A symbol's definitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct LookupResponse {
    /// Definitions, best first.
    pub definitions: Vec<SymbolLine>,
    /// Near names when there is no definition.
    pub near: Vec<SymbolLine>,
}

/// Asks for a symbol's uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct RefsRequest {
    /// The repository's id.
    pub repo: String,
    /// Bare or qualified name.
    pub symbol: String,
    /// File of the definition meant, where several share the name.
    pub path: Option<String>,
    /// Line of the definition meant.
    pub line: Option<u32>,
    /// Kinds to keep: `call`, `read`, `write`, `type`, `import`, `re-export`, `inherit`, `decorator`; empty for all.
    pub kinds: Vec<String>,
    /// Also comments, strings and documentation.
    pub mentions: bool,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A use of a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RefHit {
    /// Path in the repository.
    pub path: String,
    /// Line.
    pub line: u32,
    /// `call`, `read`, `write`, …
    pub kind: String,
    /// Qualified name of the enclosing definition.
    pub enclosing: Option<String>,
    /// `precise` (from a SCIP index), `resolved`, `ambiguous`, `name-only`.
    pub confidence: String,
    /// The line's text, trimmed.
    pub text: String,
    /// In a test, example or benchmark.
    pub test: bool,
    /// In documentation: a mention in prose.
    pub doc: bool,
}

/// A symbol's uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RefsResponse {
    /// The definitions meant.
    pub definitions: Vec<SymbolLine>,
    /// Uses by path and line, production code first.
    pub references: Vec<RefHit>,
    /// Near names when the symbol is unknown.
    pub near: Vec<SymbolLine>,
}

/// Asks who depends on a symbol.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct ImpactRequest {
    /// The repository's id.
    pub repo: String,
    /// Bare or qualified name.
    pub symbol: String,
    /// File of the definition meant, where several share the name.
    pub path: Option<String>,
    /// Line of the definition meant.
    pub line: Option<u32>,
    /// Steps at most; 0 for the default of 3.
    pub depth: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A definition that depends on a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ImpactHit {
    /// The calling definition.
    pub caller: SymbolLine,
    /// Steps to the symbol, from 1.
    pub depth: u32,
    /// The weakest use on the way: `precise`, `resolved`, `name-only`, `ambiguous`.
    pub confidence: String,
    /// Qualified name of what it uses: the symbol, or a caller one step nearer.
    pub uses: String,
    /// Line of that use, in the caller's file.
    pub line: u32,
    /// PageRank of the caller among all symbols, 1 for the highest.
    pub rank: f64,
    /// In a test, example or benchmark.
    pub test: bool,
}

/// Who depends on a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ImpactResponse {
    /// The definitions meant.
    pub definitions: Vec<SymbolLine>,
    /// Each caller once: production code first, then by depth, rank and path.
    pub callers: Vec<ImpactHit>,
    /// Steps followed.
    pub depth: u32,
    /// Near names when the symbol is unknown.
    pub near: Vec<SymbolLine>,
}

/// Asks how one symbol reaches another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct CallPathRequest {
    /// The repository's id.
    pub repo: String,
    /// Where the path starts: bare or qualified name, `path:name` where several share it.
    pub from: String,
    /// File of the start.
    pub from_path: Option<String>,
    /// Line of the start.
    pub from_line: Option<u32>,
    /// Where it ends.
    pub to: String,
    /// File of the end.
    pub to_path: Option<String>,
    /// Line of the end.
    pub to_line: Option<u32>,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A file of a chain of imports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ImportPathStep {
    /// The file.
    pub path: String,
    /// Line where it imports the next; `None` for the last.
    pub line: Option<u32>,
}

/// A step of a call path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CallStep {
    /// The definition.
    pub symbol: SymbolLine,
    /// Line where it uses the next step; `None` for the last.
    pub line: Option<u32>,
    /// How sure that use is: `precise`, `resolved`, `name-only`, `ambiguous`.
    pub confidence: String,
}

/// How one symbol reaches another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CallPathResponse {
    /// Definitions at the start.
    pub from: Vec<SymbolLine>,
    /// Definitions at the end.
    pub to: Vec<SymbolLine>,
    /// The shortest paths, at most five, each from start to end.
    pub paths: Vec<Vec<CallStep>>,
    /// The shortest chain of imports between their files, where no path of uses is known.
    pub imports: Vec<ImportPathStep>,
    /// Whether the paths lead the other way, because none leads from `from` to `to`.
    pub reversed: bool,
    /// Near names when one of the symbols is unknown.
    pub near: Vec<SymbolLine>,
}

/// A place whose symbol is asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct SymbolPlace {
    /// Bare or qualified name.
    pub symbol: String,
    /// File of the definition meant.
    pub path: Option<String>,
    /// Its line.
    pub line: Option<u32>,
}

/// Asks what nothing needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct DeadCodeRequest {
    /// The repository's id.
    pub repo: String,
    /// Only these symbols: each gets an answer. Empty: all of the repository.
    pub symbols: Vec<SymbolPlace>,
    /// Only below this folder or in this file; empty for all.
    pub path: String,
    /// Kinds of definitions (`function`) and verdicts (`dead`, `test-only`, …) to keep; empty for all
    /// but `never-ran` (used, but coverage never saw it run) and `ran` (alive for having run alone).
    pub kinds: Vec<String>,
    /// Also definitions in tests that nothing uses.
    pub tests: bool,
    /// Coverage files or folders of them, from the repository's root or absolute; empty for those in
    /// the usual places, `none` for no coverage.
    pub coverage: Vec<String>,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A definition that nothing may need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct DeadFinding {
    /// The definition.
    pub symbol: SymbolLine,
    /// `dead`, `test-only`, `possibly-dynamic`, `exported-unused`; `never-ran`, `ran` on request;
    /// `used` when asked about by name.
    pub verdict: String,
    /// Why, in words.
    pub reason: String,
    /// `high`, `medium`, `low`.
    pub confidence: String,
    /// Nothing in the checkout, tests included, uses it but imports and itself.
    pub dead: bool,
}

/// A coverage file that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CoverageReport {
    /// Its path, from the repository's root where it lies below.
    pub path: String,
    /// `lcov`, `Cobertura`, `coverage.py`, `V8`, `Istanbul`, `Go coverprofile`; empty for none.
    pub format: String,
    /// Files of the view that it measured and that have not changed since.
    pub n_files: u32,
    /// What is missing and why: files changed since, paths that mean no or several files, damage.
    pub notes: Vec<String>,
}

/// What nothing needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct DeadCodeResponse {
    /// By verdict, path and line; for symbols asked about, in the order of the question.
    pub findings: Vec<DeadFinding>,
    /// The answer when a single symbol was asked about.
    pub dead: Option<bool>,
    /// Definitions looked at.
    pub n_checked: u32,
    /// Coverage that was taken in.
    pub coverage: Vec<CoverageReport>,
    /// Definitions that are used and never ran, and those that only having run keeps alive.
    pub n_never_ran: u32,
    /// See [`DeadCodeResponse::n_never_ran`].
    pub n_kept_by_run: u32,
    /// Symbols asked about that no definition bears.
    pub unknown: Vec<String>,
    /// Near names for the first of them.
    pub near: Vec<SymbolLine>,
}

/// Asks for a file's dependencies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct DepsRequest {
    /// The repository's id.
    pub repo: String,
    /// Path in the repository.
    pub path: String,
    /// `imports`, `importers` or `both`; empty for both.
    pub direction: String,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// An import edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct DepEdge {
    /// The other file's path; the module as written when it lies outside the repository.
    pub path: String,
    /// The module as written.
    pub module: String,
    /// Line of the import.
    pub line: u32,
    /// Lies outside the repository (or could not be resolved).
    pub external: bool,
}

/// A file's dependencies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct DepsResponse {
    /// The file.
    pub path: String,
    /// What it imports, by line.
    pub imports: Vec<DepEdge>,
    /// Who imports it, by path.
    pub importers: Vec<DepEdge>,
}

/// A check of `doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DoctorCheck {
    /// What was checked.
    pub name: String,
    /// `ok`, `warn`, `fail`.
    pub state: String,
    /// What was found.
    pub message: String,
    /// Command or action that mends it; empty when ok.
    pub fix: String,
}

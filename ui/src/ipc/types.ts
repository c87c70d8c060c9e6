// The engine's types as the window uses them.

import type * as raw from "./bindings";

/** A request with every field: the window leaves none for Rust to fill in. */
export type Complete<T> = T extends (infer Item)[]
  ? Complete<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: Complete<T[Key]> }
    : T;

export type AppInfo = raw.AppInfo;
export type Channel = raw.RankChannel;
export type ChannelRank = raw.ChannelRank;
export type Coverage = raw.Coverage;
export type EngineEvent = raw.EngineEvent;
export type EngineFailure = raw.EngineErrorDto;
export type Evidence = raw.Evidence;
export type Facet = raw.Facet;
export type FilePreview = raw.FilePreview;
export type AlignedCells = raw.AlignedCells;
export type AlignedPair = raw.AlignedPair;
export type Alignment = raw.Alignment;
export type GateCheck = raw.GateCheck;
export type GateFeatures = raw.GateFeatures;
export type GateRecord = raw.GateRecord;
export type GateSettings = raw.GateSettings;
export type GateThresholds = raw.GateThresholds;
export type GateVerdict = raw.GateVerdict;
export type GrepFile = raw.GrepFile;
export type GrepLine = raw.GrepLine;
export type GrepResponse = raw.GrepResponse;
export type PatternProblem = raw.PatternProblem;
export type Hit = raw.Hit;
export type JobProgress = raw.JobProgress;
export type LanguageShare = raw.LanguageShare;
export type ModelProgress = raw.ModelProgress;
export type ModelSummary = raw.ModelSummary;
export type IndexerConsent = raw.IndexerConsent;
export type IndexerPlan = raw.IndexerPlan;
export type PaintedRange = raw.PaintedRange;
export type PrecisePlan = raw.PrecisePlan;
export type PreciseProgress = raw.PreciseProgress;
export type PreciseReport = raw.PreciseReport;
export type QueryToken = raw.QueryToken;
export type IssuePart = raw.IssuePart;
export type IssueRecord = raw.IssueRecord;
export type RefineRecord = raw.RefineRecord;
export type RerankNote = raw.RerankNote;
export type RerankProgress = raw.RerankProgress;
export type RerankRecord = raw.RerankRecord;
export type RerankSettings = raw.RerankSettings;
export type RerankTest = raw.RerankTest;
export type HitComparison = raw.HitComparison;
export type RepoHealth = raw.RepoHealth;
export type FoundRepository = raw.FoundRepository;
export type RepoState = raw.RepoState;
export type RepoSummary = raw.RepoSummary;
export type ScopeChoice = raw.ScopeChoice;
export type ScanReport = raw.ScanReport;
export type FoundReports = raw.FoundReports;
export type ScipImport = raw.ScipImport;
export type SearchFilters = Complete<raw.SearchFilters>;
export type SearchRequest = Complete<raw.SearchRequest>;
export type SearchResponse = raw.SearchResponse;
export type Settings = raw.Settings;
export type SkippedEntry = raw.SkippedEntry;
export type SnippetLine = raw.SnippetLine;
export type StageRanks = raw.StageRanks;
export type StageStats = raw.StageStats;
export type StageTiming = raw.StageTiming;
export type Suggestion = raw.Suggestion;
export type TimelineCommit = raw.TimelineCommit;
export type Trace = raw.Trace;
export type TraceRow = raw.TraceRow;
export type WeightSetting = raw.WeightSetting;

export interface GrepRequest {
  repo: string;
  pattern: string;
  regex: boolean;
  match_case: boolean;
  filters: SearchFilters;
  as_of: string | null;
  limit: number;
}

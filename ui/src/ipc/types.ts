// The engine's types as the window uses them.
//
// JSON has no NaN, so the generator says `number | null` for every float. The engine sends
// finite numbers; only the fields named here may be absent.

import type * as raw from "./bindings";

type MayBeAbsent =
  | "eta_s"
  | "indexed_at"
  | "budget_ms"
  | "cpu_ms"
  | "index_cpu_s"
  | "gated_tokens_per_correct"
  | "line"
  | "encode_ms"
  | "agreement"
  | "expected_ms"
  | "n_in"
  | "n_out"
  | "refined"
  | "presented"
  | "reranked"
  | "changes"
  | "invalidated_at"
  | "valid_until_at"
  | "until";

export type Finite<T> = T extends [number | null, number | null]
  ? [number, number]
  : T extends (infer Item)[]
    ? Finite<Item>[]
    : T extends object
      ? {
          [Key in keyof T]: Key extends MayBeAbsent
            ? T[Key]
            : [number | null] extends [T[Key]]
              ? number
              : Finite<T[Key]>;
        }
      : T;

export type AppInfo = raw.AppInfo;
export type Channel = raw.RankChannel;
export type ChannelRank = Finite<raw.ChannelRank>;
export type Coverage = Finite<raw.Coverage>;
export type EngineEvent = Finite<raw.EngineEvent>;
export type EngineFailure = raw.EngineErrorDto;
export type Evidence = Finite<raw.Evidence>;
export type Facet = Finite<raw.Facet>;
export type FilePreview = Finite<raw.FilePreview>;
export type AlignedPair = Finite<raw.AlignedPair>;
export type Alignment = Finite<raw.Alignment>;
export type GateCheck = Finite<raw.GateCheck>;
export type GateFeatures = Finite<raw.GateFeatures>;
export type GateRecord = Finite<raw.GateRecord>;
export type GateSettings = Finite<raw.GateSettings>;
export type GateThresholds = Finite<raw.GateThresholds>;
export type GateVerdict = Finite<raw.GateVerdict>;
export type GrepFile = raw.GrepFile;
export type GrepLine = raw.GrepLine;
export type GrepResponse = Finite<raw.GrepResponse>;
export type PatternProblem = raw.PatternProblem;
export type Hit = Finite<raw.Hit>;
export type JobProgress = Finite<raw.JobProgress>;
export type LanguageShare = Finite<raw.LanguageShare>;
export type ModelProgress = Finite<raw.ModelProgress>;
export type ModelSummary = Finite<raw.ModelSummary>;
export type IndexerConsent = raw.IndexerConsent;
export type IndexerPlan = raw.IndexerPlan;
export type PaintedRange = Finite<raw.PaintedRange>;
export type PrecisePlan = raw.PrecisePlan;
export type PreciseProgress = Finite<raw.PreciseProgress>;
export type PreciseReport = Finite<raw.PreciseReport>;
export type QueryToken = raw.QueryToken;
export type IssuePart = Finite<raw.IssuePart>;
export type IssueRecord = Finite<raw.IssueRecord>;
export type RefineRecord = Finite<raw.RefineRecord>;
export type RerankNote = Finite<raw.RerankNote>;
export type RerankProgress = raw.RerankProgress;
export type RerankRecord = Finite<raw.RerankRecord>;
export type RerankSettings = raw.RerankSettings;
export type RerankTest = Finite<raw.RerankTest>;
export type HitComparison = Finite<raw.HitComparison>;
export type RepoHealth = Finite<raw.RepoHealth>;
export type FoundRepository = Finite<raw.FoundRepository>;
export type RepoState = raw.RepoState;
export type RepoSummary = Finite<raw.RepoSummary>;
export type ScanReport = Finite<raw.ScanReport>;
export type ScipImport = raw.ScipImport;
export type SearchFilters = Required<Finite<raw.SearchFilters>>;
export type SearchResponse = Finite<raw.SearchResponse>;
export type Settings = Finite<raw.Settings>;
export type SkippedEntry = raw.SkippedEntry;
export type SnippetLine = Finite<raw.SnippetLine>;
export type StageRanks = Finite<raw.StageRanks>;
export type StageStats = Finite<raw.StageStats>;
export type StageTiming = Finite<raw.StageTiming>;
export type Suggestion = raw.Suggestion;
export type TimelineCommit = Finite<raw.TimelineCommit>;
export type Trace = Finite<raw.Trace>;
export type TraceRow = Finite<raw.TraceRow>;
export type WeightSetting = Finite<raw.WeightSetting>;

export interface GrepRequest {
  repo: string;
  pattern: string;
  regex: boolean;
  match_case: boolean;
  filters: SearchFilters;
  as_of: string | null;
  limit: number;
}

export interface SearchRequest {
  repo: string;
  query: string;
  limit: number;
  filters: SearchFilters;
  as_of: string | null;
  weights: WeightSetting[] | null;
  distinct_files: boolean;
}

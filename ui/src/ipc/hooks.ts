// One hook per command. Queries are cached by their arguments, so a late answer to an earlier
// question can never stand in for the present one.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Answered, ask, useChange } from "./ask";
import { commands } from "./bindings";
import { askFresh } from "./looks";
import type {
  AppInfo,
  FilePreview,
  FoundRepository,
  GateRecord,
  GateSettings,
  GateVerdict,
  JobProgress,
  ModelProgress,
  ModelSummary,
  RepoHealth,
  RepoSummary,
  ScanReport,
  ScopeChoice,
  SearchRequest,
  SearchResponse,
  Settings,
  StageStats,
  Suggestion,
  TimelineCommit,
  Trace,
} from "./types";

export const keys = {
  info: ["info"],
  repos: ["repos"],
  found: ["found-repositories"],
  health: (repo: string) => ["health", repo],
  jobs: ["jobs"],
  search: ["search"],
  explain: (queryId: string) => ["explain", queryId],
  models: ["models"],
  modelProgress: ["model-progress"],
  settings: ["settings"],
  defaults: ["default-settings"],
} as const;

export function useAppInfo(): Answered<AppInfo> {
  return useQuery({ queryKey: keys.info, queryFn: () => ask<AppInfo>(commands.appInfo()) });
}

export function useRepos(): Answered<RepoSummary[]> {
  return useQuery({ queryKey: keys.repos, queryFn: () => ask<RepoSummary[]>(commands.repos()) });
}

export function useRepoHealth(repo: string): Answered<RepoHealth> {
  return useQuery({
    queryKey: keys.health(repo),
    queryFn: () => ask<RepoHealth>(commands.repoHealth(repo)),
  });
}

export function useJobs(): Answered<JobProgress[]> {
  return useQuery({ queryKey: keys.jobs, queryFn: () => ask<JobProgress[]>(commands.jobs()) });
}

/** The repository's job at work or on hold, if it has one. */
export function useLiveJob(repo: string | undefined): JobProgress | undefined {
  const { data } = useJobs();
  return data?.find(
    (job) => job.repo === repo && (job.state === "running" || job.state === "paused"),
  );
}

/** Hits. While one is typing they are of the index as it is, at once; else of the files as they are. */
export function useSearch(request: SearchRequest, isTyping = false): Answered<SearchResponse> {
  return useQuery({
    queryKey: [...keys.search, request],
    queryFn: ({ client }) => askFresh<SearchResponse>(client, commands.search(request, isTyping)),
    enabled: request.repo !== "" && request.query.trim() !== "",
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

export function useSuggestions(repo: string, prefix: string, enabled: boolean) {
  return useQuery({
    queryKey: ["suggest", repo, prefix],
    queryFn: ({ client }) => askFresh<Suggestion[]>(client, commands.suggest(repo, prefix, 6)),
    enabled: enabled && repo !== "",
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  });
}

/** Queries of a repository's own names, to begin with. */
export function useExampleQueries(repo: string, enabled: boolean): Answered<Suggestion[]> {
  return useQuery({
    queryKey: ["examples", repo],
    queryFn: () => ask<Suggestion[]>(commands.exampleQueries(repo)),
    enabled: enabled && repo !== "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Has the engine open what a search reads, so that the first answer is as quick as the next. */
export function usePrepared(repo: RepoSummary | undefined): void {
  const id = repo && repo.chunks > 0 ? repo.id : "";
  useQuery({
    queryKey: ["prepared", id],
    queryFn: () => ask<null>(commands.prepareSearch(id)),
    enabled: id !== "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** What can be asked together with a repository. Workspaces are made on the command line: look again. */
export function useScopeChoices(repo: string): Answered<ScopeChoice[]> {
  return useQuery({
    queryKey: ["repos", "scopes", repo],
    queryFn: () => ask<ScopeChoice[]>(commands.scopeChoices(repo)),
    enabled: repo !== "",
    staleTime: 5_000,
  });
}

/** A file with its colours takes megabytes and is read again in milliseconds. */
const PREVIEW_KEPT_MS = 10_000;

/** A file of the working tree, or as it was at a revision. */
export function usePreview(
  repo: string,
  path: string | undefined,
  asOf: string | null = null,
): Answered<FilePreview> {
  return useQuery({
    queryKey: ["preview", repo, path, asOf],
    queryFn: ({ client }) =>
      askFresh<FilePreview>(client, commands.preview(repo, path ?? "", asOf)),
    enabled: path !== undefined,
    placeholderData: keepPreviousData,
    gcTime: PREVIEW_KEPT_MS,
  });
}

/** Commits of HEAD's line, newest first. */
export function useRecentCommits(repo: string, limit: number): Answered<TimelineCommit[]> {
  return useQuery({
    queryKey: ["recent-commits", repo, limit],
    queryFn: () => ask<TimelineCommit[]>(commands.recentCommits(repo, limit)),
    enabled: repo !== "",
  });
}

/** Each answer has a trace of its own, and it is read again in milliseconds. */
const TRACE_KEPT_MS = 20_000;

export function useExplain(queryId: string | undefined): Answered<Trace> {
  return useQuery({
    queryKey: keys.explain(queryId ?? ""),
    queryFn: () => ask<Trace>(commands.explain(queryId ?? "")),
    enabled: queryId !== undefined,
    gcTime: TRACE_KEPT_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The gate's verdict on recorded figures with other thresholds; the engine's rules decide. */
export function useGateWhatIf(record: GateRecord, settings: GateSettings): Answered<GateVerdict> {
  return useQuery({
    queryKey: ["gate-what-if", record.features, record.missing, settings],
    queryFn: () => ask<GateVerdict>(commands.gateWhatIf(settings, record.features, record.missing)),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What the stages of the last answers took. */
export function useStageStats(): Answered<StageStats> {
  return useQuery({
    queryKey: ["stage-stats"],
    queryFn: () => ask<StageStats>(commands.stageStats()),
    staleTime: 2_000,
  });
}

export function useModels(): Answered<ModelSummary[]> {
  return useQuery({ queryKey: keys.models, queryFn: () => ask<ModelSummary[]>(commands.models()) });
}

/** Downloads seen in this session, by model; filled from events. */
export function useModelProgress(): Record<string, ModelProgress> {
  const { data } = useQuery<Record<string, ModelProgress>>({
    queryKey: keys.modelProgress,
    queryFn: () => ({}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ?? {};
}

export function useSettings(): Answered<Settings> {
  return useQuery({ queryKey: keys.settings, queryFn: () => ask<Settings>(commands.settings()) });
}

export function useDefaultSettings(): Answered<Settings> {
  return useQuery({
    queryKey: keys.defaults,
    queryFn: () => ask<Settings>(commands.defaultSettings()),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useScan() {
  return useChange<string, ScanReport>((path) => commands.scan(path));
}

export function useAddRepo() {
  return useChange<string, RepoSummary>((path) => commands.addRepo(path), keys.repos);
}

/** Git repositories of this machine that are not registered, the most recently used first. */
export function useFoundRepositories(): Answered<FoundRepository[]> {
  return useQuery({
    queryKey: keys.found,
    queryFn: () => ask<FoundRepository[]>(commands.findRepositories()),
  });
}

/** Adds several, after one question of the shell. */
export function useAddRepos() {
  return useChange<string[], RepoSummary[]>((paths) => commands.addRepos(paths), keys.repos);
}

export function useRemoveRepo() {
  return useChange<{ repo: string; deleteIndex: boolean }, null>(
    ({ repo, deleteIndex }) => commands.removeRepo(repo, deleteIndex),
    keys.repos,
  );
}

export function useSetWatching() {
  return useChange<{ repo: string; watching: boolean }, null>(
    ({ repo, watching }) => commands.setWatching(repo, watching),
    keys.repos,
  );
}

export function useStartIndex() {
  return useChange<{ repo: string; rebuild?: boolean }, string>(
    ({ repo, rebuild }) =>
      commands.startIndex(repo, { rebuild: rebuild ?? false, skip_vectors: false }),
    keys.repos,
    keys.jobs,
  );
}

export function usePauseJob() {
  return useChange<string, null>((job) => commands.pauseJob(job), keys.jobs, keys.repos);
}

export function useResumeJob() {
  return useChange<string, null>((job) => commands.resumeJob(job), keys.jobs, keys.repos);
}

export function useCancelJob() {
  return useChange<string, null>((job) => commands.cancelJob(job), keys.jobs, keys.repos);
}

export function useExportTrace() {
  return useChange<{ queryId: string; path: string }, null>(({ queryId, path }) =>
    commands.exportTrace(queryId, path),
  );
}

export function usePullModel() {
  return useChange<string, ModelSummary>((name) => commands.pullModel(name), keys.models);
}

export function useImportModel() {
  return useChange<{ name: string; folder: string }, ModelSummary>(
    ({ name, folder }) => commands.importModel(name, folder),
    keys.models,
  );
}

export function useCancelPull() {
  return useChange<string, null>((name) => commands.cancelPull(name));
}

export function useVerifyModel() {
  return useChange<string, ModelSummary>((name) => commands.verifyModel(name), keys.models);
}

export function useSetSettings() {
  return useChange<Settings, Settings>(
    (settings) => commands.setSettings(settings),
    keys.settings,
    keys.models,
    keys.search,
    ["reranked"],
  );
}

/** The repository named on the command line before the window was listening, once. */
export async function takeLaunchedRepo(): Promise<string | null> {
  return ask<string | null>(commands.takeLaunchedRepo()).catch(() => null);
}

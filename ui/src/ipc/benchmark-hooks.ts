// One hook per benchmark command.

import { keepPreviousData, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type Answered, ask, useChange } from "./ask";
import type {
  Comparison,
  ExportFormat,
  RunInfo,
  RunProgress,
  RunRequest,
  SubjectChoice,
  SuiteChoice,
  Summary,
  TaskLine,
  TaskResult,
} from "./benchmark";
import { commands } from "./bindings";
import type { EngineFailure } from "./types";

const POLL_MS = 500;
/** Figures of a run under way change slowly; reading them costs a pass over all answers. */
const PARTIAL_POLL_MS = 2_000;

const keys = {
  suites: ["bench-suites"],
  subjects: ["bench-subjects"],
  runs: ["bench-runs"],
  progress: ["bench-progress"],
  figures: ["bench-figures"],
} as const;

export function useBenchSuites(): Answered<SuiteChoice[]> {
  return useQuery({
    queryKey: keys.suites,
    queryFn: () => ask<SuiteChoice[]>(commands.benchSuites()),
  });
}

export function useBenchSubjects(): Answered<SubjectChoice[]> {
  return useQuery({
    queryKey: keys.subjects,
    queryFn: () => ask<SubjectChoice[]>(commands.benchSubjects()),
  });
}

export function useBenchRuns(): Answered<RunInfo[]> {
  return useQuery({
    queryKey: keys.runs,
    queryFn: () => ask<RunInfo[]>(commands.benchRuns()),
  });
}

export function useBenchProgress(): Answered<RunProgress | null> {
  return useQuery({
    queryKey: keys.progress,
    queryFn: () => ask<RunProgress | null>(commands.benchProgress()),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? POLL_MS : false),
  });
}

/** Reads runs and figures again when the run under way begins or ends. */
export function useFollowedRun(progress: RunProgress | null | undefined): void {
  const client = useQueryClient();
  const now = progress ? `${progress.id} ${progress.state}` : "";
  const before = useRef(now);
  useEffect(() => {
    if (before.current === now) return;
    before.current = now;
    void client.invalidateQueries({ queryKey: keys.runs });
    void client.invalidateQueries({ queryKey: keys.figures });
  }, [client, now]);
}

export function useBenchSummary(id: string, isRunning: boolean): Answered<Summary> {
  return useQuery({
    queryKey: [...keys.figures, "summary", id],
    queryFn: () => ask<Summary>(commands.benchSummary(id)),
    refetchInterval: isRunning ? PARTIAL_POLL_MS : false,
    staleTime: 60_000,
  });
}

/** Summaries of several runs: those that could be read, in the order asked. */
export function useBenchSummaries(ids: readonly string[]): {
  data: Summary[];
  isPending: boolean;
  error: EngineFailure | null;
} {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [...keys.figures, "summary", id],
      queryFn: () => ask<Summary>(commands.benchSummary(id)),
      staleTime: 60_000,
    })),
    combine: (answers) => ({
      data: answers.flatMap(({ data }) => data ?? []),
      isPending: answers.some(({ isPending }) => isPending),
      error: (answers.find(({ error }) => error)?.error ?? null) as EngineFailure | null,
    }),
  });
}

export function useBenchTasks(id: string, isRunning = false): Answered<TaskLine[]> {
  return useQuery({
    queryKey: [...keys.figures, "tasks", id],
    queryFn: () => ask<TaskLine[]>(commands.benchTasks(id)),
    refetchInterval: isRunning ? PARTIAL_POLL_MS : false,
    staleTime: 60_000,
  });
}

export interface TaskKey {
  run: string;
  suite: string;
  subject: string;
  task: string;
}

export function useBenchTask({ run, suite, subject, task }: TaskKey): Answered<TaskResult> {
  return useQuery({
    queryKey: [...keys.figures, "task", run, suite, subject, task],
    queryFn: () => ask<TaskResult>(commands.benchTask(run, suite, subject, task)),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function useBenchCompare(base: string, other: string): Answered<Comparison> {
  return useQuery({
    queryKey: [...keys.figures, "compare", base, other],
    queryFn: () => ask<Comparison>(commands.benchCompare(base, other)),
    enabled: base !== other,
    staleTime: 60_000,
  });
}

export function useBenchStart() {
  return useChange<RunRequest, string>(
    (request) => commands.benchStart(request),
    keys.progress,
    keys.runs,
  );
}

export function useBenchCancel() {
  return useChange<void, null>(() => commands.benchCancel(), keys.progress, keys.runs);
}

export function useBenchExport() {
  return useChange<{ run: string; format: ExportFormat; path: string }, string>(
    ({ run, format, path }) => commands.benchExport(run, format, path),
  );
}

export function useBenchDelete() {
  return useChange<string, null>((run) => commands.benchDelete(run), keys.runs);
}

// The benchmark's commands and types. Written by hand in the shape of `bindings.ts`: once the
// generator knows them, this file re-exports `Finite<raw.X>` and `commands` from there.

import { invoke } from "@tauri-apps/api/core";
import type { Outcome } from "./ask";
import type { EngineFailure } from "./types";

export type RunState = "running" | "complete" | "cancelled" | "failed";
export type Verdict = "right" | "optional" | "wrong";
export type GroupBy = "all" | "without-p5" | "category" | "language" | "repository" | "stratum";
export type ExportFormat = "html" | "md" | "json" | "csv";

export type Category =
  | "P1"
  | "P2"
  | "P3"
  | "P4"
  | "P5"
  | "P5S"
  | "CALLERS"
  | "IMPACT"
  | "NLDOC"
  | "NLFIX"
  | "search"
  | "needle"
  | "ranking"
  | "expansion"
  | "corpus";

export type Metric =
  | "f1"
  | "precision"
  | "recall"
  | "pass"
  | "mrr@10"
  | "ndcg@10"
  | "recall@1"
  | "recall@5"
  | "recall@10"
  | "span mrr@10"
  | "span recall@10";

export type Scores = { [metric in Metric]?: number };

export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

export interface Paired {
  n: number;
  base: number;
  other: number;
  difference: Estimate;
  wins: number;
  losses: number;
}

export interface Machine {
  system: string;
  processor: string;
  cores: number;
  memory_mib: number;
}

export interface SubjectInfo {
  name: string;
  version: string;
  notes: string;
  configuration: string;
}

export interface RepositoryInfo {
  name: string;
  version: string;
  files: number;
  index_cpu_s: number | null;
  manifest: string;
  error: string | null;
}

export interface RunInfo {
  id: string;
  title: string;
  started: string;
  seconds: number;
  state: RunState;
  error: string | null;
  seed: number;
  version: string;
  commit: string | null;
  machine: Machine;
  suites: string[];
  subjects: SubjectInfo[];
  repositories: RepositoryInfo[];
  n_wanted: number;
  n_done: number;
}

export interface SummaryRow {
  suite: string;
  subject: string;
  group: { by: GroupBy; name: string };
  n: number;
  errors: number;
  headline: Metric | null;
  value: Estimate;
  scores: Scores;
  tokens: Estimate;
  calls: number;
  wall_p50_ms: number;
  wall_p95_ms: number;
  cpu_ms: number | null;
  tokens_per_correct: number;
  gated_tokens_per_correct: number | null;
  n_gated: number;
}

export interface PairRow {
  suite: string;
  category: Category | null;
  subject: string;
  rival: string;
  paired: Paired;
}

export interface Defect {
  suite: string;
  task: string | null;
  text: string;
}

export interface Summary {
  run: RunInfo;
  rows: SummaryRow[];
  pairs: PairRow[];
  defects: Defect[];
}

export interface Place {
  file: string;
  line: number;
  end_line: number;
  symbol?: string | null;
  repo?: string | null;
}

export interface TaskResult {
  suite: string;
  task: string;
  subject: string;
  repo: string;
  language: string;
  category: Category;
  stratum: string;
  question: string;
  headline: Metric;
  scores: Scores;
  tokens: number;
  calls: { tool: string; arguments: string }[];
  wall_ms: number;
  cpu_ms: number | null;
  expected: Place[];
  expected_note: string;
  met: boolean[];
  found: Place[];
  verdicts: Verdict[];
  found_note: string;
  text: string;
  query_id: string | null;
  error: string | null;
  unsupported: boolean;
}

export interface TaskLine {
  suite: string;
  task: string;
  subject: string;
  repo: string;
  language: string;
  category: Category;
  stratum: string;
  question: string;
  headline: Metric;
  value: number;
  tokens: number;
  calls: number;
  wall_ms: number;
  error: string | null;
  unsupported: boolean;
}

export interface GroupDifference {
  suite: string;
  subject: string;
  category: Category | null;
  value: Paired;
  tokens: Paired;
}

export interface TaskDifference {
  suite: string;
  subject: string;
  task: string;
  category: Category;
  question: string;
  base: number;
  other: number;
}

export interface Comparison {
  base: string;
  other: string;
  groups: GroupDifference[];
  tasks: TaskDifference[];
  unmatched: number;
}

export interface SuiteChoice {
  name: string;
  path: string;
  n_tasks: number;
  n_repositories: number;
  categories: string[];
  languages: string[];
  description: string;
  error: string | null;
}

export interface SubjectChoice {
  name: string;
  notes: string;
  available: boolean;
  why_not: string | null;
}

export interface RunRequest {
  title: string;
  suites: string[];
  subjects: string[];
  categories: string[];
  languages: string[];
  limit: number;
  seed: number;
  own_repo: string | null;
  folders: string[];
  no_vectors: boolean;
}

export interface RunProgress {
  id: string;
  state: RunState;
  phase: string;
  done: number;
  wanted: number;
  errors: number;
  eta_s: number | null;
  notes: string[];
}

async function call(command: string, given: Record<string, unknown> = {}): Promise<Outcome> {
  try {
    return { status: "ok", data: await invoke(command, given) };
  } catch (cause) {
    if (cause instanceof Error) throw cause;
    return { status: "error", error: cause as EngineFailure };
  }
}

export const commands = {
  benchSuites: () => call("bench_suites"),
  benchSubjects: () => call("bench_subjects"),
  benchRuns: () => call("bench_runs"),
  benchStart: (request: RunRequest) => call("bench_start", { request }),
  benchProgress: () => call("bench_progress"),
  benchCancel: () => call("bench_cancel"),
  benchSummary: (id: string) => call("bench_summary", { id }),
  benchTasks: (id: string) => call("bench_tasks", { id }),
  benchTask: (id: string, suite: string, subject: string, task: string) =>
    call("bench_task", { id, suite, subject, task }),
  benchCompare: (base: string, other: string) => call("bench_compare", { base, other }),
  benchExport: (id: string, format: ExportFormat, path: string) =>
    call("bench_export", { id, format, path }),
  benchDelete: (id: string) => call("bench_delete", { id }),
};

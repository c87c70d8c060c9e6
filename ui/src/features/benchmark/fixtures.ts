// Small rows, pairs and tasks for tests.

import type { PairRow, Summary, SummaryRow, TaskLine } from "../../ipc";

export function row(subject: string, mean: number, change: Partial<SummaryRow> = {}): SummaryRow {
  return {
    suite: "s",
    subject,
    group: { by: "all", name: "" },
    n: 100,
    errors: 0,
    headline: "f1",
    value: { mean, low: mean - 0.02, high: mean + 0.02 },
    scores: { f1: mean, recall: mean },
    tokens: { mean: 400, low: 380, high: 420 },
    calls: 1,
    wall_p50_ms: 10,
    wall_p95_ms: 20,
    cpu_ms: null,
    tokens_per_correct: 500,
    gated_tokens_per_correct: null,
    n_gated: 50,
    ...change,
  };
}

/** The main subject `W` against `rival`, which scores `base`; `low` to `high` is their difference. */
export function pair(rival: string, base: number, [low, high]: [number, number], n = 100): PairRow {
  const mean = (low + high) / 2;
  const paired = {
    n,
    base,
    other: base + mean,
    difference: { mean, low, high },
    wins: 9,
    losses: 2,
  };
  const tokens = { ...paired, base: 400, other: 400 };
  return { suite: "s", category: null, subject: "W", rival, paired, tokens };
}

export function summaryOf(rows: SummaryRow[], pairs: PairRow[]): Summary {
  const names = ["W", ...rows.map((one) => one.subject).filter((name) => name !== "W")];
  const subjects = names.map((name) => ({ name, version: "", notes: "", configuration: "" }));
  return {
    run: { suites: ["s"], subjects } as Summary["run"],
    rows,
    pairs,
    defects: [],
  };
}

export function line(task: string, subject: string, value: number, change: Partial<TaskLine> = {}) {
  return {
    suite: "s",
    task,
    subject,
    repo: "hono",
    language: "typescript",
    category: "P1",
    stratum: "",
    question: `where is ${task}`,
    headline: "f1",
    value,
    tokens: 100,
    calls: 1,
    wall_ms: 5,
    error: null,
    unsupported: false,
    ...change,
  } satisfies TaskLine;
}

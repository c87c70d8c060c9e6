// The screen's figures in words: scores without a leading zero, intervals, moments, commits.

import { count, dateTime } from "../../components/format";
import type { Estimate, Metric, RunInfo } from "../../ipc";

/** Keeps a figure on one line. */
const UNBROKEN = "\u00a0";

/** Three decimals of a share: `.812`, `1.000`. */
export function score(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return value
    .toFixed(3)
    .replace(/^(-?)0\./, "$1.")
    .replace("-", "−");
}

/** With its sign: `+.051`, `−.020`, `.000`. */
export function signedScore(value: number): string {
  const text = score(value);
  return value > 0 && text !== ".000" ? `+${text}` : text.replace(/^−(\.000)$/, "$1");
}

export function interval({ low, high }: Estimate): string {
  return `[${score(low)},${UNBROKEN}${score(high)}]`;
}

export function signedInterval({ low, high }: Estimate): string {
  return `[${signedScore(low)},${UNBROKEN}${signedScore(high)}]`;
}

export function countInterval({ low, high }: Estimate): string {
  return `[${count(low)},${UNBROKEN}${count(high)}]`;
}

export function signedCount(value: number): string {
  const text = count(Math.abs(value));
  if (text === "0") return text;
  return value > 0 ? `+${text}` : `−${text}`;
}

/** `40% fewer`, `3.2 times as many`, `as many`: `ours` compared with `theirs`. */
export function tokensAgainst(ours: number, theirs: number): string {
  if (ours <= 0 || theirs <= 0) return "";
  const ratio = ours / theirs;
  if (ratio >= 2) return `${ratio.toFixed(1)} times as many`;
  if (ratio <= 0.5) return `${(1 / ratio).toFixed(1)} times fewer`;
  const share = Math.round(Math.abs(1 - ratio) * 100);
  if (share === 0) return "as many";
  return `${share}% ${ratio < 1 ? "fewer" : "more"}`;
}

export function moment(started: string): string {
  const at = new Date(started);
  if (Number.isNaN(at.getTime())) return started;
  return dateTime(at.getTime());
}

/** Seven digits, and `+` for changes on top. */
export function shortCommit(commit: string | null): string {
  if (!commit) return "";
  return commit.slice(0, 7) + (commit.length > 7 && commit.endsWith("+") ? "+" : "");
}

const METRICS: Record<Metric, string> = {
  f1: "F1",
  precision: "Precision",
  recall: "Recall",
  "certain right": "Certain and right",
  "possible right": "Possible and right",
  pass: "Pass",
  "mrr@10": "MRR@10",
  "ndcg@10": "NDCG@10",
  "recall@1": "Recall@1",
  "recall@5": "Recall@5",
  "recall@10": "Recall@10",
  "recall@50": "Recall@50",
  "span mrr@10": "Span MRR@10",
  "span recall@10": "Span recall@10",
  "acc@1": "Files@1",
  "acc@3": "Files@3",
  "acc@5": "Files@5",
  "acc@10": "Files@10",
  "function acc@5": "Functions@5",
  "function acc@10": "Functions@10",
  "function any@5": "Any function@5",
  "function any@10": "Any function@10",
  "line recall@100": "Line recall@100",
  "line recall@300": "Line recall@300",
  "line recall@500": "Line recall@500",
  "line ndcg@100": "Line NDCG@100",
  "line ndcg@300": "Line NDCG@300",
  "line ndcg@500": "Line NDCG@500",
};

export const ALL_METRICS = Object.keys(METRICS) as Metric[];

export function metricName(metric: Metric | null): string {
  return metric ? METRICS[metric] : "mixed metrics";
}

const CATEGORIES: Record<string, string> = {
  P1: "Definition",
  P2: "References",
  P3: "Other repository",
  P4: "File dependencies",
  P5: "Dead code",
  P5S: "Dead among several",
  CALLERS: "Callers",
  IMPACT: "Impact",
  IMPLEMENTS: "Implementations",
  DEAD: "All dead code",
  TESTS: "Tests to run",
  NLDOC: "Doc comment",
  NLFIX: "Fix",
  issue: "Issue",
  search: "Search",
  needle: "One symbol",
  ranking: "Symbols in order",
  expansion: "Neighbors",
  corpus: "Documents",
};

/** A kind of task as people call it; reports and the command line keep the short names. */
export function categoryName(category: string): string {
  return CATEGORIES[category] ?? category;
}

/** What is known of some facts, in one line. */
export const joined = (facts: readonly (string | null | undefined)[]) =>
  facts.filter(Boolean).join(" · ");

/** What a run without all its answers should say about its figures; `null` for a whole one. */
export function partialNote(run: RunInfo): string | null {
  const answers = `${count(run.n_done)} of ${count(run.n_wanted)} answers`;
  if (run.state === "running") return `${answers} so far; figures cover what was answered.`;
  if (run.state === "complete" && run.n_done >= run.n_wanted) return null;
  const ends = { complete: "Partial", cancelled: "Cancelled", failed: "Failed" };
  return `${ends[run.state]}: ${answers}; figures cover what was answered.`;
}

// Picks and orders the rows of a summary.

import { count, ms } from "../../components/format";
import type { GroupBy, Metric, Summary, SummaryRow } from "../../ipc";
import { ALL_METRICS, metricName, score } from "./figures";

/** Share of the tasks from which a subject counts as answering all; a run under way has ragged ends. */
export const WHOLE = 0.95;

/** Suites that have figures, in the run's order. */
export function suitesOf(summary: Summary): string[] {
  const found = new Set(summary.rows.map((row) => row.suite));
  const named = summary.run.suites.filter((suite) => found.has(suite));
  return [...named, ...[...found].filter((suite) => !named.includes(suite))];
}

export function rowsBy(summary: Summary, suite: string, by: GroupBy, name?: string): SummaryRow[] {
  return summary.rows.filter(
    (row) =>
      row.suite === suite && row.group.by === by && (name === undefined || row.group.name === name),
  );
}

/** A subject's row over the whole suite. */
export function rowFor(summary: Summary, suite: string, subject: string): SummaryRow | undefined {
  return rowsBy(summary, suite, "all").find((row) => row.subject === subject);
}

/** Whether a subject answers too few of these tasks to be compared with the others. */
export function isPartial(row: SummaryRow, rows: readonly SummaryRow[]): boolean {
  return row.n < WHOLE * Math.max(...rows.map((one) => one.n));
}

export interface RowGroup {
  name: string;
  rows: SummaryRow[];
}

/** Rows by the name of their group, in the order in which names come. */
export function grouped(rows: readonly SummaryRow[]): RowGroup[] {
  const groups = new Map<string, SummaryRow[]>();
  for (const row of rows) groups.set(row.group.name, [...(groups.get(row.group.name) ?? []), row]);
  return [...groups].map(([name, members]) => ({ name, rows: members }));
}

export interface Column {
  id: string;
  label: string;
  about: string;
  better: "higher" | "lower" | null;
  figure: (row: SummaryRow) => number | null;
  text: (row: SummaryRow) => string;
}

/** The columns that these rows have figures for. */
export function columnsOf(rows: readonly SummaryRow[]): Column[] {
  const [first] = rows;
  const headline = rows.every((row) => row.headline === first?.headline) ? first?.headline : null;
  const value = headline ? metricName(headline) : "Value";
  const metrics = ALL_METRICS.filter(
    (metric) => metric !== headline && rows.some((row) => row.scores[metric] != null),
  );
  return [
    column("n", "n", "Tasks", null, (row) => row.n, count),
    column("errors", "Errors", "Tasks that failed; they score 0", null, errorsOf, count),
    column("value", value, "Headline metric, 95% interval", "higher", (r) => r.value.mean, score),
    ...metrics.map(metricColumn),
    column("tokens", "Tokens", "Tokens per task", "lower", (row) => row.tokens.mean, count),
    column(
      "calls",
      "Calls",
      "Calls per task",
      "lower",
      (row) => row.calls,
      (v) => v.toFixed(1),
    ),
    column("p50", "p50", "Median wall time", "lower", (row) => row.wall_p50_ms, ms),
    column("p95", "p95", "95th percentile of wall time", "lower", (row) => row.wall_p95_ms, ms),
    column("cpu", "CPU", "Mean CPU time", "lower", (row) => row.cpu_ms, ms),
    column(
      "cost",
      "Tok/correct",
      "Tokens per correct answer: tokens / max(recall, 0.01)",
      "lower",
      (row) => row.tokens_per_correct,
      count,
    ),
    column(
      "gated",
      "Gated",
      "The same over tasks with F1 of at least 0.8",
      "lower",
      (row) => row.gated_tokens_per_correct,
      count,
    ),
    column(
      "gated-n",
      "n gated",
      "Tasks with F1 of at least 0.8",
      "higher",
      (r) => r.n_gated,
      count,
    ),
  ].filter((one) => rows.some((row) => one.figure(row) !== null));
}

/** None where no task failed, so that the column is there only when it says something. */
function errorsOf(row: SummaryRow): number | null {
  return row.errors > 0 ? row.errors : null;
}

function metricColumn(metric: Metric): Column {
  const name = metricName(metric);
  return column(metric, name, `Mean ${name}`, "higher", (row) => row.scores[metric] ?? null, score);
}

function column(
  id: string,
  label: string,
  about: string,
  better: Column["better"],
  figure: Column["figure"],
  words: (value: number) => string,
): Column {
  const text = (row: SummaryRow) => {
    const value = figure(row);
    return value === null ? "–" : words(value);
  };
  return { id, label, about, better, figure, text };
}

/** Subjects with the best figure of a group; none when all are alike or there is only one. */
export function bestOf(rows: readonly SummaryRow[], { better, figure, text }: Column): Set<string> {
  const figures = rows.map(figure).filter((value): value is number => value !== null);
  if (!better || figures.length < 2) return new Set();
  const best = better === "higher" ? Math.max(...figures) : Math.min(...figures);
  const holder = rows.find((row) => figure(row) === best);
  if (!holder) return new Set();
  const ties = rows.filter((row) => figure(row) !== null && text(row) === text(holder));
  return ties.length === figures.length ? new Set() : new Set(ties.map((row) => row.subject));
}

export interface TableSort {
  /** A column's id, or `group`. */
  by: string;
  descending: boolean;
}

/** Orders groups by the main subject's figure (or by name), and the subjects inside each. */
export function sortGroups(
  groups: readonly RowGroup[],
  columns: readonly Column[],
  sort: TableSort,
  main: string,
): RowGroup[] {
  const sign = sort.descending ? -1 : 1;
  const by = columns.find((one) => one.id === sort.by);
  if (!by) return [...groups].sort((a, b) => sign * compareNames(a.name, b.name));
  const lead = ({ rows }: RowGroup) => {
    const row = rows.find((one) => one.subject === main);
    return row ? by.figure(row) : null;
  };
  return [...groups]
    .sort((a, b) => inOrder(lead(a), lead(b), sign) || compareNames(a.name, b.name))
    .map(({ name, rows }) => ({
      name,
      rows: [...rows].sort((a, b) => inOrder(by.figure(a), by.figure(b), sign)),
    }));
}

/** Missing figures come last either way. */
export function inOrder(a: number | null, b: number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (a - b);
}

function compareNames(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

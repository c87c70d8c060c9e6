// Tasks by row, subjects by column: pivot, filter, order.

import type { TaskLine } from "../../ipc";
import { inOrder } from "./rows";

export interface TaskRow {
  key: string;
  suite: string;
  task: string;
  question: string;
  repo: string;
  language: string;
  category: string;
  stratum: string;
  /** By subject. */
  lines: Record<string, TaskLine>;
}

export interface TaskFilter {
  text: string;
  suite: string;
  category: string;
  language: string;
  onlyLosses: boolean;
}

export interface TaskSort {
  /** `question`, `category`, `repo`, or a subject as `subject:NAME`; empty for worst first. */
  by: string;
  descending: boolean;
}

export const NO_FILTER: TaskFilter = {
  text: "",
  suite: "",
  category: "",
  language: "",
  onlyLosses: false,
};

export function taskKey(suite: string, task: string): string {
  return `${suite}\n${task}`;
}

export function pivot(lines: readonly TaskLine[]): TaskRow[] {
  const rows = new Map<string, TaskRow>();
  for (const line of lines) {
    const key = taskKey(line.suite, line.task);
    const row = rows.get(key) ?? { ...line, key, lines: {} };
    row.lines[line.subject] = line;
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** A subject's value; none where it does not do the task or has not come to it. */
export function scoreOf(row: TaskRow, subject: string): number | null {
  const line = row.lines[subject];
  return line && !line.unsupported ? line.value : null;
}

/** How far the main subject lies behind the best of the others; negative where it leads. */
export function deficit(row: TaskRow, main: string): number | null {
  const own = scoreOf(row, main);
  const others = Object.keys(row.lines)
    .filter((subject) => subject !== main)
    .map((subject) => scoreOf(row, subject))
    .filter((value): value is number => value !== null);
  return own === null || others.length === 0 ? null : Math.max(...others) - own;
}

export function filterTasks(rows: readonly TaskRow[], filter: TaskFilter, main: string): TaskRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = `${row.question} ${row.task} ${row.repo} ${row.stratum}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (filter.suite === "" || row.suite === filter.suite) &&
      (filter.category === "" || row.category === filter.category) &&
      (filter.language === "" || row.language === filter.language) &&
      (!filter.onlyLosses || (deficit(row, main) ?? 0) > 1e-9)
    );
  });
}

/** Worst first by default: lowest value of the main subject, then furthest behind. */
export function sortTasks(rows: readonly TaskRow[], sort: TaskSort, main: string): TaskRow[] {
  const sign = sort.descending ? -1 : 1;
  const worst = (a: TaskRow, b: TaskRow) =>
    inOrder(scoreOf(a, main), scoreOf(b, main), 1) ||
    inOrder(deficit(a, main), deficit(b, main), -1) ||
    a.key.localeCompare(b.key);
  if (sort.by === "") return [...rows].sort(worst);
  const subject = sort.by.startsWith("subject:") ? sort.by.slice(8) : null;
  const order = (a: TaskRow, b: TaskRow) =>
    subject !== null
      ? inOrder(scoreOf(a, subject), scoreOf(b, subject), sign)
      : sign * String(a[sort.by as "question"]).localeCompare(String(b[sort.by as "question"]));
  return [...rows].sort((a, b) => order(a, b) || worst(a, b));
}

/** The values of a field among rows, in order. */
export function valuesOf(rows: readonly TaskRow[], field: "suite" | "category" | "language") {
  return [...new Set(rows.map((row) => row[field]))].sort();
}

// The score of a repository from run to run, in the order of its commits as they were measured.

import type { RunInfo, Summary, SummaryRow } from "../../ipc";
import { rowsBy, suitesOf } from "./rows";

/** Runs that are read at most, the newest. */
export const MOST_RUNS = 30;

export interface CommitPoint {
  run: RunInfo;
  /** Of the repository; empty where it is not pinned. */
  commit: string;
  row: SummaryRow;
  /** Against the point before; `null` for the first, and where other tasks were asked. */
  change: number | null;
}

export interface Series {
  suite: string;
  subject: string;
  /** Oldest first. */
  points: CommitPoint[];
}

/** Repositories that several runs measured, those of most runs first. */
export function measuredOften(runs: readonly RunInfo[]): string[] {
  const counts = new Map<string, number>();
  for (const { repositories } of runs)
    for (const name of new Set(repositories.map((one) => one.name)))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  const often = [...counts].filter(([, n]) => n > 1);
  return often.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
}

/** The newest runs that measured a repository, newest first. */
export function runsOf(runs: readonly RunInfo[], repo: string): RunInfo[] {
  const here = runs.filter(({ repositories }) => repositories.some(({ name }) => name === repo));
  return here.toSorted((a, b) => (a.started < b.started ? 1 : -1)).slice(0, MOST_RUNS);
}

/** A series for each suite, of the subject that each run is about. One point alone is none. */
export function seriesOf(summaries: readonly Summary[], repo: string): Series[] {
  const series = new Map<string, Series>();
  const inOrder = summaries.toSorted((a, b) => (a.run.started < b.run.started ? -1 : 1));
  for (const summary of inOrder) {
    const { run } = summary;
    const subject = run.subjects[0]?.name ?? "";
    const commit = run.repositories.find(({ name }) => name === repo)?.version ?? "";
    for (const suite of suitesOf(summary)) {
      const row = rowsBy(summary, suite, "repository", repo).find((one) => one.subject === subject);
      if (!row) continue;
      const key = JSON.stringify([suite, subject]);
      const known = series.get(key) ?? { suite, subject, points: [] };
      const before = known.points.at(-1)?.row;
      // Of other tasks or by another measure a difference says nothing.
      const isAlike = before?.n === row.n && before.headline === row.headline;
      const change = isAlike ? row.value.mean - before.value.mean : null;
      known.points.push({ run, commit, row, change });
      series.set(key, known);
    }
  }
  return [...series.values()].filter(({ points }) => points.length > 1);
}

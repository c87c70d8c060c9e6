// The candidates of a trace under other weights: scores and ranks from the terms that it records.
//
// Additive terms are multiplied by their group's factor; a term that keeps a share of what stood before
// it keeps the same share. Who was no candidate stays out, so a rank is one among these candidates.

import type { Trace, TraceRow } from "../../ipc";
import { type Group, groupOfTerm, isShare } from "./groups";

/** What a group's terms are multiplied by; 1 where it is not named. */
export type Factors = Partial<Record<Group, number>>;

/** `false` where every factor leaves its group as it is. */
export function changes(factors: Factors): boolean {
  return Object.values(factors).some((factor) => factor !== 1);
}

/** The rows in their new order, with new terms, scores and ranks; `left` is a single term that does not count. */
export function refuse(trace: Trace, factors: Factors, left?: string): Refused[] {
  const rows = trace.rows.map((was) => ({ was, now: retell(was, factors, left) }));
  const now = new Map(rows.map((row) => [row.was, row.now]));
  const nShown = trace.rows.filter((row) => row.shown).length;
  return orderOf(trace, now).map((was, index) => ({
    was,
    now: { ...(now.get(was) ?? was), rank: index + 1, shown: index < nShown },
  }));
}

export interface Refused {
  was: TraceRow;
  now: TraceRow;
}

function retell(row: TraceRow, factors: Factors, left?: string): TraceRow {
  const of = (group: Group) => factors[group] ?? 1;
  const channels = row.channels.map((entry) => ({
    ...entry,
    contribution: entry.contribution * of(entry.channel),
  }));
  const sum = (terms: readonly { contribution: number }[]) =>
    terms.reduce((so, term) => so + term.contribution, 0);
  let was = sum(row.channels);
  let score = sum(channels);
  const fused = score;
  const evidence = row.evidence.map((term) => {
    const share = was > 1e-9 && isShare(term.name) ? term.contribution / was : undefined;
    was += term.contribution;
    const added =
      share === undefined ? term.contribution * of(groupOfTerm(term.name)) : score * share;
    const contribution = term.name === left ? 0 : added;
    score += contribution;
    return { ...term, contribution };
  });
  return { ...row, channels, evidence, fused, score };
}

type Turn = 0 | 1 | 2 | 3;

/** First the best of each file, then prose and manifests, then more of the same files, then parts. */
function orderOf(trace: Trace, now: Map<TraceRow, TraceRow>): TraceRow[] {
  const turns = turnsOf(trace.rows);
  const isDistinct = !repeatsAFile(trace.rows.filter((row) => turns.get(row) === 0));
  const score = (row: TraceRow) => now.get(row)?.score ?? 0;
  const by = (a: TraceRow, b: TraceRow) => score(b) - score(a) || a.rank - b.rank;
  const files = new Set<string>();
  const turned = [...trace.rows].sort(by).map((row) => {
    const turn = turns.get(row) ?? 0;
    if (!isDistinct || turn === 1 || turn === 3) return { row, turn };
    const isFirst = !files.has(row.path);
    files.add(row.path);
    return { row, turn: isFirst ? 0 : 2 };
  });
  return turned.sort((a, b) => a.turn - b.turn || by(a.row, b.row)).map((entry) => entry.row);
}

/** Scores fall within a turn: where one rises, the next turn begins. */
function turnsOf(rows: readonly TraceRow[]): Map<TraceRow, Turn> {
  const turns = new Map<TraceRow, Turn>();
  const files = new Set<string>();
  const definitions = new Set<string>();
  let isLater = false;
  let above = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    isLater ||= row.score > above + 1e-12;
    above = row.score;
    const definition = `${row.path} ${row.symbol}`;
    const isPart = row.symbol !== null && definitions.has(definition);
    const turn: Turn = !isLater ? 0 : isPart ? 3 : files.has(row.path) ? 2 : 1;
    turns.set(row, turn);
    files.add(row.path);
    definitions.add(definition);
  }
  return turns;
}

function repeatsAFile(rows: readonly TraceRow[]): boolean {
  return new Set(rows.map((row) => row.path)).size < rows.length;
}

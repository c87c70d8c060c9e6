// Which words of a hit answer which words of the query, ready to be drawn.

import type { Alignment, QueryToken } from "../../ipc";

/** A word of the document that answers at least one of the query. */
export interface Column {
  line: number;
  column: number;
  length: number;
  /** The word; the definition's own name has no place in the text. */
  label: string;
}

/** A word of the query: its pieces are read together. */
export interface Row {
  /** Index of its first token. */
  token: number;
  label: string;
  /** What its pieces add to MaxSim. */
  adds: number;
  /** Pieces that the model reads it as, each compared for itself. */
  n_pieces: number;
  /** Score by column index; only winners are kept. */
  cells: Map<number, number>;
}

export interface Matrix {
  rows: Row[];
  columns: Column[];
  rest: number;
  score: number;
}

export const NAME = "its name";

/** Rows in the order of the query, columns in the order of the text. */
export function matrixOf(alignment: Alignment, tokens: readonly QueryToken[]): Matrix {
  const word = wordOf(tokens);
  const columns: Column[] = [];
  const key = (one: { line: number; column: number; length: number }) =>
    `${one.line}:${one.column}:${one.length}`;
  for (const pair of alignment.pairs) {
    if (columns.some((one) => key(one) === key(pair))) continue;
    columns.push({
      line: pair.line,
      column: pair.column,
      length: pair.length,
      label: pair.length === 0 ? NAME : pair.text,
    });
  }
  columns.sort((a, b) => a.line - b.line || a.column - b.column || a.length - b.length);
  const at = new Map(columns.map((one, index) => [key(one), index]));
  const rows = new Map<number, Row>();
  for (const pair of [...alignment.pairs].sort((a, b) => a.query - b.query)) {
    const first = word[pair.query] ?? pair.query;
    const row = rows.get(first) ?? {
      token: first,
      label: labelOf(tokens, first),
      adds: 0,
      n_pieces: 0,
      cells: new Map(),
    };
    const column = at.get(key(pair)) ?? 0;
    row.adds += pair.score;
    row.n_pieces += 1;
    row.cells.set(column, Math.max(pair.score, row.cells.get(column) ?? Number.NEGATIVE_INFINITY));
    rows.set(first, row);
  }
  return { rows: [...rows.values()], columns, rest: alignment.rest, score: alignment.score };
}

/** For each token the index of the first token of its word. */
function wordOf(tokens: readonly QueryToken[]): number[] {
  let first = 0;
  return tokens.map((token, index) => {
    if (!token.continues) first = index;
    return first;
  });
}

function labelOf(tokens: readonly QueryToken[], first: number): string {
  let label = tokens[first]?.text ?? `word ${first + 1}`;
  for (let next = first + 1; tokens[next]?.continues; next += 1) label += tokens[next]?.text ?? "";
  return label;
}

/** One of five steps of the scale; 0 for no colour. */
export function stepOf(score: number): number {
  if (score <= 0) return 0;
  return Math.min(5, 1 + Math.floor(score * 5));
}

/** The place that answers a row best. */
export function bestColumn(row: Row): number | undefined {
  let best: number | undefined;
  for (const [column, score] of row.cells) {
    if (best === undefined || score > (row.cells.get(best) ?? 0)) best = column;
  }
  return best;
}

/** The word of the query that a place answers best, by its row. */
export function answeredBy(matrix: Matrix, column: number): number | undefined {
  const row = matrix.rows.findIndex((one) => bestColumn(one) === column);
  if (row >= 0) return row;
  const other = matrix.rows.findIndex((one) => one.cells.has(column));
  return other < 0 ? undefined : other;
}

/** Sums of the first 1, 2, … rows. */
export function runningSums(rows: readonly Row[]): number[] {
  let sum = 0;
  return rows.map((row) => {
    sum += row.adds;
    return sum;
  });
}

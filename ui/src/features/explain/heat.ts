// Every token of the query against every token of a passage, as the trace keeps them: a letter a product.

import type { AlignedCells, QueryToken } from "../../ipc";
import { NAME } from "./words";

export interface HeatColumn {
  /** From 1; 0 for the definition's own name. */
  line: number;
  label: string;
}

export interface HeatRow {
  label: string;
  /** Cosine by column, in steps of 1/63; below 0 it is 0. */
  values: number[];
  /** The column that answers it best; -1 where none does. */
  best: number;
}

export interface Heat {
  columns: HeatColumn[];
  rows: HeatRow[];
  /** Tokens of the passage that are not kept. */
  nMore: number;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function heatOf(cells: AlignedCells, tokens: readonly QueryToken[]): Heat {
  const columns = cells.lines.flatMap(({ line, tokens: ofLine }) =>
    ofLine.map((label) => ({ line, label: line === 0 ? NAME : label })),
  );
  const rows = cells.rows.map((letters, index): HeatRow => {
    const values = [...letters].map((letter) => Math.max(0, LETTERS.indexOf(letter)) / 63);
    const most = Math.max(0, ...values);
    return {
      label: tokens[index]?.text || `token ${index + 1}`,
      values,
      best: most > 0 ? values.indexOf(most) : -1,
    };
  });
  return { columns, rows, nMore: cells.n_more };
}

/** Where the columns of a line begin, for what stands above them. */
export function lineStarts(columns: readonly HeatColumn[]): { at: number; line: number }[] {
  return columns.flatMap(({ line }, at) => (columns[at - 1]?.line === line ? [] : [{ at, line }]));
}

/** `retry – backoff, line 12: .83`. */
export function cellInWords(heat: Heat, row: number, column: number): string {
  const [of, to] = [heat.rows[row], heat.columns[column]];
  if (!of || !to) return "";
  const place = to.line === 0 ? "" : `, line ${to.line}`;
  const best = of.best === column ? ", its best" : "";
  return `${of.label} – ${to.label}${place}: ${figure(of.values[column] ?? 0)}${best}`;
}

export const figure = (value: number) => value.toFixed(2).replace(/^0(?=\.)/, "");

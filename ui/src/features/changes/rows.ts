// What changed as one list: files by risk, each with its definitions, then tests, documentation and the rest.

import type { BrokenImports, MovedFile, ReviewedSymbol, ReviewResponse } from "../../ipc";

export type ChangeRow =
  | {
      kind: "file";
      id: string;
      path: string;
      risk: number | null;
      what: string;
      nLines: number;
      /** Where it is, where that is another path; `null` where it is gone. */
      now?: string | null;
    }
  | { kind: "symbol"; id: string; path: string; symbol: ReviewedSymbol }
  | { kind: "broken"; id: string; path: string; broken: BrokenImports };

export function rowsOf(review: ReviewResponse): ChangeRow[] {
  const groups = groupsOf(review).sort((one, other) => other.risk - one.risk);
  const rows = groups.flatMap((group) => group.rows);
  const listed = new Set(rows.map((row) => row.path));
  const rest: ChangeRow[] = [
    ...review.moved_files.map((moved) => fileRow(moved.path, movedWords(moved), moved.n_lines)),
    ...review.removed_files.map((path) => gone(path)),
    ...review.others.map((path) => fileRow(path, "test, docs or other")),
    ...review.unread.map(({ path }) => fileRow(path, "not read")),
  ];
  for (const row of rest) {
    if (!listed.has(row.path)) rows.push(row);
    listed.add(row.path);
  }
  return rows;
}

interface Group {
  risk: number;
  rows: ChangeRow[];
}

/** Files with definitions, and paths that imports no longer lead to. */
function groupsOf(review: ReviewResponse): Group[] {
  const byPath = new Map<string, ReviewedSymbol[]>();
  for (const symbol of review.symbols) {
    const { path } = symbol.symbol;
    byPath.set(path, [...(byPath.get(path) ?? []), symbol]);
  }
  const moved = new Map(review.moved_files.map((one) => [one.path, one]));
  const files = new Map(review.files.map((file) => [file.path, file]));
  const groups = [...byPath].map(([path, symbols]): Group => {
    const from = moved.get(path);
    const risk = Math.max(...symbols.map((one) => one.risk));
    const head = fileRow(path, from ? movedWords(from) : "", files.get(path)?.n_lines ?? 0, risk);
    return { risk, rows: [head, ...symbols.map(symbolRow)] };
  });
  return [...groups, ...review.broken_imports.map(brokenGroup)];
}

/** Imports of a path stand below that path and what became of it, not below whichever file comes before. */
function brokenGroup(broken: BrokenImports): Group {
  const { path, now, risk } = broken;
  const row: ChangeRow = { kind: "broken", id: `imports ${path}`, path, broken };
  if (!now) return { risk, rows: [{ ...gone(path), risk }, row] };
  const what = now === path ? "is reached by another path" : `moved to ${now}`;
  const head = { ...fileRow(path, what, 0, risk), id: `path ${path}`, now };
  return { risk, rows: [head, row] };
}

const gone = (path: string) => ({ ...fileRow(path, "removed"), now: null });

function fileRow(path: string, what: string, nLines = 0, risk: number | null = null) {
  return { kind: "file" as const, id: `file ${path}`, path, risk, what, nLines };
}

/** Named without its line: what is chosen stays chosen while the file grows above it. */
function symbolRow(symbol: ReviewedSymbol, at: number, all: ReviewedSymbol[]): ChangeRow {
  const { path, qualified, kind } = symbol.symbol;
  const isSame = ({ symbol: other }: ReviewedSymbol) =>
    other.qualified === qualified && other.kind === kind;
  const nBefore = all.slice(0, at).filter(isSame).length;
  const id = `${kind} ${path} ${qualified}${nBefore > 0 ? ` ${nBefore + 1}` : ""}`;
  return { kind: "symbol", id, path, symbol };
}

const movedWords = ({ from }: MovedFile) => `moved from ${from}`;

/** The path whose lines differ: of imports that lead nowhere, the file that moved or went. */
export function diffPathOf(row: ChangeRow): string {
  return nowOf(row) ?? row.path;
}

/** Where its file is; `null` where that is gone, nothing where it is where it was. */
function nowOf(row: ChangeRow): string | null | undefined {
  if (row.kind === "broken") return row.broken.now;
  return row.kind === "file" ? row.now : undefined;
}

/** The line that stands for a row in code. */
export function lineOf(row: ChangeRow): number {
  return row.kind === "symbol" ? row.symbol.symbol.name_line : 1;
}

/** The place of a row in code; none where it is gone. */
export function placeOf(row: ChangeRow): { path: string; line: number } | null {
  if (nowOf(row) === null) return null;
  if (row.kind === "symbol" && row.symbol.change === "removed") return null;
  return { path: diffPathOf(row), line: lineOf(row) };
}

// A review of what changed as rows: broken imports, then definitions by risk with who uses them and did not change.

import type { Branch } from "./branch";
import { iconOf } from "./hits";
import { counted, inMessage, inOneLine, shown } from "./text";

export interface ReviewAnswer {
  text: string;
  structured: Review;
}

interface Review {
  symbols: Changed[];
  broken_imports: BrokenImport[];
  moved_files: { from: string; path: string }[];
  removed_files: string[];
  unread: { path: string; reason: string }[];
  notes: string[];
  without: string;
  n_left_out: number;
}

interface User {
  path: string;
  line: number;
  name: string | null;
  test: boolean;
}

interface BrokenImport {
  path: string;
  now: string | null;
  risk: number;
  n_importers: number;
  importers: User[];
}

interface Changed {
  symbol: {
    path: string;
    start_line: number;
    kind: string;
    qualified: string;
    signature: string;
  };
  change: string;
  was: string | null;
  risk: number;
  reasons: { text: string }[];
  callers: User[];
  n_callers: number;
  n_tests: number;
}

export function rowsOfReview({ structured: review }: ReviewAnswer): Branch[] {
  return [
    ...review.broken_imports.map(brokenRow),
    ...review.symbols.map(changedRow),
    ...review.removed_files.map((path) => fileRow(path, "removed")),
    ...review.moved_files.map(({ from, path }) => fileRow(path, `moved from ${from}`, true)),
    ...review.unread.map(({ path, reason }) => fileRow(path, `not read: ${reason}`)),
  ];
}

/** What is above the rows: the first line of the text, and what is to be known of it. */
export function summaryOfReview({ text, structured }: ReviewAnswer): string {
  const { notes, without, n_left_out } = structured;
  const first = text.split("\n", 1)[0] ?? "";
  const said = [
    first.replace(/; give ref=.*$/, ""),
    ...notes.filter((note) => note !== first),
    ...(without ? [without] : []),
    ...(n_left_out > 0 ? [`${counted(n_left_out, "file")} left out`] : []),
  ];
  return inMessage(said.join(". "));
}

function brokenRow({ path, now, risk, importers, n_importers }: BrokenImport): Branch {
  const became = now ? `moved to ${now}` : "gone";
  const still = `${counted(n_importers, "file")} still ${n_importers === 1 ? "imports" : "import"} it`;
  return {
    label: inOneLine(path),
    description: inOneLine(`${became}, ${still} · risk ${Math.round(risk)}`),
    icon: "error",
    children: usersOf(importers, n_importers),
  };
}

function changedRow(one: Changed): Branch {
  const { symbol, change, was, reasons, callers, n_callers } = one;
  const isGone = change === "removed";
  const place = { path: symbol.path, line: symbol.start_line };
  const heads = was ? [`was: ${was}`, `now: ${symbol.signature}`] : [symbol.signature];
  const tests = counted(one.n_tests, "test");
  const reaching = one.n_tests === 1 ? "reaches" : "reach";
  const told = [...heads, "", ...reasons.map(({ text }) => text), `${tests} ${reaching} it`];
  return {
    label: inOneLine(symbol.qualified),
    description: inOneLine(`${changeWord(change)} · risk ${Math.round(one.risk)} · ${symbol.path}`),
    tooltip: shown(told.join("\n")),
    icon: iconOf(symbol.kind),
    ...(!isGone && { place }),
    children: usersOf(callers, n_callers),
  };
}

const changeWord = (change: string) => (change === "signature" ? "signature changed" : change);

function usersOf(users: User[], all: number): Branch[] {
  const rows = users.map(({ path, line, name, test }) => ({
    label: inOneLine(`${path}:${line}`),
    description: inOneLine(`${name ?? ""}${test ? " · test" : ""}`),
    icon: test ? "beaker" : "references",
    place: { path, line },
  }));
  const hidden = all - users.filter(({ test }) => !test).length;
  return hidden > 0 ? [...rows, { label: `${hidden} more`, icon: "ellipsis" }] : rows;
}

function fileRow(path: string, description: string, isThere = false): Branch {
  return {
    label: inOneLine(path),
    description: inOneLine(description),
    icon: "file",
    ...(isThere && { place: { path, line: 1 } }),
  };
}

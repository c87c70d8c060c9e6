// A search's answer as rows.

import type { Branch } from "./branch";
import { counted, inMessage, inOneLine, shown } from "./text";

export interface SearchAnswer {
  query_id: string;
  hits: Hit[];
  notes: string[];
  confidence?: number | null;
}

interface Hit {
  rank: number;
  path: string;
  start_line: number;
  end_line: number;
  symbol: string | null;
  kind: string;
  channels: string[];
  badges: string[];
  more_in_file: number;
  snippet: { line: number; text: string }[];
}

const ICONS: Record<string, string> = {
  class: "symbol-class",
  constant: "symbol-constant",
  doc: "book",
  enum: "symbol-enum",
  function: "symbol-method",
  interface: "symbol-interface",
  method: "symbol-method",
  module: "symbol-namespace",
  struct: "symbol-structure",
  variable: "symbol-variable",
};

export const iconOf = (kind: string): string => ICONS[kind] ?? "symbol-misc";

export function rowsOf(answer: SearchAnswer): Branch[] {
  return answer.hits.map((hit) => ({
    label: inOneLine(`${hit.path}:${hit.start_line}`),
    description: inOneLine(describe(hit)),
    tooltip: shown(tell(hit)),
    icon: iconOf(hit.kind),
    place: { path: hit.path, line: hit.start_line },
    hit: { queryId: answer.query_id, rank: hit.rank, name: `${hit.path}:${hit.start_line}` },
  }));
}

function describe({ symbol, kind, badges }: Hit): string {
  const marks = badges.length > 0 ? ` · ${badges.join(" · ")}` : "";
  return (symbol ?? kind) + marks;
}

function tell(hit: Hit): string {
  const { start_line, end_line, more_in_file, channels } = hit;
  const lines = [
    `#${hit.rank} ${hit.path}:${start_line}-${end_line}`,
    "",
    ...hit.snippet.map(({ line, text }) => `${line}  ${text}`),
    "",
    `found by ${channels.join(", ")}`,
    ...(more_in_file > 0 ? [`${more_in_file} more in this file`] : []),
  ];
  return lines.join("\n");
}

/** A line above the rows. */
export function summaryOf(query: string, { hits, notes, confidence }: SearchAnswer): string {
  const sure =
    confidence == null
      ? ""
      : `, the first file is right in ${Math.round(confidence * 100)}% of such answers`;
  const found = `${counted(hits.length, "hit")} for “${query}”${hits.length > 0 ? sure : ""}`;
  return inMessage([found, ...notes].join(". "));
}

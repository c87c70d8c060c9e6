// From what the engine gives to a symbol that can be asked about.

import type { GraphNode, Suggestion, SymbolLine } from "../../ipc";
import type { Named } from "./place";

/** `null` for a cluster, which stands for many. */
export function namedNode(node: GraphNode): Named | null {
  if (node.kind === "cluster") return null;
  if (node.kind === "file" || !node.symbol) return { symbol: "", path: node.path };
  return namedLine(node.symbol);
}

export function namedLine(line: SymbolLine): Named {
  return { symbol: line.qualified, path: line.path, line: line.name_line };
}

/** A completion reads `method · src/a.ts:12` for a symbol, and is the path itself for a file. */
export function namedSuggestion({ text, kind, detail }: Suggestion): Named | null {
  if (kind === "path") return { symbol: "", path: text };
  if (kind !== "symbol") return null;
  const place = /(?:^| · )(\S.*):(\d+)$/.exec(detail);
  if (!place?.[1]) return { symbol: text };
  return { symbol: text, path: place[1], line: Number(place[2]) };
}

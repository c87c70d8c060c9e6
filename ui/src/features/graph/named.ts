// From what the engine gives to a symbol that can be asked about.

import type { GraphNode, Suggestion, SymbolLine } from "../../ipc";
import type { Named } from "./place";

/** `null` for a cluster, which represents many. */
export function namedNode(node: GraphNode): Named | null {
  if (node.kind === "cluster") return null;
  if (node.kind === "file" || !node.symbol) return { symbol: "", path: node.path };
  return namedLine(node.symbol);
}

export function namedLine(line: SymbolLine): Named {
  return { symbol: line.qualified, path: line.path, line: line.name_line };
}

/** `null` for what is no place in the code, such as a query asked before. */
export function namedSuggestion({ text, kind, path, line }: Suggestion): Named | null {
  if (path === null) return null;
  if (kind === "path") return { symbol: "", path };
  return { symbol: text, path, ...(line !== null && { line }) };
}

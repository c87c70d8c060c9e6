// The graph's figures in words.

import { count, plural } from "../../components/format";
import type { GraphDirection, GraphEdge, GraphEdgeKind, GraphNode, GraphSide } from "../../ipc";

export const KIND_WORDS: Record<GraphEdgeKind, { label: string; about: string }> = {
  call: { label: "Calls", about: "Calls it or uses it as a decorator" },
  import: { label: "Imports", about: "Imports or re-exports it" },
  inherit: { label: "Inherits", about: "Inherits from it or implements it" },
  type: { label: "Types", about: "Names it as a type" },
  reference: { label: "References", about: "References it: reads it, writes it or passes it on" },
  test: { label: "Tests", about: "Any of these, from a test, an example or a benchmark" },
  "co-change": { label: "Co-change", about: "Changed in the same commits" },
};

export const DIRECTION_WORDS: Record<GraphDirection, string> = {
  both: "Both",
  callers: "Used by",
  callees: "Uses",
  impact: "Impact",
};

export const SIDE_WORDS: Record<Exclude<GraphSide, "focus" | "way">, string> = {
  callers: "Used by",
  callees: "Uses",
  "co-change": "Changed with",
};

export type RiskLevel = "low" | "medium" | "high";

export function riskLevel(risk: number): RiskLevel {
  if (risk >= 0.66) return "high";
  return risk >= 0.33 ? "medium" : "low";
}

/** Confidences, the surest first. */
const SURENESS = ["precise", "resolved", "name-only", "ambiguous"];

/** How sure an edge is, from 0; history stands beside the others and is as sure as any. */
export function sureness(confidence: string): number {
  const at = SURENESS.indexOf(confidence);
  return at < 0 ? SURENESS.length : SURENESS.length - at;
}

const CONFIDENCE_WORDS: Record<string, string> = {
  precise: "precise",
  resolved: "resolved",
  "name-only": "name match",
  ambiguous: "ambiguous",
  history: "from history",
};

export function confidenceWords(confidence: string): string {
  return CONFIDENCE_WORDS[confidence] ?? confidence;
}

/** The line that uses the other; an implementation is used at none, and lines begin at 1. */
export function lineOf(edge: Pick<GraphEdge, "line">): number | null {
  return edge.line || null;
}

/** `solid` where scope and imports settle it, `dotted` where the name alone speaks for it. */
export function lineStyle(edge: Pick<GraphEdge, "confidence" | "is_back">): string {
  if (edge.confidence === "name-only" || edge.confidence === "ambiguous") return "dotted";
  return edge.is_back ? "dashed" : "solid";
}

/** `calls 3, types 1`: what ties a row to the one above it. */
export function tieWords(edges: readonly Pick<GraphEdge, "kind" | "count">[]): string {
  return edges
    .map(({ kind, count }) => `${KIND_WORDS[kind].label.toLowerCase()} ${count}`)
    .join(", ");
}

export function nodeKind(node: GraphNode): string {
  if (node.kind === "symbol") return node.symbol?.kind ?? "symbol";
  return node.kind;
}

/** `src/app.py:12`, or the path alone. */
export function reference(node: GraphNode): string {
  return node.kind === "symbol" && node.symbol
    ? `${node.symbol.path}:${node.symbol.start_line}`
    : node.path;
}

/** `src/app.py:12–30`, or the path alone. */
export function placeOf(node: GraphNode): string {
  const { symbol } = node;
  if (!symbol || node.kind !== "symbol") return node.path;
  return symbol.end_line > symbol.start_line
    ? `${symbol.path}:${symbol.start_line}–${symbol.end_line}`
    : `${symbol.path}:${symbol.start_line}`;
}

/** The whole name: what does not fit into the drawing. */
export function fullName(node: GraphNode): string {
  return node.kind === "symbol" && node.symbol ? node.symbol.qualified : node.label;
}

/** A node in one sentence, for those who hear it. */
export function spoken(node: GraphNode): string {
  if (node.kind === "cluster") return `${node.label}, ${plural(node.group, "hidden node")}`;
  const parts = [
    fullName(node),
    nodeKind(node),
    node.distance === 0 ? "focus" : `${plural(node.distance, "step")} away`,
    `used by ${count(node.callers)}`,
    `uses ${count(node.callees)}`,
    `${riskLevel(node.risk)} risk`,
  ];
  if (node.is_test) parts.push("a test");
  return parts.join(", ");
}

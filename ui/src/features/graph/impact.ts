// What may break when the focus changes, as rows of a table.

import type { GraphNode, GraphView } from "../../ipc";
import { sureness } from "./words";

export interface ImpactRow {
  node: GraphNode;
  /** That of the weakest step on the surest of the shortest ways to the focus. */
  confidence: string;
}

export type ImpactColumn = "symbol" | "distance" | "confidence" | "tests" | "risk";

export interface ImpactSort {
  by: ImpactColumn;
  descending: boolean;
}

/** Nearest first, among equals the riskiest. */
export const FIRST_SORT: ImpactSort = { by: "distance", descending: false };

/** Columns whose interesting end is the large one. */
export function biggestFirst(column: ImpactColumn): boolean {
  return column === "risk";
}

export function impactRows(view: GraphView): ImpactRow[] {
  const surest = surestOf(view);
  return view.nodes
    .filter((node) => node.id !== view.focus && node.kind !== "cluster")
    .map((node) => ({ node, confidence: surest.get(node.id) ?? "ambiguous" }));
}

export function sortImpact(
  rows: readonly ImpactRow[],
  { by, descending }: ImpactSort,
): ImpactRow[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort(
    (a, b) =>
      sign * compare(a, b, by) ||
      a.node.distance - b.node.distance ||
      b.node.risk - a.node.risk ||
      (a.node.id < b.node.id ? -1 : 1),
  );
}

function compare(a: ImpactRow, b: ImpactRow, by: ImpactColumn): number {
  switch (by) {
    case "symbol":
      return a.node.label.localeCompare(b.node.label);
    case "distance":
      return a.node.distance - b.node.distance;
    case "confidence":
      return sureness(a.confidence) - sureness(b.confidence);
    case "tests":
      return a.node.tested - b.node.tested;
    case "risk":
      return a.node.risk - b.node.risk;
  }
}

function surestOf(view: GraphView): Map<string, string> {
  const steps = new Map(view.nodes.map((node) => [node.id, node.distance]));
  const surest = new Map<string, string>();
  if (view.focus !== null) surest.set(view.focus, "resolved");
  for (const node of [...view.nodes].sort((a, b) => a.distance - b.distance)) {
    for (const edge of view.edges) {
      const onward = surest.get(edge.to);
      if (edge.from !== node.id || onward === undefined) continue;
      if (steps.get(edge.to) !== node.distance - 1) continue;
      const weakest = weaker(edge.confidence, onward);
      const known = surest.get(node.id);
      if (known === undefined || sureness(weakest) > sureness(known)) surest.set(node.id, weakest);
    }
  }
  return surest;
}

function weaker(a: string, b: string): string {
  return sureness(a) <= sureness(b) ? a : b;
}

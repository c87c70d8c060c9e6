// From the engine's coordinates to what SVG wants, and to what lies next to what.

import type { GraphEdge, GraphNode } from "../../ipc";
import type { Point } from "./viewport";

type Pair = readonly [number, number];

/** A line through corners, by curves that leave and reach each of them level. */
export function edgePath(points: readonly Pair[]): string {
  const [start, ...rest] = points;
  if (!start) return "";
  let path = `M${pair(start)}`;
  for (const [index, to] of rest.entries()) path += bend(rest[index - 1] ?? start, to);
  return path;
}

function bend(from: Pair, to: Pair): string {
  if (from[0] === to[0] || from[1] === to[1]) return `L${pair(to)}`;
  const middle = (from[0] + to[0]) / 2;
  return `C${pair([middle, from[1]])} ${pair([middle, to[1]])} ${pair(to)}`;
}

function pair([x, y]: Pair): string {
  return `${Number(x.toFixed(1))} ${Number(y.toFixed(1))}`;
}

/** What stands for a node from afar. */
export interface FarDot extends Point {
  radius: number;
}

/** An edge's corners where dots stand for nodes: from the middle of one to the rim of the other. */
export function dotToDot(edge: GraphEdge, dots: ReadonlyMap<string, FarDot>): readonly Pair[] {
  const corners = [...edge.points];
  const [from, to] = [dots.get(edge.from), dots.get(edge.to)];
  if (from) corners[0] = [from.x, from.y];
  if (to) {
    const isFromLeft = (corners.at(-2)?.[0] ?? 0) <= to.x;
    corners[corners.length - 1] = [to.x + (isFromLeft ? -to.radius : to.radius), to.y];
  }
  return corners;
}

/** An arc that covers a share of a circle, from the top, clockwise. */
export function arcPath(centre: Point, radius: number, share: number): string {
  const angle = Math.min(0.9999, Math.max(0, share)) * 2 * Math.PI;
  const end = [centre.x + radius * Math.sin(angle), centre.y - radius * Math.cos(angle)] as const;
  const large = angle > Math.PI ? 1 : 0;
  return `M${pair([centre.x, centre.y - radius])}A${radius} ${radius} 0 ${large} 1 ${pair(end)}`;
}

export type ArrowDirection = "left" | "right" | "up" | "down";

/** The node that an arrow key leads to: the nearest in that half, what lies straight ahead first. */
export function nextNode(
  nodes: readonly GraphNode[],
  from: GraphNode,
  way: ArrowDirection,
): GraphNode | null {
  const start = centre(from);
  let best: GraphNode | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const { x, y } = centre(node);
    const [dx, dy] = [x - start.x, y - start.y];
    const ahead = { left: -dx, right: dx, up: -dy, down: dy }[way];
    const aside = Math.abs(way === "left" || way === "right" ? dy : dx);
    const cost = ahead + 2 * aside;
    if (node.id === from.id || ahead <= 1 || cost >= least) continue;
    best = node;
    least = cost;
  }
  return best;
}

export function centre({ x, y, width, height }: GraphNode): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** The ids of a node and of all that are tied to it. */
export function neighbours(edges: readonly GraphEdge[], id: string): Set<string> {
  const tied = edges.filter((edge) => edge.from === id || edge.to === id);
  return new Set([id, ...tied.flatMap((edge) => [edge.from, edge.to])]);
}

const APART = 4;

/** How far each edge is moved aside: several of one pair would cover each other. */
export function shifts(edges: readonly GraphEdge[]): Map<GraphEdge, number> {
  const pairs = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    const pair = [edge.from, edge.to].sort().join("\t");
    pairs.set(pair, [...(pairs.get(pair) ?? []), edge]);
  }
  const aside = new Map<GraphEdge, number>();
  for (const pair of pairs.values()) {
    for (const [index, edge] of pair.entries())
      aside.set(edge, (index - (pair.length - 1) / 2) * APART);
  }
  return aside;
}

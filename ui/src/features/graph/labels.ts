// Which names are written where the drawing is too small for all: the most important, none over another.

import type { GraphNode } from "../../ipc";
import { dotRadius } from "./marks";

/** Where the dot of a box stands, and how far from it its name begins. */
export const INSET = 15;
export const GAP = 7;
/** Of the name as it is written from afar, on the screen. */
export const FAR_FONT_PX = 11;
const CHAR_PX = 0.6 * FAR_FONT_PX;
const LINE_PX = 14;
const MOST = 14;
const PAD_PX = 5;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where the name of a node begins, within it. */
export function labelStart(node: GraphNode): number {
  return node.kind === "cluster" ? node.width / 2 : INSET + Math.max(9, dotRadius(node.rank)) + GAP;
}

/** At a smaller scale only the most important names are written, as large as ever. */
export const LEGIBLE = 0.55;

/** How far names that are written from afar stand out at the right, in pixels of the screen. */
export function labelRoom(drawing: { nodes: readonly GraphNode[]; width: number }, scale: number) {
  if (scale >= LEGIBLE) return 0;
  const ends = drawing.nodes.map((node) => labelBox(node, scale).right * scale);
  return Math.max(0, Math.max(0, ...ends) - drawing.width * scale);
}

/** The nodes whose names can be read at this scale, `always` first and then by rank. */
export function readable(
  nodes: readonly GraphNode[],
  scale: number,
  always: readonly (string | null | undefined)[],
): Set<string> {
  const isKept = (node: GraphNode) => always.includes(node.id);
  const order = [...nodes].sort((a, b) => Number(isKept(b)) - Number(isKept(a)) || b.rank - a.rank);
  const dots = nodes.map((node) => ({ id: node.id, box: dotBox(node) }));
  const written: Box[] = [];
  const chosen = new Set<string>();
  for (const node of order) {
    if (chosen.size >= MOST) break;
    const box = labelBox(node, scale);
    const covers = dots.some((dot) => dot.id !== node.id && overlap(box, dot.box));
    if (!isKept(node) && (covers || written.some((other) => overlap(box, other)))) continue;
    written.push(box);
    chosen.add(node.id);
  }
  return chosen;
}

function labelBox(node: GraphNode, scale: number): Box {
  const width = (node.label.length * CHAR_PX) / scale;
  const height = LINE_PX / scale;
  const start = node.x + labelStart(node) - (node.kind === "cluster" ? width / 2 : 0);
  const middle = node.y + node.height / 2;
  return {
    left: start,
    right: start + width,
    top: middle - height / 2,
    bottom: middle + height / 2,
  };
}

/** The box of a name that is written from afar, which is wider than that of the layout; within its node. */
export function farBox(node: GraphNode, scale: number): Box {
  const { left, right, top, bottom } = labelBox(node, scale);
  const pad = PAD_PX / scale;
  return {
    left: Math.min(0, left - pad - node.x),
    right: Math.max(node.width, right + pad - node.x),
    top: Math.min(0, top - node.y),
    bottom: Math.max(node.height, bottom - node.y),
  };
}

function dotBox(node: GraphNode): Box {
  const radius = dotRadius(node.rank);
  const [x, y] = [node.x + INSET, node.y + node.height / 2];
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

// The neighbourhood of one node for a narrow pane: users above it, what it uses below, joined at their left. What
// the engine lays out side by side would be too small to read there.

import type { GraphEdge, GraphNode, GraphView } from "../../ipc";
import { labelStart } from "./labels";
import { KINDS } from "./place";
import { fitted, type Size } from "./viewport";

/** A drawing that is read at this scale is left as it is. */
const LEAST_SCALE = 0.75;
/** Of the pane: below the drawing the same stands in words. */
export const MOST_OF_PANE = 0.6;
/** Around a drawing, as a viewport has it. */
export const AROUND = 48;
const ROW = 34;
const HEIGHT = 26;
/** Where names begin, and the line that joins them. */
const INDENT = 30;
const TRUNK = 14;
const CHAR = 7.2;
const PAD = 10;

type Tie = { node: GraphNode; edge: GraphEdge };

/** As the engine has it where that is read in `pane`, else one below the other. */
export function fittedTo(view: GraphView, pane: Size): GraphView {
  const room = { width: pane.width, height: pane.height * MOST_OF_PANE };
  return fitted(view, room).scale >= LEAST_SCALE ? view : tall(view, room);
}

export function tall(view: GraphView, room: Size): GraphView {
  const focus = view.nodes.find(({ id }) => id === view.focus);
  if (!focus) return view;
  const nRows = Math.max(2, Math.floor((room.height - AROUND) / ROW) - 1);
  const [users, used] = shared(tiesOf(view, "from"), tiesOf(view, "to"), nRows);
  const rows = [...users.map(({ node }) => node), focus, ...used.map(({ node }) => node)];
  const most = room.width - AROUND - INDENT;
  const nodes = rows.map((node, row) => placed(node, row * ROW, most));
  const places = new Map(nodes.map((node) => [node.id, node]));
  const at = places.get(focus.id);
  const edges = [...users, ...used].flatMap(({ edge }) => {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    return from && to && at ? [{ ...edge, is_back: false, points: corners(from, to, at) }] : [];
  });
  const width = Math.max(...nodes.map((node) => node.x + node.width));
  return { ...view, nodes, edges, width, height: rows.length * ROW - (ROW - HEIGHT) };
}

/** The others at the ends of the focus's edges, each once, calls first. */
function tiesOf(view: GraphView, end: "from" | "to"): Tie[] {
  const other = end === "from" ? "to" : "from";
  const nodes = new Map(view.nodes.map((node) => [node.id, node]));
  const ties = view.edges.flatMap((edge) => {
    const node = nodes.get(edge[end]);
    return node && edge[other] === view.focus && node.id !== view.focus ? [{ node, edge }] : [];
  });
  const order = ({ node, edge }: Tie) =>
    (node.kind === "cluster" ? KINDS.length : 0) + KINDS.indexOf(edge.kind);
  ties.sort((a, b) => order(a) - order(b) || b.node.rank - a.node.rank);
  return ties.filter(({ node }, place) => ties.findIndex((one) => one.node === node) === place);
}

/** As many of both as there are rows for: half each, or what the other side leaves. Who stands on both sides is
 * drawn once. */
function shared(users: Tie[], all: Tie[], n: number): [Tie[], Tie[]] {
  const used = all.filter(({ node }) => users.every((one) => one.node !== node));
  const half = Math.floor(n / 2);
  const nUsers = Math.min(users.length, Math.max(half, n - used.length));
  return [users.slice(0, nUsers), used.slice(0, n - nUsers)];
}

function placed(node: GraphNode, y: number, most: number): GraphNode {
  // The name of a cluster stands in its middle, that of another behind its dot.
  const before = node.kind === "cluster" ? PAD : labelStart(node);
  const nChars = Math.max(4, Math.floor((most - before - PAD) / CHAR));
  const { label } = node;
  const shown = label.length > nChars ? `${label.slice(0, nChars - 1)}…` : label;
  const width = before + shown.length * CHAR + PAD;
  return { ...node, label: shown, x: INDENT, y, width, height: HEIGHT };
}

/** Out at the left, along the trunk, and in again. At the focus, what comes lies above what leaves. */
function corners(from: GraphNode, to: GraphNode, focus: GraphNode): [number, number][] {
  const level = (node: GraphNode, other: GraphNode) => {
    const middle = node.y + node.height / 2;
    return node === focus ? middle + (other.y < node.y ? -5 : 5) : middle;
  };
  const [start, end] = [level(from, to), level(to, from)];
  return [
    [from.x, start],
    [TRUNK, start],
    [TRUNK, end],
    [to.x, end],
  ];
}

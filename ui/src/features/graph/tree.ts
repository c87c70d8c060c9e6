// The drawing as a list: by side, and within it by what leads to what.

import type { GraphEdge, GraphNode, GraphSide, GraphView } from "../../ipc";
import { SIDE_WORDS } from "./words";

export interface TreeRow {
  /** Unique in the list; a node of several ways has a row in each. */
  key: string;
  level: number;
  /** Of a heading. */
  title: string;
  /** Absent for a heading. */
  node: GraphNode | null;
  /** What ties the node to the row that it hangs from. */
  ties: readonly GraphEdge[];
  /** Rows that hang from it, at any depth. */
  n_below: number;
  /** Nodes below it; a cluster counts as those that it represents. */
  n_nodes: number;
  children: TreeRow[];
}

export interface FlatRow extends TreeRow {
  parent: string | null;
  isOpen: boolean;
  /** From 1, among its siblings. */
  place: number;
  n_siblings: number;
}

const SIDES = ["callers", "callees", "co-change"] as const;

export function treeOf(view: GraphView): TreeRow[] {
  const nodes = new Map(view.nodes.map((node) => [node.id, node]));
  if (view.chains.length > 0) return waysOf(view, nodes);
  const focus = view.focus === null ? undefined : nodes.get(view.focus);
  const heads = SIDES.map((side) => sideOf(view, side)).filter((head) => head.children.length > 0);
  // Ends without a way between them.
  const apart = view.nodes.filter((node) => node.side === "way" && node !== focus);
  const ends = focus ? [focus, ...apart] : apart;
  return [...ends.map((node) => nodeRow(node, [], [], 1)), ...heads];
}

/** The rows in sight, top to bottom. */
export function flatten(rows: readonly TreeRow[], closed: ReadonlySet<string>): FlatRow[] {
  const flat: FlatRow[] = [];
  const walk = (siblings: readonly TreeRow[], parent: string | null) => {
    for (const [index, row] of siblings.entries()) {
      const isOpen = !closed.has(row.key);
      flat.push({ ...row, parent, isOpen, place: index + 1, n_siblings: siblings.length });
      if (isOpen) walk(row.children, row.key);
    }
  };
  walk(rows, null);
  return flat;
}

/** The keys of the rows above the first row of a node, outermost first. */
export function rowsAbove(rows: readonly TreeRow[], node: string): string[] {
  for (const row of rows) {
    if (row.node?.id === node) return [];
    const below = rowsAbove(row.children, node);
    if (below.length > 0 || row.children.some((child) => child.node?.id === node))
      return [row.key, ...below];
  }
  return [];
}

function sideOf(view: GraphView, side: (typeof SIDES)[number]): TreeRow {
  const members = view.nodes.filter((node) => node.side === side);
  const parents = parentsOf(view, members, side);
  const under = (parent: string, level: number): TreeRow[] =>
    members
      .filter((node) => (parents.get(node.id)?.parent ?? "") === parent)
      .map((node) =>
        nodeRow(node, parents.get(node.id)?.ties ?? [], under(node.id, level + 1), level),
      );
  const children = under("", 2);
  return heading(`side:${side}`, SIDE_WORDS[side], children);
}

interface Hold {
  /** Id of the node above; empty for a node next to the focus. */
  parent: string;
  ties: readonly GraphEdge[];
}

/** What each node of a side hangs from: the first node one step nearer that it is tied to. */
function parentsOf(view: GraphView, members: GraphNode[], side: GraphSide): Map<string, Hold> {
  const nearer = new Map(members.map((node) => [node.id, node]));
  const holds = new Map<string, Hold>();
  for (const node of members) {
    const ties = view.edges.filter(
      (edge) => (side === "callers" ? edge.from : edge.to) === node.id,
    );
    const end = (edge: GraphEdge) => (side === "callers" ? edge.to : edge.from);
    const steps = (edge: GraphEdge) => nearer.get(end(edge))?.distance ?? 0;
    const first = ties.find((edge) => end(edge) !== node.id && steps(edge) === node.distance - 1);
    const at = first && end(first);
    const isFocus = at === undefined || !nearer.has(at);
    holds.set(node.id, {
      parent: isFocus ? "" : at,
      ties: ties.filter((edge) => (at === undefined ? false : end(edge) === at)),
    });
  }
  return holds;
}

function waysOf(view: GraphView, nodes: Map<string, GraphNode>): TreeRow[] {
  return view.chains.map((chain, index) => {
    const children = chain.flatMap((id, step) => {
      const node = nodes.get(id);
      const before = chain[step - 1];
      const ties = stepTies(view, before, id);
      return node ? [{ ...nodeRow(node, ties, [], 2), key: `${index}/${step}:${id}` }] : [];
    });
    return heading(`way:${index}`, wayTitle(index, chain.length - 1), children);
  });
}

function wayTitle(index: number, steps: number): string {
  return `Path ${index + 1} · ${steps} ${steps === 1 ? "hop" : "hops"}`;
}

/** Between files imports come first: where no use leads on, they are the way. */
function stepTies(view: GraphView, before: string | undefined, id: string): GraphEdge[] {
  const isFile = view.nodes.some((node) => node.id === id && node.kind === "file");
  const weight = (edge: GraphEdge) => (isFile && edge.kind === "import" ? 0 : 1);
  const ties = view.edges.filter((edge) => joins(edge, before, id));
  return ties.sort((a, b) => weight(a) - weight(b));
}

function joins(edge: GraphEdge, a: string | undefined, b: string): boolean {
  return (edge.from === a && edge.to === b) || (edge.from === b && edge.to === a);
}

function heading(key: string, title: string, children: TreeRow[]): TreeRow {
  return { key, level: 1, title, node: null, ties: [], ...counts(children), children };
}

function nodeRow(
  node: GraphNode,
  ties: readonly GraphEdge[],
  children: TreeRow[],
  level: number,
): TreeRow {
  return { key: node.id, level, title: "", node, ties, ...counts(children), children };
}

function counts(children: TreeRow[]): Pick<TreeRow, "n_below" | "n_nodes"> {
  const n_nodes = children.reduce(
    (sum, { node, n_nodes }) => sum + Math.max(1, node?.group ?? 0) + n_nodes,
    0,
  );
  return { n_below: below(children), n_nodes };
}

function below(children: TreeRow[]): number {
  return children.reduce((sum, child) => sum + 1 + child.n_below, 0);
}

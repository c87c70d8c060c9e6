// What the screen shows, as the route writes it: `#/graph?symbol=Router.match&radius=2`.

import type { GraphDirection, GraphEdgeKind, GraphViewRequest, SymbolPlace } from "../../ipc";

export const DIRECTIONS: readonly GraphDirection[] = ["both", "callers", "callees", "impact"];

export const KINDS: readonly GraphEdgeKind[] = [
  "call",
  "import",
  "inherit",
  "type",
  "reference",
  "test",
  "co-change",
];

/** All that the code says. */
const OF_CODE = KINDS.filter((kind) => kind !== "co-change");

/** Types drown calls, and history is another matter: both come when they are asked for. */
export const FIRST_KINDS = OF_CODE.filter((kind) => kind !== "type");

export const MOST_RADIUS = 3;
const FIRST_RADIUS = 1;
/** More cannot be read at once, the fewer the more columns there are; the others fold into clusters. */
const MOST_NODES: Record<number, number> = { 1: 40, 2: 28, 3: 24 };
/** The ways between two symbols are few. */
const MOST_OF_WAYS = 80;
const MOST_ROWS = 500;

/** A symbol, told apart by path and line where its name is not enough; a file, by its path. */
export interface Named {
  symbol: string;
  path?: string;
  line?: number;
}

export interface Place {
  focus: Named | null;
  /** The other end, when the ways to it are asked for. */
  to: Named | null;
  radius: number;
  direction: GraphDirection;
  /** Never empty. */
  kinds: readonly GraphEdgeKind[];
  /** Clusters that were opened. */
  expanded: readonly string[];
  /** The selected node. */
  node: string | null;
}

type Params = Record<string, string>;

export function readPlace(params: Params): Place {
  const radius = Number(params.radius);
  return {
    focus: readNamed(params, ""),
    to: readNamed(params, "to_"),
    radius:
      Number.isInteger(radius) && radius >= 1 && radius <= MOST_RADIUS ? radius : FIRST_RADIUS,
    direction: DIRECTIONS.find((one) => one === params.direction) ?? "both",
    kinds: readKinds(params.kinds),
    expanded: params.open ? params.open.split("\n") : [],
    node: params.node || null,
  };
}

/** The parameters of a place; what is as it is at first is left out. */
export function placeParams(place: Place): Params {
  const { focus, to, radius, direction, kinds } = place;
  return {
    ...writeNamed(focus, ""),
    ...writeNamed(to, "to_"),
    radius: radius === FIRST_RADIUS ? "" : String(radius),
    direction: direction === "both" ? "" : direction,
    kinds: kinds.join() === FIRST_KINDS.join() ? "" : kinds.join(),
    open: place.expanded.join("\n"),
    node: place.node ?? "",
  };
}

/** The parameters of a focus seen as at first. */
export function focusParams(focus: Named | null): Params {
  return placeParams(focusOn(readPlace({}), focus));
}

/** Another focus: what belonged to the old one is left behind. */
export function focusOn(place: Place, focus: Named | null): Place {
  return { ...place, focus, to: null, expanded: [], node: null };
}

/** One kind more, or less; the last one stays. */
export function toggleKind(place: Place, kind: GraphEdgeKind): Place {
  const has = place.kinds.includes(kind);
  const kinds = KINDS.filter((one) => (one === kind ? !has : place.kinds.includes(one)));
  return kinds.length === 0 ? place : { ...place, kinds };
}

/** What is asked to draw a place. */
export function asRequest(repo: string, place: Place): GraphViewRequest {
  return {
    repo,
    focus: asSymbolPlace(place.focus),
    to: place.to && asSymbolPlace(place.to),
    radius: place.radius,
    direction: place.direction,
    kinds: [...place.kinds],
    max_nodes: place.to ? MOST_OF_WAYS : (MOST_NODES[place.radius] ?? MOST_OF_WAYS),
    expanded: [...place.expanded],
    as_of: null,
  };
}

/** What is asked for the table of what may break when the focus changes. */
export function impactRequest(repo: string, place: Place): GraphViewRequest {
  return {
    ...asRequest(repo, { ...place, to: null, expanded: [] }),
    radius: MOST_RADIUS,
    direction: "impact",
    kinds: [...OF_CODE],
    max_nodes: MOST_ROWS,
  };
}

/** One line for a symbol, equal for equal symbols. */
export function nameKey({ symbol, path, line }: Named): string {
  return [symbol, path ?? "", line ?? ""].join("\t");
}

export function keyedName(key: string): Named {
  const [symbol = "", path, line] = key.split("\t");
  return { symbol, ...(path && { path }), ...(line && { line: Number(line) }) };
}

/** What a person calls it: the symbol, or the file's name. */
export function shortName({ symbol, path }: Named): string {
  return symbol || (path?.split("/").pop() ?? "");
}

function asSymbolPlace(named: Named | null): SymbolPlace {
  return { symbol: named?.symbol ?? "", path: named?.path ?? null, line: named?.line ?? null };
}

function readKinds(text: string | undefined): readonly GraphEdgeKind[] {
  const wanted = text?.split(",") ?? [];
  const kinds = KINDS.filter((kind) => wanted.includes(kind));
  return kinds.length === 0 ? FIRST_KINDS : kinds;
}

function readNamed(params: Params, prefix: "" | "to_"): Named | null {
  const symbol = params[`${prefix}symbol`] ?? "";
  const path = params[`${prefix}path`];
  const line = Number(params[`${prefix}line`]);
  if (!symbol && !path) return null;
  return { symbol, ...(path && { path }), ...(line > 0 && { line }) };
}

function writeNamed(named: Named | null, prefix: "" | "to_"): Params {
  return {
    [`${prefix}symbol`]: named?.symbol ?? "",
    [`${prefix}path`]: named?.path ?? "",
    [`${prefix}line`]: named?.line ? String(named.line) : "",
  };
}

// A small neighbourhood and the ways between two symbols, for tests.

import type { GraphEdge, GraphNode, GraphView } from "../../ipc";

export function node(id: string, given: Partial<GraphNode> = {}): GraphNode {
  const [path = "", name = "", line = "1"] = id.split(/#|:(?=\d+$)/);
  const start = Number(line);
  return {
    id,
    kind: "symbol",
    label: name,
    path,
    symbol: {
      path,
      start_line: start,
      end_line: start + 9,
      name_line: start,
      kind: "function",
      name: name.split(".").pop() ?? name,
      qualified: name,
      signature: `function ${name}()`,
      exported: true,
    },
    x: 0,
    y: 0,
    width: 140,
    height: 32,
    layer: 0,
    distance: 1,
    side: "callers",
    rank: 0.2,
    risk: 0.2,
    risk_reason: "3 dependents in 2 files",
    tested: 1,
    tests: [],
    is_test: false,
    group: 0,
    callers: 2,
    callees: 1,
    changes: null,
    ...given,
  };
}

export function edge(from: string, to: string, given: Partial<GraphEdge> = {}): GraphEdge {
  return {
    from,
    to,
    kind: "call",
    count: 1,
    confidence: "resolved",
    line: 12,
    detail: "calls it once",
    points: [
      [140, 16],
      [200, 16],
    ],
    is_back: false,
    ...given,
  };
}

const MATCH = "src/router.ts#Router.match:29";
const DISPATCH = "src/app.ts#dispatch:8";
const SERVE = "src/serve.ts#serve:3";
const TEST = "src/router.test.ts#matches paths:5";
const NODE = "src/node.ts#Node.search:112";
const URL = "src/url.ts#pathOf:4";

export const fixture: GraphView = {
  focus: MATCH,
  to: null,
  nodes: [
    node(MATCH, { distance: 0, side: "focus", x: 200, y: 60, rank: 0.9, risk: 0.8 }),
    node(DISPATCH, { x: 0, y: 0 }),
    node(TEST, { x: 0, y: 50, is_test: true, risk: 0 }),
    node("callers:src/jsx", {
      kind: "cluster",
      label: "+84 in src/jsx",
      symbol: null,
      path: "src/jsx",
      group: 84,
      x: 0,
      y: 100,
    }),
    node(SERVE, { distance: 2, x: -200, y: 0, tested: 0, risk: 0.7 }),
    node(NODE, { side: "callees", x: 400, y: 20 }),
    node(URL, { side: "callees", x: 400, y: 80 }),
    node("docs/routing.md", {
      kind: "file",
      label: "routing.md",
      path: "docs/routing.md",
      side: "co-change",
      x: 400,
      y: 140,
    }),
  ],
  edges: [
    edge(DISPATCH, MATCH, { count: 3, detail: "calls it 3 times" }),
    edge(SERVE, DISPATCH, { count: 2, confidence: "name-only" }),
    edge(TEST, MATCH, { kind: "test" }),
    edge("callers:src/jsx", MATCH, { count: 90, confidence: "ambiguous", line: null }),
    edge(MATCH, NODE),
    edge(MATCH, URL, { kind: "type" }),
    edge(NODE, MATCH, { is_back: true }),
    edge(MATCH, "docs/routing.md", { kind: "co-change", confidence: "history", line: null }),
  ],
  chains: [],
  width: 540,
  height: 180,
  n_hidden: 84,
  notes: [],
  near: [],
};

export const way: GraphView = {
  ...fixture,
  focus: SERVE,
  to: MATCH,
  nodes: [
    node(SERVE, { side: "focus", distance: 0 }),
    node(DISPATCH, { side: "way" }),
    node(NODE, { side: "way" }),
    node(MATCH, { side: "way", distance: 2 }),
  ],
  edges: [edge(SERVE, DISPATCH), edge(DISPATCH, MATCH), edge(SERVE, NODE), edge(NODE, MATCH)],
  chains: [
    [SERVE, DISPATCH, MATCH],
    [SERVE, NODE, MATCH],
  ],
  n_hidden: 0,
};

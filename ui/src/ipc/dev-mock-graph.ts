// The stand-in for the graph: a neighbourhood of made-up size, laid out in columns.

import type {
  GraphEdge,
  GraphEdgeKind,
  GraphNode,
  GraphView,
  GraphViewRequest,
  RepositoryMap,
  SymbolLine,
} from "./graph";

type Guard = <T>(answer: T) => T;

const FOLDERS = ["src/router", "src/middleware", "src/jsx/dom", "src/adapter/node", "src/utils"];
const NAMES = [
  "Hono.dispatch",
  "compose",
  "SmartRouter.match",
  "TrieRouter.match",
  "serveStatic",
  "Context.json",
  "everyRouteThatMatchesTheCondition",
  "handleRequest",
  "basicAuth",
  "Node.search",
  "getPath",
  "mergePath",
  "موجه",
  "Context.header",
  "logger",
  "cors",
  "HonoRequest.param",
  "decodeURI",
  "Node.insert",
  "buildUrl",
  "Hono.mount",
  "parseBody",
  "timeout",
  "etag",
  "getCookie",
  "Context.text",
  "streamSSE",
  "jwt.verify",
  "Hono.use",
];
const KINDS: GraphEdgeKind[] = ["call", "call", "type", "import", "reference", "inherit"];

export function graphHandlers(guard: Guard) {
  return {
    graph_view: ({ request }: Record<string, unknown>) =>
      guard(graphOf(request as GraphViewRequest)),
    repository_map: () => guard(mapOf()),
    graph_save: () => null,
    save_image: () => null,
  };
}

/** A repository of some size: ranks fall off as PageRank does, and folders depend on what is above. */
function mapOf(): RepositoryMap {
  const folders = [...FOLDERS, "src/router/trie-router", "src/helper", "src/adapter/deno", "src"];
  const parts = ["router", "node", "context", "request", "utils", "types", "handler", "index"];
  const files = Array.from({ length: 132 }, (_, at) => ({
    path: `${folders[(at * 7) % folders.length]}/${parts[at % parts.length]}${at < 24 ? "" : `-${at}`}.ts`,
    rank: 1 / (1 + at) ** 0.9,
    n_lines: 40 + ((at * 97) % 700),
    n_importers: Math.max(0, 40 - at),
    language: "typescript",
    cluster: at % 29 === 0 ? 0 : 1 + (((at * 7) % folders.length) % 6),
  }));
  const edges = files.flatMap((_, from) =>
    [...new Set([2, 4, 8].map((step) => Math.floor(from / step)))]
      .filter((to) => to !== from)
      .map((to) => ({ from, to, n_uses: 1 + ((from * to) % 13) })),
  );
  const words = [
    ["router", "match", "path"],
    ["middleware"],
    ["jsx", "dom"],
    ["adapter"],
    ["url"],
    ["trie"],
  ];
  const clusters = words.map((label, at) => ({ id: at + 1, label }));
  return { files, edges, clusters, n_files: 418 };
}

function graphOf(request: GraphViewRequest): GraphView {
  const name = request.focus.symbol || request.focus.path || "";
  for (const place of [request.focus, request.to]) if (place?.path) checkPath(place.path);
  if (name === "" || name.startsWith("zzz")) return unknown(name === "" ? 8 : 4);
  if (request.to) {
    const end = request.to.symbol ?? "";
    const ways = waysOf(name, end);
    if (!end.startsWith("zzz")) return ways;
    return { ...unknown(3), notes: [`no definition is called \`${end}\``] };
  }
  const focus = nodeOf(name, 0, "focus", 0);
  const nodes = [focus];
  const edges: GraphEdge[] = [];
  for (const side of ["callers", "callees"] as const) {
    if (request.direction !== "both" && (request.direction === "callees") !== (side === "callees"))
      continue;
    let nearer = [focus];
    for (let distance = 1; distance <= request.radius; distance += 1) {
      const n = side === "callers" ? 7 + 4 * distance : 5 + distance;
      const ring = Array.from({ length: n }, (_, at) => nodeOf(undefined, distance, side, at));
      for (const [at, node] of ring.entries()) {
        const other = nearer[at % nearer.length] ?? focus;
        const kind = node.is_test ? "test" : (KINDS[(at + distance) % KINDS.length] ?? "call");
        if (!request.kinds.includes(kind)) continue;
        nodes.push(node);
        edges.push(
          side === "callers" ? edgeOf(node, other, kind, at) : edgeOf(other, node, kind, at),
        );
      }
      nearer = ring.filter((node) => nodes.includes(node));
      if (nearer.length === 0) break;
    }
  }
  const cluster = clusterOf(request);
  if (request.direction !== "callees") {
    nodes.push(cluster);
    edges.push(edgeOf(cluster, focus, "call", 3));
  }
  const [first, second] = nodes.filter((node) => node.side === "callees");
  if (first && second) edges.push({ ...edgeOf(second, first, "call", 1), is_back: true });
  return placed({
    focus: focus.id,
    to: null,
    nodes: nodes.map((node) => counted(node, edges)),
    edges,
    chains: [],
    width: 0,
    height: 0,
    n_hidden: cluster.group,
    notes: ["84 more nodes in 1 cluster; their own neighbors are not shown"],
    near: request.focus.path ? [] : [namesake("LinearRouter", 5), namesake("PatternRouter", 9)],
  });
}

/** The figures of a node that is drawn with all its edges; of the outermost ones only some are seen. */
function counted(node: GraphNode, edges: GraphEdge[]): GraphNode {
  const n = (end: "from" | "to") =>
    edges
      .filter((edge) => edge[end] === node.id)
      .reduce((sum, edge) => sum + (edge.from.startsWith("callers:") ? N_CLUSTERED : 1), 0);
  const callers = Math.max(n("to"), node.side === "focus" ? 0 : node.callers);
  const callees = Math.max(n("from"), node.side === "focus" ? 0 : node.callees);
  const risk = node.side === "focus" ? 0.7 : node.risk;
  return { ...node, callers, callees, risk, risk_reason: reasonOf(callers, node.tested) };
}

function reasonOf(n_dependents: number, n_tests: number): string {
  const n_files = Math.max(1, Math.ceil(n_dependents / 3));
  const [uses, files] = [
    n_dependents === 1 ? "dependent" : "dependents",
    n_files === 1 ? "file" : "files",
  ];
  return `${n_dependents} ${uses} in ${n_files} ${files}, ${n_tests === 0 ? "no test reaches it" : "tests reach it"}`;
}

/** Another definition of the name that was asked for. */
function namesake(owner: string, at: number): SymbolLine {
  return nodeOf(`${owner}.match`, 1, "callees", at).symbol as SymbolLine;
}

/** The engine takes a path as it stands in the index, and nothing around it. */
function checkPath(path: string): void {
  if (!/\s/.test(path)) return;
  const message = `\`${path}\` is not in the index`;
  throw { code: "unknown-path", message, hint: "check the path" };
}

function unknown(n: number): GraphView {
  const near = Array.from({ length: n }, (_, at) => nodeOf(undefined, 1, "callees", at + 1));
  return {
    focus: null,
    to: null,
    nodes: [],
    edges: [],
    chains: [],
    width: 0,
    height: 0,
    n_hidden: 0,
    notes: [],
    near: near.flatMap((node) => (node.symbol ? [node.symbol] : [])),
  };
}

function waysOf(from: string, to: string): GraphView {
  const nodes = [
    nodeOf(from, 0, "way", 3),
    nodeOf(undefined, 1, "way", 2),
    nodeOf(undefined, 1, "way", 5),
    nodeOf(to, 2, "way", 1),
  ];
  const [start, a, b, end] = nodes as [GraphNode, GraphNode, GraphNode, GraphNode];
  const edges = [
    edgeOf(start, a, "call", 1),
    edgeOf(a, end, "call", 0),
    edgeOf(start, b, "call", 2),
    edgeOf(b, end, "call", 4),
  ];
  return placed({
    ...unknown(0),
    focus: start.id,
    to: end.id,
    nodes: nodes.map((node) => counted(node, edges)),
    edges,
    chains: [
      [start.id, a.id, end.id],
      [start.id, b.id, end.id],
    ],
  });
}

const N_CLUSTERED = 84;

function clusterOf(request: GraphViewRequest): GraphNode {
  const id = request.expanded.length > 0 ? "callers:src/jsx~2" : "callers:src/jsx";
  return {
    ...nodeOf("cluster", 1, "callers", 11),
    id,
    kind: "cluster",
    label: "+84 in src/jsx",
    width: 148,
    symbol: null,
    path: "src/jsx",
    group: N_CLUSTERED,
  };
}

function nodeOf(
  name: string | undefined,
  distance: number,
  side: GraphNode["side"],
  at: number,
): GraphNode {
  const qualified =
    name ?? NAMES[(at * 5 + distance * 3 + (side === "callees" ? 14 : 0)) % NAMES.length] ?? "run";
  const folder = FOLDERS[(at + distance) % FOLDERS.length];
  const isTest = side === "callers" && at % 4 === 3;
  const path = `${folder}/${isTest ? "index.test" : "index"}.ts`;
  const line = 12 + at * 17 + distance * 200;
  const rank = side === "focus" ? 1 : ((at * 37 + distance * 11) % 60) / 100;
  const label = qualified.length > 26 ? `${qualified.slice(0, 25)}…` : qualified;
  const callers = (at * 7) % 23;
  return {
    id: `${path}#${qualified}:${line}:${side}`,
    kind: at === 6 ? "file" : "symbol",
    label,
    path,
    symbol: {
      path,
      start_line: line,
      end_line: line + 11,
      name_line: line,
      kind: qualified.includes(".") ? "method" : "function",
      name: qualified.split(".").pop() ?? qualified,
      qualified,
      signature: `${qualified.split(".").pop()}(method: string, path: string): Result<[T, RouterRoute]>`,
      exported: true,
    },
    x: 0,
    y: 0,
    width: 44 + label.length * 7.4,
    height: 26 + 14 * Math.sqrt(rank),
    layer: 0,
    distance,
    side,
    rank,
    risk: isTest ? 0 : ((at * 29 + distance * 17) % 100) / 100,
    risk_reason: reasonOf(callers, at % 3),
    tested: at % 3,
    tests: isTest ? [] : testsOf(at % 3),
    is_test: isTest,
    group: 0,
    callers,
    callees: (at * 3) % 9,
    changes: null,
  };
}

function testsOf(n: number): SymbolLine[] {
  return Array.from({ length: n }, (_, at) => ({
    path: "src/router/index.test.ts",
    start_line: 40 + at * 12,
    end_line: 50 + at * 12,
    name_line: 40 + at * 12,
    kind: "function",
    name: `matches ${at + 1} segments`,
    qualified: `matches ${at + 1} segments`,
    signature: "",
    exported: false,
  }));
}

const VERBS: Record<GraphEdgeKind, string> = {
  call: "calls",
  import: "imports",
  inherit: "inherits from",
  type: "names",
  reference: "reads",
  test: "tests",
  "co-change": "changed with",
};

function edgeOf(from: GraphNode, to: GraphNode, kind: GraphEdgeKind, at: number): GraphEdge {
  const count = 1 + (at % 4);
  return {
    from: from.id,
    to: to.id,
    kind,
    count,
    confidence: at % 5 === 2 ? "name-only" : at % 7 === 4 ? "ambiguous" : "resolved",
    line: from.kind === "cluster" ? null : (from.symbol?.start_line ?? 0) + 3,
    detail: `${VERBS[kind]} it ${count === 1 ? "once" : `${count} times`}`,
    points: [],
    is_back: false,
  };
}

const GAP_X = 90;
const GAP_Y = 16;

/** Columns by distance: callers left of the focus, what it uses right of it. */
function placed(view: GraphView): GraphView {
  const column = (node: GraphNode) => (node.side === "callers" ? -node.distance : node.distance);
  const columns = [...new Set(view.nodes.map(column))].sort((a, b) => a - b);
  const heightOf = (nodes: GraphNode[]) =>
    nodes.reduce((sum, node) => sum + node.height + GAP_Y, -GAP_Y);
  const members = columns.map((at) => view.nodes.filter((node) => column(node) === at));
  const height = Math.max(...members.map(heightOf));
  let x = 0;
  const at = new Map<string, GraphNode>();
  for (const [layer, nodes] of members.entries()) {
    let y = (height - heightOf(nodes)) / 2;
    for (const node of nodes) {
      at.set(node.id, { ...node, x, y, layer });
      y += node.height + GAP_Y;
    }
    x += Math.max(...nodes.map((node) => node.width)) + GAP_X;
  }
  const nodes = view.nodes.map((node) => at.get(node.id) ?? node);
  const edges = view.edges.map((edge) => {
    const [from, to] = [at.get(edge.from), at.get(edge.to)];
    if (!from || !to) return edge;
    const start: [number, number] = [from.x + from.width, from.y + from.height / 2];
    const end: [number, number] = [to.x, to.y + to.height / 2];
    return { ...edge, points: [start, end] };
  });
  return { ...view, nodes, edges, width: x - GAP_X, height };
}

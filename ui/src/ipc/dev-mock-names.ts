// The stand-in for names in the code and what depends on a definition.

import type { SymbolLine } from "./graph";
import type {
  FileNames,
  ImpactHit,
  ImpactResponse,
  NamePlace,
  RefHit,
  RefsResponse,
  TestMapResponse,
} from "./names";
import type { FilePreview } from "./types";

type Guard = <T>(answer: T) => T;
type Given = Record<string, unknown>;

export function namesHandlers(guard: Guard, preview: (path: string) => FilePreview) {
  return {
    names_in_file: ({ request }: Given) =>
      guard(namesOf(preview((request as { path: string }).path))),
    refs: ({ request }: Given) => guard(refsOf((request as { symbol: string }).symbol)),
    impact: ({ request }: Given) => guard(impactOf((request as { symbol: string }).symbol)),
    test_map: ({ request }: Given) => guard(testsOf((request as { symbol: string }).symbol)),
  };
}

function definition(path: string, line: number, kind: string, qualified: string): SymbolLine {
  return {
    path,
    start_line: line,
    end_line: line + 18,
    name_line: line,
    kind,
    name: qualified.split(".").at(-1) ?? qualified,
    qualified,
    signature: `${kind} ${qualified}`,
    exported: true,
  };
}

const ROUTER = definition("src/router.ts", 29, "interface", "Router");
const RESULT = definition("src/router.ts", 85, "type", "Result");
const CHILDREN = definition("src/router/trie-router/node.ts", 28, "field", "Node.children");
const ELEMENT = definition("src/jsx/dom/render.ts", 61, "field", "NodeObject.children");

/** `Router` and `Result` lead to their file, the class to its uses, `children` is a guess. */
function namesOf(file: FilePreview): FileNames {
  const own = definition(file.path, 3, "class", "TrieRouter");
  const definitions = [own, ROUTER, RESULT, CHILDREN, ELEMENT];
  const targets: Record<string, number[]> = {
    TrieRouter: [0],
    Router: [1],
    Result: [2],
    children: [3, 4],
  };
  const names = file.text.split("\n").flatMap((line, at) =>
    [...line.matchAll(/\b(?:TrieRouter|Router|Result|children)\b/g)].map(({ 0: name, index }) => {
      const isGuess = name === "children";
      const place: NamePlace = {
        line: at + 1,
        start: index,
        end: index + name.length,
        targets: targets[name] ?? [],
        confidence: isGuess ? "ambiguous" : "resolved",
        certain: !isGuess,
        own: name === "TrieRouter",
      };
      return place;
    }),
  );
  return { path: file.path, definitions, names, n_left_out: 0 };
}

function use(path: string, line: number, text: string, about: Partial<RefHit> = {}): RefHit {
  return {
    path,
    line,
    kind: "type",
    enclosing: null,
    confidence: "resolved",
    text,
    test: false,
    doc: false,
    ...about,
  };
}

function refsOf(symbol: string): RefsResponse {
  return {
    definitions: [ROUTER],
    references: [
      use("src/hono-base.ts", 96, `router!: ${symbol}<[H, RouterRoute]>`),
      use("src/hono-base.ts", 204, `const app = this.#clone(${symbol})`, { kind: "call" }),
      use("src/preset/quick.ts", 14, `this.router = new SmartRouter({ routers: [] })`, {
        confidence: "ambiguous",
      }),
      use("src/router/trie-router/router.test.ts", 4, `describe('${symbol}', () => {`, {
        test: true,
      }),
    ],
    n_other_kinds: 0,
    n_unsettled: 3,
    heirs: [],
    bases: [],
    by_name: null,
    compiled: null,
    near: [],
  };
}

function caller(symbol: SymbolLine, depth: number, about: Partial<ImpactHit> = {}): ImpactHit {
  return {
    caller: symbol,
    depth,
    confidence: "resolved",
    relation: "uses",
    uses: "Router",
    line: symbol.name_line + 3,
    rank: 0.4,
    test: false,
    ...about,
  };
}

function impactOf(symbol: string): ImpactResponse {
  const isUsed = symbol !== "RegExpRouter";
  const callers = [
    caller(definition("src/hono-base.ts", 90, "class", "Hono"), 1),
    caller(definition("src/router/smart-router/router.ts", 4, "class", "SmartRouter"), 1, {
      relation: "implements",
    }),
    caller(definition("src/preset/quick.ts", 10, "class", "Hono"), 1, {
      confidence: "ambiguous",
    }),
    caller(definition("src/hono-base.ts", 204, "method", "Hono.route"), 2, { uses: "Hono" }),
    caller(definition("src/middleware/combine/index.ts", 40, "function", "some"), 3, {
      uses: "Hono.route",
    }),
  ];
  return {
    definitions: [ROUTER],
    callers: isUsed ? callers : [],
    outside: isUsed ? [use("benchmarks/routers/src/bench.mts", 12, "bench(new Router())")] : [],
    unsettled: [],
    n_unsettled: 0,
    depth: 3,
    by_name: isUsed
      ? null
      : { uses: [], why: "", n_uses: 0, n_ruled_out: 2, n_files: 412, hidden: "" },
    compiled: null,
    near: [],
  };
}

function testsOf(symbol: string): TestMapResponse {
  const isTested = symbol !== "RegExpRouter";
  const path = "src/router/trie-router/router.test.ts";
  return {
    symbols: [
      {
        symbol: ROUTER,
        tests: isTested
          ? [
              { path, name: "describe routing", line: 3, depth: 1, sure: true },
              { path: "src/hono.test.ts", name: "GET Request", line: 31, depth: 2, sure: true },
            ]
          : [],
        n_tests: isTested ? 6 : 0,
        n_possible: isTested ? 1 : 0,
        n_open: 0,
        rank: 0.4,
        risk: 0.1,
      },
    ],
    unknown: [],
    base: null,
    notes: [],
    without: "",
    unread: [],
    changed: [],
    unmapped: [],
    n_test_files: 88,
    unfollowed: [],
    depth: 4,
    near: [],
  };
}

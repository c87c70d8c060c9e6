// The stand-in for reviews. `setMockChanges` picks what the tree is like, for tests and screenshots; `?changes=…`
// does, too.

import type { ChangeState, FileDiff, HunkLine, ReviewedSymbol, ReviewResponse } from "./changes";
import type { EngineFailure } from "./types";

type Guard = <T>(answer: T) => T;
type Given = Record<string, unknown>;
type Kind = "some" | "none" | "ahead" | "merge" | "many" | "no-git" | "no-commit" | "building";

let kind: Kind | undefined;

export function setMockChanges(is: Kind | undefined): void {
  kind = is;
}

export function changesHandlers(guard: Guard) {
  return {
    review_diff: ({ request }: Given) =>
      guard(reviewOf((request as { reference: string }).reference)),
    change_state: () => guard(stateOf()),
    file_diff: ({ request }: Given) => guard(diffOf((request as { path: string }).path)),
  };
}

function now(): Kind {
  const given = new URLSearchParams(location.search).get("changes") as Kind | null;
  const is = kind ?? given ?? "some";
  if (is === "no-git") throw NO_GIT;
  return is;
}

const NO_GIT: EngineFailure = {
  code: "not-a-repository",
  message: "/home/me/code/hono is not in a git repository",
  hint: "run `git init` there: what changed is told by git",
};

const NO_COMMIT: EngineFailure = {
  code: "unknown-revision",
  message: "the repository has no commit yet",
  hint: "give a path to look at all below it",
};

function stateOf(): ChangeState {
  const is = now();
  const isClean = is === "none" || is === "ahead";
  return {
    branch: is === "ahead" ? "faster-routes" : "main",
    head: is === "no-commit" ? null : "4f2a91c",
    under_way: is === "merge" ? "merge" : null,
    staged: isClean ? [] : ["src/router/trie-router/node.ts"],
    unstaged: isClean ? [] : ["src/router.ts", "src/router/trie-router/node.ts"],
    untracked: isClean ? [] : ["src/router/trie-router/cache.ts"],
    conflicted: is === "merge" ? ["src/hono-base.ts"] : [],
    n_left_out: 0,
    main: is === "ahead" ? { name: "main", base: "91bd02e".padEnd(40, "0"), n_ahead: 3 } : null,
  };
}

function symbol(
  place: [path: string, line: number, kind: string, qualified: string],
  about: Partial<ReviewedSymbol>,
): ReviewedSymbol {
  const [path, line, what, qualified] = place;
  return {
    symbol: {
      path,
      start_line: line,
      end_line: line + 12,
      name_line: line,
      kind: what,
      name: qualified.split(".").at(-1) ?? qualified,
      qualified,
      signature: `${what} ${qualified}`,
      exported: true,
    },
    change: "changed",
    was: null,
    n_lines: 4,
    risk: 20,
    reasons: [],
    callers: [],
    n_callers: 0,
    n_tests: 3,
    ...about,
  };
}

const SYMBOLS: ReviewedSymbol[] = [
  symbol(["src/router.ts", 29, "interface", "Router.match"], {
    change: "signature",
    risk: 82,
    was: "match(method: string, path: string): Result<T>",
    reasons: [
      { kind: "signature", text: "its signature changed, and 5 users did not", points: 62 },
      { kind: "central", text: "central: PageRank 0.82 of the highest", points: 20 },
    ],
    callers: [
      { path: "src/hono-base.ts", line: 204, name: "Hono.route", test: false },
      { path: "src/preset/quick.ts", line: 14, name: "Hono", test: false },
      { path: "src/router/router.test.ts", line: 4, name: "describe routing", test: true },
    ],
    n_callers: 5,
    n_tests: 8,
  }),
  symbol(["src/router/trie-router/node.ts", 112, "method", "Node.search"], {
    risk: 47,
    n_lines: 31,
    reasons: [
      {
        kind: "duplicate",
        text: "the same code in src/router/linear-router/router.ts:20",
        points: 25,
      },
      { kind: "untested", text: "no test reaches it", points: 22 },
    ],
    n_tests: 0,
  }),
  symbol(["src/router/trie-router/node.ts", 28, "class", "Node"], {
    risk: 30,
    reasons: [{ kind: "heritage", text: "no longer implements Iterable", points: 30 }],
  }),
  symbol(["src/router/trie-router/cache.ts", 1, "function", "cached"], {
    change: "new",
    risk: 12,
    reasons: [{ kind: "untested", text: "no test reaches it", points: 12 }],
    n_tests: 0,
  }),
  symbol(["src/utils/url.ts", 133, "function", "getPathNoStrict"], {
    change: "removed",
    risk: 4,
    n_tests: 1,
  }),
];

function reviewOf(reference: string): ReviewResponse {
  const is = now();
  if (is === "no-commit") throw NO_COMMIT;
  const isClean = is === "none" || (is === "ahead" && reference === "");
  const base = reference === "" ? "HEAD (4f2a91c)" : `where this left ${reference}`;
  const symbols = isClean ? [] : is === "many" ? manySymbols() : SYMBOLS;
  return {
    base,
    notes: is === "merge" ? ["a merge is under way: compared with the first parent"] : [],
    without:
      is === "building" ? "the index is being built: users, tests and near-duplicates follow" : "",
    symbols,
    files: [...new Set(symbols.map((one) => one.symbol.path))].map((path) => {
      const within = symbols.filter((one) => one.symbol.path === path);
      return {
        path,
        risk: Math.max(...within.map((one) => one.risk)),
        n_lines: within.reduce((sum, one) => sum + one.n_lines, 0),
        n_symbols: within.length,
      };
    }),
    others: isClean ? [] : ["README.md", "src/router/trie-router/router.test.ts"],
    broken_imports: isClean
      ? []
      : [
          {
            path: "src/helper/old.ts",
            now: "src/helper/new.ts",
            risk: 66,
            n_importers: 2,
            importers: [{ path: "src/hono-base.ts", line: 3, name: null, test: false }],
          },
        ],
    moved_files: isClean
      ? []
      : [{ from: "src/helper/old.ts", path: "src/helper/new.ts", n_lines: 0 }],
    removed_files: isClean ? [] : ["src/helper/gone.ts"],
    unread: isClean
      ? []
      : [{ path: "assets/logo.bin", reason: "its content is not in this clone" }],
    n_left_out: is === "many" ? 1200 : 0,
  };
}

function manySymbols(): ReviewedSymbol[] {
  return Array.from({ length: 5000 }, (_, at) =>
    symbol([`src/generated/file-${at}.ts`, 10, "function", `generated${at}`], {
      risk: Math.max(0, 90 - at / 40),
      reasons: [{ kind: "untested", text: "no test reaches it", points: 12 }],
    }),
  );
}

function diffOf(path: string): FileDiff {
  now();
  if (path.endsWith(".bin")) return { path, from: null, hunks: [], note: "it is binary" };
  const context = (at: number, text: string): HunkLine => ({
    kind: "context",
    old: at,
    new: at,
    text,
  });
  return {
    path,
    from: path === "src/helper/new.ts" ? "src/helper/old.ts" : null,
    note: path === "src/router.ts" ? "1 line with a secret is struck" : "",
    hunks: [
      {
        old_start: 28,
        new_start: 28,
        lines: [
          context(28, "export interface Router<T> {"),
          {
            kind: "removed",
            old: 29,
            new: null,
            text: "  match(method: string, path: string): Result<T>",
          },
          {
            kind: "added",
            old: null,
            new: 29,
            text: "  match(method: string, path: string, host: string): Result<T>",
          },
          context(30, "  name: string"),
          context(31, "}"),
        ],
      },
      {
        old_start: 110,
        new_start: 111,
        lines: [
          context(111, "  search(path: string) {"),
          { kind: "added", old: null, new: 112, text: "    const known = this.cache.get(path)" },
          { kind: "added", old: null, new: 113, text: "    if (known) return known" },
          { kind: "context", old: 111, new: 114, text: "    const parts = splitPath(path)" },
        ],
      },
    ],
  };
}

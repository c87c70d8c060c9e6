import { expect, it } from "vitest";
import type { CallSession, RepositoryMap, ReviewResponse, TestMapResponse } from "../../../ipc";
import { litFiles, overlayOfFile, overlayOfReview, overlayOfSession } from "./overlay";

const symbol = (qualified: string, path: string) => ({ qualified, path });
const caller = (path: string, test = false) => ({ path, line: 1, name: null, test });

const REVIEW = {
  base: "HEAD",
  notes: [],
  without: "",
  symbols: [
    {
      symbol: symbol("Router.match", "src/router.ts"),
      callers: [caller("src/app.ts"), caller("src/router.test.ts", true)],
      n_callers: 3,
    },
    { symbol: symbol("compose", "src/compose.ts"), callers: [caller("src/app.ts")], n_callers: 1 },
  ],
  files: [
    { path: "src/router.ts", risk: 80, n_lines: 4, n_symbols: 1 },
    { path: "src/compose.ts", risk: 20, n_lines: 2, n_symbols: 1 },
  ],
  others: ["README.md"],
  broken_imports: [],
  moved_files: [],
  removed_files: ["src/old.ts"],
  unread: [],
  n_left_out: 0,
} as unknown as ReviewResponse;

const TESTS = {
  symbols: [
    {
      symbol: symbol("Router.match", "src/router.ts"),
      tests: [
        { path: "src/router.test.ts", line: 3, name: null, sure: true, depth: 1 },
        { path: "src/other.test.ts", line: 3, name: null, sure: false, depth: 2 },
      ],
      n_tests: 2,
      n_possible: 1,
      n_open: 0,
    },
  ],
  unknown: [symbol("late", "src/late.ts")],
  without: "",
} as unknown as TestMapResponse;

const paths = (files: readonly { path: string }[] = []) => files.map((file) => file.path);

it("draws what a diff changed, who did not follow, and the tests that reach it", () => {
  const overlay = overlayOfReview(REVIEW, TESTS, "main");
  const [changed, users, tests] = overlay.layers;
  expect(paths(changed?.files)).toEqual([
    "src/router.ts",
    "src/compose.ts",
    "src/old.ts",
    "README.md",
  ]);
  expect(users?.files).toEqual([{ path: "src/app.ts", note: "uses Router.match, compose" }]);
  expect(tests?.files).toEqual([
    { path: "src/router.test.ts", note: "reaches Router.match" },
    { path: "src/other.test.ts", note: "maybe reaches Router.match" },
  ]);
});

it.each([
  ["", "Reach of uncommitted changes"],
  ["4f2a91c^!", "Reach of commit 4f2a91c"],
  ["v1..v2", "Reach of v1..v2"],
  ["main", "Reach of what differs from main"],
])("says what is compared: %s", (base, title) => {
  expect(overlayOfReview(REVIEW, null, base).title).toBe(title);
});

it("counts what it does not know", () => {
  const notes = overlayOfReview(REVIEW, TESTS, "main").notes.join(" ");
  expect(notes).toContain("2 more users not listed");
  expect(notes).toContain("1 changed definition not in the index");
  expect(notes).toContain("Others may reach it");
});

it("claims no tests before they are known", () => {
  const { layers } = overlayOfReview(REVIEW, null, "main");
  expect(layers.map((layer) => layer.mark)).toEqual(["solid", "dashed"]);
});

it("draws a file of several layers as of the first, with what each says", () => {
  const overlay = {
    title: "",
    notes: [],
    layers: [
      { mark: "solid" as const, label: "", files: [{ path: "a.ts", note: "one" }] },
      { mark: "dashed" as const, label: "", files: [{ path: "a.ts", note: "two" }] },
    ],
  };
  expect(litFiles(overlay, "app/").get("app/a.ts")).toEqual({
    mark: "solid",
    notes: ["one", "two"],
  });
});

it("says of a session whose answers are gone that files are missing", () => {
  const session = {
    calls: [
      { line: { client: "cursor" }, shown: [] },
      { line: { client: "cursor" }, shown: null },
    ],
    files: [{ reason: "src/a.ts", count: 1 }],
    total: { calls: 5 },
  } as unknown as CallSession;
  const { title, layers, notes } = overlayOfSession(session, "a1");
  expect(title).toBe("Files that cursor was shown");
  expect(layers[0]?.files).toEqual([{ path: "src/a.ts", note: "in 1 answer" }]);
  expect(notes).toEqual([
    "1 answer no longer kept: their files are missing.",
    "3 older calls not read.",
  ]);
});

it("draws of a session what was shown of the repository that is drawn, and counts the rest", () => {
  const call = (repo: string | undefined, ...shown: string[]) => ({
    line: { client: "cursor", repo },
    shown: shown.map((path) => ({ path, start_line: 1, end_line: 1 })),
  });
  const session = {
    calls: [
      call("a1", "src/a.ts", "src/a.ts", "src/b.ts"),
      call("b2", "lib/z.ts"),
      // Of an older version, which did not say.
      call(undefined, "src/b.ts"),
    ],
    files: [{ reason: "lib/z.ts", count: 1 }],
    total: { calls: 3 },
  } as unknown as CallSession;
  const { layers, notes } = overlayOfSession(session, "a1");
  expect(layers[0]?.files).toEqual([
    { path: "src/b.ts", note: "in 2 answers" },
    { path: "src/a.ts", note: "in 1 answer" },
  ]);
  expect(notes).toEqual(["1 call to another repository: their files are not drawn."]);
});

it("draws a file with who uses it and what it uses", () => {
  const map = {
    files: [{ path: "a.ts" }, { path: "b.ts" }, { path: "c.ts" }],
    edges: [
      { from: 1, to: 0, n_uses: 2 },
      { from: 0, to: 2, n_uses: 1 },
    ],
  } as unknown as RepositoryMap;
  const [chosen, users, used] = overlayOfFile("a.ts", map).layers;
  expect(paths(chosen?.files)).toEqual(["a.ts"]);
  expect(users?.files).toEqual([{ path: "b.ts", note: "2 uses" }]);
  expect(used?.files).toEqual([{ path: "c.ts", note: "1 use" }]);
  expect(overlayOfFile("gone.ts", map).layers[1]?.files).toEqual([]);
});

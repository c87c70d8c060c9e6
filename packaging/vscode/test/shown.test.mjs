// What is made of answers: rows, memos, links, and text of strangers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as ask from "../parts/arguments.mjs";
import { rowsOfReview } from "../parts/change.mjs";
import { rowsOf, summaryOf } from "../parts/hits.mjs";
import { groupsOf, remarksOf } from "../parts/memo.mjs";
import { linkTo, progressOf, rootSeenFrom, stateOf } from "../parts/repository.mjs";
import { inMessage, inOneLine } from "../parts/text.mjs";
import { inTurn } from "../parts/turns.mjs";

const BIDI = "\u202e";

test("words and paths never stand where an option could", () => {
  assert.deepEqual(ask.search("--help").slice(-2), ["--", "--help"]);
  assert.deepEqual(ask.index("-x").slice(-2), ["--", "-x"]);
  const lines = { path: "-a b.py", first: 3, last: 5 };
  assert.deepEqual(ask.addMemo(lines), [
    "memo",
    "add",
    "--json",
    "--anchor=-a b.py:3-5",
    "--",
    "-",
  ]);
  assert.deepEqual(ask.server("beside"), ["lsp", "--beside"]);
  assert.deepEqual(ask.server("alone"), ["lsp"]);
  assert.deepEqual(ask.server("other"), ["lsp", "--beside"]);
});

test("hidden characters are seen, and a message has no links", () => {
  assert.equal(inOneLine(`a${BIDI}b\n c\r\nd`), "a\\u202eb c d");
  assert.equal(inMessage("[x](command:evil)"), "[x] (command:evil)");
});

const hit = {
  rank: 1,
  path: `src/${BIDI}a.py`,
  start_line: 4,
  end_line: 9,
  symbol: "rate",
  kind: "function",
  channels: ["fts", "static"],
  badges: ["test"],
  more_in_file: 2,
  snippet: [{ line: 4, text: `def rate(): # ${BIDI}` }],
};

test("a hit is a row with its place, what found it and its badges", () => {
  const [row] = rowsOf({ query_id: "q1", hits: [hit], notes: [] });
  assert.equal(row.label, "src/\\u202ea.py:4");
  assert.equal(row.description, "rate · test");
  assert.match(row.tooltip, /found by fts, static\n2 more in this file$/);
  assert.ok(!row.tooltip.includes(BIDI));
  assert.deepEqual(row.place, { path: hit.path, line: 4 });
  assert.deepEqual(row.hit, { queryId: "q1", rank: 1, name: `${hit.path}:4` });
});

test("the line above hits counts them, with what is to be known", () => {
  const answer = { query_id: "q1", hits: [hit], notes: ["the index is stale"], confidence: 0.755 };
  const sure = "the first file is right in 76% of such answers";
  assert.equal(summaryOf("rate", answer), `1 hit for “rate”, ${sure}. the index is stale`);
  assert.equal(summaryOf("x", { ...answer, hits: [], notes: [] }), "0 hits for “x”");
});

const symbol = {
  path: "a.py",
  start_line: 1,
  end_line: 2,
  kind: "function",
  qualified: "a",
  signature: "def a(x)",
};
const user = { path: "b.py", line: 7, name: "b", test: false };
const review = (some) => ({
  text: "",
  structured: {
    ...{ symbols: [], broken_imports: [], moved_files: [], removed_files: [], unread: [] },
    ...{ notes: [], without: "", n_left_out: 0 },
    ...some,
  },
});

test("a removed definition leads nowhere, its users do; what is not listed is counted", () => {
  const one = {
    symbol,
    change: "removed",
    was: null,
    risk: 40.2,
    reasons: [],
    callers: [user],
    n_callers: 3,
    n_tests: 0,
  };
  const [row] = rowsOfReview(review({ symbols: [one] }));
  assert.equal(row.place, undefined);
  assert.equal(row.description, "removed · risk 40 · a.py");
  assert.deepEqual(
    row.children.map(({ label }) => label),
    ["b.py:7", "2 more"],
  );
  assert.deepEqual(row.children[0].place, { path: "b.py", line: 7 });
});

test("a broken import says what became of the file, files that went are named", () => {
  const broken = { path: "a.py", now: null, risk: 50, n_importers: 1, importers: [user] };
  const rows = rowsOfReview(
    review({
      broken_imports: [broken],
      removed_files: ["a.py"],
      unread: [{ path: "c", reason: "not here" }],
    }),
  );
  assert.deepEqual(
    rows.map(({ label, description }) => `${label} ${description}`),
    ["a.py gone, 1 file still imports it · risk 50", "a.py removed", "c not read: not here"],
  );
});

test("memos stand where their code is now; those of the same lines together", () => {
  const memo = (anchor) => ({
    ...{ id: "m1", content: `x${BIDI}`, kind: "decision", tags: ["vat"], pinned: true },
    ...{ recorded_at: 0, author: {}, notes: [], anchors: [anchor] },
  });
  const anchor = { path: "a.py", start_line: 4, end_line: 9, state: "changed", now: "b c.py:6-8" };
  const memos = [
    memo(anchor),
    memo({ ...anchor, state: "unchanged", now: "a.py:1" }),
    memo({ ...anchor, state: "gone", now: "" }),
    memo({ ...anchor, start_line: 0, end_line: 0, state: "unchanged", now: "" }),
  ];
  const remarks = remarksOf({ memos });
  const places = remarks.map(({ path, first, last }) => `${path}:${first}-${last}`);
  assert.deepEqual(places, ["b c.py:6-8", "a.py:1-1", "a.py:4-9", "a.py:1-1"]);
  assert.equal(remarks[0].label, "decision · #vat · pinned · drifted: its code changed");
  assert.equal(remarks[0].text, "x\\u202e");
  assert.deepEqual(
    remarks.map(({ isDrifted }) => isDrifted),
    [true, false, true, false],
  );
  assert.deepEqual(
    groupsOf(remarks.slice(1)).map((group) => group.length),
    [2, 1],
  );
});

const repository = {
  id: "e1",
  name: "my shop",
  root: "/r",
  state: "stale",
  state_note: "2 changed",
  files: 6,
};

test("a link to the window is plain, as the window reads it", () => {
  const link = linkTo(repository, "src/ä b.py");
  assert.match(link, /^[\x21-\x7e]+$/);
  assert.match(link, /^whyrank:\/\/graph\?/);
  const read = new URLSearchParams(link.split("?")[1]);
  assert.deepEqual(Object.fromEntries(read), {
    path: "src/ä b.py",
    code: "1",
    repo: "e1",
    name: "my shop",
  });
  assert.equal(linkTo(repository), "whyrank://search?repo=e1&name=my+shop");
});

test("the root is named as the folder was opened", () => {
  assert.equal(rootSeenFrom("/w/shop", "/w/shop", "/w/shop"), "/w/shop");
  assert.equal(rootSeenFrom("/w/shop/web", "/w/shop/web", "/w/shop"), "/w/shop");
  assert.equal(rootSeenFrom("/link", "/w/shop", "/w/shop"), "/link");
  assert.equal(rootSeenFrom("/link", "/w/shop/web", "/w/shop"), "/w/shop");
});

test("calls wait for those before, also for one that failed", async () => {
  const told = [];
  const act = inTurn(async (name, ms) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    told.push(name);
    if (name === "first") throw new Error("no");
  });
  const first = assert.rejects(act("first", 30));
  await Promise.all([first, act("second", 0)]);
  assert.deepEqual(told, ["first", "second"]);
});

test("state and progress are read", () => {
  assert.deepEqual(stateOf(repository), {
    text: "$(history) Whyrank: stale",
    isUnderWay: true,
    tooltip: "my shop: 2 changed (files: 6)",
  });
  assert.equal(progressOf("indexing (symbol graph): 6 of 40 files"), "symbol graph: 6 of 40 files");
  assert.equal(progressOf("error: no"), null);
});

test("what the manifest names is there, and nothing can be run by a workspace", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const { version } = JSON.parse(
    readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
  );
  const source = readFileSync(new URL("../src/extension.ts", import.meta.url), "utf8");
  assert.equal(manifest.version, version);
  const { commands, configuration } = manifest.contributes;
  const named = [...source.matchAll(/"(whyrank\.[\w.]+)": /g)].map(([, name]) => name);
  assert.deepEqual(commands.map(({ command }) => command).sort(), named.sort());
  for (const name of ["whyrank.path", "whyrank.desktopPath"])
    assert.equal(configuration.properties[name].scope, "machine");
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, false);
});

// The real program, where WHYRANK_TEST_BIN names its folder.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder, git, home, repository, shop, whyrank } from "../../../tests/support.mjs";
import * as ask from "../parts/arguments.mjs";
import { rowsOfReview, summaryOfReview } from "../parts/change.mjs";
import { rowsOf, summaryOf } from "../parts/hits.mjs";
import { remarksOf } from "../parts/memo.mjs";
import { answerOf, findProgram, run, textOf } from "../parts/program.mjs";
import { progressOf, stateOf } from "../parts/repository.mjs";

const options = {
  skip: process.env.WHYRANK_TEST_BIN ? false : "WHYRANK_TEST_BIN names no programs",
};

/** An indexed shop, and how it is asked. */
async function opened(t, { isIndexed = true } = {}) {
  const root = repository(t, shop);
  // A call takes its environment from the editor's.
  process.env.WHYRANK_HOME = home(t);
  const program = findProgram(whyrank, [root]);
  const call = (args, more = {}) => run({ program, args, cwd: root, ...more });
  const answer = async (args, more) => answerOf(await call(args, more));
  if (isIndexed) await answer(ask.index(root));
  return { root, call, answer };
}

test("a folder is indexed, and says how far it is", options, async (t) => {
  const { root, answer } = await opened(t, { isIndexed: false });
  await assert.rejects(answer(ask.search("vat rate")), { code: "index-missing" });
  assert.match(stateOf((await answer(ask.status)).health.summary).text, /not indexed/);
  const steps = [];
  await answer(ask.index(root), { onLine: (line) => steps.push(progressOf(line)) });
  assert.ok(
    steps.some((step) => / of 6 files$/.test(step)),
    steps.join(),
  );
  const { summary } = (await answer(ask.status)).health;
  assert.equal(summary.root, root);
  assert.match(stateOf(summary).text, /ready/);
});

test("a search has rows, and says why", options, async (t) => {
  const { call, answer } = await opened(t);
  const found = await answer(ask.search("vat rate"));
  const [first] = rowsOf(found);
  assert.equal(first.label, "billing/tax.py:4");
  assert.match(summaryOf("vat rate", found), /^\d+ hits for “vat rate”/);
  const told = textOf(await call(ask.explain(first.hit.queryId, 1)));
  assert.match(told, /#1 billing\/tax\.py:4-9 vat_rate/);
  const typed = await answer(ask.search("priceO"));
  assert.equal(rowsOf(typed)[0].description, "priceOf");
  await answer(ask.search("--help"));
});

test("a comment becomes a memo, and drifts with its code", options, async (t) => {
  const { root, answer } = await opened(t);
  assert.deepEqual(remarksOf(await answer(ask.memos)), []);
  const lines = { path: "billing/tax.py", first: 4, last: 9 };
  await answer(ask.addMemo(lines), { input: "--kind is **no** option; $(nor) `this`" });
  const [memo] = remarksOf(await answer(ask.memos));
  assert.deepEqual([memo.path, memo.first, memo.last], ["billing/tax.py", 4, 9]);
  assert.equal(memo.text, "--kind is **no** option; $(nor) `this`");
  assert.equal(memo.isDrifted, false);
  writeFileSync(
    join(root, lines.path),
    `\n\n${shop[lines.path].replace("country, 0", "country, 1")}`,
  );
  const [drifted] = remarksOf(await answer(ask.memos));
  assert.equal(drifted.isDrifted, true);
  assert.deepEqual([drifted.first, drifted.last], [6, 11]);
  await assert.rejects(answer(ask.addMemo({ ...lines, path: "no.py" }), { input: "x" }), /no\.py/);
});

test("a change names who did not follow, and imports that broke", options, async (t) => {
  const { root, answer } = await opened(t);
  const calm = await answer(ask.review);
  assert.deepEqual(rowsOfReview(calm), []);
  assert.match(summaryOfReview(calm), /^nothing changed since HEAD/);
  writeFileSync(
    join(root, "billing/tax.py"),
    shop["billing/tax.py"].replace("(country):", "(country, year):"),
  );
  const [changed] = rowsOfReview(await answer(ask.review));
  assert.equal(changed.label, "vat_rate");
  assert.match(changed.description, /^signature changed · risk \d+ · billing\/tax\.py$/);
  assert.ok(changed.children.some(({ label }) => label === "billing/invoice.py:15"));
  git(root, "mv", "billing/tax.py", "billing/vat.py");
  const [broken] = rowsOfReview(await answer(ask.review));
  assert.match(broken.description, /^moved to billing\/vat\.py, 1 file still imports it/);
});

test("a folder outside of git is said", options, async (t) => {
  const cwd = folder(t, "plain");
  process.env.WHYRANK_HOME = home(t);
  const call = async (args) => answerOf(await run({ program: whyrank, args, cwd }));
  for (const args of [ask.status, ask.review, ask.search("x"), ask.index(cwd)]) {
    await assert.rejects(call(args), { code: "not-a-repository" });
  }
});

test("the language server comes up as the editor starts it", options, async (t) => {
  const { root } = await opened(t);
  const server = spawn(whyrank, ask.server("beside"), {
    cwd: root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  t.after(() => server.kill());
  const require = createRequire(import.meta.url);
  const protocol = createRequire(require.resolve("vscode-languageclient/node"));
  const { createMessageConnection } = protocol("vscode-languageserver-protocol/node");
  const talk = createMessageConnection(server.stdout, server.stdin);
  talk.listen();
  t.after(() => talk.dispose());
  const folders = [{ uri: pathToFileURL(root).href, name: "shop" }];
  const asked = {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    workspaceFolders: folders,
  };
  const { capabilities } = await talk.sendRequest("initialize", asked);
  assert.ok(capabilities.workspaceSymbolProvider);
  assert.ok(!capabilities.definitionProvider);
  await talk.sendNotification("initialized", {});
  const symbols = await talk.sendRequest("workspace/symbol", { query: "priceOf" });
  assert.equal(symbols[0].name, "priceOf");
  await talk.sendRequest("shutdown");
  const ended = new Promise((resolve) => server.once("exit", resolve));
  await talk.sendNotification("exit");
  assert.equal(await ended, 0);
});

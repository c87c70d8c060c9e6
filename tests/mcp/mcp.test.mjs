// The MCP server over stdio, driven by the official TypeScript client.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { home, manyFiles, repository, shop, skip, whyrank } from "../support.mjs";

const revisions = [
  ["2025-11-25", { mode: "legacy" }],
  ["2026-07-28", { mode: { pin: "2026-07-28" } }],
];

/** A client connected to `whyrank mcp` on a repository. */
async function connect(t, repo, { versionNegotiation = { mode: "legacy" }, whyrankHome = home(t), profile = "standard", roots, within = [] } = {}) {
  const capabilities = roots ? { roots: {} } : {};
  const client = new Client({ name: "whyrank-tests", version: "1" }, { versionNegotiation, capabilities });
  if (roots) client.setRequestHandler("roots/list", () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
  const transport = new StdioClientTransport({
    command: within[0] ?? whyrank,
    args: [...within.slice(1), ...(within.length > 0 ? [whyrank] : []), "mcp", "--repo", repo, "--profile", profile],
    env: { ...process.env, WHYRANK_HOME: whyrankHome },
    stderr: "ignore",
  });
  t.after(() => client.close());
  await client.connect(transport);
  return client;
}

async function call(client, name, args = {}) {
  const answer = await client.callTool({ name, arguments: args });
  const text = answer.content.map((block) => block.text).join("\n");
  return { text, failed: Boolean(answer.isError), structured: answer.structuredContent };
}

/** Calls until the index is there: the first answers may come from a part of it. */
async function searchable(client) {
  await call(client, "index", { wait_s: 60 });
}

for (const [revision, versionNegotiation] of revisions) {
  test(`revision ${revision}: handshake, list, and an answer of each tool`, async (t) => {
    const client = await connect(t, repository(t, shop), { versionNegotiation, profile: "full" });
    assert.equal(client.getNegotiatedProtocolVersion(), revision);
    assert.equal(client.getServerVersion().name, "whyrank");
    assert.match(client.getInstructions(), /search/);

    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    for (const name of ["search", "lookup", "refs", "deps", "overview", "status", "index", "explain"]) {
      assert.ok(names.includes(name), `${name} is missing in ${names}`);
    }
    for (const tool of tools) {
      assert.ok(tool.description.length > 20, `${tool.name} says when to use it`);
      assert.equal(tool.inputSchema.type, "object");
    }

    await searchable(client);
    const expectations = [
      ["search", { query: "value added tax" }, /billing\/tax\.py:4/],
      ["lookup", { symbol: "Cart.total" }, /web\/src\/cart\.ts:2\d/],
      ["refs", { symbol: "vat_rate" }, /billing\/invoice\.py/],
      ["deps", { path: "web/src/prices.ts" }, /web\/src\/cart\.ts/],
      ["overview", {}, /billing/],
      ["status", {}, /100 ?%|ready|up to date/i],
    ];
    for (const [name, args, expected] of expectations) {
      const { text, failed } = await call(client, name, args);
      assert.ok(!failed, `${name}: ${text}`);
      assert.match(text, expected, name);
    }
    const detailed = await call(client, "search", { query: "value added tax", format: "detailed" });
    const [, queryId] = detailed.text.match(/\b(q[0-9a-f]{8})\b/) ?? [];
    assert.ok(queryId, "a detailed search's footer names its id");
    // Without an id, the last search is explained: the short form names none.
    for (const which of [{ query_id: queryId }, {}]) {
      const explained = await call(client, "explain", which);
      assert.ok(!explained.failed, explained.text);
      assert.match(explained.text, /fts/);
    }
  });
}

test("a mistake is answered with what to do, not with a broken connection", async (t) => {
  const client = await connect(t, repository(t, shop));
  await searchable(client);
  const unknown = await call(client, "lookup", { symbol: "vat_ratee" });
  assert.match(unknown.text, /vat_rate/, "near names are given");
  const missing = await call(client, "search", {});
  assert.ok(missing.failed);
  assert.match(missing.text, /query/);
  const path = await call(client, "deps", { path: "no/such/file.py" });
  assert.ok(path.failed);
  assert.match(path.text, /no\/such\/file\.py/);
  assert.match((await call(client, "search", { query: "tax" })).text, /billing/);
});

test("an answer keeps to its token budget", async (t) => {
  const client = await connect(t, repository(t, manyFiles(60)));
  await searchable(client);
  const short = await call(client, "search", { query: "sorts the refund", max_tokens: 120 });
  const long = await call(client, "search", { query: "sorts the refund", max_tokens: 2000 });
  assert.ok(short.text.length < 120 * 6, `${short.text.length} characters`);
  assert.ok(short.text.length <= long.text.length);
});

test("a long call tells how far it is", async (t) => {
  const client = await connect(t, repository(t, manyFiles(600)));
  await searchable(client);
  const told = [];
  const rebuild = { name: "index", arguments: { action: "rebuild", wait_s: 120 } };
  const answer = await client.callTool(rebuild, { onprogress: (progress) => told.push(progress), timeout: 130_000 });
  assert.ok(!answer.isError, answer.content[0].text);
  assert.ok(told.length > 0, "progress is told");
  for (const { progress, message } of told) {
    assert.ok(Number.isFinite(progress));
    assert.match(message, /index/);
  }
});

test("the first second has an answer while the index is being built", async (t) => {
  const repo = repository(t, { ...manyFiles(4000), ...shop });
  const started = performance.now();
  const client = await connect(t, repo);
  await client.listTools();
  const listed = performance.now() - started;
  const { text } = await call(client, "search", { query: "value added tax" });
  const answered = performance.now() - started;
  t.diagnostic(`listed after ${listed.toFixed(0)} ms, answered after ${answered.toFixed(0)} ms: ${text.split("\n").at(-1)}`);
  assert.ok(listed < 1000, `the list came after ${listed} ms`);
  assert.ok(answered < 1500, `the answer came after ${answered} ms`);
  // On a quick machine the index may be there already.
  assert.match(text, /index|billing\/tax\.py:4/i, "the answer says how far the index is");

  await searchable(client);
  assert.match((await call(client, "search", { query: "value added tax" })).text, /billing\/tax\.py/);
});

test("standard output carries protocol and nothing else, and the server ends with its input", async (t) => {
  const repo = repository(t, shop);
  const child = spawn(whyrank, ["mcp", "--repo", repo], {
    env: { ...process.env, WHYRANK_HOME: home(t), WHYRANK_LOG: "debug", RUST_LOG: "debug" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.on("data", (bytes) => {
    output += bytes;
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const answered = (id) => waitFor(() => output.includes(`"id":${id}`));
  const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  send({ id: 1, method: "initialize", params: initialize });
  await answered(1);
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name: "index", arguments: { wait_s: 30 } } });
  await answered(2);
  send({ id: 3, method: "tools/call", params: { name: "search", arguments: { query: "tax" } } });
  await answered(3);
  const closed = new Promise((done) => child.on("close", done));
  child.stdin.end();
  assert.equal(await closed, 0);
  for (const line of output.trimEnd().split("\n")) {
    assert.equal(JSON.parse(line).jsonrpc, "2.0", line);
  }
});

async function waitFor(condition) {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, "no answer within 30 s");
    await new Promise((done) => setTimeout(done, 10));
  }
}

test("the client's roots decide which other folders a call may name", async (t) => {
  const [own, open, shut] = ["own", "open", "shut"].map((name) => repository(t, shop, name));
  const client = await connect(t, own, { roots: [open] });
  const reached = await call(client, "index", { repo: open, wait_s: 60 });
  assert.ok(!reached.failed, reached.text);
  for (const repo of [shut, `${open}/../../${shut.split("/").slice(-2).join("/")}`, "/", "/etc"]) {
    const refused = await call(client, "search", { repo, query: "value added tax" });
    assert.ok(refused.failed && !refused.text.includes("tax.py"), `${repo}: ${refused.text}`);
  }
  const without = await connect(t, own);
  assert.ok((await call(without, "index", { repo: open })).failed, "nobody named it");
});

test("where the system watches no more folders, answers are of the files as they are", async (t) => {
  // A user of one's own has limits of one's own.
  const within = ["unshare", "-Ur", "sh", "-c", 'echo 3 > /proc/sys/user/max_inotify_watches && exec "$0" "$@"'];
  if (spawnSync(within[0], [...within.slice(1), "true"]).status !== 0) return skip(t, "the system lets nobody limit watches");
  const repo = repository(t, shop);
  const client = await connect(t, repo, { within });
  await searchable(client);
  assert.match((await call(client, "status")).text, /watches no more folders.*raise the limit/);
  writeFileSync(join(repo, "billing", "later.py"), "def written_just_now():\n    return 1\n");
  assert.match((await call(client, "lookup", { symbol: "written_just_now" })).text, /billing\/later\.py:1/);
});

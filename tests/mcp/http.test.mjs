// The MCP server over HTTP, driven by the official TypeScript client.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { home, repository, shop, whyrank } from "../support.mjs";

const revisions = [
  ["2025-11-25", { mode: "legacy" }],
  ["2026-07-28", { mode: { pin: "2026-07-28" } }],
];
const profiles = [
  ["", 16],
  ["/core", 6],
  ["/full", 43],
];

/** `whyrank mcp --http` on a repository: its address and its token. */
async function serve(t, repo) {
  let child;
  // Before the home goes: its server still writes there.
  t.after(async () => {
    const ended = new Promise((done) => child.on("close", done));
    if (child.kill("SIGINT")) await ended;
  });
  const whyrankHome = home(t);
  child = spawn(whyrank, ["mcp", "--http", "--repo", repo], {
    env: { ...process.env, WHYRANK_HOME: whyrankHome },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const url = await new Promise((done, fail) => {
    child.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
    child.stderr.on("data", (bytes) => {
      said += bytes;
      const found = said.match(/serving (http:\S+)/);
      if (found) done(found[1]);
    });
  });
  return { url, token: readFileSync(join(whyrankHome, "state/http-token"), "utf8").trim() };
}

async function connect(t, { url, token }, versionNegotiation) {
  const client = new Client({ name: "whyrank-tests", version: "1" }, { versionNegotiation });
  const headers = { Authorization: `Bearer ${token}` };
  t.after(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

test("both revisions and every profile are served by one process", async (t) => {
  const server = await serve(t, repository(t, shop));
  for (const [revision, versionNegotiation] of revisions) {
    for (const [path, nTools] of profiles) {
      const client = await connect(t, { ...server, url: server.url + path }, versionNegotiation);
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.equal((await client.listTools()).tools.length, nTools, `${revision} ${path}`);
      await client.callTool({ name: "index", arguments: { wait_s: 60 } });
      const answer = await client.callTool({ name: "search", arguments: { query: "value added tax" } });
      assert.match(answer.content[0].text, /billing\/tax\.py:4/);
      assert.equal((await client.listPrompts()).prompts.length, 4);
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri: resources[0].uri });
      assert.match(contents[0].text, /billing/);
    }
  }
});

test("a wrong token is turned away, a mistake is an answer", async (t) => {
  const server = await serve(t, repository(t, shop));
  await assert.rejects(connect(t, { ...server, token: "0".repeat(64) }, revisions[0][1]));
  const client = await connect(t, server, revisions[0][1]);
  const unknown = await client.callTool({ name: "no_such_tool", arguments: {} });
  assert.ok(unknown.isError);
  assert.match(unknown.content[0].text, /the tools are search/);
});

// The MCP server over stdio and over HTTP, driven by the official Python client.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { home, repository, shop, skip, whyrank } from "../support.mjs";

const script = join(fileURLToPath(import.meta.url), "../client.py");
const python = process.env.WHYRANK_TEST_PYTHON ?? "python3";

test("the Python client lists, calls and is told of mistakes, over both transports", (t) => {
  const has = spawnSync(python, ["-c", "import mcp"], { stdio: "ignore" });
  if (has.status !== 0) return skip(t, "the Python package mcp is not installed; `npm run clients` brings it");
  const env = { ...process.env, WHYRANK_HOME: home(t) };
  const said = execFileSync(python, [script, whyrank, repository(t, shop)], { env, encoding: "utf8", timeout: 120_000 });
  t.diagnostic(said.trim());
  assert.match(said, /stdio: 16 tools/);
  assert.match(said, /http: 16 tools/);
  assert.equal(said.match(/billing\/tax\.py:4/g)?.length, 2);
  assert.equal(said.match(/the tools are search/g)?.length, 2);
});

// Servers over stdio as tests start them: many of them, and what they say beside the protocol.

import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { folder, git, manyFiles, repository, shop, whyrank } from "../support.mjs";

/** Whether a person named a repository of their own to do all this with. */
export const isLarge = Boolean(process.env.WHYRANK_TEST_LARGE);

/** A repository of this many files and the shop's, or a copy of a person's own with the shop's in it. */
export function shared(t, nFiles) {
  if (!isLarge) return repository(t, { ...manyFiles(nFiles), ...shop });
  const path = join(folder(t, "repo"), "large");
  cpSync(process.env.WHYRANK_TEST_LARGE, path, { recursive: true });
  mkdirSync(join(path, "billing"), { recursive: true });
  for (const name of ["billing/tax.py", "billing/invoice.py"]) writeFileSync(join(path, name), shop[name]);
  if (!existsSync(join(path, ".git"))) git(path, "init", "-q", "-b", "main");
  git(path, "add", "billing");
  return path;
}

/** What agents ask for most, in a repository that has the shop's files. */
export const CALLS = [
  ["search", { query: "value added tax" }],
  ["lookup", { symbol: "vat_rate" }],
  ["refs", { symbol: "vat_rate" }],
  ["status", {}],
  ["overview", {}],
  ["impact", { symbol: "vat_rate" }],
];

/** Starts a server and connects to it; `onLog` gets what it writes to standard error. */
export async function connect(t, repo, whyrankHome, onLog) {
  const client = new Client({ name: "whyrank-tests", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  const transport = new StdioClientTransport({
    command: whyrank,
    args: ["mcp", "--repo", repo],
    env: { ...process.env, WHYRANK_HOME: whyrankHome },
    stderr: onLog ? "pipe" : "ignore",
  });
  if (onLog) transport.stderr.on("data", (bytes) => onLog(String(bytes)));
  t.after(() => client.close());
  await client.connect(transport);
  return client;
}

export async function call(client, name, args) {
  const started = performance.now();
  const answer = await client.callTool({ name, arguments: args }, { timeout: 300_000 });
  return { ms: performance.now() - started, failed: Boolean(answer.isError), text: answer.content[0].text };
}

/** The value below which `share` of the times lie. */
export function rank(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1];
}

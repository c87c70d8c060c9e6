// Servers over stdio as tests start them: many of them, and what they say beside the protocol.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { whyrank } from "../support.mjs";

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

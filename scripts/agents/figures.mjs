// `npm run agents:figures -- BATCH [--http] [--out FOLDER]`: the same calls through an MCP client and
// straight through the engine, side by side.
//
// BATCH has the lines of `whyrank tool --batch`: {"id", "tool", "args", "repo"}. One client for each
// repository makes one call a task and is timed; a second call with format=json gives the places, so
// that both sides can be scored alike. FOLDER gets engine.jsonl and mcp.jsonl: {"id", "results":
// [{"file", "start_line", "end_line"}], "dead", "tokens", "ms"}.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { targetFolder, whyrank } from "../setup.mjs";
import { StepError, main, runQuietly, say, step, tally } from "../steps.mjs";
import { place, serve } from "./served.mjs";

await main(
  async () => {
    const [batch, ...options] = process.argv.slice(2);
    if (!batch) throw new StepError("no batch is named", "npm run agents:figures -- calls.jsonl");
    const at = options.indexOf("--out");
    const out = at < 0 ? join(targetFolder(), "agent-figures") : resolve(options[at + 1]);
    mkdirSync(out, { recursive: true });
    const tasks = lines(readFileSync(batch, "utf8"));
    const here = place();
    try {
      const engine = await step("the engine", () => askEngine(resolve(batch), here));
      const mcp = await step("an MCP client", () => askServers(tasks, here, options.includes("--http")));
      save(join(out, "engine.jsonl"), engine);
      save(join(out, "mcp.jsonl"), mcp);
      report(tasks, engine, mcp);
      say(`\nanswers of both in ${out}`);
    } finally {
      here.close();
    }
  },
  { closingLine: true },
);

/** Without vectors: the servers below have no model either. */
async function askEngine(batch, { env }) {
  const ran = await runQuietly(whyrank, ["tool", "--batch", batch, "--no-vectors"], { env });
  const answers = lines(ran.stdout).map((answer) => [answer.id, answer]);
  if (answers.length === 0) throw new StepError(`the batch gave nothing: ${ran.stderr}`);
  return new Map(answers);
}

async function askServers(tasks, here, overHttp) {
  const answers = new Map();
  for (const repo of new Set(tasks.map((task) => task.repo))) {
    const server = overHttp ? await serve(whyrank, { ...here, repo }) : undefined;
    const client = new Client({ name: "whyrank-figures", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport(repo, here, server));
    await client.callTool({ name: "index", arguments: { wait_s: 300 } });
    for (const task of tasks.filter((task) => task.repo === repo)) answers.set(task.id, await askOne(client, task));
    await client.close();
    await server?.close();
  }
  return answers;
}

function transport(repo, { env }, server) {
  if (!server) return new StdioClientTransport({ command: whyrank, args: ["mcp", "--profile", "full", "--repo", repo], env, stderr: "ignore" });
  const headers = { Authorization: `Bearer ${server.token}` };
  return new StreamableHTTPClientTransport(new URL(`${server.url}/full`), { requestInit: { headers } });
}

async function askOne(client, { tool, args }) {
  const started = performance.now();
  const answer = await client.callTool({ name: tool, arguments: args });
  const ms = performance.now() - started;
  const text = answer.content.map((block) => block.text).join("\n");
  const asData = await client.callTool({ name: tool, arguments: { ...args, format: "json", max_tokens: 20_000 } });
  const data = asData.structuredContent ?? {};
  // The same estimate as the engine's: 3.5 characters a token.
  const tokens = Math.ceil(([...text].length * 2) / 7);
  return { results: placesIn(tool, data, args), dead: data.dead, text, tokens, ms, error: answer.isError };
}

/** Places in the order in which an answer lists them. */
function placesIn(tool, data, { direction, symbols }) {
  const symbol = ({ path, start_line, end_line }) => ({ path, start_line, end_line });
  switch (tool) {
    case "lookup":
      return data.definitions?.map(symbol) ?? [];
    case "refs":
      return data.references?.map(({ path, line }) => ({ path, start_line: line, end_line: line })) ?? [];
    case "deps":
      return [...new Set((data[direction] ?? []).filter((edge) => !edge.external).map((edge) => edge.path))].map((path) => ({ path, start_line: 1 }));
    case "impact":
      return data.callers?.map(({ caller }) => symbol(caller)) ?? [];
    case "dead_code":
      return (data.findings ?? []).filter((finding) => finding.dead || !symbols).map((finding) => symbol(finding.symbol));
    default:
      return data.hits?.map(symbol) ?? [];
  }
}

function report(tasks, engine, mcp) {
  say("\n| tool | tasks | same text | tokens, engine | tokens, client | p50 ms | p95 ms |");
  say("|---|---|---|---|---|---|---|");
  const tools = [...new Set(tasks.map((task) => task.tool))];
  for (const tool of [...tools, "all"]) {
    const ids = tasks.filter((task) => tool === "all" || task.tool === tool).map((task) => task.id);
    const same = ids.filter((id) => engine.get(id)?.text === mcp.get(id)?.text);
    if (tool === "all") tally.passed = same.length;
    if (tool === "all") tally.failed = ids.length - same.length;
    const mean = (answers) => (ids.reduce((sum, id) => sum + (answers.get(id)?.tokens ?? 0), 0) / ids.length).toFixed(1);
    const times = ids.map((id) => mcp.get(id).ms).sort((a, b) => a - b);
    const rank = (share) => times[Math.ceil(share * times.length) - 1].toFixed(1);
    say(`| ${tool} | ${ids.length} | ${same.length} | ${mean(engine)} | ${mean(mcp)} | ${rank(0.5)} | ${rank(0.95)} |`);
  }
  if (tally.failed > 0) process.exitCode = 1;
}

function save(path, answers) {
  const written = [...answers].map(([id, answer]) => {
    const results = answer.results.map(({ path, ...span }) => ({ file: path, ...span }));
    return JSON.stringify({ id, results, dead: answer.dead, tokens: answer.tokens, ms: answer.ms, tool_calls: 1, text: answer.text });
  });
  writeFileSync(path, `${written.join("\n")}\n`);
}

function lines(text) {
  return text.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

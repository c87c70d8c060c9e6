// Nothing leaves the machine unasked: what people and agents do all day, with a library before libc that writes down
// and refuses every connection, packet and name. Linux, with a C compiler.

import { spawnSync } from "node:child_process";
import { existsSync, fresh, join, readFileSync, repository, rmSync, run, scratch } from "./lib.mjs";

export async function quiet() {
  const name = "connections outward";
  const base = scratch("quiet");
  const shim = join(base, "quiet.so");
  const compiled = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", shim, join(import.meta.dirname, "quiet.c"), "-ldl"]);
  if (process.platform !== "linux" || compiled.status !== 0) return { name, tried: "0: not Linux, or no C compiler", failures: [] };
  const log = join(base, "log");
  const env = { LD_PRELOAD: shim, QUIET_LOG: log };
  const heard = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  const failures = [];
  // Would it be heard? The address is one of documentation (RFC 5737).
  const knock = "require('net').connect(9, '192.0.2.1').on('error', () => {}); require('dns').lookup('example.invalid', () => {});";
  spawnSync(process.execPath, ["-e", knock], { env: { ...process.env, ...env } });
  const control = heard();
  if (!control.includes("connect 192.0.2.1") || !control.includes("look up example.invalid")) failures.push(`the check is deaf: ${control}`);
  const folder = repository(join(base, "repo"), ["crates/system/src"]);
  const home = fresh(join(base, "home"));
  const session = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "quiet", version: "1" } } },
    { method: "notifications/initialized" },
    ...["search", "ask"].map((tool, at) => ({ id: 2 + at, method: "tools/call", params: { name: tool, arguments: { query: "replace a file", question: "who calls replace" } } })),
  ];
  const input = session.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const acts = [["index", folder], ["search", "replace a file"], ["status"], ["doctor"], ["models", "list"], ["memo", "add", "Files are replaced whole."], ["precise", "--list"], ["agents", "list"], ["mcp", "--profile", "full", "--repo", folder]];
  for (const args of acts) {
    rmSync(log, { force: true });
    const done = run(home, folder, args, { env, input: args[0] === "mcp" ? input : "" });
    if (done.crash) failures.push(`${done.crash}: ${args.join(" ")}`);
    for (const line of heard()) failures.push(`${args.join(" ")}: ${line}`);
    if (args[0] === "mcp" && !done.out.includes('"id":3')) failures.push(`mcp did not answer: ${done.out.slice(0, 200)} ${done.err.slice(0, 200)}`);
  }
  return { name, tried: `${acts.length} commands, one of them a server`, failures };
}

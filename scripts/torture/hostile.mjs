// Hostile calls of one MCP server: random, wrong and huge arguments for every tool, paths out of the repository. It
// answers each, stays alive, and never shows the file that lies outside.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { die, Failures, fresh, join, repository, run, scratch, whyrank, writeFileSync } from "./lib.mjs";

const SECRET = "outside-the-roots-4711";

export async function hostile({ n, seed }) {
  const random = die(seed);
  const base = scratch("hostile");
  const folder = repository(join(base, "repo"), ["crates/system/src"]);
  const outside = repository(join(base, "outside"), ["crates/system/src"]);
  writeFileSync(join(outside, "secret.rs"), `// ${SECRET}\nfn ${SECRET.replaceAll("-", "_")}() {}\n`);
  const home = fresh(join(base, "home"));
  run(home, folder, ["index", folder, "--no-vectors"]);
  const server = spawn(whyrank, ["mcp", "--profile", "full", "--repo", folder], { cwd: folder, stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, WHYRANK_HOME: home } });
  const failures = new Failures();
  const pending = new Map();
  let dead = null;
  server.on("exit", (code, signal) => {
    dead = signal ?? code;
    for (const done of pending.values()) done(null);
  });
  createInterface({ input: server.stdout }).on("line", (line) => {
    if (line.includes(SECRET) || line.includes(SECRET.replaceAll("-", "_"))) failures.push(`outside the roots: ${line.slice(0, 300)}`);
    const message = JSON.parse(line);
    pending.get(message.id)?.(message);
    pending.delete(message.id);
  });
  let id = 0;
  const ask = (method, params) =>
    new Promise((done) => {
      id += 1;
      const timer = setTimeout(() => done("hang"), 60_000);
      pending.set(id, (message) => {
        clearTimeout(timer);
        done(message);
      });
      server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "torture", version: "1" } });
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  const { tools } = (await ask("tools/list", {})).result;
  const words = vocabulary(outside);
  let n_errors = 0;
  // Those that change the person's machine or take minutes are asked for with arguments that are refused.
  const batch = 8;
  for (let at = 0; at < n && dead === null; at += batch) {
    failures.reached(at, n);
    const asked = Array.from({ length: Math.min(batch, n - at) }, () => {
      const tool = random.pick(tools);
      const args = invent(random, tool.inputSchema, words);
      return ask("tools/call", { name: tool.name, arguments: args }).then((answer) => ({ tool, args, answer }));
    });
    if (random.next() < 0.1) server.stdin.write(`${random.pick(["{", "[]", "null", '{"jsonrpc":"2.0"}', "\u0000", '{"id":1e999}'])}\n`);
    for (const { tool, args, answer } of await Promise.all(asked)) {
      const call = `${tool.name} ${JSON.stringify(args).slice(0, 300)}`;
      if (answer === "hang") failures.push(`no answer in a minute: ${call}`);
      else if (answer === null) failures.push(`server ended (${dead}): ${call}`);
      else if (/panicked/.test(JSON.stringify(answer))) failures.push(`panic: ${call}`);
      else n_errors += answer.error || answer.result?.isError ? 1 : 0;
    }
  }
  if (dead === null) server.kill();
  return { name: "hostile calls", tried: `${n} calls of ${tools.length} tools, ${n_errors} refused`, failures };
}

function vocabulary(outside) {
  return ["", " ", "files.rs", "replace", "HEAD", "main", "../outside/secret.rs", `${outside}/secret.rs`, outside, "/etc/passwd", "/dev/zero", "../".repeat(40), "a".repeat(100_000), "\u0000", "\u001b]52;c;AA\u0007", "\u202e", "$(touch /tmp/x)", "'; DROP TABLE memo;--", "--help", "%00", "**/*", "[", "(((((", "$$$", "$A($$$B)", "HEAD~99999", "file:///etc/passwd", "🦀".repeat(999), ".git/config"];
}

/** Arguments after the schema, of the wrong type, or of no schema. */
function invent(random, schema, words) {
  const args = {};
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const isNeeded = schema.required?.includes(name);
    if (random.next() < (isNeeded ? 0.9 : 0.3)) args[name] = value(random, property, words, name);
  }
  if (random.next() < 0.05) args[random.pick(words).slice(0, 40)] = random.pick(words);
  return args;
}

function value(random, property, words, name) {
  if (name === "repo" && random.next() < 0.7) return random.pick(words);
  const roll = random.next();
  if (roll < 0.1) return random.pick([null, -1, 0, 1e308, 2 ** 53, [], {}, true, [[[[]]]], "x"]);
  if (property.enum && roll < 0.8) return random.pick(property.enum);
  const type = Array.isArray(property.type) ? property.type[0] : property.type;
  if (type === "integer" || type === "number") return random.pick([0, 1, 2, 10, -5, 1e9, 4294967296]);
  if (type === "boolean") return random.next() < 0.5;
  if (type === "array") return Array.from({ length: random.below(4) }, () => random.pick(words));
  return random.pick(words);
}

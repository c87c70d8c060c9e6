// What the campaigns share: a seeded die, a repository made of this project's own sources, homes, the program,
// and the questions whose answers are compared.

import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";

export const root = join(import.meta.dirname, "..", "..");
export const whyrank = join(process.env.WHYRANK_TEST_BIN ?? join(root, "target", "debug"), "whyrank");

/** Numbers that depend on the seed alone (xorshift). */
export function die(seed) {
  let state = (seed * 2654435761 + 1) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  return { next, below, pick: (list) => list[below(list.length)] };
}

/** What failed, said at once: a campaign of hours that is ended early has told what it saw. */
export class Failures extends Array {
  #told = Date.now();

  static get [Symbol.species]() {
    return Array;
  }

  push(...what) {
    for (const failure of what) console.error(`    ${failure}`);
    return super.push(...what);
  }

  /** Says once a minute how far it is. */
  reached(done, of) {
    if (Date.now() - this.#told < 60_000) return;
    this.#told = Date.now();
    console.error(`  ${done} of ${of}, ${this.length} failed`);
  }
}

/** A folder that goes with the process. */
export function scratch(name) {
  const folder = mkdtempSync(join(tmpdir(), `whyrank-torture-${name}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A git repository with a few files of this project. */
export function repository(folder, from = ["crates/system/src", "crates/source/src", "ui/src/ipc"]) {
  mkdirSync(folder, { recursive: true });
  for (const part of from) cpSync(join(root, part), join(folder, part.replaceAll("/", "-")), { recursive: true });
  writeFileSync(join(folder, "README.md"), "# Sources\n\nFiles that are listed, and programs that are started.\n");
  git(folder, "init", "-q", "-b", "main");
  commit(folder, "first");
  return folder;
}

export function git(folder, ...args) {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
  return spawnSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
}

export function commit(folder, message) {
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", message);
}

/** Runs the program to its end. A signal or a panic is a `crash`. */
export function run(home, folder, args, { env = {}, limit = 120_000, input } = {}) {
  const done = spawnSync(whyrank, args, {
    cwd: folder,
    encoding: "utf8",
    input,
    timeout: limit,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 28,
    env: { ...process.env, WHYRANK_HOME: home, ...env },
  });
  const hung = done.error?.code === "ETIMEDOUT";
  const crash = hung ? "hang" : done.signal ? done.signal : /panicked at/.test(done.stderr) ? "panic" : null;
  return { code: done.status, out: done.stdout ?? "", err: done.stderr ?? "", crash };
}

/** Starts the program, to be killed. */
export function start(home, folder, args) {
  return spawn(whyrank, args, { cwd: folder, detached: true, stdio: "ignore", env: { ...process.env, WHYRANK_HOME: home } });
}

const QUESTIONS = ["where are ignored files left out", "how is a program found on the path", "Repository.discover", "replace a file", "worktree", "git fingerprint", "listing.rs"];
const SYMBOLS = ["Repository", "replace", "Listing", "lock"];

/** The calls of a batch. */
export function calls() {
  const searches = QUESTIONS.map((query) => ["search", { query, limit: 10, format: "json", max_tokens: 20000 }]);
  const facts = SYMBOLS.flatMap((symbol) => ["refs", "lookup", "impact"].map((tool) => [tool, { symbol, max_tokens: 20000 }]));
  return [...searches, ...facts, ["overview", { max_tokens: 20000 }]];
}

/** Answers to all questions, each as text without what differs from call to call. */
export function answers(home, folder) {
  const batch = join(home, "batch.jsonl");
  const lines = calls().map(([tool, args], id) => JSON.stringify({ id: String(id), tool, args }));
  writeFileSync(batch, `${lines.join("\n")}\n`);
  const done = run(home, folder, ["tool", "--batch", batch, "--repo", folder, "--no-vectors"]);
  const given = done.out.split("\n").filter(Boolean).map(plain);
  return { ...done, given, said: `${done.err}\n${done.out}` };
}

function plain(line) {
  const answer = JSON.parse(line);
  if (answer.results) {
    return JSON.stringify(answer.results.map((hit) => [hit.path, hit.start_line, hit.end_line, hit.symbol, hit.score]));
  }
  return JSON.stringify([answer.text, answer.error]).replace(/"(elapsed_ms|query_id)":[^,}]+/g, "");
}

export const DAMAGE = /damag|corrupt|malform|cannot be read|not a database|checksum|disk image|rebuild|invalid|not indexed|no index|set aside|left out|skipped|is no /i;

/** Files below a folder, relative. */
export function files(folder) {
  const found = [];
  const walk = (at) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(relative(folder, path));
    }
  };
  walk(folder);
  return found.sort();
}

/** One random change of the working tree or of git's state. */
export function edit(random, folder, number) {
  const all = git(folder, "ls-files").stdout.split("\n").filter((name) => name && existsSync(join(folder, name)));
  const path = join(folder, random.pick(all));
  const text = readFileSync(path, "utf8");
  const acts = {
    append: () => appendFileSync(path, `\n/// Is number ${number}.\nfn added${number}(n: u32) -> u32 {\n    helper${number % 7}(n) + ${number}\n}\n`),
    change: () => writeFileSync(path, text.replace("return", `/* ${number} */ return`)),
    copy: () => writeFileSync(join(folder, `copy${number}.rs`), text),
    create: () => writeFileSync(join(folder, `new${number}.rs`), `//! Number ${number}.\n\npub fn fresh${number}() -> u32 {\n    added${number}(1)\n}\n`),
    empty: () => writeFileSync(join(folder, `a${number}.rs`), ""),
    move: () => renameSync(path, join(folder, `moved${number}.rs`)),
    remove: () => all.length > 8 && rmSync(path),
    commit: () => commit(folder, `c${number}`),
    branch: () => {
      commit(folder, `c${number}`);
      git(folder, "checkout", "-qb", `b${number}`);
    },
    checkout: () => {
      commit(folder, `c${number}`);
      const heads = git(folder, "for-each-ref", "--format=%(refname:short)", "refs/heads").stdout.split("\n").filter(Boolean);
      git(folder, "checkout", "-q", random.pick(heads));
    },
    revert: () => git(folder, "checkout", "-q", "--", "."),
  };
  acts[random.pick(Object.keys(acts))]();
}

/** A server over standard input and output, and the client that asks it. */
export function client(home, folder, env = {}) {
  const server = spawn(whyrank, ["mcp", "--profile", "full", "--repo", folder], { cwd: folder, stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, RUST_BACKTRACE: "1", WHYRANK_HOME: home, ...env } });
  let log = "";
  server.stderr.on("data", (text) => {
    log = (log + text).slice(-20_000);
  });
  const pending = new Map();
  createInterface({ input: server.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    pending.get(message.id)?.(message);
    pending.delete(message.id);
  });
  let hasEnded = false;
  server.on("exit", () => {
    hasEnded = true;
    [...pending.values()].forEach((done) => done(null));
  });
  server.stdin.on("error", () => {});
  let id = 0;
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (method, params) =>
    new Promise((done) => {
      if (hasEnded) return done(null);
      id += 1;
      pending.set(id, done);
      send({ id, method, params });
    });
  return {
    pid: server.pid,
    begin: async () => {
      await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "torture", version: "1" } });
      send({ method: "notifications/initialized" });
    },
    call: (name, args) => ask("tools/call", { name, arguments: args }),
    /** The end of its log: where it panicked, if it did. */
    said: () => log,
    end: () => server.kill(),
  };
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export function fresh(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

export { cpSync, existsSync, join, readFileSync, rmSync, statSync, writeFileSync };

// A day of work in little time: eight MCP clients and the window over sixteen worktrees, a save a second, commits,
// rebases, branches that are switched, repositories that come and go. What the processes hold must be a flat line; each
// save is asked for at once, and an answer without it must say that it is behind. Linux: figures are those of /proc.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { client, die, existsSync, fresh, git, join, readFileSync, repository, rmSync, root, run, scratch, sleep, whyrank, writeFileSync } from "./lib.mjs";
import { curve } from "./curve.mjs";

const N_TREES = 16;
/** Growth after the warm-up that is allowed: a share, of all processes together; of each, so much more. */
const MOST_GROWTH = 0.05;
const MOST_MORE = { rss_kb: 16 << 10, handles: 3, threads: 3 };
const MOST_IDLE_CPU = 0.02;
/** What an answer says that may lack the last save. */
const SAYS_SO = /INDEX BEHIND|not searchable yet|not updated yet|update running|changed after/i;

export async function day({ seconds, seed, n }) {
  const name = "a day of work";
  if (process.platform !== "linux") return { name, tried: "0: not Linux", failures: [] };
  const random = die(seed);
  const base = scratch("day");
  const home = fresh(join(base, "home"));
  const main = repository(join(base, "repo"), ["crates/system/src", "crates/source/src", "crates/sqlite/src", "ui/src/ipc"]);
  const trees = Array.from({ length: N_TREES }, (_, at) => tree(main, join(base, `tree${at}`), at));
  const extra = repository(join(base, "extra"), ["crates/external/src"]);
  run(home, main, ["index", main, "--no-vectors"]);
  for (const one of trees) run(home, one.folder, ["index", one.folder, "--no-vectors"]);
  const clients = Array.from({ length: n }, (_, at) => client(home, trees[at].folder));
  await Promise.all(clients.map((one) => one.begin()));
  // Fewer clients are a look, beside other work.
  const window = n < 8 ? null : openWindow(home, base);
  const watched = [...clients.map((one, at) => ({ name: `server ${at}`, pid: one.pid })), ...(window ? [{ name: "window", pid: window.pid }] : [])];
  const work = { random, home, main, trees, extra, clients, failures: [], counts: { calls: 0, saves: 0, behind: 0, unchecked: 0, changes: 0 } };
  const began = Date.now();
  const end = began + seconds * 1000;
  const samples = [];
  const every = Math.max(500, Math.min(5000, seconds * 10));
  const sampler = setInterval(() => samples.push({ at: (Date.now() - began) / 1000, of: watched.map((one) => ({ name: one.name, ...state(one.pid) })) }), every);
  await Promise.all([saves(work, end), ...clients.map((_, at) => questions(work, at, end))]);
  clearInterval(sampler);
  const idle = await idleShares(watched, Math.min(60, Math.max(4, seconds / 10)));
  for (const { name: who, share } of idle) if (share > MOST_IDLE_CPU) work.failures.push(`${who} takes ${(share * 100).toFixed(1)} % of a processor when idle`);
  for (const one of clients) if (one.said().includes("panicked")) work.failures.push(`panic: ${one.said().slice(-400)}`);
  for (const one of watched) if (!existsSync(`/proc/${one.pid}/stat`)) work.failures.push(`${one.name} ended`);
  clients.forEach((one) => one.end());
  window?.end();
  const grown = verdict(samples, seconds);
  work.failures.push(...grown.failures);
  const file = join(root, "target", `day-${seed}`);
  writeFileSync(`${file}.json`, JSON.stringify({ seconds, seed, counts: work.counts, idle, samples }));
  writeFileSync(`${file}.svg`, curve(samples, seconds));
  const { calls, saves: n_saves, behind, unchecked, changes } = work.counts;
  const tried = `${seconds} s, ${n} servers, ${window ? "a window" : "no window"}, ${N_TREES} worktrees: ${n_saves} saves, ${changes} changes of branches and repositories, ${calls} calls, ${behind} that said they are behind, ${unchecked} that files could not be listed in time; ${grown.said}; ${file}.json, .svg`;
  return { name, tried, failures: work.failures };
}

/** A worktree with two branches of its own, and a lock: who asks about its last save keeps others from changing it. */
function tree(main, folder, at) {
  git(main, "worktree", "add", "-q", "-b", `work${at}`, folder);
  git(folder, "branch", `other${at}`);
  return { folder, at, isTaken: false };
}

/** Saves once a second, in the worktrees by turns, and now and then what people do with git. */
async function saves(work, end) {
  const { random, trees, counts } = work;
  for (let number = 1; Date.now() < end; number += 1) {
    const next = sleep(1000);
    const one = trees[random.below(N_TREES)];
    if (!one.isTaken) {
      one.isTaken = true;
      if (number % 4 === 0) change(work, one, number);
      writeFileSync(join(one.folder, "saved.rs"), `/// Was saved last.\npub fn saved_${one.at}_${number}() -> u32 {\n    ${number}\n}\n`);
      counts.saves += 1;
      await isSeen(work, one, number);
      one.isTaken = false;
    }
    await next;
  }
}

function change(work, one, number) {
  const { random, main, home, extra, counts } = work;
  const save = () => {
    git(one.folder, "add", "-A");
    git(one.folder, "commit", "-qm", `save ${number}`);
  };
  const acts = [
    save,
    () => {
      save();
      const [now] = git(one.folder, "branch", "--show-current").stdout.split("\n");
      git(one.folder, "checkout", "-q", now.startsWith("work") ? `other${one.at}` : `work${one.at}`);
    },
    () => {
      save();
      writeFileSync(join(main, "news.rs"), `pub fn news() -> u32 {\n    ${number}\n}\n`);
      git(main, "add", "-A");
      git(main, "commit", "-qm", `news ${number}`);
      if (git(one.folder, "rebase", "-q", "-X", "theirs", "main").status !== 0) git(one.folder, "rebase", "--abort");
    },
    () => {
      const added = run(home, main, ["repos", "add", extra]);
      const removed = run(home, main, ["repos", "remove", extra]);
      for (const done of [added, removed]) if (done.code !== 0) work.failures.push(`repos: ${done.err.slice(-200)}`);
    },
    // Long histories and many files are another matter: all stays as large as it was.
    () => git(one.folder, "reset", "-q", "--hard", "main"),
  ];
  random.pick(acts)();
  counts.changes += 1;
}

/** The client of the next worktrees asks for what was just saved. */
async function isSeen(work, one, number) {
  const name = `saved_${one.at}_${number}`;
  const answer = await ask(work, one.at % work.clients.length, "lookup", { symbol: name, repo: one.folder });
  if (answer === null || (answer.includes(`fn ${name}`) && !answer.includes("no definition"))) return;
  if (SAYS_SO.test(answer)) work.counts.behind += 1;
  else if (answer.includes("INDEX NOT CHECKED")) work.counts.unchecked += 1;
  else work.failures.push(`stale without a word: ${name}: ${answer.slice(0, 300)}`);
}

/** Asks without pause, of all worktrees. */
async function questions(work, at, end) {
  const { random, trees } = work;
  const kinds = [
    () => ["search", { query: random.pick(["where are ignored files left out", "replace a file", "a page with a checksum", "visible text"]) }],
    () => ["refs", { symbol: random.pick(["replace", "Repository", "open", "lock"]) }],
    () => ["impact", { symbol: random.pick(["discover", "listing", "publish"]) }],
    () => ["lookup", { symbol: random.pick(["Repository", "Listing", "seal"]) }],
    () => ["overview", {}],
    () => ["remember", { content: `files are replaced whole, said by ${at}`, }],
    () => ["recall", { query: "replaced" }],
  ];
  const weights = [0, 0, 0, 1, 1, 2, 3, 3, 4, 6];
  for (let number = 0; Date.now() < end; number += 1) {
    const [tool, args] = kinds[number % 200 === 199 ? 5 : random.pick(weights.filter((kind) => kind !== 5))]();
    const one = random.next() < 0.7 ? trees[at] : random.pick(trees);
    await ask(work, at, tool, { ...args, repo: one.folder });
  }
}

/** The text of an answer; an error other than that of a busy index is a failure. */
async function ask(work, at, tool, args) {
  const answer = await work.clients[at].call(tool, args);
  work.counts.calls += 1;
  const text = answer?.result?.content?.map((part) => part.text).join("\n") ?? JSON.stringify(answer);
  if (answer && !answer.error && (!answer.result?.isError || /no definition of/.test(text))) return text;
  if (answer && /busy|try again|unknown-ref/.test(text)) return null;
  work.failures.push(`${tool} ${JSON.stringify(args)}: ${text.slice(0, 300)}`);
  return null;
}

function state(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    const of = (key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
    const handles = readdirSync(`/proc/${pid}/fd`).length;
    return { rss_kb: of("VmRSS"), own_kb: of("RssAnon"), threads: of("Threads"), handles };
  } catch {
    return { rss_kb: 0, own_kb: 0, threads: 0, handles: 0 };
  }
}

/** Shares of a processor that nobody's work takes, over so many seconds: once what was begun has ended, which may
 *  take two minutes. */
async function idleShares(watched, seconds) {
  const share = async (during) => {
    const before = watched.map(ticks);
    await sleep(during * 1000);
    return watched.map((one, at) => ({ name: one.name, share: (ticks(one) - before[at]) / 100 / during }));
  };
  for (let turn = 0; turn < 24; turn += 1) if ((await share(5)).every((one) => one.share <= MOST_IDLE_CPU)) break;
  return share(seconds);
}

/** Hundredths of a second that a process has worked. */
function ticks({ pid }) {
  if (!existsSync(`/proc/${pid}/stat`)) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** Whether what each process holds is flat: the middle of the last sixth against that after the warm-up. */
function verdict(samples, seconds) {
  const failures = [];
  const said = [];
  const within = (from, to) => samples.filter(({ at }) => at >= from * seconds && at < to * seconds);
  const [early, late] = [within(1 / 6, 2 / 6), within(5 / 6, 1.1)];
  const middle = (part, at, what) => part.map(({ of }) => of[at][what]).sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  const total = { before: 0, after: 0 };
  (samples[0]?.of ?? []).forEach(({ name }, at) => {
    for (const what of ["rss_kb", "handles", "threads"]) {
      const [before, after] = [middle(early, at, what), middle(late, at, what)];
      if (what === "rss_kb") {
        total.before += before;
        total.after += after;
      }
      if (after > before * (1 + MOST_GROWTH) + MOST_MORE[what]) failures.push(`${name}: ${what} grows from ${before} to ${after}`);
    }
  });
  if (total.after > total.before * (1 + MOST_GROWTH)) failures.push("resident memory grows");
  said.push(`resident ${Math.round(total.before / 1024)} MiB after the warm-up, ${Math.round(total.after / 1024)} MiB in the end`);
  return { failures, said: said.join(", ") };
}

/** The window on a display in memory, on the same home; none where there is no Xvfb. */
function openWindow(home, base) {
  const program = join(whyrank, "..", "whyrank-desktop");
  if (!existsSync(program) || spawnSync("which", ["Xvfb"]).status !== 0) return null;
  const number = 200 + (process.pid % 300);
  const display = spawn("Xvfb", [`:${number}`, "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], { stdio: "ignore" });
  const data = join(base, "page");
  mkdirSync(data);
  const env = { ...process.env, DISPLAY: `:${number}`, WHYRANK_HOME: home, XDG_DATA_HOME: data, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent", NO_AT_BRIDGE: "1", GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1" };
  spawnSync("sleep", ["1"]);
  const window = spawn(program, [], { env, stdio: "ignore" });
  return {
    pid: window.pid,
    end: () => {
      window.kill();
      display.kill();
      rmSync(`/tmp/.X${number}-lock`, { force: true });
    },
  };
}

// Each call in turn, as SQLite tests itself: the first I/O call fails, then the second, until a run has none that does;
// once, and from there on for good. Then memory: each time it is asked for, as far apart as the number of runs wants.
// The run says so or goes on (without memory it may abort), what was acknowledged stays, and what comes after is as
// good as new. Linux, with a C compiler.

import { spawnSync } from "node:child_process";
import { answers, cpSync, existsSync, fresh, join, repository, rmSync, run, scratch, writeFileSync } from "./lib.mjs";

/** Acts, with the calls that fail in it at most where nobody says how many. */
const ACTS = {
  memo: { args: (text) => ["memo", "add", text], isMemo: true },
  index: { args: (_, folder) => ["index", folder, "--no-vectors"] },
  first: { args: (_, folder) => ["index", folder, "--no-vectors"], isFromNothing: true },
  search: { args: () => ["search", "replace a file"] },
};

export async function each({ n }) {
  const name = "each call in turn";
  const base = scratch("each");
  const shim = join(base, "fault.so");
  const compiled = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", shim, join(import.meta.dirname, "fault.c"), "-ldl"]);
  if (process.platform !== "linux" || compiled.status !== 0) return { name, tried: "0: not Linux, or no C compiler", failures: [] };
  const folder = repository(join(base, "repo"), ["crates/system/src"]);
  const good = fresh(join(base, "good"));
  run(good, folder, ["index", folder, "--no-vectors"]);
  const edited = join(folder, "edited.rs");
  const wanted = answers(good, folder).given;
  const at = { base, shim, folder, good, edited, wanted };
  const failures = [];
  const tally = {};
  const left = { runs: n };
  for (const [act, way] of Object.entries(ACTS)) {
    for (const all of [false, true]) {
      const outcome = turns(at, way, { all }, left, n / 10);
      tally[`${act}${all ? ", for good" : ""}`] = outcome.said;
      failures.push(...outcome.failures.map((text) => `${act}: ${text}`));
    }
    const outcome = turns(at, way, { isMemory: true }, left, n / 20);
    tally[`${act}, memory`] = outcome.said;
    failures.push(...outcome.failures.map((text) => `${act}: ${text}`));
  }
  return { name, tried: `${n - left.runs} runs with a failing call: ${JSON.stringify(tally)}`, failures };
}

/** One call after another until a run has none that fails; further apart where that would be more runs than wanted. */
function turns(at, way, kind, left, most) {
  const failures = [];
  const total = count(at, way, kind, failures);
  const step = Math.max(1, Math.ceil(total / Math.max(1, most)));
  let [n, n_told] = [0, 0];
  for (let call = 1; call <= total + step && left.runs > 0; call += step) {
    const fired = join(at.base, "fired");
    rmSync(fired, { force: true });
    const env = kind.isMemory ? { FAULT_MALLOC: String(call) } : { FAULT_AT: String(call), ...(kind.all ? { FAULT_ALL: "1" } : {}) };
    const failed = trial(at, way, { ...env, FAULT_FIRED: fired }, kind, call);
    failures.push(...failed.failures);
    n_told += failed.isTold ? 1 : 0;
    n += 1;
    left.runs -= 1;
    if (!existsSync(fired)) break;
  }
  return { failures, said: `${n} of ${total}${step > 1 ? `, each ${step}th` : ""}, ${n_told} told` };
}

/** How many calls the act makes, by halving: the last that fires. */
function count(at, way, kind, failures) {
  const fires = (call) => {
    const fired = join(at.base, "fired");
    rmSync(fired, { force: true });
    const home = ready(at, way);
    const env = kind.isMemory ? { FAULT_MALLOC: String(call) } : { FAULT_AT: String(call) };
    const done = run(home, at.folder, way.args("a count", at.folder), { env: { LD_PRELOAD: at.shim, FAULT_PATH: home, FAULT_FIRED: fired, ...env } });
    if (done.crash && !kind.isMemory) failures.push(`${done.crash}: call ${call}: ${done.err.slice(-300)}`);
    return existsSync(fired);
  };
  let most = 64;
  while (fires(most) && most < 1 << 24) most *= 2;
  let least = most / 2;
  while (most - least > Math.max(1, least / 64)) {
    const middle = Math.floor((least + most) / 2);
    if (fires(middle)) least = middle;
    else most = middle;
  }
  return least;
}

function ready(at, way) {
  const home = fresh(join(at.base, "home"));
  if (!way.isFromNothing) cpSync(at.good, home, { recursive: true, preserveTimestamps: true });
  writeFileSync(at.edited, "pub fn edited() -> u32 {\n    1\n}\n");
  return home;
}

function trial(at, way, env, kind, call) {
  const home = ready(at, way);
  const text = `memo of call ${call}`;
  const what = `${kind.isMemory ? "memory" : kind.all ? "I/O for good" : "I/O"} at call ${call}`;
  const done = run(home, at.folder, way.args(text, at.folder), { env: { LD_PRELOAD: at.shim, FAULT_PATH: home, FAULT_ERRNO: "5", ...env } });
  rmSync(at.edited);
  const failures = [];
  const mayAbort = kind.isMemory && (done.crash === "SIGABRT" || /memory allocation of \d+ bytes failed/.test(done.err));
  if (done.crash && !mayAbort) failures.push(`${done.crash}: ${what}: ${done.err.slice(-300)}`);
  else if (!mayAbort && done.code !== 0 && !done.err.trim()) failures.push(`no message: ${what}`);
  const again = run(home, at.folder, ["index", at.folder, "--no-vectors"]);
  const now = answers(home, at.folder);
  const other = at.wanted.findIndex((answer, place) => now.given[place] !== answer);
  if (again.code !== 0 || other >= 0) failures.push(`not good afterwards: ${what}: ${again.err.slice(-300)} ${String(now.given[other]).slice(0, 200)}`);
  if (way.isMemo && done.code === 0 && !run(home, at.folder, ["memo", "list", "--json"]).out.includes(text)) failures.push(`lost: ${what}`);
  return { failures, isTold: done.code !== 0 };
}

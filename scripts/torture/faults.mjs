// One I/O call after another fails, in `whyrank index` and in writers of memos: the run says so or goes on, nothing
// acknowledged is lost, and the next run without faults is as good as a fresh one. Linux, with a C compiler.

import { spawnSync } from "node:child_process";
import { answers, cpSync, die, Failures, fresh, join, repository, run, scratch, writeFileSync } from "./lib.mjs";

const ERRNO = { EIO: 5, ENOSPC: 28, EDQUOT: 122 };

export async function faults({ n, seed }) {
  const base = scratch("faults");
  const shim = join(base, "fault.so");
  const compiled = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", shim, join(import.meta.dirname, "fault.c"), "-ldl"]);
  if (process.platform !== "linux" || compiled.status !== 0) {
    return { name: "faults of I/O", tried: "0: not Linux, or no C compiler", failures: [] };
  }
  const random = die(seed);
  const folder = repository(join(base, "repo"));
  const good = fresh(join(base, "good"));
  run(good, folder, ["index", folder, "--no-vectors"]);
  const wanted = answers(good, folder).given;
  const failures = new Failures();
  const acknowledged = [];
  const tally = { ended: 0, said: 0 };
  let home = fresh(join(base, "home"));
  for (let at = 1; at <= n; at += 1) {
    failures.reached(at, n);
    if (at % 8 === 1) home = renew(base, good, at);
    const [name, errno] = random.pick(Object.entries(ERRNO));
    const env = {
      LD_PRELOAD: shim,
      FAULT_PATH: home,
      FAULT_AT: String(1 + Math.floor(random.next() ** 2 * 600)),
      FAULT_ERRNO: String(errno),
      ...(random.next() < 0.5 ? { FAULT_ALL: "1" } : {}),
    };
    const memo = `memo ${at} under faults`;
    const isMemo = at % 3 === 0;
    writeFileSync(join(folder, "n.rs"), `pub fn n${at}() -> u32 {\n    ${at}\n}\n`);
    const args = isMemo ? ["memo", "add", memo] : ["index", folder, "--no-vectors"];
    const done = run(home, folder, args, { env });
    const what = `${args[0]} with ${name} at call ${env.FAULT_AT}${env.FAULT_ALL ? " and all after" : ""}`;
    if (done.crash) failures.push(`${done.crash}: ${what}: ${done.err.slice(-300)}`);
    else if (done.code !== 0 && !done.err.trim()) failures.push(`no message: ${what}`);
    tally[done.code === 0 ? "ended" : "said"] += 1;
    if (isMemo && done.code === 0) acknowledged.push([home, memo]);
    writeFileSync(join(folder, "n.rs"), "");
    spawnSync("rm", [join(folder, "n.rs")]);
    const again = run(home, folder, ["index", folder, "--no-vectors"]);
    const now = answers(home, folder).given;
    if (again.code !== 0 || wanted.some((answer, place) => now[place] !== answer)) failures.push(`not good afterwards: ${what}: ${again.err.slice(-300)}`);
    if (isMemo && done.code === 0 && !run(home, folder, ["memo", "list", "--json"]).out.includes(memo)) failures.push(`lost: ${memo}`);
  }
  return { name: "faults of I/O", tried: `${n} runs with a failing call: ${tally.ended} went on, ${tally.said} said so; ${acknowledged.length} memos acknowledged`, failures };
}

/** A home from nothing, or from a good index: both paths are written under faults. */
function renew(base, good, at) {
  const home = fresh(join(base, `home${at}`));
  if (at % 16 === 1) cpSync(good, home, { recursive: true });
  return home;
}

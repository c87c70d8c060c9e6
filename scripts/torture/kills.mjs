// Kills of `whyrank index` and of memo writers at random moments: nothing acknowledged is lost, and what the next
// run gives is what a fresh index gives.

import { answers, die, edit, Failures, fresh, join, repository, run, scratch, sleep, start } from "./lib.mjs";

export async function indexKills({ n, seed, checkEvery = 10 }) {
  const random = die(seed);
  const base = scratch("kills");
  const folder = repository(join(base, "repo"));
  const home = fresh(join(base, "home"));
  const failures = new Failures();
  let [kills, finished, checks, compared] = [0, 0, 0, 0];
  for (let round = 1; kills < n; round += 1) {
    failures.reached(kills, n);
    for (let times = random.below(3); times >= 0; times -= 1) edit(random, folder, round * 4 + times);
    const rebuild = random.next() < 0.12 ? ["--rebuild"] : [];
    const child = start(home, folder, ["index", folder, "--no-vectors", ...rebuild]);
    const ended = new Promise((done) => child.on("exit", (code) => done(code)));
    const early = await Promise.race([ended, sleep(random.next() * 600).then(() => "late")]);
    if (early === "late") {
      process.kill(-child.pid, "SIGKILL");
      await ended;
      kills += 1;
    } else {
      finished += 1;
      if (early !== 0) failures.push(`index after a kill ended with ${early}`);
    }
    if (kills && kills % checkEvery === 0 && early === "late") {
      const done = run(home, folder, ["index", folder, "--no-vectors"]);
      if (done.code !== 0) failures.push(`index: ${done.err.slice(-300)}`);
      const other = fresh(join(base, "fresh"));
      run(other, folder, ["index", folder, "--no-vectors"]);
      const [lived, expected] = [answers(home, folder), answers(other, folder)];
      checks += 1;
      compared += expected.given.length;
      if (lived.given.length !== expected.given.length) failures.push(`answers: ${lived.err.slice(-300)}`);
      expected.given.forEach((answer, at) => {
        if (lived.given[at] !== answer) failures.push(`answer ${at} differs after ${kills} kills`);
      });
      const doctor = run(home, folder, ["doctor", folder, "--deep", "--json"]);
      const bad = JSON.parse(doctor.out || "[]").filter((check) => check.name === "files" && check.state !== "ok");
      failures.push(...bad.map((check) => `doctor: ${check.message}`));
    }
  }
  return { name: "kills of index", tried: `${kills} kills, ${finished} runs that ended, ${compared} answers compared in ${checks} checks`, failures };
}

export async function memoKills({ n, seed }) {
  const random = die(seed);
  const base = scratch("memos");
  const folder = repository(join(base, "repo"), ["crates/system/src"]);
  const home = fresh(join(base, "home"));
  run(home, folder, ["index", folder, "--no-vectors"]);
  const acknowledged = new Set();
  const failures = new Failures();
  let [kills, writes] = [0, 0];
  while (kills < n) {
    failures.reached(kills, n);
    const pair = [0, 1].map(() => {
      writes += 1;
      const text = `memo number ${writes} says that files are replaced as a whole`;
      const child = start(home, folder, ["memo", "add", text]);
      return { child, text, ended: new Promise((done) => child.on("exit", (code) => done(code))) };
    });
    await Promise.race([Promise.all(pair.map((one) => one.ended)), sleep(random.next() * 250)]);
    for (const { child, text, ended } of pair) {
      if (child.exitCode === null) {
        try {
          process.kill(-child.pid, "SIGKILL");
          kills += 1;
        } catch {
          // It ended meanwhile.
        }
      }
      if ((await ended) === 0) acknowledged.add(text);
    }
  }
  const listed = run(home, folder, ["memo", "list", "--json"]);
  const out = listed.code === 0 ? listed.out : run(home, folder, ["memo", "export"]).out;
  for (const text of acknowledged) {
    const times = out.split(`${text}"`).length - 1;
    if (times === 0) failures.push(`lost: ${text}`);
  }
  return { name: "kills of memo writers", tried: `${kills} kills, ${writes} writes, ${acknowledged.size} acknowledged`, failures };
}

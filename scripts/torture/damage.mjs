// Damage in every kind of file of a home: an answer is the same, or says what is wrong; nothing crashes; the next
// `whyrank index` repairs what can be rebuilt.

import { answers, cpSync, DAMAGE, die, Failures, files, fresh, join, readFileSync, repository, run, scratch, statSync, writeFileSync } from "./lib.mjs";
import { randomBytes } from "node:crypto";

export async function damage({ n, seed, models }) {
  const random = die(seed);
  const base = scratch("damage");
  const folder = repository(join(base, "repo"));
  const good = fresh(join(base, "good"));
  run(good, folder, ["index", folder, "--no-vectors"], { env: models });
  for (let at = 0; at < 6; at += 1) run(good, folder, ["memo", "add", `memo ${at}: programs are started by their whole path`]);
  const memos = run(good, folder, ["memo", "list", "--json"]).out;
  const wanted = answers(good, folder).given;
  const byKind = new Map();
  for (const path of files(good).filter((name) => isStored(good, name))) byKind.set(kind(path), [...(byKind.get(kind(path)) ?? []), path]);
  const kinds = [...byKind];
  const failures = new Failures();
  const tally = {};
  for (let at = 0; at < n; at += 1) {
    failures.reached(at, n);
    const [name, paths] = kinds[at % kinds.length];
    const home = fresh(join(base, "bad"));
    cpSync(good, home, { recursive: true, preserveTimestamps: true });
    const path = random.pick(paths);
    const what = `${spoil(random, join(home, path))} in ${path}`;
    const before = answers(home, folder);
    const list = run(home, folder, ["memo", "list", "--json"]);
    const verdict = judge(before, wanted, list, memos);
    if (verdict === "silent" || verdict === "crash") failures.push(`${verdict}: ${what}: ${before.crash ?? list.crash ?? first(before.given, wanted)}`);
    const index = run(home, folder, ["index", folder, "--no-vectors"]);
    if (index.crash) failures.push(`index ${index.crash}: ${what}`);
    const after = answers(home, folder);
    const repaired = first(after.given, wanted) === null;
    // Settings and registrations are the person's: they are named, and not rebuilt.
    if (!repaired && !DAMAGE.test(after.said + index.err)) failures.push(`not repaired: ${what}: ${first(after.given, wanted)} ${index.err.slice(-200)}`);
    tally[name] ??= {};
    const key = `${verdict}, then ${repaired ? "repaired" : "named"}`;
    tally[name][key] = (tally[name][key] ?? 0) + 1;
  }
  return { name: "damaged files", tried: `${n} in ${kinds.length} kinds of file`, failures, detail: tally };
}

function judge(before, wanted, list, memos) {
  if (before.crash || list.crash) return "crash";
  const isSame = first(before.given, wanted) === null && list.out === memos;
  if (isSame) return "same";
  const saidOfAnswers = first(before.given, wanted) === null || before.code !== 0 || DAMAGE.test(before.said);
  const saidOfMemos = list.out === memos || list.code !== 0 || DAMAGE.test(list.err + list.out);
  return saidOfAnswers && saidOfMemos ? "said" : "silent";
}

/** Where two lists of answers differ first; null where they do not. */
function first(given, wanted) {
  const at = wanted.findIndex((answer, place) => given[place] !== answer);
  return at < 0 ? null : `answer ${at}: ${String(given[at]).slice(0, 120)}`;
}

function isStored(home, path) {
  return !/(-shm|-wal|lock|batch\.jsonl)$|models\/|calls\.db|traces\.db/.test(path) && statSync(join(home, path)).size > 0;
}

export function kind(path) {
  const name = path.split("/").at(-1);
  if (path.includes("/lexical/")) return `lexical ${name.includes(".") ? name.split(".").at(-1) : name}`;
  if (path.includes("/derived/")) return "derived";
  return name.replace(/^[0-9a-f]{12,}/, "").replace(/-[0-9a-f]{8,}/, "");
}

/** Damages one file in one of seven ways, mostly by one bit. */
function spoil(random, path) {
  let bytes = readFileSync(path);
  const at = random.below(bytes.length);
  const how = random.pick(["bit", "bit", "bit", "bytes", "cut", "zeros", "tail"]);
  if (how === "bit") bytes[at] ^= 1 << random.below(8);
  if (how === "bytes") for (let times = 0; times < 40; times += 1) bytes[random.below(bytes.length)] = random.below(256);
  if (how === "cut") bytes = bytes.subarray(0, at);
  if (how === "zeros") bytes.fill(0, at, Math.min(at + 4096, bytes.length));
  if (how === "tail") bytes = Buffer.concat([bytes, randomBytes(500)]);
  writeFileSync(path, bytes);
  return `${how} at ${at} of ${bytes.length}`;
}

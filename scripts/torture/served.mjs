// Damage in every kind of file of a home under a server that has read it: what is asked again is the same, or says what
// is wrong and what to do, and nothing panics. A save after it is found, and a memo that is acknowledged stays.

import { appendFileSync, rmSync, truncateSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { kind } from "./damage.mjs";
import { client, cpSync, DAMAGE, die, existsSync, Failures, files, fresh, git, join, readFileSync, repository, run, scratch, statSync, writeFileSync } from "./lib.mjs";

const HOWS = ["half", "nothing", "deleted", "overwritten", "bit"];
const QUESTIONS = [
  ["refs", { symbol: "replace" }],
  ["impact", { symbol: "discover" }],
  ["search", { query: "where are ignored files left out" }],
  ["search", { query: "Repository.discover" }],
  ["lookup", { symbol: "Listing" }],
  ["recall", { query: "programs" }],
  ["overview", {}],
];
/** What an answer may say in the place of the same one. */
const SAYS_SO = new RegExp(`${DAMAGE.source}|INDEX |ask again|was removed or replaced|BY NAME ONLY|cut short|made again`, "i");

export async function served({ n, seed }) {
  const random = die(seed);
  const base = scratch("served");
  // Of 100,000 definitions on an edit is laid over the graph.
  const folder = large(repository(join(base, "repo"), ["crates/system/src", "crates/source/src"]), n >= 200 ? 170 : n >= 20 ? 40 : 1);
  const good = fresh(join(base, "good"));
  run(good, folder, ["index", folder, "--no-vectors"]);
  appendFileSync(join(folder, "large0.rs"), "\npub fn laid_over() -> u32 {\n    large_0_0()\n}\n");
  run(good, folder, ["index", folder, "--no-vectors"]);
  for (let at = 0; at < 3; at += 1) run(good, folder, ["memo", "add", `memo ${at}: programs are started by their whole path`]);
  run(good, folder, ["search", "replace a file"]);
  const byKind = new Map();
  for (const path of files(good).filter((name) => isStored(good, name))) byKind.set(kindOf(path), [...(byKind.get(kindOf(path)) ?? []), path]);
  const cases = [...byKind].flatMap(([name, paths]) => HOWS.map((how) => ({ name, paths, how })));
  const failures = new Failures();
  const tally = {};
  for (let at = 0; at < n; at += 1) {
    failures.reached(at, n);
    const { name, paths, how } = n < cases.length ? random.pick(cases) : cases[at % cases.length];
    const home = fresh(join(base, "home"));
    cpSync(good, home, { recursive: true, preserveTimestamps: true });
    const chosen = how === "bit" || how === "overwritten" ? [random.pick(paths)] : paths;
    const verdict = await trial({ home, folder, random, how, chosen, number: at });
    for (const what of verdict.failures) failures.push(`${how}: ${chosen.length > 1 ? `${chosen.length} of ${name}` : chosen[0]}: ${what}`);
    tally[name] ??= {};
    tally[name][verdict.said] = (tally[name][verdict.said] ?? 0) + 1;
  }
  return { name: "files damaged under a server", tried: `${n} in ${byKind.size} kinds of file`, failures, detail: tally };
}

async function trial({ home, folder, random, how, chosen, number }) {
  const server = client(home, folder);
  await server.begin();
  const ask = async () => {
    const given = [];
    for (const [tool, args] of QUESTIONS) given.push(plain(await server.call(tool, { ...args, max_tokens: 9000 })));
    return given;
  };
  await ask();
  const wanted = await ask();
  for (const path of chosen) spoil(random, join(home, path), how);
  const failures = [];
  const turns = [await ask(), await ask(), await ask()];
  const compare = (given, turn) =>
    given.map((answer, at) => {
      if (answer === wanted[at]) return "same";
      if (SAYS_SO.test(answer)) return "said";
      failures.push(`${QUESTIONS[at][0]} in turn ${turn}: ${difference(answer, wanted[at])}`);
      return "other";
    });
  const said = turns.map(compare).flat();
  // A file that is gone must not be gone on with for ever.
  const saved = join(folder, `saved${number}.rs`);
  writeFileSync(saved, `pub fn saved_${number}() -> u32 {\n    ${number}\n}\n`);
  let seen = "";
  for (let turn = 0; turn < 40 && !seen.includes(`saved${number}.rs:1`); turn += 1) seen = plain(await server.call("lookup", { symbol: `saved_${number}` }));
  if (!seen.includes(`saved${number}.rs`) && !SAYS_SO.test(seen)) failures.push(`a save is not seen: ${seen.slice(0, 300)}`);
  else if (!seen.includes(`saved${number}.rs`)) said.push("said");
  rmSync(saved);
  const memo = `memo ${number} after the damage`;
  const kept = plain(await server.call("remember", { content: memo }));
  if (server.said().includes("panicked")) failures.push(`panic: ${/panicked at[^\n]*\n[^\n]*/.exec(server.said())?.[0]}`);
  server.end();
  const exported = run(home, folder, ["memo", "export"]);
  // Of a memory whose file is damaged not all can be read, which is said.
  const isDamaged = exported.code !== 0 || DAMAGE.test(exported.err);
  if (kept.startsWith("remembered") && !isDamaged && !exported.out.includes(memo)) failures.push(`lost: ${memo}: ${kept.slice(0, 200)}`);
  return { failures, said: said.includes("said") ? "said, or repaired" : "the same" };
}

/** Definitions enough for segments of names, and with 170 files for an overlay. */
function large(folder, n_files) {
  for (let file = 0; file < n_files; file += 1) {
    const text = Array.from({ length: 600 }, (_, at) => `pub fn large_${file}_${at}() -> u32 {\n    ${at ? `large_${file}_${at - 1}()` : "1"}\n}\n`);
    writeFileSync(join(folder, `large${file}.rs`), text.join("\n"));
  }
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "large");
  return folder;
}

function plain(answer) {
  if (!answer) return "no answer: the server ended";
  const text = answer.result?.content?.map((part) => part.text).join("\n") ?? JSON.stringify(answer.error);
  return text.replace(/\bq[0-9a-f]{6,}\b|rest r\w+|\d+(\.\d+)? ms/g, "");
}

function difference(given, wanted) {
  const [a, b] = [given.split("\n"), wanted.split("\n")];
  const at = b.findIndex((line, place) => a[place] !== line);
  return `line ${at}: ${String(a[at]).slice(0, 160)} for ${String(b[at]).slice(0, 160)}`;
}

function spoil(random, path, how) {
  const size = statSync(path).size;
  if (how === "deleted") rmSync(path);
  else if (how === "half") truncateSync(path, Math.floor(size / 2));
  else if (how === "nothing") truncateSync(path, 0);
  else {
    const bytes = readFileSync(path);
    const at = random.below(size);
    if (how === "bit") bytes[at] ^= 1 << random.below(8);
    else randomBytes(Math.min(4096, size - at)).copy(bytes, at);
    writeFileSync(path, bytes);
  }
}

/** Derived files are of several kinds. */
function kindOf(path) {
  return path.includes("/derived/") ? `derived ${path.split("/").at(-1).split(/[-.]/)[0]}` : kind(path);
}

function isStored(home, path) {
  return !/(-shm|-wal|lock|requests)$|models\//.test(path) && existsSync(join(home, path)) && statSync(join(home, path)).size > 0;
}

// `npm run fuzz -- MINUTES [TARGET]`: every reader of foreign bytes is given inputs that libFuzzer makes of seeds, led by
// coverage, under AddressSanitizer, the parsers in C included. A finding ends its target: a panic, bad memory, an input that
// takes longer than a minute or more than 2 GB. It is written to target/fuzz/findings and named; the inputs that were worth
// keeping stay in target/fuzz/corpus for the next run.
//
// Sanitizers are not stable in Rust: RUSTC_BOOTSTRAP lets the stable compiler have them, for this build alone.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { ask, root, run } from "./steps.mjs";

const minutes = Number(process.argv[2] ?? 1);
const only = process.argv[3];
const host = ask("rustc", "-vV").match(/host: (.*)/)[1];
const folder = process.env.WHYRANK_FUZZ_DIR ?? join(root, "target/fuzz");
const coverage = ["level=4", "inline-8bit-counters", "pc-table", "trace-compares"];

/** Builds with coverage; compilers of C on Windows have other words for the sanitizer, so there they go without. */
async function build() {
  const flags = ["-Zsanitizer=address", "-Cpasses=sancov-module", ...coverage.map((word) => `-Cllvm-args=-sanitizer-coverage-${word}`)];
  const env = { CARGO_TARGET_DIR: folder, RUSTC_BOOTSTRAP: "1", RUSTFLAGS: flags.join(" ") };
  if (platform() !== "win32") env[`CFLAGS_${host.replaceAll("-", "_")}`] = "-fsanitize=address";
  await run("cargo", ["build", "--quiet", "-p", "whyrank-tests", "--features", "fuzz", "--test", "fuzz", "--target", host], { env });
  const built = join(folder, host, "debug/deps");
  const isProgram = (name) => /^fuzz-[0-9a-f]+(\.exe)?$/.test(name);
  const programs = readdirSync(built).filter(isProgram).map((name) => join(built, name));
  // Programs of earlier sources stay there.
  return programs.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0];
}

/** Runs a target for this many seconds; what it said at the end. */
async function fuzz(program, target, seconds) {
  const [corpus, findings] = [join(folder, "corpus", target), join(folder, "findings")];
  const seeds = mkdtempSync(join(tmpdir(), "whyrank-fuzz-"));
  for (const path of [corpus, findings]) mkdirSync(path, { recursive: true });
  const args = [corpus, seeds, `-max_total_time=${seconds}`, "-timeout=60", "-rss_limit_mb=2048", "-max_len=65536", "-print_final_stats=1"];
  args.push(`-artifact_prefix=${findings}/${target}-`, `-dict=${join(root, "tests/fuzz/words.dict")}`);
  const asan = "detect_leaks=0:detect_odr_violation=0:quarantine_size_mb=32";
  const env = { ...process.env, WHYRANK_FUZZ_TARGET: target, WHYRANK_FUZZ_SEEDS: seeds, ASAN_OPTIONS: asan };
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (bytes) => (said = (said + bytes).slice(-20_000)));
  const code = await new Promise((done) => child.on("close", done));
  rmSync(seeds, { recursive: true, force: true });
  return { code, said };
}

const program = await build();
const source = readFileSync(join(root, "tests/fuzz/targets/mod.rs"), "utf8");
const all = [...source.matchAll(/^ {4}(?:target|with_seeds)\(\s*"(\w+)"/gm)].map(([, name]) => name);
const chosen = all.filter((name) => !only || name === only);
let n_failed = 0;
for (const target of chosen) {
  const seconds = Math.max(1, Math.round((minutes * 60) / chosen.length));
  const { code, said } = await fuzz(program, target, seconds);
  const n_inputs = said.match(/number_of_executed_units: (\d+)/)?.[1] ?? "?";
  console.log(`${code ? "✗" : "✓"} ${target}: ${n_inputs} inputs in ${seconds} s`);
  if (code) {
    n_failed += 1;
    console.log(said.slice(-4000));
  }
}
process.exit(n_failed || !chosen.length ? 1 : 0);

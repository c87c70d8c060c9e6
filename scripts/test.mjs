// `npm test`: the set-up of `npm start` and the model, then every check and test, the real window included.
// The last line counts them. `npm test -- --quick` leaves out what drives the built programs: for between two edits.

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { npm, selection, setUp, whyrank } from "./setup.mjs";
import { ask, main, root, run, runAndRead, say, step, tally } from "./steps.mjs";

const results = join(root, "test-results");
const skips = join(results, "skips.txt");
const isQuick = process.argv.includes("--quick");
// cargo takes patterns: all test programs but `end_to_end`, and `fuzz`, which has a feature of its own.
const rustTests = isQuick ? ["--lib", "--bins", "--test", "[!ef]*", "--test", "en[!d]*"] : [];

await main(
  async () => {
    await setUp({ windowTest: !isQuick });
    rmSync(results, { recursive: true, force: true });
    mkdirSync(results, { recursive: true });
    shareWithTests();

    // The cheap ones first: what fails is told after minutes.
    await check("UI lints", npm, ["run", "--silent", "lint:ui"], "run `npm run format:ui`, fix what is left");
    await tests("UI tests", npm, ["run", "--silent", "test:ui"]);
    await tests("tests of the scripts", process.execPath, ["--test", "scripts/progress.test.mjs", "scripts/servers/names.test.mjs"]);
    await check("format", "cargo", ["fmt", "--all", "--check"], "run `cargo fmt --all`");
    await check(
      "lints (clippy)",
      "cargo",
      ["clippy", ...selection, "--all-targets", "--", "-D", "warnings"],
      "fix the warnings above",
    );
    await checkDependencies();
    await tests("Rust tests", "cargo", ["test", ...selection, ...rustTests, "--no-fail-fast"]);
    if (!isQuick) await drivePrograms();
    listSkips();
  },
  { closingLine: true },
);

/** Licences, bans and sources of the crates, by deny.toml; CI installs what it takes. */
async function checkDependencies() {
  if (!ask("cargo", "deny", "--version")) {
    say("\nlicences and sources of crates not checked: `cargo install --locked cargo-deny` brings cargo deny");
    return;
  }
  const args = ["deny", "check", "licenses", "bans", "sources"];
  await check("licences and sources of crates", "cargo", args, "drop the crate, or say in deny.toml why it may stay");
}

/** What starts the built programs: MCP servers, kills and damage, the window. */
async function drivePrograms() {
  const mcp = ["mcp", "http", "python", "many"].map((name) => `tests/mcp/${name}.test.mjs`);
  await tests("MCP with the official clients", process.execPath, ["--test", "--test-concurrency=2", ...mcp]);
  await check("torture, in short", process.execPath, ["scripts/torture/run.mjs", "--short"], "each line above names what led to the failure");
  const windows = ["window", "agents", "reranker", "memory", "memory-keys", "keyboard", "welcome", "link", "desktop", "several", "together", "high", "fresh", "names", "changes", "turns", "model"].map((name) => `tests/window/${name}.test.mjs`);
  await tests("the real window", process.execPath, ["--test", "--test-concurrency=2", ...windows]);
}

/** Tests have a home of their own each; the model and the programs are shared through these. */
function shareWithTests() {
  process.env.WHYRANK_TEST_BIN = dirname(whyrank);
  process.env.WHYRANK_TEST_SKIPS = skips;
  const model = ask(whyrank, "models", "path");
  if (model) process.env.WHYRANK_TEST_MODEL = model;
}

/** A check that passes or fails as a whole. */
async function check(title, command, args, next) {
  await step(title, () => run(command, args, { next }));
  tally.passed += 1;
}

/** Runs tests and adds up what their runner counted. */
async function tests(title, command, args) {
  const next = "the failing tests are named above";
  await step(title, async () => {
    try {
      count(await runAndRead(command, args, { next }));
    } catch (error) {
      count(error.output ?? "");
      throw error;
    }
  });
}

/** Reads the closing lines of cargo test, vitest and node:test. */
function count(output) {
  const text = output.replace(/\u001b\[[0-9;]*m/g, "");
  const sum = (pattern) => [...text.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0);
  tally.passed +=
    sum(/^test result: .*?(\d+) passed/gm) + sum(/^ +Tests .*?(\d+) passed/gm) + sum(/^(?:#|ℹ) pass (\d+)/gm);
  tally.failed +=
    sum(/^test result: .*?(\d+) failed/gm) + sum(/^ +Tests .*?(\d+) failed/gm) + sum(/^(?:#|ℹ) fail (\d+)/gm);
}

/** A test that cannot run on this machine says why in a file: nothing is left out silently. */
function listSkips() {
  if (!existsSync(skips)) return;
  const lines = readFileSync(skips, "utf8").trim().split("\n");
  say("\nnot run on this machine:");
  for (const line of lines) say(`  ${line}`);
  tally.skipped = lines.length;
  tally.passed -= lines.length;
}

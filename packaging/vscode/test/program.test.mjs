// Finding and calling a program; `process.execPath` stands for one that does as it is told.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { folder } from "../../../tests/support.mjs";
import { answerOf, findProgram, isWithin, run } from "../parts/program.mjs";

const name = process.platform === "win32" ? "whyrank.exe" : "whyrank";

function program(at) {
  mkdirSync(at, { recursive: true });
  const file = join(at, name);
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  return file;
}

const failsAs = (code, words) => (error) => error.code === code && words.test(error.message);

test("a name is found on PATH", (t) => {
  const base = folder(t, "path");
  const file = program(join(base, "bin"));
  assert.equal(
    findProgram("whyrank", [], [join(base, "none"), join(base, "bin")].join(delimiter)),
    file,
  );
});

test("a program of the workspace is not taken, whatever PATH says", (t) => {
  const base = folder(t, "path");
  const workspace = join(base, "workspace");
  program(join(workspace, "bin"));
  program(workspace);
  const path = [join(workspace, "bin"), workspace, ".", ""].join(delimiter);
  assert.throws(() => findProgram("whyrank", [workspace], path), failsAs("missing", /not on PATH/));
  const own = program(join(base, "bin"));
  assert.equal(findProgram("whyrank", [workspace], `${path}${delimiter}${join(base, "bin")}`), own);
});

test("a path is absolute or none, and leads to a program", (t) => {
  const base = folder(t, "path");
  const file = program(base);
  assert.equal(findProgram(file, [], ""), file);
  assert.throws(() => findProgram("./whyrank", [], base), failsAs("missing", /absolute/));
  assert.throws(() => findProgram(base, [], ""), failsAs("missing", /is no program/));
  assert.throws(
    () => findProgram(join(base, "other"), [], ""),
    failsAs("missing", /is no program/),
  );
});

test("a folder beside another is not in it", () => {
  assert.ok(isWithin("/a/b", "/a/b"));
  assert.ok(isWithin("/a/b", "/a/b/..c"));
  assert.ok(!isWithin("/a/b", "/a/bc"));
  assert.ok(!isWithin("/a/b", "/a/b/../c"));
});

const node = (script, more = {}) =>
  run({ program: process.execPath, args: ["-e", script], cwd: process.cwd(), ...more });

test("output comes with the exit code, input is handed over", async () => {
  const script = "process.stdin.pipe(process.stdout); process.exitCode = 3";
  assert.deepEqual(await node(script, { input: "$(x) `y`" }), {
    status: 3,
    stdout: "$(x) `y`",
    stderr: "",
  });
});

test("lines are told while it runs", async () => {
  const lines = [];
  await node("console.error('one'); console.error('two')", { onLine: (line) => lines.push(line) });
  assert.deepEqual(lines, ["one", "two"]);
});

test("a call that is cancelled ends its program", async () => {
  const ending = new AbortController();
  const called = node("setTimeout(() => {}, 60_000); console.error('up')", {
    signal: ending.signal,
    onLine: () => ending.abort(),
  });
  await assert.rejects(called, failsAs("cancelled", /cancelled/));
});

test("a program that is gone is missing", async () => {
  const call = { program: "/nowhere/whyrank", args: [], cwd: process.cwd() };
  await assert.rejects(run(call), failsAs("missing", /cannot be run/));
});

test("an error of the program is a failure with its hint", () => {
  const stdout = JSON.stringify({
    error: { code: "stale", message: "it is old", hint: "index it" },
  });
  assert.throws(
    () => answerOf({ status: 4, stdout, stderr: "" }),
    (error) => error.code === "stale" && error.message === "it is old" && error.hint === "index it",
  );
});

test("what is no JSON is said, not parsed", () => {
  const unknown = "error: unrecognized subcommand";
  assert.throws(
    () => answerOf({ status: 2, stdout: "", stderr: unknown }),
    failsAs("no-answer", /unrecognized/),
  );
  assert.throws(
    () => answerOf({ status: null, stdout: "", stderr: "" }),
    failsAs("no-answer", /said nothing/),
  );
});

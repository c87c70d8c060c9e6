// The status of a build: read from cargo's bar, estimated from the parts that are done.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, readBar, reader } from "./progress.mjs";

test("a bar says how many parts are done, and which are at work", () => {
  assert.deepEqual(readBar("    Building [=====>           ] 120/488: tantivy, serde(build)"), { done: 120, total: 488, names: "tantivy, serde(build)" });
  assert.deepEqual(readBar("    Building [> ] 0/488"), { done: 0, total: 488, names: "" });
  assert.equal(readBar("   Compiling serde v1.0.229"), undefined);
});

test("pieces that end anywhere are the same bars and lines; warnings are kept, each part's line is not", () => {
  const cargo = " Downloading 9 crates, remaining bytes: 2.1MB\r\u001b[32m   Compiling\u001b[0m serde v1\n\u001b[Kwarning: unused\r    Building [> ] 1/9: a\r\u001b[Kerror: no\n";
  for (const size of [1, 7, cargo.length]) {
    const lines = [];
    const states = [];
    const read = reader((line) => lines.push(line), (state) => states.push(state.waits ?? state.done));
    for (let at = 0; at < cargo.length; at += size) read(cargo.slice(at, at + size));
    assert.deepEqual(lines, ["warning: unused", "error: no"]);
    assert.deepEqual(states, ["Downloading 9 crates, remaining bytes: 2.1MB", 1]);
  }
});

test("the time left is guessed at first, measured later, and short where parts were there already", () => {
  assert.equal(describe({ done: 0, total: 824, names: "" }, 0, 2), "0 of 824 parts, about 9 min left");
  assert.equal(describe({ done: 700, total: 824, names: "gtk" }, 1000, 2), "700 of 824 parts, about 3 min left: gtk");
  assert.equal(describe({ done: 480, total: 488, names: "" }, 1, 2), "480 of 488 parts, less than a minute left");
});

// Names drawn from a text: of code alone, each with its place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { drawNames } from "./names.mjs";

const file = { path: "a.py", text: 'total = 1  # of all\nsay("not this", total)\n' };

test("names are those of code, with their places, and the seed gives their order", () => {
  const drawn = drawNames([file], "python", 7);
  const shown = drawn.map(({ name, line, character }) => `${name} ${line}:${character}`);
  assert.deepEqual([...shown].sort(), ["say 1:0", "total 0:0", "total 1:16"]);
  assert.deepEqual(drawNames([file], "python", 7), drawn);
});

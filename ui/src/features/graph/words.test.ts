import { expect, it } from "vitest";
import { edge } from "./fixtures";
import { lineOf } from "./words";

it("names no line where nothing is used: an implementation has none", () => {
  expect(lineOf(edge("a", "b", { line: 12 }))).toBe(12);
  expect(lineOf(edge("a", "b", { line: 0 }))).toBe(null);
  expect(lineOf(edge("a", "b", { line: null }))).toBe(null);
});

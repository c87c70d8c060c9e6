import { expect, it } from "vitest";
import { moreFrom } from "./same-files";

const hits = (...pairs: [string, number][]) => pairs.map(([path, score]) => ({ path, score }));

it("finds where the list begins again with files that were listed", () => {
  expect(moreFrom(hits(["a", 0.3], ["b", 0.1], ["a", 0.2], ["b", 0.05]))).toBe(2);
  expect(moreFrom(hits(["a", 0.3], ["a", 0.2], ["b", 0.1]))).toBe(-1);
  expect(moreFrom(hits(["a", 0.1], ["b", 0.2]))).toBe(-1);
  expect(moreFrom([])).toBe(-1);
});

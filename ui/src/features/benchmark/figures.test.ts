import { expect, it } from "vitest";
import type { RunInfo } from "../../ipc";
import {
  interval,
  partialNote,
  score,
  shortCommit,
  signedCount,
  signedScore,
  tokensAgainst,
} from "./figures";

it("writes scores with three decimals and no leading zero", () => {
  expect([0.8124, 1, 0, -0.02, null].map(score)).toEqual([".812", "1.000", ".000", "−.020", "–"]);
  expect(interval({ mean: 0.5, low: 0.4, high: 1 })).toBe("[.400,\u00a01.000]");
});

it("signs differences, but not those that round to nothing", () => {
  expect([0.051, -0.02, 0.0001, -0.0001, 0].map(signedScore)).toEqual([
    "+.051",
    "−.020",
    ".000",
    ".000",
    ".000",
  ]);
  expect([1200, -3, 0.2].map(signedCount)).toEqual(["+1,200", "−3", "0"]);
});

it("says how many tokens one costs against another", () => {
  const check = (ours: number, theirs: number, words: string) =>
    expect(tokensAgainst(ours, theirs).replaceAll("\u00a0", " ")).toBe(words);
  check(60, 100, "40% fewer");
  check(130, 100, "30% more");
  check(100, 100.2, "as many");
  check(431, 8358, "19.4 times fewer");
  check(320, 100, "3.2 times as many");
  check(0, 100, "");
});

it("shortens a commit and keeps its mark of changes", () => {
  expect(shortCommit("279ec330f1c2+")).toBe("279ec33+");
  expect(shortCommit("279ec33")).toBe("279ec33");
  expect(shortCommit(null)).toBe("");
});

it("marks the figures of a run without all its answers", () => {
  const note = (state: RunInfo["state"], n_done: number) =>
    partialNote({ state, n_done, n_wanted: 3000 } as RunInfo);
  expect(note("cancelled", 1204)).toBe(
    "Cancelled: 1,204 of 3,000 answers; figures cover what was answered.",
  );
  expect(note("running", 5)).toMatch(/^5 of 3,000 answers so far/);
  expect(note("complete", 2990)).toMatch(/^Partial: /);
  expect(note("complete", 3000)).toBeNull();
});

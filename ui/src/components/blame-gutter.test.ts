import { expect, it } from "vitest";
import { ageStep, commitAt, shortAge } from "./blame-gutter";

const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 23);

it("says an age in as few letters as a gutter has room for", () => {
  const ages = [0.2, 3, 45, 400, 4000].map((days) => shortAge(now - days * DAY, now));
  expect(ages).toEqual(["today", "3 d", "1 mo", "1 y", "10 y"]);
  expect([1, 10, 100, 700, 4000].map((days) => ageStep(now - days * DAY, now))).toEqual([
    0, 1, 2, 3, 4,
  ]);
});

it("tells a line that is not committed from one that is not known", () => {
  const commit = { sha: "a", author: "b", at: now, summary: "c" };
  const blame = {
    path: "a.rs",
    ranges: [
      { start_line: 1, end_line: 2, commit: 0 },
      { start_line: 3, end_line: 3, commit: null },
    ],
    commits: [commit],
    stopped: "1 line was not reached",
  };
  expect([2, 3, 4].map((line) => commitAt(blame, line))).toEqual([commit, null, undefined]);
});

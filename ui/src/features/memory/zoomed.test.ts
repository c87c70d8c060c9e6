import { expect, it } from "vitest";
import type { MemoTimeline, TimelineBar } from "../../ipc";
import { zoomed } from "./zoomed";

const bar = (from: number, until: number | null) => ({ memo: "m", from, until }) as TimelineBar;
const timeline = (n: number, bars: TimelineBar[]): MemoTimeline => ({
  commits: Array.from({ length: n }, (_, at) => ({ sha: `c${at}`, at, summary: "" })),
  n_commits: n,
  bars,
  recorded: [],
});
const shas = (of: { commits: { sha: string }[] }) => of.commits.map(({ sha }) => sha).join(" ");

it("begins at the first memo and folds commits that change none", () => {
  const shown = zoomed(timeline(205, [bar(190, null), bar(192, 200)]), null);
  expect(shas(shown)).toBe("c189 c190 c191 c192 c200 c204");
  expect(shown.folded).toEqual([0, 0, 0, 7, 3, 0]);
  expect(shown.bars.map(({ from, until }) => [from, until])).toEqual([
    [1, null],
    [3, 4],
  ]);
});

it("keeps the commit that is looked at", () => {
  expect(shas(zoomed(timeline(40, [bar(20, null)]), "c5"))).toBe("c5 c19 c20 c39");
});

it("lets a memo hold to the end that ends there", () => {
  const shown = zoomed(timeline(10, [bar(4, 10)]), null);
  expect(shown.bars[0]?.until).toBe(shown.commits.length);
});

it("leaves a timeline without memos as it is", () => {
  expect(zoomed(timeline(3, []), null).commits).toHaveLength(3);
});

import { expect, it } from "vitest";
import type { MemoTimeline, TimelineBar } from "../../ipc";
import { commitFrom, type Zoomed, zoomed } from "./zoomed";

const bar = (from: number, until: number | null) => ({ memo: "m", from, until }) as TimelineBar;
const timeline = (n: number, bars: TimelineBar[]): MemoTimeline => ({
  commits: Array.from({ length: n }, (_, at) => ({ sha: `c${at}`, at, summary: "" })),
  places: Array.from({ length: n }, (_, at) => at),
  n_commits: n,
  bars,
  recorded: [],
});
const words = ({ steps }: Zoomed) =>
  steps.map((step) => (step.kind === "fold" ? `(${step.n})` : step.commit.sha)).join(" ");

it("folds commits that change no memo into pieces, and bars go on through them", () => {
  const shown = zoomed(timeline(205, [bar(190, null), bar(192, 200)]), null);
  expect(words(shown)).toBe("(189) c189 c190 c191 c192 (7) c200 (3) c204");
  expect(shown.bars.map(({ from, until }) => [from, until])).toEqual([
    [2, null],
    [4, 6],
  ]);
});

it("opens one piece, and leaves the others folded", () => {
  const shown = zoomed(timeline(205, [bar(190, null), bar(192, 200)]), null, new Set(["c192"]));
  const opened = "c193 c194 c195 c196 c197 c198 c199";
  expect(words(shown)).toBe(`(189) c189 c190 c191 c192 ${opened} c200 (3) c204`);
  expect(shown.bars[1]).toMatchObject({ from: 4, until: 12 });
  const begun = zoomed(timeline(9, [bar(5, null)]), null, new Set([""]));
  expect(words(begun)).toBe("c0 c1 c2 c3 c4 c5 c6 c7 c8");
});

it("keeps the commit that is looked at", () => {
  expect(words(zoomed(timeline(40, [bar(20, null)]), "c5"))).toBe("(5) c5 (13) c19 c20 (18) c39");
});

it("lets a memo hold to the end that ends there", () => {
  const shown = zoomed(timeline(10, [bar(4, 10)]), null);
  expect(shown.bars[0]?.until).toBe(shown.steps.length);
});

it("leaves a timeline without memos as it is", () => {
  expect(words(zoomed(timeline(9, []), null))).toBe("c0 c1 c2 c3 c4 c5 c6 c7 c8");
});

it("goes past a piece to the next commit", () => {
  const { steps } = zoomed(timeline(40, [bar(20, null)]), null);
  expect(words({ steps, bars: [], recorded: [] })).toBe("(19) c19 c20 (18) c39");
  expect(commitFrom(steps, 3, 1)).toBe(4);
  expect(commitFrom(steps, 3, -1)).toBe(2);
  expect(commitFrom(steps, 0, -1)).toBeNull();
});

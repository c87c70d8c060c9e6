import { expect, it } from "vitest";
import { pair, row, summaryOf } from "./fixtures";
import { differsInFew, isSame, outcomeOf, verdictOf } from "./verdict";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

it("says that the main subject is ahead only when the interval leaves out zero", () => {
  const rows = [row("W", 0.8), row("grep", 0.7)];
  const ahead = verdictOf(summaryOf(rows, [pair("grep", 0.7, [0.05, 0.15])]), "s");
  expect(ahead.outcome).toBe("ahead");
  expect(plain(ahead.sentence)).toBe(
    "W is clearly ahead of grep, the best of the others: +.100 [+.050, +.150]. W uses as many tokens per task.",
  );
  const level = verdictOf(summaryOf(rows, [pair("grep", 0.7, [-0.01, 0.15])]), "s");
  expect(level.outcome).toBe("level");
  expect(level.sentence).toMatch(/^No clear difference between W and grep/);
});

it("says so when a baseline wins", () => {
  const rows = [row("W", 0.6), row("grep", 0.5), row("smart", 0.7)];
  const pairs = [pair("grep", 0.5, [0.05, 0.15]), pair("smart", 0.7, [-0.15, -0.05])];
  const verdict = verdictOf(summaryOf(rows, pairs), "s");
  expect(verdict.best?.subject).toBe("smart");
  expect(verdict.outcome).toBe("behind");
  expect(verdict.sentence).toMatch(/^smart is clearly ahead of W/);
});

it("names a subject of few tasks aside, and does not take it for the best", () => {
  const rows = [row("W", 0.8), row("grep", 0.7), row("graph", 0.95, { n: 40 })];
  const pairs = [pair("grep", 0.7, [0.05, 0.15]), pair("graph", 0.95, [-0.1, -0.02], 40)];
  const verdict = verdictOf(summaryOf(rows, pairs), "s");
  expect(verdict.best?.subject).toBe("grep");
  expect(plain(verdict.asides[0] ?? "")).toBe(
    "On the 40 tasks that graph answers it is clearly ahead of W: −.060 [−.100, −.020].",
  );
});

it("shows the means over the tasks that both answered, whatever each has over its own", () => {
  const rows = [row("W", 0.875, { n: 40 }), row("smart", 0.881, { n: 20 })];
  const pairs = [pair("smart", 0.881, [-0.054, 0.2], 20)];
  const verdict = verdictOf(summaryOf(rows, pairs), "s");
  expect([verdict.main?.mean, verdict.best?.mean]).toEqual([0.954, 0.881]);
  expect([verdict.nTasks, verdict.nAll]).toEqual([20, 40]);
  // Its interval is that of other tasks.
  expect(verdict.main?.interval).toBeUndefined();
  expect(verdict.best?.interval).toBeDefined();
  expect(plain(verdict.sentence)).toContain("over the 20 tasks that both answered");
});

it("takes random answers for no rival where a tool answers at least some tasks", () => {
  const rows = [row("W", 0.9), row("random", 0.01), row("grep", 0.7, { n: 40 })];
  const pairs = [pair("random", 0.01, [0.8, 0.95]), pair("grep", 0.7, [0.05, 0.35], 40)];
  const verdict = verdictOf(summaryOf(rows, pairs), "s");
  expect(verdict.best?.subject).toBe("grep");
  expect(plain(verdict.sentence)).toContain("over the 40 tasks that both answered");
  const alone = verdictOf(summaryOf(rows.slice(0, 2), pairs.slice(0, 1)), "s");
  expect(alone.best?.subject).toBe("random");
});

it("has words for a suite without rival or without the main subject", () => {
  const alone = summaryOf([row("W", 0.8)], []);
  expect(verdictOf(alone, "s").sentence).toMatch(/^No other tool/);
  const running = { ...alone, run: { ...alone.run, state: "running" as const } };
  expect(verdictOf(running, "s").sentence).toBe("The other tools have not answered yet.");
  expect(verdictOf(summaryOf([row("grep", 0.8)], []), "s").sentence).toBe(
    "W did not answer this suite; grep did best.",
  );
});

it("tells same from not clear", () => {
  const { paired } = pair("grep", 0.5, [-0.1, 0.1]);
  expect(outcomeOf(paired)).toBe("level");
  expect(isSame(paired)).toBe(false);
  expect(isSame({ ...paired, wins: 0, losses: 0 })).toBe(true);
  const few = pair("grep", 0.5, [0.2, 0.4]).paired;
  expect(outcomeOf({ ...few, wins: 2, losses: 0 })).toBe("level");
});

it("tells few differing tasks from an interval about zero", () => {
  const paired = (low: number, high: number, wins: number) => ({
    ...pair("grep", 0.5, [low, high]).paired,
    wins,
    losses: 0,
  });
  expect(differsInFew(paired(0.01, 0.2, 5))).toBe(true);
  expect(differsInFew(paired(0.01, 0.2, 6))).toBe(false);
  expect(differsInFew(paired(-0.01, 0.2, 5))).toBe(false);
});

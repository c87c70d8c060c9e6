import { expect, it } from "vitest";
import type { RunInfo, RunProgress } from "../../ipc";
import { asOfNow } from "./as-of-now";

const run = { id: "a", state: "running", n_done: 0, n_wanted: 10 } as RunInfo;
const progress = { id: "a", state: "running", done: 7, wanted: 12 } as RunProgress;

it("counts the answers of the run under way by its progress", () => {
  expect(asOfNow(run, progress)).toEqual({ ...run, n_done: 7, n_wanted: 12 });
  expect(asOfNow(run, { ...progress, wanted: 0 }).n_wanted).toBe(10);
});

it("ends a run with its progress, before the list is read again", () => {
  expect(asOfNow(run, { ...progress, state: "cancelled" }).state).toBe("cancelled");
});

it("leaves other runs and ended ones as they are listed", () => {
  expect(asOfNow(run, { ...progress, id: "b" })).toBe(run);
  expect(asOfNow(run, null)).toBe(run);
  const ended = { ...run, state: "complete" } as RunInfo;
  expect(asOfNow(ended, progress)).toBe(ended);
});

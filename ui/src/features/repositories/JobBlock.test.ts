import { expect, it } from "vitest";
import { shareOf } from "../../components/job-share";
import type { JobProgress } from "../../ipc";
import { textShare, vectorDetail } from "./JobBlock";

it("the text index never goes back from stage to stage", () => {
  const stages = ["scan", "parse", "graph", "symbol graph"] as const;
  const at = (stage: JobProgress["stage"], done: number) =>
    textShare({ lane: "lexical", stage, done, total: 4 } as JobProgress) ?? 0;
  const shares = stages.flatMap((stage) => [0, 2, 4].map((done) => at(stage, done)));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

it("counts vectors that were there before, as the row does", () => {
  const job = { lane: "vector", stage: "vectors", done: 64, total: 1253 } as JobProgress;
  expect(vectorDetail(job, 1956)).toBe("vectors · 767 of 1,956 chunks");
  expect(shareOf(job, 1956)).toBeCloseTo(0.392, 3);
  expect(shareOf(job, 0)).toBeCloseTo(64 / 1253);
});

it("says that vectors wait for another repository's", () => {
  const job = { lane: "vector", stage: "waiting", done: 0, total: 1253 } as JobProgress;
  expect(vectorDetail(job, 1253)).toBe("waiting for another repository");
});

import { expect, it } from "vitest";
import type { JobProgress } from "../../ipc";
import { textShare } from "./JobBlock";

it("the text index never goes back from stage to stage", () => {
  const stages = ["scan", "parse", "graph", "symbol graph"] as const;
  const at = (stage: JobProgress["stage"], done: number) =>
    textShare({ lane: "lexical", stage, done, total: 4 } as JobProgress) ?? 0;
  const shares = stages.flatMap((stage) => [0, 2, 4].map((done) => at(stage, done)));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

import { expect, it } from "vitest";
import { nearestCommit, nearestRecorded, trackOf } from "./lanes";
import { doneOf } from "./useMemory";
import { titleOf } from "./words";

it("finds the step of an axis", () => {
  expect([0, 0.49, 0.5, 1].map((share) => nearestCommit(share, 2))).toEqual([0, 0, 1, 1]);
  expect([5, 10, 15, 99].map((at) => nearestRecorded([10, 15, 20], at))).toEqual([0, 0, 1, 2]);
});

it("names a memo by its first line", () => {
  expect(titleOf({ content: "\n## Use `tabs`\n\nbecause" })).toBe("Use tabs");
  expect(titleOf({ content: "__init__ calls vat_rate" })).toBe("__init__ calls vat_rate");
});

it("undoes by one more version or mark", () => {
  const memo = { id: "m1", version: "v2" } as never;
  const answer = { memo, conflicts: [], notes: [] };
  expect(doneOf({ act: "forget", memo: "m1" }, answer).undo).toEqual({
    act: "revert",
    memo: "m1",
    version: "v2",
  });
  const pin = { act: "mark", memo: "m1", mark: { mark: "pinned", value: true } } as const;
  expect(doneOf(pin, answer).undo).toMatchObject({ mark: { mark: "pinned", value: false } });
});

it("places the bars of a lane by their commits", () => {
  const bar = { memo: "m", version: "v", title: "", recorded_at: 0, invalidated_at: null };
  const track = trackOf(
    [
      { ...bar, from: 0, until: 5, orphaned: false },
      { ...bar, from: 5, until: null, orphaned: false },
    ],
    10,
  );
  expect(track.backgroundPosition).toBe("0% 50%, 100% 50%");
  expect(track.backgroundImage).toMatch(/border-strong.*accent/);
  expect(trackOf([{ ...bar, from: 0, until: null, orphaned: true }], 4).backgroundPosition).toBe(
    "0% 50%",
  );
});

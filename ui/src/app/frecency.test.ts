import { expect, it } from "vitest";
import { byUse, storedUses, used } from "./frecency";

const DAY = 24 * 3_600_000;
const ids = (uses: { id: string }[]) => uses.map(({ id }) => id);

it("puts what is used often before what was used once a little later", () => {
  let uses = used([], "often", 0);
  uses = used(uses, "often", DAY);
  uses = used(uses, "once", 2 * DAY);
  expect(ids(byUse(uses, 2 * DAY))).toEqual(["often", "once"]);
});

it("forgets by and by", () => {
  let uses = used(used([], "old", 0), "old", 0);
  uses = used(uses, "new", 60 * DAY);
  expect(ids(byUse(uses, 60 * DAY))).toEqual(["new", "old"]);
});

it("reads what an older version stored, and nothing from what it cannot read", () => {
  expect(ids(byUse(storedUses('["a","b"]', 5), 5))).toEqual(["a", "b"]);
  expect(storedUses('[{"id":"a"},null,3]', 0)).toEqual([]);
  expect(storedUses("{", 0)).toEqual([]);
});

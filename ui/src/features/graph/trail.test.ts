import { expect, it } from "vitest";
import { ahead, behind, NO_TRAIL, visit } from "./trail";

const after = (...stops: string[]) => stops.reduce(visit, NO_TRAIL);

it("has nothing behind or ahead at its first stop", () => {
  expect(behind(after("a"))).toBeUndefined();
  expect(ahead(after("a"))).toBeUndefined();
});

it("goes back and forward over the same stops", () => {
  const back = after("a", "b", "c", "b");
  expect(back.stops).toEqual(["a", "b", "c"]);
  expect([behind(back), ahead(back)]).toEqual(["a", "c"]);
  expect(behind(visit(back, "c"))).toBe("b");
});

it("leaves what was ahead when it turns off", () => {
  const turned = after("a", "b", "c", "b", "d");
  expect(turned.stops).toEqual(["a", "b", "d"]);
  expect(ahead(turned)).toBeUndefined();
});

it("does not grow when the same stop is shown again, or without end", () => {
  expect(after("a", "a", "a").stops).toEqual(["a"]);
  expect(
    after(...Array.from({ length: 300 }, (_, index) => String(index))).stops.length,
  ).toBeLessThanOrEqual(100);
});

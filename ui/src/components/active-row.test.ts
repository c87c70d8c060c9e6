import { expect, it } from "vitest";
import { activeRow } from "./active-row";

it("names no row that is not drawn", () => {
  expect(activeRow(4, [3, 4, 5], "row-4")).toBe("row-4");
  expect(activeRow(40, [3, 4, 5], "row-40")).toBeUndefined();
  expect(activeRow(-1, [], "row--1")).toBeUndefined();
});

import { expect, it } from "vitest";
import { zoomed, zoomKey } from "./zoom";

it("goes step by step, stays at the ends, and comes back", () => {
  expect(zoomed(1, "in")).toBe(1.1);
  expect(zoomed(1, "out")).toBe(0.9);
  expect(zoomed(2, "in")).toBe(2);
  expect(zoomed(0.5, "out")).toBe(0.5);
  expect(zoomed(1.75, "reset")).toBe(1);
  // From a figure that is no step, to the next one.
  expect(zoomed(1.2, "in")).toBe(1.25);
});

it("reads the keys with and without Shift", () => {
  expect(["+", "=", "-", "_", "0", "k"].map((key) => zoomKey({ key }))).toEqual([
    "in",
    "in",
    "out",
    "out",
    "reset",
    undefined,
  ]);
});

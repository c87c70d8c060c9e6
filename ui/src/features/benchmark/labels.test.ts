import { expect, it } from "vitest";
import { isFar, placeLabels } from "./labels";

const FRAME = { left: 40, width: 400, height: 200 };

it("puts a lone label to the right of its mark", () => {
  const [spot] = placeLabels([{ x: 100, y: 100, text: "bm25" }], FRAME);
  expect(spot?.anchor).toBe("start");
});

it("turns a label at the right edge to the left", () => {
  const [spot] = placeLabels([{ x: 390, y: 100, text: "naive-grep" }], FRAME);
  expect(spot?.anchor).toBe("end");
});

it("keeps labels off the axis", () => {
  const marks = [40, 60, 75].map((x) => ({ x, y: 100, text: "codegraph" }));
  for (const { x, anchor } of placeLabels(marks, FRAME))
    expect(anchor === "start" ? x : x - 60).toBeGreaterThanOrEqual(40);
});

it("covers no label by another where many marks are one", () => {
  const marks = Array.from({ length: 12 }, (_, index) => ({
    x: 150 + index,
    y: 100,
    text: "gate never",
  }));
  const spots = placeLabels(marks, FRAME);
  const boxes = spots.map(({ x, y, anchor }) => ({
    left: { start: x, middle: x - 31, end: x - 62 }[anchor],
    y,
  }));
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1))
      expect(Math.abs(a.y - b.y) >= 14 || Math.abs(a.left - b.left) >= 62).toBe(true);
  expect(spots.some((spot) => isFar(spot, { y: 100 }))).toBe(true);
});

it("keeps names off lines while another spot is free", () => {
  const upright = { x: 99, y: 20, width: 2, height: 160 };
  const level = { x: 60, y: 99, width: 300, height: 2 };
  const right = { x: 105, y: 86, width: 200, height: 12 };
  const [spot] = placeLabels([{ x: 100, y: 100, text: "bm25" }], FRAME, [upright, level, right]);
  expect(spot).toEqual({ x: 111, y: 108, anchor: "start" });
});

it("gives neighbours different spots", () => {
  const marks = ["one", "two", "three"].map((text, index) => ({ x: 100 + index, y: 100, text }));
  const spots = placeLabels(marks, FRAME).map(
    ({ x, y, anchor }) => `${anchor} ${Math.round(x / 8)} ${y}`,
  );
  expect(new Set(spots).size).toBe(3);
});

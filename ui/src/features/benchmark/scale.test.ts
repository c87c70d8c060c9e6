import { describe, expect, it } from "vitest";
import {
  crisp,
  linear,
  logarithmic,
  logDomain,
  logTicks,
  paretoFront,
  shareDomain,
  shareTicks,
  ticks,
} from "./scale";

describe("the Pareto front", () => {
  const at = (tokens: number, value: number) => ({ tokens, value });
  const check = (points: [number, number][], front: [number, number][]) =>
    expect(paretoFront(points.map(([t, v]) => at(t, v)))).toEqual(front.map(([t, v]) => at(t, v)));

  it("keeps points that no other beats on both sides, cheapest first", () => {
    check(
      [
        [900, 0.9],
        [100, 0.5],
        [400, 0.4],
        [300, 0.8],
      ],
      [
        [100, 0.5],
        [300, 0.8],
        [900, 0.9],
      ],
    );
  });

  it("drops a point of equal value that costs more, and of equal cost that is worse", () => {
    check(
      [
        [200, 0.5],
        [100, 0.5],
        [100, 0.4],
      ],
      [[100, 0.5]],
    );
    check([], []);
  });
});

it("puts ticks at round steps inside the domain", () => {
  expect(ticks(0, 1, 4)).toEqual([0, 0.5, 1]);
  expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticks(0.31, 0.48, 4)).toEqual([0.35, 0.4, 0.45]);
  expect(ticks(0.5, 0.5)).toEqual([0.5]);
});

it("puts log ticks at 1, 2 and 5 in short spans, at powers of ten in long ones", () => {
  expect(logTicks(90, 1100)).toEqual([100, 200, 500, 1000]);
  expect(logTicks(10, 2000)).toEqual([10, 30, 100, 300, 1000]);
  expect(logTicks(1, 20_000)).toEqual([1, 10, 100, 1000, 10_000]);
});

it("maps a log scale evenly by ratio, and what is below it to its edge", () => {
  const x = logarithmic([10, 1000], [0, 100]);
  expect(x(10)).toBeCloseTo(0);
  expect(x(100)).toBeCloseTo(50);
  expect(x(1000)).toBeCloseTo(100);
  expect(x(0)).toBeCloseTo(0);
});

it("maps a linear scale, downwards as well", () => {
  const y = linear([0, 1], [200, 0]);
  expect(y(0.25)).toBe(150);
  expect(linear([1, 1], [0, 10])(1)).toBe(0);
});

it("leaves room around scores, above 1 as well, but no tick there and none below 0", () => {
  expect(shareDomain([0.5, 0.9])).toEqual([0.46, 0.9400000000000001]);
  const [low, high] = shareDomain([0.01, 1]);
  expect(low).toBe(0);
  expect(high).toBeGreaterThan(1.05);
  expect(shareTicks(low, high)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(shareDomain([])).toEqual([0, 1]);
});

it("puts lines on half pixels", () => {
  expect([13.9, 14, 14.4].map(crisp)).toEqual([13.5, 14.5, 14.5]);
});

it("makes a log domain of at least half a decade, without what is not positive", () => {
  const [low, high] = logDomain([300, 310, 0]);
  expect(high / low).toBeGreaterThan(3);
  expect(low).toBeLessThan(300);
  expect(logDomain([0])).toEqual([1, 10]);
});

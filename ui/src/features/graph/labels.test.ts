import { expect, it } from "vitest";
import { node } from "./fixtures";
import { farBox, labelRoom, readable } from "./labels";

const column = (x: number, n: number, given = {}) =>
  Array.from({ length: n }, (_, at) =>
    node(`src/a.ts#name${at}:${x + at}`, { x, y: at * 48, rank: 0.5 - at / 100, ...given }),
  );

it("writes no name over another or over a dot", () => {
  const nodes = [...column(0, 12), ...column(230, 12, { label: "everyRouteThatMatches" })];
  const scale = 0.3;
  const chosen = nodes.filter((one) => readable(nodes, scale, []).has(one.id));
  expect(chosen.length).toBeGreaterThan(3);
  for (const one of chosen) {
    const width = (one.label.length * 6.6) / scale;
    for (const other of nodes.filter((other) => other !== one && other.y === one.y)) {
      const isRight = other.x > one.x;
      expect(isRight && one.x + 31 + width > other.x + 15).toBe(false);
    }
    for (const other of chosen.filter((other) => other !== one && other.x === one.x))
      expect(Math.abs(other.y - one.y)).toBeGreaterThanOrEqual(14 / scale);
  }
});

it("always writes the focus, and the most important first", () => {
  const nodes = column(0, 12);
  const chosen = readable(nodes, 0.2, [nodes[5]?.id]);
  expect(chosen.has(nodes[5]?.id ?? "")).toBe(true);
  expect(chosen.has(nodes[0]?.id ?? "")).toBe(true);
  expect(chosen.has(nodes[4]?.id ?? "")).toBe(false);
});

it("gives a name that is written from afar a box that holds it", () => {
  const [one] = column(100, 1, { label: "everyRouteThatMatches" });
  if (!one) throw new Error("a column of one has one");
  const { left, right, top, bottom } = farBox(one, 0.25);
  expect(right - left).toBeGreaterThan((one.label.length * 6.6) / 0.25);
  expect(bottom - top).toBeGreaterThanOrEqual(14 / 0.25);
  expect(left).toBe(0);
});

it("asks for room where names stand out at the right, and only from afar", () => {
  const one = node("a", { x: 0, width: 100, label: "everyRouteThatMatches" });
  const drawing = { nodes: [one], width: 100 };
  expect(labelRoom(drawing, 1)).toBe(0);
  expect(labelRoom(drawing, 0.3)).toBeGreaterThan(100);
});

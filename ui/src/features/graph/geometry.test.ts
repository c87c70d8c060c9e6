import { expect, it } from "vitest";
import { edge, fixture, node } from "./fixtures";
import { arcPath, dotToDot, edgePath, neighbours, nextNode, shifts } from "./geometry";

it("draws level and upright lines straight and bends the others", () => {
  const straight = edgePath([
    [0, 0],
    [50, 0],
    [50, 40],
  ]);
  expect(straight).toBe("M0 0L50 0L50 40");
  const bent = edgePath([
    [0, 0],
    [50, 40],
    [90, 40],
  ]);
  expect(bent).toBe("M0 0C25 0 25 40 50 40L90 40");
  expect(edgePath([])).toBe("");
});

it("leads from dot to dot where those stand for nodes", () => {
  const one = edge("a", "b", {
    points: [
      [80, 10],
      [200, 60],
    ],
  });
  expect(dotToDot(one, new Map())).toEqual(one.points);
  const dots = new Map([
    ["a", { x: 15, y: 10, radius: 4 }],
    ["b", { x: 215, y: 60, radius: 4 }],
  ]);
  expect(dotToDot(one, dots)).toEqual([
    [15, 10],
    [211, 60],
  ]);
  const back = new Map([["b", { x: 40, y: 60, radius: 4 }]]);
  expect(dotToDot(one, back)).toEqual([
    [80, 10],
    [44, 60],
  ]);
});

it("draws a whole ring and an empty one", () => {
  expect(arcPath({ x: 10, y: 10 }, 5, 0)).toBe("M10 5A5 5 0 0 1 10 5");
  expect(arcPath({ x: 10, y: 10 }, 5, 1)).toContain("A5 5 0 1 1");
});

it("goes where the arrow points, straight ahead first, and stays at the rim", () => {
  const from = node("a#mid:1", { x: 100, y: 100 });
  const near = node("a#far aside:2", { x: 300, y: 260 });
  const ahead = node("a#ahead:3", { x: 360, y: 100 });
  const nodes = [from, near, ahead];
  expect(nextNode(nodes, from, "right")).toBe(ahead);
  expect(nextNode(nodes, from, "down")).toBe(near);
  expect(nextNode(nodes, from, "left")).toBeNull();
});

it("knows the neighbours of a node, itself among them", () => {
  const focus = fixture.focus ?? "";
  expect(neighbours(fixture.edges, focus).size).toBe(fixture.nodes.length - 1);
  expect(neighbours([], "alone")).toEqual(new Set(["alone"]));
});

it("draws edges between the same two nodes side by side, and a lone one where it is", () => {
  const [a, b, back, lone] = [
    edge("x", "y"),
    edge("x", "y", { kind: "type" }),
    edge("y", "x", { is_back: true }),
    edge("x", "z"),
  ];
  const aside = shifts([a, b, back, lone]);
  expect(new Set([a, b, back].map((one) => aside.get(one))).size).toBe(3);
  expect(aside.get(lone)).toBe(0);
});

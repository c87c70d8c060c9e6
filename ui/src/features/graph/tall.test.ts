import { expect, it } from "vitest";
import type { GraphEdge, GraphNode, GraphView } from "../../ipc";
import { fittedTo, tall } from "./tall";
import { fitted } from "./viewport";

const node = (id: string, rank = 0.5) =>
  ({ id, label: id, kind: "symbol", rank, x: 0, y: 0, width: 190, height: 40 }) as GraphNode;
const edge = (from: string, to: string, kind: GraphEdge["kind"] = "call") =>
  ({ from, to, kind, points: [] }) as unknown as GraphEdge;
const view = (nodes: string[], edges: GraphEdge[], width = 640): GraphView => ({
  ...{ focus: "it", to: null, chains: [], width, height: 200, n_hidden: 0, notes: [], near: [] },
  nodes: nodes.map((id) => node(id)),
  edges,
});
const NARROW = { width: 331, height: 620 };

it("is read at full size in a narrow pane: users above, what is used below, calls first", () => {
  const shown = fittedTo(
    view(
      ["it", "reader", "names", "Failure::request_of_the_person_at_the_window"],
      [
        edge("it", "names", "reference"),
        edge("reader", "it"),
        edge("it", "Failure::request_of_the_person_at_the_window"),
      ],
    ),
    NARROW,
  );
  expect(fitted(shown, NARROW).scale).toBe(1);
  expect(shown.nodes.map(({ id }) => id.slice(0, 8))).toEqual([
    "reader",
    "it",
    "Failure:",
    "names",
  ]);
  expect(shown.nodes.map(({ y }) => y)).toEqual([0, 34, 68, 102]);
  expect(shown.nodes[2]?.label).toMatch(/…$/);
  for (const { x, width } of shown.nodes) expect(x + width).toBeLessThanOrEqual(283);
  expect(shown.edges).toHaveLength(3);
  for (const { points } of shown.edges) expect(points).toHaveLength(4);
});

it("leaves a drawing that can be read as it is", () => {
  const small = view(["it", "reader"], [edge("reader", "it")], 300);
  expect(fittedTo(small, NARROW)).toBe(small);
  const wide = view(["it", "reader"], [edge("reader", "it")]);
  expect(fittedTo(wide, { width: 700, height: 620 })).toBe(wide);
});

it("draws as many as there are rows for, of both sides, and each once", () => {
  const users = Array.from({ length: 20 }, (_, at) => `user${at}`);
  const used = Array.from({ length: 3 }, (_, at) => `used${at}`);
  const edges = [
    ...users.map((id) => edge(id, "it")),
    ...used.map((id) => edge("it", id)),
    edge("it", "user0"),
    edge("it", "it"),
  ];
  const shown = tall(view(["it", ...users, ...used], edges), { width: 331, height: 48 + 9 * 34 });
  const ids = shown.nodes.map(({ id }) => id);
  expect(ids).toEqual(["user0", "user1", "user2", "user3", "user4", "it", ...used]);
  expect(new Set(ids).size).toBe(ids.length);
});

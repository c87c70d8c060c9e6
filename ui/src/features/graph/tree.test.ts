import { expect, it } from "vitest";
import { fixture, way } from "./fixtures";
import { flatten, rowsAbove, treeOf } from "./tree";

const NONE = new Set<string>();

it("holds every node of the drawing exactly once", () => {
  const rows = flatten(treeOf(fixture), NONE).flatMap((row) => (row.node ? [row.node.id] : []));
  expect(rows.toSorted()).toEqual(fixture.nodes.map((node) => node.id).toSorted());
});

it("begins with the focus, then who uses it, then what it uses", () => {
  const heads = treeOf(fixture).map((row) => row.title || row.node?.label);
  expect(heads).toEqual(["Router.match", "Used by", "Uses", "Changed with"]);
});

it("hangs a node two steps away under the one that leads to it, with what ties them", () => {
  const [row] = flatten(treeOf(fixture), NONE).filter((one) => one.node?.label === "serve");
  expect(row?.parent).toContain("dispatch");
  expect(row?.level).toBe(3);
  expect(row?.ties.map((edge) => [edge.kind, edge.count])).toEqual([["call", 2]]);
});

it("counts what is below a closed row and hides it", () => {
  const open = flatten(treeOf(fixture), NONE);
  const closed = flatten(treeOf(fixture), new Set(["side:callers"]));
  const head = closed.find((row) => row.key === "side:callers");
  expect(head?.isOpen).toBe(false);
  expect(closed.length).toBe(open.length - (head?.n_below ?? 0));
});

it("numbers rows among their siblings", () => {
  const below = flatten(treeOf(fixture), NONE).filter((row) => row.parent === "side:callees");
  expect(below.map((row) => row.place)).toEqual(below.map((_, index) => index + 1));
  expect(new Set(below.map((row) => row.n_siblings))).toEqual(new Set([below.length]));
});

it("names the rows to open for a node to be seen", () => {
  const rows = treeOf(fixture);
  const serve = fixture.nodes.find((node) => node.label === "serve");
  expect(rowsAbove(rows, serve?.id ?? "")).toEqual(["side:callers", "src/app.ts#dispatch:8"]);
  expect(rowsAbove(rows, "src/router.ts#Router.match:29")).toEqual([]);
});

it("shows ways step by step, also where two share a step", () => {
  const rows = flatten(treeOf(way), NONE);
  expect(rows.filter((row) => row.level === 1).map((row) => row.title)).toEqual([
    "Path 1 · 2 hops",
    "Path 2 · 2 hops",
  ]);
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  expect(rows[2]?.ties).toHaveLength(1);
});

it("lists both ends where no way leads from one to the other", () => {
  const apart = { ...way, chains: [], edges: [] };
  const listed = flatten(treeOf(apart), NONE).map((row) => row.node?.id);
  expect(listed).toEqual(apart.nodes.filter((one) => one.side !== "callers").map((one) => one.id));
});

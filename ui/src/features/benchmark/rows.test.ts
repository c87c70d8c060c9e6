import { expect, it } from "vitest";
import { row } from "./fixtures";
import { bestOf, columnsOf, grouped, inOrder, isPartial, sortGroups } from "./rows";
import { slotsOf } from "./subjects";

const by = (name: string) => ({ group: { by: "category" as const, name } });
const rows = [
  row("W", 0.5, by("P1")),
  row("grep", 0.9, by("P1")),
  row("W", 0.7, by("P2")),
  row("grep", 0.6, { ...by("P2"), tokens: { mean: 90, low: 80, high: 99 } }),
];
const column = (id: string) => {
  const found = columnsOf(rows).find((one) => one.id === id);
  if (!found) throw new Error(`no column ${id}`);
  return found;
};

it("has columns for figures that there are, and the headline only once", () => {
  const ids = columnsOf(rows).map((one) => one.id);
  expect(ids).toContain("recall");
  expect(ids).not.toContain("f1");
  expect(ids).not.toContain("cpu");
  expect(ids).not.toContain("errors");
  expect(column("value").label).toBe("F1");
});

it("marks the best of a group by the column's sense, and none where all are alike", () => {
  const [p1, p2] = grouped(rows);
  expect(bestOf(p1?.rows ?? [], column("value"))).toEqual(new Set(["grep"]));
  expect(bestOf(p2?.rows ?? [], column("tokens"))).toEqual(new Set(["grep"]));
  expect(bestOf(p1?.rows ?? [], column("tokens"))).toEqual(new Set());
  expect(bestOf(p1?.rows ?? [], column("n"))).toEqual(new Set());
});

it("orders groups by the main subject, and subjects inside each", () => {
  const sorted = sortGroups(grouped(rows), columnsOf(rows), { by: "value", descending: true }, "W");
  expect(sorted.map((group) => group.name)).toEqual(["P2", "P1"]);
  expect(sorted[1]?.rows.map((one) => one.subject)).toEqual(["grep", "W"]);
});

it("puts what is missing last either way", () => {
  const figures = [null, 2, 1];
  expect([...figures].sort((a, b) => inOrder(a, b, 1))).toEqual([1, 2, null]);
  expect([...figures].sort((a, b) => inOrder(a, b, -1))).toEqual([2, 1, null]);
});

it("takes a subject with ragged ends for whole, one that skips kinds not", () => {
  const most = row("W", 0.5);
  expect(isPartial(row("grep", 0.5, { n: 97 }), [most])).toBe(false);
  expect(isPartial(row("graph", 0.5, { n: 40 }), [most])).toBe(true);
});

it("gives known subjects the same mark in every run, and each its own", () => {
  const one = slotsOf(["whyrank", "bm25", "semble", "probe"]);
  const two = slotsOf(["semble", "whyrank", "naive-grep", "bm25"]);
  expect(one.get("whyrank")).toBe(0);
  expect(one.get("bm25")).toBe(two.get("bm25"));
  expect(new Set(one.values()).size).toBe(4);
  expect(new Set(two.values()).size).toBe(4);
});

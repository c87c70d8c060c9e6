import { expect, it } from "vitest";
import { edge, fixture, node } from "./fixtures";
import { FIRST_SORT, impactRows, sortImpact } from "./impact";

const rows = impactRows({
  ...fixture,
  nodes: fixture.nodes.filter((one) => ["focus", "callers"].includes(one.side)),
});
const labels = (sorted: typeof rows) => sorted.map((row) => row.node.label);

it("leaves out the focus and what represents many", () => {
  expect(labels(rows).toSorted()).toEqual(["dispatch", "matches paths", "serve"]);
});

it("takes the confidence of the weakest step", () => {
  expect(rows.find((row) => row.node.label === "serve")?.confidence).toBe("name-only");
  expect(rows.find((row) => row.node.label === "dispatch")?.confidence).toBe("resolved");
});

it("takes the surest of several ways of one length", () => {
  const [focus, a, b, far] = ["f#f:1", "a#a:1", "b#b:1", "c#c:1"];
  const view = {
    ...fixture,
    focus: focus ?? "",
    nodes: [
      node("f#f:1", { distance: 0, side: "focus" }),
      node("a#a:1"),
      node("b#b:1"),
      node("c#c:1", { distance: 2 }),
    ],
    edges: [
      edge(a ?? "", focus ?? "", { confidence: "ambiguous" }),
      edge(b ?? "", focus ?? ""),
      edge(far ?? "", a ?? ""),
      edge(far ?? "", b ?? "", { confidence: "name-only" }),
    ],
  };
  expect(impactRows(view).find((row) => row.node.id === far)?.confidence).toBe("name-only");
});

it("sorts by each column, both ways, and is the same every time", () => {
  expect(labels(sortImpact(rows, FIRST_SORT))).toEqual(["dispatch", "matches paths", "serve"]);
  expect(labels(sortImpact(rows, { by: "risk", descending: true }))[0]).toBe("serve");
  expect(labels(sortImpact(rows, { by: "tests", descending: false }))[0]).toBe("serve");
  expect(labels(sortImpact(rows, { by: "confidence", descending: false }))[0]).toBe("serve");
  expect(labels(sortImpact(rows.toReversed(), FIRST_SORT))).toEqual(
    labels(sortImpact(rows, FIRST_SORT)),
  );
});

import { expect, it } from "vitest";
import { formatRoute, parseRoute } from "../../app/route";
import {
  asRequest,
  FIRST_KINDS,
  focusOn,
  impactRequest,
  KINDS,
  keyedName,
  nameKey,
  type Place,
  placeParams,
  readPlace,
  toggleKind,
} from "./place";

const first = readPlace({ symbol: "Router" });

function written(place: Place): Place {
  return readPlace(parseRoute(formatRoute({ view: "graph", params: placeParams(place) })).params);
}

it("reads back what it writes", () => {
  const places: Place[] = [
    first,
    readPlace({}),
    readPlace({ path: "src/a.ts" }),
    {
      focus: { symbol: "operator<<", path: "src/a b.cc", line: 12 },
      to: { symbol: "main" },
      radius: 3,
      direction: "impact",
      kinds: ["call", "co-change"],
      expanded: ["src/router:2", "a,b"],
      node: "src/a.ts#run:7",
    },
  ];
  for (const place of places) expect(written(place)).toEqual(place);
});

it("keeps the link short where all is as at first", () => {
  expect(formatRoute({ view: "graph", params: placeParams(first) })).toBe("#/graph?symbol=Router");
});

it("takes what a hand-written link says amiss for what is there at first", () => {
  const place = readPlace({ symbol: "x", radius: "99", direction: "up", line: "-3", kinds: "foo" });
  expect(place).toMatchObject({ radius: first.radius, direction: "both", kinds: FIRST_KINDS });
  expect(place.focus).toEqual({ symbol: "x" });
});

it("leaves what belonged to the old focus behind", () => {
  const place = focusOn(
    { ...first, to: { symbol: "a" }, expanded: ["g"], node: "n", radius: 3 },
    { symbol: "b" },
  );
  expect(place).toMatchObject({ focus: { symbol: "b" }, to: null, expanded: [], node: null });
  expect(place.radius).toBe(3);
});

it("keeps kinds in their order, whichever is switched first, and never none", () => {
  const without = toggleKind(first, "call");
  expect(without.kinds).not.toContain("call");
  expect(toggleKind(without, "call").kinds).toEqual(FIRST_KINDS);
  const last = { ...first, kinds: ["import"] as const };
  expect(toggleKind(last, "import").kinds).toEqual(["import"]);
});

it("asks for what may break with all kinds that the code says, wherever one is", () => {
  const asked = impactRequest("r", { ...first, kinds: ["import"], to: { symbol: "b" } });
  expect(asked).toMatchObject({ direction: "impact", to: null, radius: 3 });
  expect(asked.kinds).toEqual([...KINDS].filter((kind) => kind !== "co-change"));
});

it("draws no types at first, and the fewer nodes the further it reaches", () => {
  const nodes = [1, 2, 3].map((radius) => asRequest("r", { ...first, radius }).max_nodes);
  expect(nodes).toEqual([...nodes].sort((a, b) => b - a));
  expect(Math.max(...nodes)).toBeLessThanOrEqual(40);
  expect(asRequest("r", first).kinds).not.toContain("type");
});

it("tells symbols of one name apart by path and line", () => {
  const named = { symbol: "run", path: "a.ts", line: 3 };
  expect(keyedName(nameKey(named))).toEqual(named);
  expect(nameKey(named)).not.toBe(nameKey({ symbol: "run" }));
  expect(keyedName(nameKey({ symbol: "run" }))).toEqual({ symbol: "run" });
});

import { expect, it } from "vitest";
import { formatRoute, parseRoute } from "./route";

it("reads back what it writes", () => {
  for (const route of [
    { view: "search" as const, params: { q: "lang:rust a/b?c&d #1" } },
    { view: "explain" as const, id: "q-1/2", params: { row: "src/a.ts:3" } },
    { view: "repositories" as const, params: {} },
  ]) {
    expect(parseRoute(formatRoute(route))).toEqual(route);
  }
});

it("starts at the repositories when the hash says nothing", () => {
  expect(parseRoute("").view).toBe("repositories");
  expect(parseRoute("#/nowhere").view).toBe("repositories");
});

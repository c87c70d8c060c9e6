import { expect, it } from "vitest";
import { formatRoute, parseRoute, placeOf, type Route } from "./route";

it("reads back what it writes", () => {
  const routes: Route[] = [
    { view: "search" as const, params: { q: "lang:rust a/b?c&d #1" } },
    { view: "explain" as const, id: "q-1/2", params: { row: "src/a.ts:3" } },
    { view: "repositories" as const, params: {} },
  ];
  for (const route of routes) {
    expect(parseRoute(formatRoute(route))).toEqual(route);
  }
});

it("starts at the repositories when the hash says nothing", () => {
  expect(parseRoute("").view).toBe("repositories");
  expect(parseRoute("#/nowhere").view).toBe("repositories");
});

it("counts the lenses that fill the window to Code, and set-up to no place", () => {
  expect(placeOf("explain")).toBe("search");
  expect(placeOf("graph")).toBe("search");
  expect(placeOf("changes")).toBe("changes");
  expect(placeOf("repositories")).toBeNull();
  expect(placeOf("settings")).toBeNull();
});

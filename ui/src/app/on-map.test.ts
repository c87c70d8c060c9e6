import { afterEach, expect, it } from "vitest";
import { clearMap, type Over, overIn, showOnMap } from "./on-map";
import { currentRoute, navigate } from "./route";

afterEach(() => history.replaceState(null, "", "/"));

it("says in the address what is drawn over the map", () => {
  const all: Over[] = [
    { over: "session", session: "s-1" },
    { over: "changes", base: "main" },
    { over: "changes", base: "" },
    { over: "file", file: "src/a.ts" },
  ];
  for (const over of all) {
    showOnMap(over);
    expect(overIn(currentRoute().params)).toEqual(over);
  }
  expect(overIn({ over: "session" })).toBeNull();
  expect(overIn({})).toBeNull();
});

it("clears the map in place, so that back leads to where one was before", () => {
  navigate({ view: "changes" });
  showOnMap({ over: "changes", base: "" });
  const before = history.length;
  clearMap();
  expect(location.hash).toBe("#/graph");
  expect(history.length).toBe(before);
});

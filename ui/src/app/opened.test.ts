import { afterEach, expect, it } from "vitest";
import { leaveOpened, openCode, placeOf } from "./opened";
import { session } from "./session";

afterEach(() => {
  history.replaceState(null, "", "/");
});

it("reads a place with lines and without", () => {
  expect(placeOf("src/a.py:3")).toEqual({ path: "src/a.py", line: 3 });
  expect(placeOf("C:/x.py:3-9")).toEqual({ path: "C:/x.py", line: 3, endLine: 9 });
  expect(placeOf("src/a.py")).toBeNull();
  expect(placeOf("src/a.py:0")).toBeNull();
});

it("keeps what was asked, and the line where one was", () => {
  session.set({ repo: "one" });
  history.replaceState(null, "", "#/search?q=tax");
  openCode({ repo: "one", path: "src/a.py", line: 3 }, 40);
  expect(location.hash).toBe("#/search?q=tax&at=src%2Fa.py%3A3");
  openCode({ repo: "two", path: "b.py", line: 1, endLine: 2 }, 3);
  expect(location.hash).toBe("#/search?q=tax&at=b.py%3A1-2&in=two");
  leaveOpened();
  expect(location.hash).toBe("#/search?q=tax");
});

import { expect, it } from "vitest";
import { linkTo, readLink, repoOf } from "./link";

const repo = { id: "a1", name: "hono é" };

it("comes back as the screen that it was made of", () => {
  const route = { view: "search" as const, params: { q: 'a "b" #c', mode: "regex", case: "1" } };
  const link = linkTo(route, repo);
  expect(link).toMatch(/^whyrank:\/\/search\?[\x21-\x7e]+$/);
  expect(readLink(link)).toEqual({ route, repo });
  const explain = { view: "explain" as const, id: "q81f2", params: { row: "#2" } };
  expect(readLink(linkTo(explain, repo))?.route).toEqual(explain);
  const drawn = { view: "graph" as const, params: { over: "changes", base: "main..HEAD" } };
  expect(readLink(linkTo(drawn, repo))?.route).toEqual(drawn);
});

it("sets nothing that does something, and opens no screen that is not there", () => {
  const forged = "whyrank://memory?new=1&anchor=a.rs:1&memo=m1&add=1&repo=a1";
  expect(readLink(forged)?.route).toEqual({ view: "memory", params: { memo: "m1" } });
  expect(readLink("whyrank://benchmark?new=1")?.route.params).toEqual({});
  expect(readLink("whyrank://shell?run=id")).toBeNull();
  expect(readLink("https://search?q=x")).toBeNull();
  expect(readLink("whyrank://explain/%E0%A4%A")).toBeNull();
});

it("means a repository by its id, else the only one of its name", () => {
  const known = [
    { id: "b2", name: "tokio" },
    { id: "c3", name: "tokio" },
    { id: "d4", name: "hono" },
  ];
  expect(repoOf({ id: "c3", name: "x" }, known)?.id).toBe("c3");
  expect(repoOf({ id: "zz", name: "hono" }, known)?.id).toBe("d4");
  expect(repoOf({ id: "zz", name: "tokio" }, known)).toBeUndefined();
});

import { expect, it } from "vitest";
import type { ScopeChoice } from "../ipc";
import { askAsBefore, lookInto, partOf, scopeOf } from "./scope";
import { session } from "./session";

const choice = (name: string, is_default = false): ScopeChoice => ({
  name,
  id: "aa+bb",
  repos: [
    { id: "aa", name: "api" },
    { id: "bb", name: "api-web" },
  ],
  is_default,
});

it("takes the default of a repository until another choice is made", () => {
  const choices = [choice("shop", true), choice("all")];
  expect(scopeOf(choices, null)?.name).toBe("shop");
  expect(scopeOf(choices, "all")?.name).toBe("all");
  expect(scopeOf(choices, "")).toBeUndefined();
  expect(scopeOf([choice("all")], null)).toBeUndefined();
});

it("finds the repository of a path by its whole name", () => {
  expect(partOf(choice("all"), "api-web/src/a.ts:3")).toEqual({ repo: "bb", path: "src/a.ts:3" });
  expect(partOf(choice("all"), "apis/src/a.ts")).toBeNull();
});

it("asks all repositories again where one looked into a place of one", () => {
  const all = { of: "a", name: "all" };
  location.hash = "#/search?q=retry";
  session.set({ repo: "a", scope: all });
  lookInto("b");
  expect(session.get()).toMatchObject({ repo: "b", scope: { of: "b", name: "" } });
  askAsBefore();
  expect(session.get()).toMatchObject({ repo: "a", scope: all });
  // Who chose another one meanwhile, or asks something else, keeps that.
  lookInto("b");
  session.set({ repo: "c", scope: null });
  askAsBefore();
  expect(session.get()).toMatchObject({ repo: "c", scope: null });
  lookInto("b");
  location.hash = "#/search?q=other";
  askAsBefore();
  expect(session.get().repo).toBe("b");
});

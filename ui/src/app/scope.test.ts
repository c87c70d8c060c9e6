import { expect, it } from "vitest";
import type { ScopeChoice } from "../ipc";
import { partOf, scopeOf } from "./scope";

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

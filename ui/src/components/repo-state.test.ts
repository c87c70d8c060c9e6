import { expect, it } from "vitest";
import type { RepoSummary } from "../ipc";
import { unfinished, withoutCommand } from "./repo-state";

it("leaves out what only a terminal could do", () => {
  const check = (note: string, shown: string) => expect(withoutCommand(note)).toBe(shown);
  check("3 commits since main @ 91bd02e: run `whyrank index`", "3 commits since main @ 91bd02e");
  check("5 of 9 chunks have a vector; run `whyrank index` to go on", "5 of 9 chunks have a vector");
  check(
    "no embedding model (`whyrank models pull minilm-l6`): static vectors alone",
    "no embedding model: static vectors alone",
  );
  check("the folder is gone", "the folder is gone");
  check("ask again; `whyrank index` makes it again", "ask again");
  check("ask again; if it stays so, run `whyrank index` to repair it", "ask again");
  check(
    "the symbol graph is not built yet; `whyrank index` builds it",
    "the symbol graph is not built yet",
  );
});

it("calls no index finished that stopped at text, symbol graph or vectors", () => {
  const left = (change: object, lexical = 1, vector = 0) =>
    unfinished({
      state: "ready",
      graph: "ready",
      coverage: { lexical, vector },
      ...change,
    } as RepoSummary);
  expect(left({})).toBeUndefined();
  expect(left({}, 1, 1)).toBeUndefined();
  expect(left({}, 1, 0.001)).toBe("Vectors under 1%");
  expect(left({ graph: "the symbol graph is not built yet" })).toBe("No symbol graph");
  expect(left({ state: "stale" }, 0.12)).toBe("Text index 12%");
  expect(left({ state: "stale" })).toBeUndefined();
  expect(left({ state: "indexing", graph: "building, 3 of 9 files" }, 0.5)).toBeUndefined();
});

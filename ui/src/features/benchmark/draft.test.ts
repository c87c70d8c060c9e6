import { expect, it } from "vitest";
import type { SuiteChoice } from "../../ipc";
import { type Draft, FIRST_DRAFT, mostAnswers, problemOf, requestOf } from "./draft";

const draft = (change: Partial<Draft>): Draft => ({
  ...FIRST_DRAFT,
  suites: ["semble"],
  subjects: ["Whyrank", "bm25"],
  ...change,
});

it("says what keeps a run from starting", () => {
  expect(problemOf(draft({}))).toBeNull();
  expect(problemOf(draft({ suites: [] }))).toMatch(/task set/);
  expect(problemOf(draft({ suites: [], paths: ["/tmp/tasks.jsonl"] }))).toBeNull();
  expect(problemOf(draft({ source: "own" }))).toMatch(/repository/);
  expect(problemOf(draft({ source: "own", ownRepo: "a1", questions: "0" }))).toMatch(/questions/);
  expect(problemOf(draft({ subjects: [] }))).toMatch(/tool/);
  expect(problemOf(draft({ limit: "-1" }))).toMatch(/limit/);
});

it("asks for task sets or for a repository's own tasks, never both", () => {
  expect(requestOf(draft({ paths: ["/t"], ownRepo: "a1" }))).toMatchObject({
    suites: ["semble", "/t"],
    own_repo: null,
    limit: 20,
  });
  expect(
    requestOf(draft({ source: "own", ownRepo: "a1", languages: ["c"], folders: ["/f"] })),
  ).toMatchObject({
    suites: [],
    languages: [],
    folders: [],
    own_repo: "a1",
    limit: 50,
  });
});

it("bounds the answers by limit and categories", () => {
  const choices = [
    { name: "semble", n_tasks: 100, categories: ["search", "NLDOC"] } as SuiteChoice,
  ];
  expect(mostAnswers(draft({ limit: "0" }), choices)).toBe(200);
  expect(mostAnswers(draft({ limit: "20" }), choices)).toBe(80);
  expect(mostAnswers(draft({ limit: "20", categories: ["search"] }), choices)).toBe(40);
  expect(mostAnswers(draft({ paths: ["/t"] }), choices)).toBeNull();
  expect(mostAnswers(draft({ source: "own", questions: "10" }), choices)).toBe(20);
});

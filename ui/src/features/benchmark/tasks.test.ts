import { expect, it } from "vitest";
import { line } from "./fixtures";
import { filterTasks, NO_FILTER, pivot, sortTasks } from "./tasks";

const rows = pivot([
  line("a", "W", 1),
  line("a", "grep", 0.5),
  line("b", "W", 0),
  line("b", "grep", 0),
  line("c", "W", 0, { language: "rust" }),
  line("c", "grep", 1, { language: "rust" }),
  line("d", "grep", 0.2),
  line("d", "W", 0, { unsupported: true }),
]);
const tasks = (found: typeof rows) => found.map((row) => row.task).join("");

it("puts subjects of a task into one row", () => {
  expect(rows.length).toBe(4);
  expect(Object.keys(rows[0]?.lines ?? {})).toEqual(["W", "grep"]);
});

it("starts with the worst, the furthest behind first; what is not answered comes last", () => {
  expect(tasks(sortTasks(rows, { by: "", descending: false }, "W"))).toBe("cbad");
});

it("sorts by a subject and by the question, both ways", () => {
  expect(tasks(sortTasks(rows, { by: "subject:grep", descending: true }, "W"))).toBe("cadb");
  expect(tasks(sortTasks(rows, { by: "question", descending: true }, "W"))).toBe("dcba");
});

it("filters by words, language and where the main subject loses", () => {
  const check = (change: Partial<typeof NO_FILTER>, left: string) =>
    expect(tasks(filterTasks(rows, { ...NO_FILTER, ...change }, "W"))).toBe(left);
  check({}, "abcd");
  check({ text: "where  IS b" }, "b");
  check({ language: "rust" }, "c");
  check({ onlyLosses: true }, "c");
  check({ category: "P2" }, "");
});

import { expect, it } from "vitest";
import type { GrepFile } from "../../ipc";
import { codeFirst } from "./matches";

const file = (path: string, ...badges: string[]): GrepFile => ({
  path,
  badges,
  n_lines: 1,
  lines: [],
});

it("lists code and its tests before documents, each in its order", () => {
  const files = [
    file("CHANGELOG.md", "docs"),
    file("a.go"),
    file("README.md", "docs"),
    file("a_test.go", "test"),
  ];
  const paths = codeFirst(files).map(({ path }) => path);
  expect(paths).toEqual(["a.go", "a_test.go", "CHANGELOG.md", "README.md"]);
});

import { expect, it } from "vitest";
import { coefficientsOf, groupOfTerm, isShare } from "./groups";

it("has the terms of the engine: whose signal each is, what moves with it, and what keeps a share", () => {
  expect(coefficientsOf("symbol-name")).toEqual([
    "definition",
    "embedded_definition",
    "name_cover",
  ]);
  expect(coefficientsOf("path")).toEqual(["area", "file_name", "file_named", "path_words"]);
  expect(coefficientsOf("doc-section")).toEqual([]);
  expect(groupOfTerm("code-max-sim")).toBe("late-interaction");
  expect(groupOfTerm("issue-title-path")).toBe("other");
  expect(["copy", "test-file", "path"].map(isShare)).toEqual([true, true, false]);
});

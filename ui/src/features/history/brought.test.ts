import { expect, it } from "vitest";
import type { FileBlame } from "../../ipc";
import { broughtBy } from "./brought";

const commit = (sha: string, at: number) => ({ sha, author: "A", at, summary: sha });
const range = (start_line: number, end_line: number, commit: number | null) => ({
  start_line,
  end_line,
  commit,
});
const blame: FileBlame = {
  path: "a.rs",
  commits: [commit("new", 30), commit("old", 10)],
  ranges: [range(1, 4, 1), range(5, 6, 0), range(7, 9, 1), range(10, 10, null)],
  stopped: null,
};

it("counts the lines of each commit among those that are asked about", () => {
  const told = (from: number, to: number) =>
    broughtBy(blame, from, to).map(({ commit, nLines }) => `${commit?.sha ?? "-"} ${nLines}`);
  expect(told(3, 8)).toEqual(["new 2", "old 4"]);
  expect(told(9, 10)).toEqual(["- 1", "old 1"]);
  expect(told(20, 30)).toEqual([]);
});

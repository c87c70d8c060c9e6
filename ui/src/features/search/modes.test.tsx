import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { asRanked } from "../../app/search-query";
import { session } from "../../app/session";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { matchesOf, withWords, wordsOf } from "./matches";
import { SearchView } from "./SearchView";

beforeEach(() => {
  // happy-dom lays nothing out; the virtualiser needs a height to show rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  session.set({ repo: "a1b2c3d4e5f6", last: null, search: asRanked("") });
  showRecorded(<SearchView />, "#/search");
});

cleanUpAfterEach();

async function ask(key: string, text: string) {
  const box = await screen.findByTestId("search-input");
  fireEvent.keyDown(box, { altKey: true, code: `Key${key}`, key: key.toLowerCase() });
  fireEvent.change(box, { target: { value: text } });
}

const rows = () => screen.findAllByTestId("search-match");
const counted = (words: string) =>
  waitFor(() => expect(screen.getByTestId("search-count").textContent).toBe(words));

it("finds code of a shape, with the definitions that it lies in", async () => {
  await ask("S", "this.routes.push($X)");
  const [first] = await rows();
  expect(first?.textContent).toContain("LinearRouter.add");
  await counted("3 places in 3 files");
  await waitFor(() => expect(location.hash).toContain("mode=shape"));
});

it("says what keeps a pattern from being code, and keeps the rows of before", async () => {
  await ask("S", "this.routes.push($X)");
  await rows();
  fireEvent.change(screen.getByTestId("search-input"), { target: { value: "push($$$A" } });
  const problem = await screen.findByTestId("pattern-problem");
  expect(problem.textContent).toContain("the pattern is not valid typescript");
  expect(await rows()).toHaveLength(3);
});

it("says in place of unused code what is not judged", async () => {
  await ask("U", "");
  await screen.findByText(/^Nothing is listed\. 24 more are exported: nothing here uses them/);
  const noted = await screen.findByTestId("search-stopped");
  expect(noted.textContent).toMatch(/^24 more are exported: nothing here uses them, others may/);
});

it("lists what is unused with its verdict, and narrows it by words", async () => {
  await ask("U", "kind:exported-unused");
  const all = await rows();
  expect(all[0]?.textContent).toContain("exported-unused");
  await counted("24 definitions in 22 files");
  fireEvent.change(screen.getByTestId("search-input"), {
    target: { value: "kind:exported-unused decode PATH" },
  });
  await counted("1 definition in 1 file");
});

it("counts what words leave of a file, and marks no word by the columns of a head", () => {
  const line = (text: string) => ({
    text: { line: 3, text, matches: [[3, 6]] as [number, number][] },
    cut: 0,
    inside: null,
    verdict: { word: "dead", why: "" },
  });
  const file = {
    path: "a.rs",
    badges: [],
    n_lines: 2,
    lines: [line("fn one()"), line("fn two()")],
  };
  const [left] = withWords([file], "two");
  expect([left?.n_lines, left?.lines.length]).toEqual([1, 1]);
  const [first] = matchesOf([file]);
  expect(first && wordsOf(first)).toEqual([]);
});

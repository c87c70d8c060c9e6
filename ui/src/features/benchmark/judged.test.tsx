import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { Notices } from "../../app/Notices";
import { commands } from "../../ipc/bindings";
import { DEMO } from "../../ipc/recorded";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { JudgedPanel } from "./JudgedPanel";
import { byQuestion, taskCount } from "./judged-questions";

cleanUpAfterEach();

const PLACE = {
  path: "src/router/trie-router/router.ts",
  start_line: 5,
  end_line: 16,
  symbol: "TrieRouter",
};
const asked = { repo: DEMO, query: "trie router", as_of: null, place: PLACE };

it("says how to begin where nothing is judged", async () => {
  showRecorded(<JudgedPanel onRun={() => {}} />, "#/benchmark?judged=1");
  expect(await screen.findByText(/Nothing is judged yet/)).toBeTruthy();
  expect(screen.getByTestId("bench-judged-run").hasAttribute("disabled")).toBe(true);
});

it("lists questions with their hits, runs them, and deletes with a way back", async () => {
  let nRuns = 0;
  const onRun = () => {
    nRuns += 1;
  };
  const client = showRecorded(<JudgedPanel onRun={onRun} />, "#/benchmark?judged=1");
  render(<Notices />);
  await screen.findByText(/Nothing is judged yet/);
  const said = await commands.judge({ ...asked, verdict: "right" });
  expect(said).toEqual({ status: "ok", data: null });
  await client.invalidateQueries();
  const hit = await screen.findByTestId("bench-judged-hit");
  expect(hit.textContent).toContain("TrieRouter");
  expect(screen.getByTestId("bench-question").textContent).toContain("trie router");
  fireEvent.click(screen.getByTestId("bench-judged-run"));
  expect(nRuns).toBe(1);
  fireEvent.click(screen.getByTestId("bench-judged-delete"));
  await waitFor(() => expect(screen.queryByTestId("bench-judged-hit")).toBeNull());
  expect(await screen.findByText("Undo")).toBeTruthy();
});

it("counts a question as a task where a hit is right", () => {
  const hit = (query: string, verdict: "right" | "wrong", at: number) => ({
    ...{ repo: DEMO, query, place: PLACE, verdict, at },
  });
  const questions = byQuestion([hit("a", "wrong", 1), hit("b", "wrong", 3), hit("a", "right", 2)]);
  expect(questions.map(({ query }) => query)).toEqual(["b", "a"]);
  expect(questions[1]?.hits.map(({ verdict }) => verdict)).toEqual(["right", "wrong"]);
  expect(taskCount(questions)).toBe(1);
});

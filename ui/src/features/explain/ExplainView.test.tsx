import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { session } from "../../app/session";
import type { SearchRequest } from "../../ipc";
import { commands } from "../../ipc/bindings";
import { answer, said } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { SURE, withTokens } from "../../testing/tokens";
import { ExplainView } from "./ExplainView";

beforeEach(() => {
  session.set({ repo: "a1b2c3d4e5f6", last: null });
  showRecorded(<ExplainView />, "#/explain/q-trie-router");
});

cleanUpAfterEach();

/** The demo has no model, and so no vectors of tokens. */
async function showTokens() {
  cleanup();
  answer("explain", withTokens(await said(commands.explain("q-trie-router"))));
  showRecorded(<ExplainView />, "#/explain/q-trie-router");
}

const open = async (tab: string) =>
  fireEvent.click(await screen.findByTestId(`explain-tab-${tab}`));

it("says what the gate decided, and what it would have decided with other thresholds", async () => {
  await showTokens();
  await open("gate");
  const verdict = await screen.findByTestId("gate-verdict");
  expect(verdict.textContent).toMatch(/^runs: entropy/);
  expect(screen.queryByTestId("gate-what-if")).toBeNull();
  answer("gateWhatIf", SURE);
  for (const [figure, value] of [
    ["entropy", "1"],
    ["margin", "0"],
    ["agreement", "0"],
  ]) {
    fireEvent.change(document.querySelector(`#gate-${figure}`) as Element, { target: { value } });
  }
  await waitFor(() =>
    expect(screen.getByTestId("gate-what-if").textContent).toMatch(/the first stage is sure/),
  );
  // What was decided stays what it was.
  expect(verdict.textContent).toMatch(/^runs/);
});

it("says why the second stage is left out, where no model is here", async () => {
  await open("gate");
  const verdict = await screen.findByTestId("gate-verdict");
  expect(verdict.textContent).toMatch(/^skipped: no embedding model/);
});

it("steps through the words with a running sum", async () => {
  await showTokens();
  await open("words");
  const sum = await screen.findByTestId("words-sum");
  expect(sum.textContent).toMatch(/^MaxSim/);
  fireEvent.click(screen.getByTestId("words-step"));
  fireEvent.click(screen.getByTestId("words-step"));
  await waitFor(() => expect(sum.textContent).toMatch(/^2\.31 of/));
  const pinned = screen
    .getAllByTestId("word-row")
    .filter((row) => row.getAttribute("aria-selected") === "true");
  expect(pinned.map((row) => row.querySelector("th")?.textContent)).toEqual(["router"]);
});

it("shows the words as a list with their lines", async () => {
  await showTokens();
  await open("words");
  fireEvent.click(await screen.findByRole("switch"));
  const table = screen.getByTestId("word-matrix");
  expect(within(table).getByText("Answered by")).toBeTruthy();
  expect(within(table).getAllByText("its name").length).toBe(2);
});

it("keeps the chosen hit from the chart to the words", async () => {
  await showTokens();
  await open("movement");
  const list = await screen.findByRole("list", { name: "Results and their ranks" });
  const third = within(list).getAllByRole("button")[2] as HTMLElement;
  const name = third.querySelector(".code")?.textContent ?? "";
  fireEvent.click(third);
  await open("words");
  expect((await screen.findByTestId("words-result")).textContent).toContain(name);
});

it("says that the words are another result's, where none of the chosen one's were compared", async () => {
  await showTokens();
  fireEvent.click(await screen.findByRole("checkbox", { name: /Shown results only/ }));
  const hidden = document.querySelector("[data-testid=explain-row][data-hidden]") as HTMLElement;
  fireEvent.click(hidden);
  await open("words");
  expect((await screen.findByTestId("words-instead")).textContent).toMatch(/^No tokens of/);
});

it("tells late interaction as a channel, which is off, from late interaction as a stage", async () => {
  await showTokens();
  fireEvent.click(await screen.findByRole("tab", { name: /Weights/ }));
  const stage = await screen.findByTestId("late-stage");
  expect(stage.textContent).toMatch(/0\.00820.*as a stage/);
  expect(screen.getByText("off as a channel")).toBeTruthy();
});

it("ranks what was shown as Search does: from 1 on, without a gap", async () => {
  const rows = await screen.findAllByTestId("explain-row");
  expect(rows.map((row) => Number(row.dataset.rank))).toEqual(rows.map((_, at) => at + 1));
});

it("goes on to the answer that came between the key and the screen", async () => {
  cleanup();
  const request = { repo: "a1b2c3d4e5f6", query: "trie router", limit: 50 } as SearchRequest;
  const { query_id: queryId } = (await said(commands.search(request, false))).answer;
  const of = { text: request.query, request, elapsedMs: 1, chosen: 0 };
  session.set({ last: { ...of, queryId, replaced: "q-before" } });
  showRecorded(<ExplainView />, "#/explain/q-before?row=%231");
  await waitFor(() => expect(location.hash).toContain(queryId));
  expect(location.hash).toContain("row=");
});

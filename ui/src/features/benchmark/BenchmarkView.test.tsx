import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "../../app/session";
import type { RunInfo, RunProgress } from "../../ipc";
import { commands } from "../../ipc/bindings";
import { installRecorded } from "../../ipc/recorded";
import { answer, fail, said } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { BenchmarkView } from "./BenchmarkView";

/** Three runs are recorded: one, the same with another weight, and one that was cancelled. */
const RUN = "20260528-093001";
const WITHOUT_NAMES = "20260528-093002";
const CANCELLED = "20260528-093003";

const PROGRESS: RunProgress = {
  id: "20260528-093004",
  state: "running",
  phase: "whyrank answers about switchyard",
  done: 7,
  wanted: 36,
  errors: 0,
  eta_s: null,
  notes: [],
};

/** A run that has just begun: the recorded ones have ended. */
async function begin() {
  const runs = await said(commands.benchRuns());
  const [run] = runs;
  if (!run) throw new Error("no run is recorded");
  const begun: RunInfo = { ...run, id: PROGRESS.id, state: "running", n_done: 0 };
  answer("benchRuns", [begun, ...runs]);
  answer("benchProgress", PROGRESS);
  answer("benchTasks", []);
  answer("benchSummary", { run: begun, rows: [], pairs: [], defects: [] });
}

beforeEach(() => {
  installRecorded();
  // happy-dom lays nothing out; the virtualiser needs a height to show rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(900);
});

cleanUpAfterEach();

function show(hash: string, scene: "full" | "first" = "full") {
  showRecorded(<BenchmarkView />, hash, scene);
}

it("opens the newest run with a card for each suite and a point for each subject", async () => {
  // The demo's questions are too few for a winner over all rivals: one rival is left.
  const summary = await said(commands.benchSummary(RUN));
  const pairs = summary.pairs.filter(({ rival }) => rival !== "bm25");
  const rows = summary.rows.filter(({ subject }) => subject !== "bm25");
  answer("benchSummary", { ...summary, pairs, rows });
  show(`#/benchmark/${RUN}`);
  expect(await screen.findAllByTestId("bench-run")).toHaveLength(3);
  expect(await screen.findAllByTestId("bench-card")).toHaveLength(1);
  expect(screen.getAllByTestId("bench-point")).toHaveLength(2);
  const [card] = screen.getAllByTestId("bench-card");
  expect(card?.textContent).toContain("Whyrank is clearly ahead of smart-grep-fair");
});

it("explains itself where there is no run, with one action", async () => {
  show("#/benchmark", "first");
  expect(await screen.findByText(/puts the same questions/)).toBeTruthy();
  expect(screen.getAllByTestId("bench-new")).toHaveLength(1);
});

it("shows what failed and offers to try again", async () => {
  fail("benchRuns", { code: "io", message: "permission denied", hint: "check the folder" });
  show("#/benchmark");
  expect((await screen.findByRole("alert")).textContent).toContain("Permission denied");
  expect(screen.getByText("Try again")).toBeTruthy();
});

it("marks the figures of a cancelled run as partial", async () => {
  show(`#/benchmark/${CANCELLED}`);
  const note = await screen.findByTestId("bench-partial");
  expect(note.textContent).toContain("0 of 36 answers");
});

it("opens a task by keyboard, moves to the next and comes back with Escape", async () => {
  show(`#/benchmark/${RUN}?tab=tasks`);
  const grid = await screen.findByTestId("bench-tasks");
  fireEvent.keyDown(grid, { key: "ArrowDown" });
  fireEvent.keyDown(grid, { key: "Enter" });
  await waitFor(() => expect(location.hash).toContain("task="));
  expect(await screen.findByTestId("bench-expected")).toBeTruthy();
  const before = location.hash;
  fireEvent.keyDown(document.body, { key: "j" });
  await waitFor(() => expect(location.hash).not.toBe(before));
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(await screen.findByTestId("bench-tasks")).toBeTruthy();
});

it("shows only tasks that Whyrank loses when asked to", async () => {
  show(`#/benchmark/${WITHOUT_NAMES}?tab=tasks`);
  fireEvent.click(await screen.findByTestId("bench-filter-losses"));
  await waitFor(() => expect(screen.getByText(/of 12 tasks/).textContent).not.toMatch(/^12/));
});

it("starts a run and shows its progress with a way to cancel it", async () => {
  show("#/benchmark?new=1");
  const suites = await screen.findAllByTestId("bench-suite");
  const start = screen.getByTestId("bench-start");
  expect(start.hasAttribute("disabled")).toBe(true);
  fireEvent.click(suites[0] as HTMLElement);
  await waitFor(() => expect(start.hasAttribute("disabled")).toBe(false));
  answer("benchStart", PROGRESS.id);
  answer("benchProgress", PROGRESS);
  fireEvent.click(start);
  const progress = await screen.findByTestId("bench-progress");
  answer("benchCancel", null);
  answer("benchProgress", { ...PROGRESS, state: "cancelled" });
  fireEvent.click(within(progress).getByTestId("bench-cancel"));
  await waitFor(() => expect(screen.queryByTestId("bench-progress")).toBeNull());
});

it("says why a subject or a task set cannot take part", async () => {
  const [suite] = await said(commands.benchSuites());
  const [subject] = await said(commands.benchSubjects());
  if (!suite || !subject) throw new Error("nothing can be run");
  answer("benchSuites", [{ ...suite, error: "corpus.jsonl is missing" }]);
  const why_not = "codegraph is not on the PATH";
  answer("benchSubjects", [{ ...subject, name: "codegraph", available: false, why_not }]);
  show("#/benchmark?new=1");
  expect(await screen.findByText(/codegraph is not on the PATH/)).toBeTruthy();
  expect(await screen.findByText(/corpus.jsonl is missing/)).toBeTruthy();
});

it("compares two chosen runs, losses first, and opens a task of either", async () => {
  // Both runs of the demo answer alike: a task is lost here.
  const same = await said(commands.benchCompare(RUN, WITHOUT_NAMES));
  const [line] = await said(commands.benchTasks(RUN));
  const [group] = same.groups;
  if (!line || !group) throw new Error("no task was answered");
  const { suite, subject, task, category, question } = line;
  const lost = { mean: -0.5, low: -0.8, high: -0.2 };
  const value = { ...group.value, other: 0.375, losses: 4, difference: lost };
  answer("benchCompare", {
    ...same,
    groups: [{ ...group, value }, ...same.groups.slice(1)],
    tasks: [{ suite, subject, task, category, question, base: 1, other: 0 }],
  });
  show("#/benchmark");
  const runs = await screen.findAllByTestId("bench-run");
  for (const at of [2, 1]) fireEvent.click(within(runs[at] as HTMLElement).getByRole("checkbox"));
  fireEvent.click(screen.getByTestId("bench-compare"));
  const groups = await screen.findByTestId("bench-groups");
  expect(groups.querySelector("tbody [data-standing]")?.getAttribute("data-standing")).toBe(
    "behind",
  );
  const [row] = await screen.findAllByTestId("bench-changed-row");
  fireEvent.click(within(row as HTMLElement).getByTitle("Open in the base run"));
  await waitFor(() => expect(location.hash).toContain(`#/benchmark/${RUN}?`));
  fireEvent.click(await screen.findByTestId("bench-back"));
  expect(await screen.findByTestId("bench-comparison")).toBeTruthy();
});

it("asks before it deletes a run", async () => {
  show("#/benchmark");
  const runs = await screen.findAllByTestId("bench-run");
  fireEvent.click(within(runs[0] as HTMLElement).getByTestId("bench-delete"));
  fireEvent.click(await screen.findByTestId("bench-delete-confirm"));
  await waitFor(() => expect(screen.getAllByTestId("bench-run")).toHaveLength(2));
});

it("counts a run under way by its progress, and waits for its first answers", async () => {
  await begin();
  show("#/benchmark");
  const done = async () => (await screen.findByTestId("bench-done")).textContent;
  expect(await screen.findByText("Answers appear here as they arrive.")).toBeTruthy();
  expect(screen.queryByText(/has no answers/)).toBeNull();
  await waitFor(async () =>
    expect(screen.getByTestId("bench-partial").textContent).toContain(`${await done()} of 36`),
  );
  const [run] = screen.getAllByTestId("bench-run");
  expect(run?.textContent).toContain(`${await done()} of 36`);
  expect(screen.getByTestId("bench-progress").textContent).toContain("answers about");
});

it("keeps what stands below a table out of what scrolls", async () => {
  show(`#/benchmark/${RUN}?tab=tables`);
  const note = await screen.findByText(/best of its group/);
  expect(note.closest(".bench-scroll")).toBeNull();
});

it("asks the repository that is open, where questions are made from code", async () => {
  session.set({ repo: "a1b2c3d4e5f6" });
  show("#/benchmark?new=1");
  fireEvent.click(await screen.findByRole("radio", { name: "A repository's own code" }));
  const own = await screen.findByRole("radio", { name: /^switchyard/ });
  expect((own as HTMLInputElement).checked).toBe(true);
});

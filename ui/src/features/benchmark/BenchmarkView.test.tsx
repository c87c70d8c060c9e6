import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "../../app/session";
import { cleanUpAfterEach, showView } from "../../testing/show";
import { BenchmarkView } from "./BenchmarkView";

const RUN = "20261121-093012";

beforeEach(() => {
  // happy-dom lays nothing out; the virtualiser needs a height to show rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(900);
});

cleanUpAfterEach();

function show(
  hash: string,
  scene: "full" | "empty" | "failing" | "benching" | "beginning" = "full",
) {
  showView(<BenchmarkView />, hash, scene);
}

it("opens the newest run with a card for each suite and a point for each subject", async () => {
  show("#/benchmark");
  expect(await screen.findAllByTestId("bench-run")).toHaveLength(5);
  expect(await screen.findAllByTestId("bench-card")).toHaveLength(3);
  expect(screen.getAllByTestId("bench-point")).toHaveLength(6);
  const [card] = screen.getAllByTestId("bench-card");
  expect(card?.textContent).toContain("Whyrank is clearly ahead of smart-grep-fair");
});

it("explains itself where there is no run, with one action", async () => {
  show("#/benchmark", "empty");
  expect(await screen.findByText(/puts the same questions/)).toBeTruthy();
  expect(screen.getAllByTestId("bench-new")).toHaveLength(1);
});

it("shows what failed and offers to try again", async () => {
  show("#/benchmark", "failing");
  expect((await screen.findByRole("alert")).textContent).toContain("permission denied");
  expect(screen.getByText("Try again")).toBeTruthy();
});

it("marks the figures of a cancelled run as partial", async () => {
  show("#/benchmark/20261120-170455");
  const note = await screen.findByTestId("bench-partial");
  expect(note.textContent).toContain("1,204 of 4,320 answers");
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
  show(`#/benchmark/${RUN}?tab=tasks`);
  fireEvent.click(await screen.findByTestId("bench-filter-losses"));
  await waitFor(() => expect(screen.getByText(/of 720 tasks/).textContent).not.toMatch(/^720/));
});

it("starts a run and shows its progress with a way to cancel it", async () => {
  show("#/benchmark?new=1");
  const suites = await screen.findAllByTestId("bench-suite");
  const start = screen.getByTestId("bench-start");
  expect(start.hasAttribute("disabled")).toBe(true);
  fireEvent.click(suites[0] as HTMLElement);
  await waitFor(() => expect(start.hasAttribute("disabled")).toBe(false));
  fireEvent.click(start);
  const progress = await screen.findByTestId("bench-progress");
  fireEvent.click(within(progress).getByTestId("bench-cancel"));
  await waitFor(() => expect(screen.queryByTestId("bench-progress")).toBeNull());
});

it("says why a subject or a task set cannot take part", async () => {
  show("#/benchmark?new=1");
  expect(await screen.findByText(/codegraph is not on the PATH/)).toBeTruthy();
  expect(await screen.findByText(/corpus.jsonl is missing/)).toBeTruthy();
});

it("compares two chosen runs, losses first, and opens a task of either", async () => {
  show("#/benchmark");
  const runs = await screen.findAllByTestId("bench-run");
  for (const at of [2, 0]) fireEvent.click(within(runs[at] as HTMLElement).getByRole("checkbox"));
  fireEvent.click(screen.getByTestId("bench-compare"));
  const groups = await screen.findByTestId("bench-groups");
  expect(groups.querySelector("tbody [data-standing]")?.getAttribute("data-standing")).toBe(
    "behind",
  );
  const [row] = await screen.findAllByTestId("bench-changed-row");
  fireEvent.click(within(row as HTMLElement).getByTitle("Open in the base run"));
  await waitFor(() => expect(location.hash).toContain("#/benchmark/20261119-081500?"));
  fireEvent.click(await screen.findByTestId("bench-back"));
  expect(await screen.findByTestId("bench-comparison")).toBeTruthy();
});

it("asks before it deletes a run", async () => {
  show("#/benchmark");
  const runs = await screen.findAllByTestId("bench-run");
  fireEvent.click(within(runs[4] as HTMLElement).getByTestId("bench-delete"));
  fireEvent.click(await screen.findByTestId("bench-delete-confirm"));
  await waitFor(() => expect(screen.getAllByTestId("bench-run")).toHaveLength(4));
});

it("counts a run under way by its progress, and waits for its first answers", async () => {
  show("#/benchmark", "beginning");
  const done = async () => (await screen.findByTestId("bench-done")).textContent;
  expect(await screen.findByText("Answers appear here as they arrive.")).toBeTruthy();
  expect(screen.queryByText(/has no answers/)).toBeNull();
  await waitFor(async () =>
    expect(screen.getByTestId("bench-partial").textContent).toContain(`${await done()} of 2,160`),
  );
  const [run] = screen.getAllByTestId("bench-run");
  expect(run?.textContent).toContain(`${await done()} of 2,160`);
  expect(screen.getByTestId("bench-progress").textContent).toContain("Whyrank answers about");
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
  const own = await screen.findByRole("radio", { name: /^hono/ });
  expect((own as HTMLInputElement).checked).toBe(true);
});

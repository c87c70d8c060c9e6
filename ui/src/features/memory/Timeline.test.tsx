import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, expect, it, vi } from "vitest";
import type { MemoMoment, MemoTimeline, TimelineBar } from "../../ipc";
import type { Rows } from "./MemoList";
import { Timeline } from "./Timeline";

afterEach(cleanup);

const BAR: TimelineBar = {
  memo: "m",
  version: "v",
  title: "Routes are sorted",
  from: 20,
  until: null,
  recorded_at: 1,
  invalidated_at: null,
  orphaned: false,
};
const TIMELINE: MemoTimeline = {
  commits: Array.from({ length: 40 }, (_, at) => ({
    sha: `c${at}`,
    at: at * 86_400_000,
    summary: `step ${at}`,
  })),
  places: Array.from({ length: 40 }, (_, at) => at),
  n_commits: 40,
  bars: [BAR],
  recorded: [1],
};
const ROWS: Rows = { n: 1, at: () => undefined, rowOf: () => -1 };

function show(as_of: string | null = null, timeline = TIMELINE) {
  const onMoment = vi.fn();
  const moment: MemoMoment = { as_of, known_at: null };
  const nothing = () => undefined;
  render(
    <main>
      <h1>Memory</h1>
      <Timeline
        timeline={timeline}
        rows={ROWS}
        chosen={undefined}
        moment={moment}
        onChoose={nothing}
        onMoment={onMoment}
        onSeen={nothing}
      />
    </main>,
  );
  return onMoment;
}

const folds = () => screen.queryAllByTestId("memory-fold").map((one) => one.textContent);
const head = () => screen.getByRole("button", { name: /^Timeline/ }).textContent;

it("folds commits without memos into pieces, each of which opens", async () => {
  show();
  const user = userEvent.setup();
  expect(folds()).toEqual(["19 commits", "18 commits"]);
  expect(head()).toContain("40 commits: 37 that change no memo are folded");
  const piece = screen.getByRole("button", { name: "Show 18 commits without changes of memos" });
  piece.focus();
  await user.keyboard("{Enter}");
  expect(folds()).toEqual(["19 commits"]);
  expect(head()).toContain("40 commits: 19 that change no memo are folded");
  await user.click(screen.getByTestId("memory-timeline-zoom"));
  expect(folds()).toEqual(["19 commits", "18 commits"]);
  await user.click(screen.getByTestId("memory-timeline-zoom"));
  expect(folds()).toEqual([]);
  expect(head()).toMatch(/40 commits$/);
});

it("dates its axes", () => {
  show();
  const [commits, recorded] = screen.getAllByTestId("memory-dates");
  const dates = [...(commits?.children ?? [])].map((one) => one.textContent ?? "");
  expect(dates).toHaveLength(3);
  for (const date of dates) expect(date).toMatch(/^1970-0[12]-\d\d$/);
  expect(recorded?.textContent).toMatch(/^1970-01-01 \d\d:\d\d$/);
});

it("says of a long history how many commits the axis leaves out", () => {
  show(null, { ...TIMELINE, places: TIMELINE.commits.map((_, at) => at * 3), n_commits: 118 });
  expect(folds()).toEqual(["57 commits", "56 commits"]);
  expect(head()).toContain(
    "118 commits: 113 that change no memo are folded, 2 are left out for room",
  );
});

it("steps over a piece by arrow keys", () => {
  const onMoment = show("c39");
  const ruler = screen.getByTestId("memory-commits");
  fireEvent.keyDown(ruler, { key: "ArrowLeft" });
  expect(onMoment).toHaveBeenLastCalledWith({ as_of: "c20" });
  fireEvent.keyDown(ruler, { key: "Home" });
  expect(onMoment).toHaveBeenLastCalledWith({ as_of: "c19" });
});

it("has nothing that a reader of the screen stumbles over", async () => {
  show();
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html)}`)).toEqual([]);
});

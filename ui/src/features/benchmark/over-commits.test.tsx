import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { RunInfo, Summary } from "../../ipc";
import { cleanUpAfterEach } from "../../testing/show";
import { CommitTable } from "./CommitTable";
import { measuredOften, runsOf, seriesOf } from "./over-commits";

cleanUpAfterEach();

const run = (id: string, started: string, version: string, repo = "shop") =>
  ({
    id,
    started,
    suites: ["judged"],
    subjects: [{ name: "whyrank" }, { name: "bm25" }],
    repositories: [{ name: repo, version }],
  }) as unknown as RunInfo;

const summary = (of: RunInfo, mean: number, n = 4): Summary => {
  const row = (subject: string, value: number) => ({
    suite: "judged",
    subject,
    group: { by: "repository", name: "shop" },
    n,
    headline: "ndcg@10",
    value: { mean: value, low: value - 0.1, high: value + 0.1 },
  });
  return {
    run: of,
    rows: [row("bm25", 0.1), row("whyrank", mean)],
    pairs: [],
    defects: [],
  } as unknown as Summary;
};

const OLD = run("r1", "2026-11-01T00:00:00Z", "aaaaaaaaaa");
const MID = run("r2", "2026-11-02T00:00:00Z", "bbbbbbbbbb");
const NEW = run("r3", "2026-11-03T00:00:00Z", "cccccccccc");
const OTHER = run("r4", "2026-11-04T00:00:00Z", "dddddddddd", "till");

it("offers repositories that were measured twice, and their newest runs", () => {
  expect(measuredOften([NEW, OTHER, MID, OLD])).toEqual(["shop"]);
  expect(runsOf([OLD, OTHER, NEW, MID], "shop").map(({ id }) => id)).toEqual(["r3", "r2", "r1"]);
});

it("compares a commit with the one before, where the same tasks were asked", () => {
  const [series, ...others] = seriesOf(
    [summary(NEW, 0.7, 6), summary(OLD, 0.5), summary(MID, 0.6)],
    "shop",
  );
  expect(others).toEqual([]);
  expect(series?.points.map(({ commit }) => commit.slice(0, 2))).toEqual(["aa", "bb", "cc"]);
  const changes = series?.points.map(({ change }) => change && Number(change.toFixed(3)));
  expect(changes).toEqual([null, 0.1, null]);
  expect(seriesOf([summary(OLD, 0.5)], "shop")).toEqual([]);
});

it("lists the newest first, and leads to its run", () => {
  const [series] = seriesOf([summary(OLD, 0.5), summary(MID, 0.6)], "shop");
  if (!series) throw new Error("two points are a series");
  render(<CommitTable series={series} />);
  const [first] = screen.getAllByTestId("bench-commit");
  expect(first?.textContent).toContain("bbbbbbb");
  expect(first?.textContent).toContain("+.100");
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
    "Scores, oldest first: .500, .600",
  );
  fireEvent.click(screen.getByRole("button", { name: "bbbbbbb" }));
  expect(location.hash).toBe("#/benchmark/r2");
});

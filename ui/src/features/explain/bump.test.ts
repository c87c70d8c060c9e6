import { expect, it } from "vitest";
import type { Trace, TraceRow } from "../../ipc";
import { DEEPEST, deepestOf, inWords, linesOf, pathOf, spread, stagesOf } from "./bump";

const row = (rank: number, stages: TraceRow["stages"]): TraceRow => ({
  rank,
  path: `${rank}.ts`,
  start_line: 1,
  end_line: 2,
  symbol: null,
  channels: [{ channel: "fts", rank: rank * 3, raw_score: 1, contribution: 0.01, way: null }],
  evidence: [],
  fused: 1,
  score: 1,
  shown: true,
  late: null,
  stages,
  alignment: null,
});

const trace = (rows: TraceRow[]) => ({ rows }) as unknown as Trace;

it("leaves out a stage that did not run", () => {
  const rows = [
    row(1, { fused: 4, evidence: 2, refined: null, ordered: 1, presented: null, reranked: null }),
  ];
  const names = stagesOf(trace(rows)).map((stage) => stage.name);
  expect(names).toEqual(["Best channel", "Fused", "Evidence", "Ordered", "Shown"]);
});

it("shows of older traces what they know", () => {
  const stages = stagesOf(trace([row(2, null)]));
  expect(inWords(row(2, null), stages)).toBe("best channel 6, shown 2");
});

it("gives far ranks one place at the foot", () => {
  const rows = [
    row(1, { fused: 90, evidence: 2, refined: 1, ordered: 1, presented: null, reranked: null }),
    row(2, { fused: 300, evidence: 1, refined: 2, ordered: 2, presented: null, reranked: null }),
  ];
  const stages = stagesOf(trace(rows));
  expect(deepestOf(rows, stages)).toBe(DEEPEST);
  const fused = linesOf(rows, stages, 100, 400).map((line) => line.points[1]);
  expect(fused.map((point) => point?.y)).toEqual([400, 400]);
  expect(fused.every((point) => point?.below)).toBe(true);
});

it("breaks the line where a stage does not know the hit", () => {
  const at = (x: number) => ({ x, y: 0, rank: 1, below: false });
  expect(pathOf([at(0), null, at(2)])).toBe("M0 0M2 0");
  expect(pathOf([at(0), at(2)])).toBe("M0 0C1 0 1 0 2 0");
});

it("keeps the names at the lines' ends apart and within the chart", () => {
  expect(spread([0, 5, 100], 20, 100)).toEqual([0, 20, 100]);
  expect(spread([95, 90, 100], 20, 100)).toEqual([80, 60, 100]);
});

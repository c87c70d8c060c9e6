import { expect, it } from "vitest";
import { bytesOf, escaped } from "../../components/share/picture";
import type { Trace, TraceRow } from "../../ipc";
import { alignmentCard } from "./alignment-card";
import { explainCard } from "./explain-card";
import { explainMarkdown } from "./explain-markdown";

const row = (rank: number, path: string): TraceRow =>
  ({
    rank,
    repo: "r",
    path,
    start_line: 1,
    end_line: 9,
    symbol: `f<${rank}>`,
    channels: [{ channel: "fts", rank, contribution: 0.02 / rank }],
    fused: 0.02 / rank,
    evidence: [],
    score: 0.02 / rank,
    shown: true,
    alignment: null,
  }) as unknown as TraceRow;

const trace = {
  query: "where & <how>",
  query_id: "q",
  rrf_k: 60,
  weights: [],
  rows: [row(1, "a.ts"), row(2, "b|c.ts")],
} as unknown as Trace;

it("draws an explanation that stands alone: well-formed, escaped, with every row", async () => {
  const { svg } = explainCard(trace, trace.rows[0] as TraceRow);
  expect(svg.startsWith("<svg ")).toBe(true);
  const read = new DOMParser().parseFromString(svg, "image/svg+xml");
  expect(read.querySelector("parsererror")).toBeNull();
  expect(svg).toContain(escaped("where & <how>"));
  expect(svg).toContain("a.ts:1");
  expect(svg).not.toContain("foreignObject");
  expect(svg).not.toContain("var(");
  expect(await bytesOf({ svg: "<svg ", width: 1, height: 1 }, "svg")).toEqual([
    60, 115, 118, 103, 32,
  ]);
});

it("draws alignments with the figure of each cell", () => {
  const cells = new Map([[0, 0.93]]);
  const matrix = {
    rows: [{ token: 0, label: "route", adds: 0.93, n_pieces: 1, cells }],
    columns: [{ line: 1, column: 0, length: 5, label: "router" }],
    rest: 0,
    score: 0.93,
  };
  const { svg } = alignmentCard(trace, trace.rows[0] as TraceRow, matrix);
  expect(svg).toContain(">.93<");
  expect(svg).toContain(">router<");
});

it("writes an explanation as a table that keeps its columns", () => {
  const lines = explainMarkdown(trace, trace.rows[0] as TraceRow)
    .trimEnd()
    .split("\n");
  expect(lines[0]).toBe("**where & <how>**");
  const table = lines.filter((line) => line.startsWith("|"));
  expect(table).toHaveLength(4);
  expect(table.at(-1)).toContain("b\\|c.ts:1");
});

import { expect, it } from "vitest";
import type { Alignment } from "../../ipc";
import { bestColumn, matrixOf, NAME, runningSums, stepOf } from "./words";

const tokens = [
  { text: "parse", continues: false },
  { text: "ex", continues: false },
  { text: "press", continues: true },
  { text: "route", continues: false },
];

const pair = (query: number, score: number, line: number, column: number, text: string) => ({
  query,
  score,
  line,
  column,
  length: text.length,
  text,
});

const alignment: Alignment = {
  score: 2.9,
  pairs: [
    pair(3, 0.9, 12, 4, "routes"),
    pair(0, 0.8, 3, 9, "parse"),
    pair(1, 0.5, 12, 4, "routes"),
    pair(2, 0.4, 3, 2, ""),
  ],
  rest: 0.3,
};

it("reads the pieces of a word together, in the order of the query", () => {
  const { rows } = matrixOf(alignment, tokens);
  expect(rows.map((row) => row.label)).toEqual(["parse", "express", "route"]);
  expect(rows[1]?.adds).toBeCloseTo(0.9);
  expect(rows.map((row) => row.n_pieces)).toEqual([1, 2, 1]);
});

it("has a column for each place, in the order of the text", () => {
  const { columns } = matrixOf(alignment, tokens);
  expect(columns.map((column) => column.label)).toEqual([NAME, "parse", "routes"]);
});

it("sums to the score with what is not listed", () => {
  const { rows, rest, score } = matrixOf(alignment, tokens);
  expect((runningSums(rows).at(-1) ?? 0) + rest).toBeCloseTo(score);
});

it("finds the place that answers a word best", () => {
  const { rows } = matrixOf(alignment, tokens);
  expect(rows.map(bestColumn)).toEqual([1, 2, 2]);
});

it("has five steps, and none for what does not speak for a hit", () => {
  expect([-0.2, 0, 0.1, 0.45, 0.99, 1].map(stepOf)).toEqual([0, 0, 1, 3, 5, 5]);
});

import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { AlignedCells, Trace, TraceRow } from "../../ipc";
import { cellInWords, heatOf, lineStarts } from "./heat";
import { heatCard } from "./heat-card";
import { TokenHeat } from "./TokenHeat";

afterEach(cleanup);

const TOKENS = [
  { text: "re", continues: false },
  { text: "try", continues: true },
];
const CELLS: AlignedCells = {
  lines: [
    { line: 0, tokens: [""] },
    { line: 12, tokens: ["fn", "retry"] },
    { line: 13, tokens: ["back"] },
  ],
  n_more: 7,
  rows: ["AB/A", "AAf/"],
};
const HEAT = heatOf(CELLS, TOKENS);

it("has a value for every token of the query and every token of the passage", () => {
  expect(HEAT.columns.map(({ label }) => label)).toEqual(["its name", "fn", "retry", "back"]);
  expect(HEAT.rows.map(({ values }) => values.map((value) => Math.round(63 * value)))).toEqual([
    [0, 1, 63, 0],
    [0, 0, 31, 63],
  ]);
  expect(HEAT.rows.map(({ best }) => best)).toEqual([2, 3]);
  expect(lineStarts(HEAT.columns)).toEqual([
    { at: 0, line: 0 },
    { at: 1, line: 12 },
    { at: 3, line: 13 },
  ]);
  expect(cellInWords(HEAT, 1, 2)).toBe("try – retry, line 12: .49");
  expect(cellInWords(HEAT, 0, 2)).toBe("re – retry, line 12: 1.00, its best");
});

it("is walked by keys, cell by cell, and says what it does not have", () => {
  render(<TokenHeat heat={HEAT} asList={false} />);
  const drawing = screen.getByTestId("token-heat");
  const said = () => screen.getByTestId("heat-said").textContent;
  expect(said()).toContain("re – retry, line 12: 1.00, its best");
  expect(said()).toContain("7 more tokens");
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"])
    fireEvent.keyDown(drawing, { key });
  expect(said()).toContain("try – back, line 13: 1.00, its best");
  fireEvent.keyDown(drawing, { key: "Home" });
  expect(said()).toContain("try – its name: .00");
  expect(drawing.querySelectorAll(".heat-cell")).toHaveLength(4);
});

it("is a table of all figures, too", () => {
  render(<TokenHeat heat={HEAT} asList={true} />);
  const rows = within(screen.getByTestId("heat-table")).getAllByRole("row");
  expect(rows.map((row) => row.textContent)).toEqual([
    "LineTokenretry",
    "its name.00.00",
    "12fn.02.00",
    "12retry1.00.49",
    "13back.001.00",
  ]);
});

it("is a picture with a cell for each product and the counts", () => {
  const row = { path: "a.ts", start_line: 12, symbol: "retry" } as unknown as TraceRow;
  const { svg, width } = heatCard({ query: "re<try" } as unknown as Trace, row, HEAT);
  expect(svg).toContain("re&lt;try");
  expect(svg).toContain("2 query tokens × 4 of 11 of the passage");
  expect(width).toBeGreaterThanOrEqual(640);
  expect(
    new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("parsererror"),
  ).toBeNull();
});

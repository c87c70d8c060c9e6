import { expect, it } from "vitest";
import type { SymbolLine } from "../../ipc";
import { around, nested } from "./nested";

const symbol = (name: string, start_line: number, end_line: number, name_line = start_line) =>
  ({ name, start_line, end_line, name_line }) as SymbolLine;

const rows = nested([
  symbol("after", 30, 40),
  symbol("Router", 1, 20),
  symbol("add", 3, 9),
  symbol("inner", 4, 6),
  symbol("match", 10, 18),
  symbol("x", 22, 22),
  symbol("y", 22, 22),
]);

it("puts definitions in order, each as deep as it lies in others", () => {
  expect(rows.map(({ symbol, depth }) => `${depth} ${symbol.name}`)).toEqual([
    "0 Router",
    "1 add",
    "2 inner",
    "1 match",
    "0 x",
    "0 y",
    "0 after",
  ]);
});

it("finds the innermost definition around a line", () => {
  expect(rows[around(rows, 5)]?.symbol.name).toBe("inner");
  expect(rows[around(rows, 8)]?.symbol.name).toBe("add");
  expect(rows[around(rows, 19)]?.symbol.name).toBe("Router");
  expect(around(rows, 25)).toBe(-1);
});

import { expect, it } from "vitest";
import type { SymbolLine } from "../ipc";
import { definitionAt } from "./dock-state";

const symbol = (qualified: string, start_line: number, end_line: number) =>
  ({ qualified, start_line, end_line }) as SymbolLine;

it("names the innermost definition around a line", () => {
  const symbols = [symbol("Mux", 1, 40), symbol("Mux.route", 10, 20), symbol("serve", 50, 60)];
  expect(definitionAt(symbols, 12)).toBe("Mux.route");
  expect(definitionAt(symbols, 30)).toBe("Mux");
  expect(definitionAt(symbols, 45)).toBeNull();
});

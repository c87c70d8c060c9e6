// Definitions of a file in their order, each as deep as it lies within others.

import type { SymbolLine } from "../../ipc";

export interface Nested {
  symbol: SymbolLine;
  depth: number;
}

export function nested(symbols: readonly SymbolLine[]): Nested[] {
  const open: SymbolLine[] = [];
  const sorted = [...symbols].sort(
    (a, b) => a.start_line - b.start_line || b.end_line - a.end_line || a.name_line - b.name_line,
  );
  return sorted.map((symbol) => {
    while (open.length > 0 && !holds(open[open.length - 1], symbol)) open.pop();
    const depth = open.length;
    open.push(symbol);
    return { symbol, depth };
  });
}

/** On one line two definitions stand beside each other. */
function holds(outer: SymbolLine | undefined, inner: SymbolLine): boolean {
  if (!outer || inner.end_line > outer.end_line) return false;
  return outer.end_line > outer.start_line && outer.name_line !== inner.name_line;
}

/** The row of the innermost definition around a line; -1 where there is none. */
export function around(rows: readonly Nested[], line: number): number {
  return rows.findLastIndex(({ symbol }) => symbol.start_line <= line && line <= symbol.end_line);
}

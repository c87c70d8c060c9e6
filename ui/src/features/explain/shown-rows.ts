// What the parts of a shared explanation have in common.

import { token } from "../../components/share/picture";
import type { Trace, TraceRow } from "../../ipc";
import type { Group } from "./groups";

const ROWS = 8;

export const nameOf = (row: TraceRow) => row.symbol ?? row.path.split("/").pop() ?? row.path;
export const colourOf = (group: Group) => token(group === "other" ? "text-2" : `ch-${group}`);

/** The best rows, and the one that is explained where it is not among them. */
export function shownRows(trace: Trace, row: TraceRow): TraceRow[] {
  const first = trace.rows.filter((one) => one.shown).slice(0, ROWS);
  return first.includes(row) ? first : [...first.slice(0, ROWS - 1), row];
}

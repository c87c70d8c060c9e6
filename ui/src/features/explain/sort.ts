// Sorting the rank table.

import type { Channel, TraceRow } from "../../ipc";

export type SortKey = "rank" | "path" | "fused" | "evidence" | "score" | Channel;

export interface Sort {
  by: SortKey;
  descending: boolean;
}

/** Rows in order; rows that a channel did not find come last either way. */
export function sortRows(rows: readonly TraceRow[], sort: Sort): TraceRow[] {
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [sortValue(a, sort.by), sortValue(b, sort.by)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || a.rank - b.rank;
    const order = typeof x === "string" ? x.localeCompare(String(y)) : x - Number(y);
    return sign * order || a.rank - b.rank;
  });
}

function sortValue(row: TraceRow, key: SortKey): number | string | null {
  switch (key) {
    case "rank":
      return row.rank;
    case "path":
      return row.path;
    case "fused":
      return row.fused;
    case "score":
      return row.score;
    case "evidence":
      return evidenceSum(row);
    case "late-interaction":
      return lateRank(row);
    default:
      return row.channels.find((entry) => entry.channel === key)?.rank ?? null;
  }
}

export function evidenceSum(row: TraceRow): number {
  return row.evidence.reduce((sum, entry) => sum + entry.contribution, 0);
}

/** The rank by MaxSim: among the rescored candidates, or as a channel of its own. */
export function lateRank(row: TraceRow): number | null {
  const found = row.channels.find((entry) => entry.channel === "late-interaction");
  return row.late?.rank ?? found?.rank ?? null;
}

// The geometry of the bump chart: a line for each hit, a column for each stage.

import type { Trace, TraceRow } from "../../ipc";

export interface Stage {
  name: string;
  /** What decides the order there. */
  about: string;
  rank: (row: TraceRow) => number | null;
}

const STAGES: Stage[] = [
  { name: "Best channel", about: "the best rank that a channel gives", rank: bestRank },
  { name: "Fused", about: "by rank fusion alone", rank: (row) => row.stages?.fused ?? null },
  { name: "Evidence", about: "with evidence", rank: (row) => row.stages?.evidence ?? null },
  { name: "Late", about: "with late interaction", rank: (row) => row.stages?.refined ?? null },
  {
    name: "Ordered",
    about: "chunks put in order within their files, repeats held back",
    rank: (row) => row.stages?.ordered ?? null,
  },
  {
    name: "Shown",
    about: "as shown: one hit a file unless one place is meant",
    rank: (row) => row.stages?.presented ?? row.rank,
  },
  {
    name: "Reranked",
    about: "as the reranker put it",
    rank: (row) => row.stages?.reranked ?? null,
  },
];

export function stagesOf(trace: Trace): Stage[] {
  return STAGES.filter((stage) => trace.rows.some((row) => stage.rank(row) !== null));
}

function bestRank(row: TraceRow): number | null {
  return row.channels.length === 0 ? null : Math.min(...row.channels.map((one) => one.rank));
}

/** Lines are drawn for so many hits. */
export const MAX_LINES = 30;
/** Ranks behind this share the lowest place. */
export const DEEPEST = 40;

export interface Point {
  x: number;
  y: number;
  rank: number;
  /** Deeper than the chart shows. */
  below: boolean;
}

export interface Line {
  row: TraceRow;
  /** `null` where the stage does not know it. */
  points: (Point | null)[];
}

/**
 * Lines in a box. First ranks lie further apart than later ones, by the square root; those behind the
 * deepest share the last place.
 */
export function linesOf(rows: TraceRow[], stages: Stage[], width: number, height: number): Line[] {
  const deepest = deepestOf(rows, stages);
  const x = (stage: number) => (stages.length < 2 ? 0 : (stage / (stages.length - 1)) * width);
  const y = (rank: number) => Math.sqrt((Math.min(rank, deepest + 1) - 1) / deepest) * height;
  return rows.map((row) => ({
    row,
    points: stages.map((stage, index) => {
      const rank = stage.rank(row);
      if (rank === null) return null;
      return { x: x(index), y: y(rank), rank, below: rank > deepest };
    }),
  }));
}

/** The last rank that has a height of its own. */
export function deepestOf(rows: TraceRow[], stages: Stage[]): number {
  const ranks = rows.flatMap((row) => stages.map((stage) => stage.rank(row) ?? 0));
  return Math.min(DEEPEST, Math.max(2, ...ranks));
}

/** A path that bends half-way between columns, broken where a stage does not know the hit. */
export function pathOf(points: readonly (Point | null)[]): string {
  let before: Point | null = null;
  let path = "";
  for (const point of points) {
    if (point && before) {
      const middle = (before.x + point.x) / 2;
      path += `C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    } else if (point) {
      path += `M${point.x} ${point.y}`;
    }
    before = point;
  }
  return path;
}

/** `fused 9, evidence 4, shown 1`. */
export function inWords(row: TraceRow, stages: Stage[]): string {
  return stages
    .flatMap((stage) => {
      const rank = stage.rank(row);
      return rank === null ? [] : [`${stage.name.toLowerCase()} ${rank}`];
    })
    .join(", ");
}

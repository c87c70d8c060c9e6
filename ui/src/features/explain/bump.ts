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
  {
    name: "Late interaction",
    about: "with late interaction",
    rank: (row) => row.stages?.refined ?? null,
  },
  {
    name: "Ordered",
    about: "chunks put in order within their files, repeats held back",
    rank: (row) => row.stages?.ordered ?? null,
  },
  {
    name: "Crossed",
    about: "with what the cross-encoder says",
    rank: (row) => row.stages?.crossed ?? null,
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

/** Room around the lines. */
export const SIDES = { left: 12, right: 16, head: 36, foot: 34 };
/** Height of a name at the end of a line. */
export const LABEL_PX = 20;
/** The first few have a colour. */
const N_COLOURED = 5;

/** What the chart's lines and names are drawn from. */
export interface Drawn {
  stages: Stage[];
  lines: Line[];
  width: number;
  height: number;
  pointed: string | undefined;
  onPoint: (key: string | undefined) => void;
  onChoose: (key: string) => void;
}

export const nameOf = (row: TraceRow) => row.symbol ?? row.path.split("/").pop() ?? row.path;

export const placeOf = (row: TraceRow) => (row.rank <= N_COLOURED ? row.rank : undefined);

export const xOf = (stage: number, n: number, width: number) =>
  n < 2 ? 0 : (stage / (n - 1)) * width;

/** Lines are drawn for this many hits. */
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
  const y = (rank: number) => Math.sqrt((Math.min(rank, deepest + 1) - 1) / deepest) * height;
  return rows.map((row) => ({
    row,
    points: stages.map((stage, index) => {
      const rank = stage.rank(row);
      if (rank === null) return null;
      return { x: xOf(index, stages.length, width), y: y(rank), rank, below: rank > deepest };
    }),
  }));
}

/** The last rank that has a height of its own. */
export function deepestOf(rows: TraceRow[], stages: Stage[]): number {
  const ranks = rows.flatMap((row) => stages.map((stage) => stage.rank(row) ?? 0));
  return Math.min(DEEPEST, Math.max(2, ...ranks));
}

/** Places for labels at wished heights, best first, `gap` apart within `height` where they fit. */
export function spread(wished: readonly number[], gap: number, height: number): number[] {
  const order = wished.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  let least = Number.NEGATIVE_INFINITY;
  for (const one of order) {
    one.y = Math.max(one.y, least + gap);
    least = one.y;
  }
  let most = height;
  for (const one of order.reverse()) {
    one.y = Math.min(one.y, most);
    most = one.y - gap;
  }
  const places = [...wished];
  for (const { y, index } of order) places[index] = y;
  return places;
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

// All tokens of an alignment as a picture.

import { cut, line, type Picture, picture, rect, token } from "../../components/share/picture";
import type { Trace, TraceRow } from "../../ipc";
import { type Heat, lineStarts } from "./heat";
import { nameOf } from "./shown-rows";
import { stepOf } from "./words";

const EDGE = 40;
const CELL = 10;
const ROW = 18;
const WORD = 130;
const TOP = 118;

/** Tokens of the query down, those of the passage across in their order. */
export function heatCard(trace: Trace, row: TraceRow, heat: Heat): Picture {
  const left = EDGE + WORD;
  const width = Math.max(640, left + heat.columns.length * CELL + EDGE);
  const height = TOP + heat.rows.length * ROW + 64;
  const quiet = token("text-2");
  let free = 0;
  const heads = lineStarts(heat.columns).flatMap(({ at, line: number }) => {
    const x = left + at * CELL;
    const words = number === 0 ? "name" : String(number);
    // Numbers of short lines would stand on each other.
    if (x < free) return [];
    free = x + words.length * 7 + 6;
    return [line(words, { x, y: TOP - 8 }, { size: 11, color: quiet })];
  });
  const body = heat.rows.flatMap((one, index) => {
    const y = TOP + index * ROW;
    const label = line(
      cut(one.label, 16),
      { x: left - 10, y: y + 13 },
      { size: 12, code: true, anchor: "end" },
    );
    const ground = { x: left, y, width: heat.columns.length * CELL - 1, height: ROW - 1 };
    const cells = one.values.flatMap((value, at) => {
      const step = stepOf(value);
      const box = { x: left + at * CELL, y, width: CELL - 1, height: ROW - 1 };
      return step === 0 ? [] : [rect(box, token(`heat-${step}`))];
    });
    return [label, rect(ground, token("bg-2")), ...cells];
  });
  const more = heat.nMore > 0 ? ` of ${heat.columns.length + heat.nMore}` : "";
  const counts = `${heat.rows.length} query tokens × ${heat.columns.length}${more} of the passage`;
  return picture({ width, height }, [
    line(cut(trace.query, 44), { x: EDGE, y: 54 }, { size: 22, weight: 650 }),
    line(
      cut(`${nameOf(row)} · ${row.path}:${row.start_line}`, 76),
      { x: EDGE, y: 80 },
      { color: quiet },
    ),
    ...heads,
    ...body,
    line(counts, { x: EDGE, y: height - 24 }, { color: quiet }),
    line(
      "Whyrank",
      { x: width - EDGE, y: height - 24 },
      { color: quiet, anchor: "end", weight: 600 },
    ),
  ]);
}

// The alignments of a hit as a picture.

import { sig3 } from "../../components/format";
import { cut, line, type Picture, picture, rect, token } from "../../components/share/picture";
import type { Trace, TraceRow } from "../../ipc";
import { nameOf } from "./shown-rows";
import { type Matrix, stepOf } from "./words";

const EDGE = 40;
const CELL = 34;
const WORD = 170;
/** Columns that are still readable side by side. */
const MOST_COLUMNS = 26;

/** The matrix of words: those of the query down, those of the code across. */
export function alignmentCard(trace: Trace, row: TraceRow, matrix: Matrix): Picture {
  const columns = matrix.columns.slice(0, MOST_COLUMNS);
  const longest = Math.max(...columns.map((column) => Math.min(18, column.label.length)));
  const top = 112 + longest * 6;
  const width = Math.max(640, EDGE * 2 + WORD + columns.length * CELL + 90);
  const height = top + matrix.rows.length * CELL + 64;
  const quiet = token("text-2");
  const left = EDGE + WORD;
  const heads = columns.map((column, at) => {
    const x = left + at * CELL + CELL / 2 + 4;
    const label = line(cut(column.label, 18), { x: 0, y: 0 }, { size: 12, code: true });
    return `<g transform="translate(${x} ${top - 10}) rotate(-55)">${label}</g>`;
  });
  const body = matrix.rows.map((one, index) => {
    const y = top + index * CELL;
    const cells = columns.map((_, at) => {
      const score = one.cells.get(at) ?? 0;
      const step = stepOf(score);
      const box = { x: left + at * CELL + 1, y: y + 1, width: CELL - 2, height: CELL - 2 };
      const fill = step === 0 ? token("bg-2") : token(`heat-${step}`);
      const ink = step === 5 ? token("on-heat-5") : token("text");
      const middle = { x: box.x + box.width / 2, y: y + CELL / 2 + 4 };
      const figure = score.toFixed(2).replace(/^0/, "");
      const text =
        step === 0 ? "" : line(figure, middle, { size: 10, color: ink, anchor: "middle" });
      return rect(box, fill, 3) + text;
    });
    const adds = { x: left + columns.length * CELL + 70, y: y + CELL / 2 + 4 };
    return [
      line(
        cut(one.label, 18),
        { x: left - 12, y: y + CELL / 2 + 4 },
        { code: true, anchor: "end" },
      ),
      ...cells,
      line(sig3(one.adds), adds, { anchor: "end", weight: 600 }),
    ].join("");
  });
  return picture({ width, height }, [
    line(cut(trace.query, 44), { x: EDGE, y: 54 }, { size: 22, weight: 650 }),
    line(
      cut(`${nameOf(row)} · ${row.path}:${row.start_line}`, 76),
      { x: EDGE, y: 80 },
      { color: quiet },
    ),
    ...heads,
    ...body,
    line(`MaxSim ${sig3(matrix.score)}`, { x: EDGE, y: height - 24 }, { color: quiet }),
    line(
      "Whyrank",
      { x: width - EDGE, y: height - 24 },
      { color: quiet, anchor: "end", weight: 600 },
    ),
  ]);
}

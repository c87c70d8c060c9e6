// An explanation as a picture: the sentence, and what carries the best rows.

import { CHANNELS, channelLabel } from "../../components/channels";
import { sig3 } from "../../components/format";
import { cut, line, type Picture, picture, rect, token } from "../../components/share/picture";
import type { Trace, TraceRow } from "../../ipc";
import { termsOf } from "./arithmetic";
import { layOut, scaleOf } from "./ContributionBar";
import { groupSums } from "./groups";
import { colourOf, nameOf, shownRows } from "./shown-rows";
import { whyOf } from "./why";

const WIDTH = 1080;
const EDGE = 40;
const ROW = 42;
const BAR_X = 620;
const BAR = WIDTH - EDGE - BAR_X;
const LAY_OUT = 1000;
/** Letters that fit a line of the sentence. */
const LETTERS = 118;

export function explainCard(trace: Trace, row: TraceRow): Picture {
  const why = whyOf(trace, row);
  const rows = shownRows(trace, row);
  const sentence = wrapped(`${nameOf(row)} ${why.lead} ${why.turn}`, LETTERS);
  const top = 104 + sentence.length * 22;
  const height = top + rows.length * ROW + 78;
  const quiet = token("text-2");
  return picture({ width: WIDTH, height }, [
    line(cut(trace.query, 70), { x: EDGE, y: 56 }, { size: 26, weight: 650 }),
    ...sentence.map((text, at) => line(text, { x: EDGE, y: 92 + at * 22 }, { size: 15 })),
    ...rows.map((one, at) => cardRow(trace, rows, one, top + at * ROW, one === row)),
    legend(rows, height - 30),
    line(
      "Whyrank",
      { x: WIDTH - EDGE, y: height - 25 },
      { color: quiet, anchor: "end", weight: 600 },
    ),
  ]);
}

function cardRow(
  trace: Trace,
  rows: readonly TraceRow[],
  row: TraceRow,
  y: number,
  isChosen: boolean,
): string {
  const quiet = token("text-2");
  const scale = scaleOf(rows.map((one) => termsOf(one, trace)));
  const middle = y + ROW / 2;
  const bars = layOut(termsOf(row, trace), scale).map(({ term, x, width }) => {
    const high = term.isRank ? 16 : 10;
    const box = {
      x: BAR_X + (x / LAY_OUT) * BAR,
      y: middle - high / 2,
      width: Math.max(1, (width / LAY_OUT) * BAR - 1),
      height: high,
    };
    return rect(box, term.value < 0 ? token("red") : colourOf(term.group), 2);
  });
  const ground = { x: EDGE - 12, y: y + 2, width: WIDTH - 2 * EDGE + 24, height: ROW - 4 };
  return [
    isChosen ? rect(ground, token("accent-soft"), 6) : "",
    line(String(row.rank), { x: EDGE + 18, y: middle + 5 }, { color: quiet, anchor: "end" }),
    line(cut(nameOf(row), 34), { x: EDGE + 32, y: middle - 2 }, { code: true, weight: 600 }),
    line(
      cut(`${row.path}:${row.start_line}`, 58),
      { x: EDGE + 32, y: middle + 13 },
      { size: 11, color: quiet },
    ),
    line(sig3(row.score), { x: BAR_X - 16, y: middle + 5 }, { anchor: "end", weight: 600 }),
    ...bars,
  ].join("");
}

function legend(rows: readonly TraceRow[], y: number): string {
  const present = new Set(rows.flatMap((row) => [...groupSums(row).keys()]));
  let x = EDGE;
  return CHANNELS.filter((channel) => present.has(channel))
    .map((channel) => {
      const at = x;
      const label = channelLabel(channel);
      x += 26 + label.length * 7;
      return (
        rect({ x: at, y: y - 5, width: 10, height: 10 }, colourOf(channel), 5) +
        line(label, { x: at + 15, y: y + 4 }, { size: 12, color: token("text-2") })
      );
    })
    .join("");
}

/** Lines of at most this many letters, broken between words. */
function wrapped(text: string, most: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + word.length >= most) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

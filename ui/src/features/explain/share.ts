// An explanation to show around: a card, the alignments, and the same in Markdown.

import { CHANNELS, channelLabel } from "../../components/channels";
import { sig3, signed } from "../../components/format";
import { cut, line, type Picture, picture, rect, token } from "../../components/share/picture";
import type { Trace, TraceRow } from "../../ipc";
import { termsOf } from "./arithmetic";
import { layOut, scaleOf } from "./ContributionBar";
import { type Group, groupSums } from "./groups";
import { type Why, whyOf } from "./why";
import { type Matrix, stepOf } from "./words";

const WIDTH = 1080;
const EDGE = 40;
const ROWS = 8;
const ROW = 42;
const BAR_X = 620;
const BAR = WIDTH - EDGE - BAR_X;
const LAY_OUT = 1000;
/** Letters that fit a line of the sentence. */
const LETTERS = 118;

const nameOf = (row: TraceRow) => row.symbol ?? row.path.split("/").pop() ?? row.path;
const colourOf = (group: Group) => token(group === "other" ? "text-2" : `ch-${group}`);

/** The best rows, and the one that is explained where it is not among them. */
function shownRows(trace: Trace, row: TraceRow): TraceRow[] {
  const first = trace.rows.filter((one) => one.shown).slice(0, ROWS);
  return first.includes(row) ? first : [...first.slice(0, ROWS - 1), row];
}

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

/** The sentence, and a table of the best rows with what each signal adds. */
export function explainMarkdown(trace: Trace, row: TraceRow): string {
  const why = whyOf(trace, row);
  const rows = shownRows(trace, row);
  const groups = [...new Set(rows.flatMap((one) => [...groupSums(one).keys()]))];
  const label = (group: Group) => (group === "other" ? "Other" : channelLabel(group));
  const cells = (one: TraceRow) => {
    const sums = groupSums(one);
    return groups.map((group) => (sums.has(group) ? signed(sums.get(group) ?? 0) : ""));
  };
  const table = [
    ["#", "Result", "Score", ...groups.map(label)],
    ["--:", "---", "--:", ...groups.map(() => "--:")],
    ...rows.map((one) => [String(one.rank), placeOf(one), sig3(one.score), ...cells(one)]),
  ];
  return `${headOf(trace, row, why)}\n\n${table.map((cell) => `| ${cell.join(" | ")} |`).join("\n")}\n`;
}

function headOf(trace: Trace, row: TraceRow, why: Why): string {
  return `**${trace.query.replaceAll("\n", " ")}**\n\n\`${nameOf(row)}\` ${why.lead} ${why.turn}`;
}

function placeOf(row: TraceRow): string {
  return `\`${nameOf(row)}\` ${row.path}:${row.start_line}`.replaceAll("|", "\\|");
}

/** Lines of at most so many letters, broken between words. */
function wrapped(text: string, most: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + word.length >= most) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

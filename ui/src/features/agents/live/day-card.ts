// A day of agents as a picture and as words, to show around.

import { count, plural } from "../../../components/format";
import { cut, line, type Picture, picture, rect, token } from "../../../components/share/picture";
import { type Day, grepOfDay } from "./day";

const WIDTH = 960;
const EDGE = 40;
const ROW = 34;
const FIGURE = 210;
const BAR_X = 600;
/** The width of a number of calls. */
const COUNT = 84;
const LETTERS = 64;
/** Files that a picture names. */
const N_FILES = 8;

export function dayCard(day: Day, now = new Date()): Picture {
  const files = day.files.slice(0, N_FILES);
  const quiet = token("text-2");
  const grep = grepOfDay(day);
  const bars = day.grep && day.grep.calls > 0 ? comparison(day.grep, 194) : "";
  const top = bars ? 300 : 210;
  const height = top + files.length * ROW + (files.length > 0 ? 40 : 0) + 60;
  const most = Math.max(1, ...files.map((file) => file.calls));
  return picture({ width: WIDTH, height }, [
    line("What my agents asked", { x: EDGE, y: 60 }, { size: 26, weight: 650 }),
    line(cut(whenAndWho(day, now), 120), { x: EDGE, y: 86 }, { color: quiet }),
    ...figuresOf(day).map(([value, name], at) => {
      const x = EDGE + at * FIGURE;
      return (
        line(value, { x, y: 138 }, { size: 26, weight: 650 }) +
        line(name, { x, y: 160 }, { size: 12, color: quiet })
      );
    }),
    bars,
    bars && line(cut(grep, 130), { x: EDGE, y: 276 }, { size: 12, color: quiet }),
    files.length > 0
      ? line("Files shown most", { x: EDGE, y: top + 12 }, { weight: 600 })
      : line("No files were shown", { x: EDGE, y: top + 12 }, { color: quiet }),
    ...files.map(({ path, calls }, at) => {
      const y = top + 40 + at * ROW;
      const width = ((WIDTH - EDGE - COUNT - BAR_X) * calls) / most;
      return (
        line(cutStart(path), { x: EDGE, y }, { code: true }) +
        rect({ x: BAR_X, y: y - 12, width, height: 14 }, token("accent"), 3) +
        line(plural(calls, "call"), { x: WIDTH - EDGE, y }, { anchor: "end", size: 12 })
      );
    }),
    line(
      "Whyrank",
      { x: WIDTH - EDGE, y: height - 24 },
      { color: quiet, anchor: "end", weight: 600 },
    ),
  ]);
}

/** Two bars of one scale: what was answered, and what grep prints for the same. */
function comparison(grep: NonNullable<Day["grep"]>, y: number): string {
  const most = Math.max(1, grep.own, grep.tokens);
  const bar = (label: string, tokens: number, at: number, fill: string) => {
    const box = { x: 120, y: at, width: ((WIDTH - 320) * tokens) / most, height: 18 };
    return (
      line(label, { x: EDGE, y: at + 14 }) +
      rect(box, fill, 3) +
      line(plural(tokens, "token"), { x: box.x + box.width + 8, y: at + 14 }, { size: 12 })
    );
  };
  return (
    bar("Whyrank", grep.own, y, token("accent")) +
    bar("grep", grep.tokens, y + 28, token("border-strong"))
  );
}

function figuresOf(day: Day): [value: string, name: string][] {
  const failed = day.failed > 0 ? `, ${count(day.failed)} failed` : "";
  return [
    [count(day.calls), `${day.calls === 1 ? "call" : "calls"}${failed}`],
    [day.sessions, day.sessions === "1" ? "session" : "sessions"],
    [count(day.tokens), "tokens in answers"],
    [count(day.files.length), day.files.length === 1 ? "file shown" : "files shown"],
  ];
}

export function dayMarkdown(day: Day, now = new Date()): string {
  const figures = figuresOf(day).map(([value, name]) => `- **${value}** ${name}`);
  const files = day.files.slice(0, N_FILES).map(({ path, calls }) => {
    return `| ${codeCell(path)} | ${calls} |`;
  });
  const table =
    files.length > 0 ? ["", "| file | calls that showed it |", "|---|--:|", ...files] : [];
  const grep = grepOfDay(day);
  return [
    `### What my agents asked, ${whenAndWho(day, now)}`,
    "",
    ...figures,
    ...(grep ? ["", grep] : []),
    ...table,
    "",
  ].join("\n");
}

/** A path is a stranger's: it ends neither the cell nor the code. */
const codeCell = (path: string) => `\`${path.replaceAll("`", "'").replaceAll("|", "\\|")}\``;

/** The name of a file is at its end. */
const cutStart = (path: string) => (path.length > LETTERS ? `…${path.slice(1 - LETTERS)}` : path);

/** Names of clients come from elsewhere: one line, and no sign of Markdown. */
function whenAndWho({ clients }: Day, now: Date): string {
  const until = now.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const names = clients.map((name) => name.replaceAll(/[^\p{L}\p{N} ._-]/gu, " "));
  return [`24 hours until ${until}`, ...(names.length > 0 ? [names.join(", ")] : [])].join(" · ");
}

// The gutter that says which commit brought a line, who wrote it and how long ago.

import "./blame-gutter.css";
import { type Extension, RangeSet } from "@codemirror/state";
import { type EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { BlameCommit, FileBlame } from "../ipc";
import { visible } from "../visible/visible";
import { dateTime } from "./format";

const DAY_MS = 86_400_000;
/** Lines that are younger than this many days stand out, each step less. */
const STEPS = [7, 30, 180, 730];

/** How long ago, in as few letters as a gutter has room for: `3 d`, `5 mo`, `2 y`. */
export function shortAge(at: number, now: number): string {
  const days = Math.max(0, (now - at) / DAY_MS);
  if (days < 1) return "today";
  if (days < 31) return `${Math.floor(days)} d`;
  if (days < 365) return `${Math.floor(days / 30.44)} mo`;
  return `${Math.floor(days / 365.25)} y`;
}

/** 0 for the youngest lines, 4 for the oldest. */
export function ageStep(at: number, now: number): number {
  const days = (now - at) / DAY_MS;
  const step = STEPS.findIndex((limit) => days < limit);
  return step < 0 ? STEPS.length : step;
}

/** The commit that brought a line; `null` where it is not committed, nothing where it is not known. */
export function commitAt(blame: FileBlame, line: number): BlameCommit | null | undefined {
  const range = blame.ranges.find((one) => one.start_line <= line && line <= one.end_line);
  if (!range) return undefined;
  return range.commit === null ? null : blame.commits[range.commit];
}

class BlameMark extends GutterMarker {
  constructor(
    readonly commit: BlameCommit | null,
    readonly isFirst: boolean,
    readonly now: number,
  ) {
    super();
    this.elementClass = commit ? `cm-blame-${ageStep(commit.at, now)}` : "cm-blame-new";
  }

  override eq(other: BlameMark): boolean {
    return other.commit === this.commit && other.isFirst === this.isFirst;
  }

  override toDOM(): Node {
    const row = document.createElement("span");
    row.className = "cm-blame-row";
    if (!this.isFirst) return row;
    const part = (name: string, text: string) => {
      const span = document.createElement("span");
      span.className = `cm-blame-${name}`;
      span.textContent = visible(text);
      row.append(span);
    };
    if (!this.commit) {
      part("who", "not committed");
      return row;
    }
    const { sha, author, at, summary } = this.commit;
    row.title = visible(`${summary}\n${author}, ${dateTime(at)}\n${sha}`);
    part("sha", sha.slice(0, 7));
    part("who", author);
    part("age", shortAge(at, this.now));
    return row;
  }
}

/** Marks of all lines; a commit is named on the first line of what it brought. */
export function blameGutter(blame: FileBlame | undefined, now = Date.now()): Extension {
  if (!blame) return [];
  return gutter({
    class: "cm-blame",
    markers: ({ state: { doc } }: EditorView) => {
      const marks = blame.ranges.flatMap((range) => {
        const commit = range.commit === null ? null : (blame.commits[range.commit] ?? null);
        const end = Math.min(range.end_line, doc.lines);
        const lines = Array.from({ length: Math.max(0, end - range.start_line + 1) });
        return lines.map((_, at) =>
          new BlameMark(commit, at === 0, now).range(doc.line(range.start_line + at).from),
        );
      });
      return RangeSet.of(marks, true);
    },
  });
}

// Files and their matching lines as one list of rows, and what the preview marks of them.

import type { LineSpan, WordMark } from "../../components/CodeView";
import type { GrepLine, MatchFile, MatchLine } from "../../ipc";

export type MatchRow =
  | { kind: "file"; file: MatchFile; first: number }
  | { kind: "line"; file: MatchFile; line: MatchLine; index: number };

/** A line that can be chosen, with its file. */
export interface Match {
  file: MatchFile;
  line: MatchLine;
}

/** What has all words in its path or its text; everything without one. */
export function withWords(files: readonly MatchFile[], text: string): MatchFile[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...files];
  return files.flatMap((file) => {
    const has = (line: MatchLine) => {
      const all = `${file.path} ${line.text.text}`.toLowerCase();
      return words.every((word) => all.includes(word));
    };
    const lines = file.lines.filter(has);
    return lines.length > 0 ? [{ ...file, lines, n_lines: lines.length }] : [];
  });
}

/** Characters that are shown before a match that would not fit. */
const BEFORE = 12;

/** Code before what is written about it: who looks for a text as it stands means the code. */
export function codeFirst(files: readonly MatchFile[]): MatchFile[] {
  const isDocs = ({ badges }: MatchFile) => badges.includes("docs");
  return [...files.filter((file) => !isDocs(file)), ...files.filter(isDocs)];
}

export function matchesOf(files: readonly MatchFile[]): Match[] {
  return files.flatMap((file) => file.lines.map((line) => ({ file, line })));
}

/** Each file's head, and below it its lines. */
export function rowsOf(files: readonly MatchFile[]): MatchRow[] {
  let index = 0;
  return files.flatMap((file) => {
    const head: MatchRow = { kind: "file", file, first: index };
    const lines = file.lines.map(
      (line): MatchRow => ({ kind: "line", file, line, index: index++ }),
    );
    return [head, ...lines];
  });
}

/** Where a line begins to be shown: at its code, or a little before a first match that does not fit. */
export function shownFrom({ text, cut }: GrepLine, n_chars: number): number {
  const indent = cut > 0 ? 0 : Math.max(0, text.text.search(/\S/));
  const [start, end] = text.matches[0] ?? [0, 0];
  return end - indent <= n_chars ? indent : Math.max(indent, start - BEFORE);
}

/** What the panes know of a match, as they do of a hit. */
export function placeOf({ file, line }: Match) {
  const at = line.text.line;
  return {
    path: file.path,
    start_line: at,
    end_line: line.endLine ?? at,
    signature: line.verdict?.why ?? line.inside?.name ?? "",
    more_in_file: 0,
  };
}

export function wordsOf(match: Match): WordMark[] {
  return match.file.lines.flatMap((line) => {
    // The head of a definition is no line of the file: its columns are others.
    if (line.verdict) return [];
    return line.text.matches.map(([start, end]) => ({
      line: line.text.line,
      column: line.cut + start,
      length: end - start,
      main: line === match.line,
    }));
  });
}

export function spansOf(match: Match): LineSpan[] {
  return match.file.lines.map((line) => ({
    from: line.text.line,
    to: line.endLine ?? line.text.line,
    main: line === match.line,
  }));
}

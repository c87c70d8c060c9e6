// A file as code. CodeMirror is a chunk of its own, fetched when the first file is shown.

import { Suspense, useState } from "react";
import type { FileBlame, FilePreview } from "../ipc";
import { Chunk } from "./chunk";
import type { CodeLinks } from "./code-links";
import { Loading } from "./states";

/** Lines of a hit, inclusive, from 1. */
export interface LineSpan {
  from: number;
  to: number;
  /** The line to show when the first is too far from it to show both. */
  at?: number;
  /** The hit that is chosen. */
  main: boolean;
  /** The line where one was before: it is shown, and the cursor goes there. */
  before?: number;
}

/** A word that is marked, by its place: line from 1, columns from 0. */
export interface WordMark {
  line: number;
  column: number;
  length: number;
  /** The one that is pointed at. */
  main: boolean;
}

/** Lines that are selected, inclusive, from 1. */
export interface LineRange {
  from: number;
  to: number;
}

export interface CodeProps {
  file: FilePreview;
  spans: LineSpan[];
  words?: WordMark[];
  /** Who wrote the lines, where it is to be shown. */
  blame?: FileBlame;
  /** Its names, where they can be followed. */
  links?: CodeLinks;
  /** Told of the lines that are selected; `null` when nothing is. */
  onLines?: (lines: LineRange | null) => void;
  /** Told of the lines that are selected, or that of the cursor, when `m` is pressed in the code. */
  onPin?: (lines: LineRange) => void;
}

const CODE = new Chunk<CodeProps>(() => import("./CodeMirror").then((it) => it.CodeMirror));

export const preloadCode = () => CODE.load();

export function CodeView(props: CodeProps) {
  const [{ Code }] = useState(() => ({ Code: CODE.part() }));
  return (
    <Suspense fallback={<Loading label="Opening the file" isLate />}>
      <Code {...props} />
    </Suspense>
  );
}

// Memos by the lines of a file that they are about.

import type { Lines } from "./arguments";
import { inOneLine, shown } from "./text";

export interface MemoAnswer {
  memos: Memo[];
}

interface Memo {
  id: string;
  content: string;
  kind: string;
  tags: string[];
  pinned: boolean;
  recorded_at: number;
  author: { name?: string };
  notes: string[];
  anchors: Anchor[];
}

interface Anchor {
  path: string;
  start_line: number;
  end_line: number;
  /** `unchanged`, `moved`, `changed`, `gone`, or empty where it was not compared. */
  state: string;
  /** `path:first-last`; empty where it is gone or was not compared. */
  now: string;
}

/** A memo at a place, as it is shown. */
export interface Remark extends Lines {
  id: string;
  text: string;
  author: string;
  /** Its kind, tags and what became of the code. */
  label: string;
  isDrifted: boolean;
  recordedAt: number;
}

export function remarksOf({ memos }: MemoAnswer): Remark[] {
  return memos.flatMap((memo) => memo.anchors.map((anchor) => remark(memo, anchor)));
}

/** Those of the same lines together, in the order of the file. */
export function groupsOf(remarks: Remark[]): Remark[][] {
  const groups = new Map<string, Remark[]>();
  for (const remark of remarks.toSorted((one, other) => one.first - other.first)) {
    const lines = `${remark.first}-${remark.last}`;
    groups.set(lines, [...(groups.get(lines) ?? []), remark]);
  }
  return [...groups.values()];
}

const DRIFTS: Record<string, string> = {
  changed: "drifted: its code changed",
  gone: "drifted: its code is gone",
};

function remark(memo: Memo, anchor: Anchor): Remark {
  const drift = DRIFTS[anchor.state];
  const pinned = memo.pinned ? ["pinned"] : [];
  return {
    ...linesOf(anchor),
    id: memo.id,
    text: shown(memo.content),
    author: inOneLine(memo.author.name || "unknown"),
    label: inOneLine(
      [memo.kind, ...memo.tags.map((tag) => `#${tag}`), ...pinned, ...(drift ? [drift] : [])].join(
        " · ",
      ),
    ),
    isDrifted: drift !== undefined,
    recordedAt: memo.recorded_at,
  };
}

/** Where it is now, else where it was; a whole file's memo stands at its first line. */
function linesOf({ path, start_line, end_line, now }: Anchor): Lines {
  const [, there, first, last] = /^(.+):(\d+)(?:-(\d+))?$/.exec(now) ?? [];
  if (there) return { path: there, first: Number(first), last: Number(last ?? first) };
  return { path: now || path, first: Math.max(start_line, 1), last: Math.max(end_line, 1) };
}

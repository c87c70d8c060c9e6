// Which commits brought some lines of a file, and how many of them each.

import type { BlameCommit, FileBlame } from "../../ipc";

export interface Brought {
  /** `null` for lines that are not committed. */
  commit: BlameCommit | null;
  nLines: number;
}

/** The newest first; what is not committed is newer than all. */
export function broughtBy(blame: FileBlame, from: number, to: number): Brought[] {
  const lines = new Map<number | null, number>();
  for (const range of blame.ranges) {
    const n = Math.min(range.end_line, to) - Math.max(range.start_line, from) + 1;
    if (n > 0) lines.set(range.commit, (lines.get(range.commit) ?? 0) + n);
  }
  const found = [...lines].map(([at, nLines]): Brought => {
    return { commit: at === null ? null : (blame.commits[at] ?? null), nLines };
  });
  return found.sort((one, other) => whenOf(other) - whenOf(one));
}

const whenOf = ({ commit }: Brought) => commit?.at ?? Number.POSITIVE_INFINITY;

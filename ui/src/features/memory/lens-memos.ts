// Which memos are about what is chosen in Code, and how near each is to it.

import type { Selection } from "../../app/selection";
import type { Memo, MemoAnchor } from "../../ipc";

/** `here`: the chosen lines or definition; `file`: elsewhere in the file; `folder`: a folder that it lies in. */
export type Nearness = "here" | "file" | "folder";

const ORDER: readonly Nearness[] = ["here", "file", "folder"];

export interface MemoHere {
  memo: Memo;
  anchor: MemoAnchor;
  near: Nearness;
}

/** The memos about a place, the nearest first; each once, by its nearest anchor. */
export function memosAt(memos: readonly Memo[], selection: Selection): MemoHere[] {
  const found = memos.flatMap((memo) => {
    const anchors = memo.anchors
      .map((anchor) => ({ memo, anchor, near: nearness(anchor, selection) }))
      .filter((one): one is MemoHere => one.near !== null)
      .sort(byNearness);
    return anchors.slice(0, 1);
  });
  return found.sort(byNearness);
}

const byNearness = (one: MemoHere, other: MemoHere) =>
  ORDER.indexOf(one.near) - ORDER.indexOf(other.near);

function nearness(anchor: MemoAnchor, selection: Selection): Nearness | null {
  const { path, start, end } = placeNow(anchor);
  if (path !== selection.path) {
    return start === 0 && selection.path.startsWith(`${path.replace(/\/$/, "")}/`)
      ? "folder"
      : null;
  }
  const isSymbol = anchor.symbol !== null && anchor.symbol === selection.symbol;
  const isInLines = start > 0 && start <= selection.endLine && end >= selection.line;
  return isSymbol || isInLines ? "here" : "file";
}

/** Where an anchor is now, or where it was made where that is not known. */
function placeNow(anchor: MemoAnchor): { path: string; start: number; end: number } {
  const [, path, start, end] = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/.exec(anchor.now) ?? [];
  if (!path) return { path: anchor.path, start: anchor.start_line, end: anchor.end_line };
  return { path, start: Number(start ?? 0), end: Number(end ?? start ?? 0) };
}

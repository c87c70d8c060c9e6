// What a look at a repository's files came to, in words.

import type { TreeLook } from "../ipc";
import { count, plural, sentence } from "./format";

/** Files that the band names; the rest is counted. */
const NAMED = 3;

/** What the answer does not show: `router.go, tree.go and 2 more changed since the index`. */
export function whatIsBehind({ found }: TreeLook): string {
  const { behind, n_behind, head_moved, partial } = found;
  if (partial) {
    const [done, all] = partial;
    return `The index has ${count(done)} of ${plural(all, "file")} so far`;
  }
  if (n_behind === 0)
    return head_moved ? "HEAD moved since the index" : "Not compared with the files";
  const named = behind.slice(0, NAMED);
  const more = n_behind - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""} changed since the index`;
}

/** What is being done about it. */
export function whatIsDone({ found }: TreeLook): string {
  if (found.note === "update running") return "Updating: the results below are older.";
  if (found.note === "not updated yet") return "The results below are older.";
  return sentence(found.note);
}

/** For the foot of the window: `3 files changed since the index · checked 2 s ago`. */
export function lookInWords(look: TreeLook, nowMs: number): string {
  return `${stateInWords(look)} · checked ${agoInWords(nowMs - look.looked_at)}`;
}

function stateInWords(look: TreeLook): string {
  const { note, n_behind, head_moved, partial } = look.found;
  if (note === "") return "up to date";
  if (n_behind > 0) return `${plural(n_behind, "file")} changed since the index`;
  if (head_moved) return "HEAD moved since the index";
  return partial ? `${count(partial[0])} of ${plural(partial[1], "file")} so far` : "not compared";
}

function agoInWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return `${Math.floor(seconds / 3600)} h ago`;
}

// How memos are named and dated in the window.

import { dateTime } from "../../components/format";
import { memoTitle } from "../../components/memo-title";
import type { AnchorPlace, Memo, MemoAnchor, MemoAuthor, MemoMoment } from "../../ipc";

export const KINDS = [
  "decision",
  "preference",
  "pattern",
  "context",
  "todo",
  "procedure",
  "correction",
] as const;

export const STATES: readonly { value: string; label: string }[] = [
  { value: "valid", label: "Current" },
  { value: "drifted", label: "Drifted" },
  { value: "conflicts", label: "Conflicts" },
  { value: "pinned", label: "Pinned" },
  { value: "superseded", label: "Superseded" },
  { value: "forgotten", label: "Ended" },
  { value: "elsewhere", label: "On other branches" },
  { value: "orphaned", label: "Orphaned" },
  { value: "unplaced", label: "Unknown commit" },
  { value: "all", label: "All" },
];

export const titleOf = memoTitle;

export const whenOf = dateTime;

export const shortSha = (sha: string) => sha.slice(0, 8);

export function sinceOf(memo: Memo): string {
  const from = memo.valid_from_sha ? shortSha(memo.valid_from_sha) : whenOf(memo.valid_from_at);
  if (memo.valid_until_at === null) return `from ${from}`;
  const until = memo.valid_until_sha ? shortSha(memo.valid_until_sha) : whenOf(memo.valid_until_at);
  return `${from} to ${until}`;
}

export function authorOf(author: MemoAuthor): string {
  const name = author.name && author.name !== "someone" ? author.name : "unknown author";
  if (!author.is_client) return name;
  return author.call ? `${name} · call ${author.call}` : `${name} · agent`;
}

/** How an anchor is shown. */
export function anchorOf({ path, start_line, end_line }: AnchorPlace): string {
  if (start_line === 0) return path;
  return start_line === end_line ? `${path}:${start_line}` : `${path}:${start_line}-${end_line}`;
}

/** How it is shown before it is saved: a definition by its name. */
export function placeName(place: AnchorPlace): string {
  return place.symbol === null ? anchorOf(place) : place.symbol;
}

export function placesOf(anchors: readonly MemoAnchor[]): AnchorPlace[] {
  return anchors.map(({ path, symbol, start_line, end_line }) => ({
    path,
    symbol,
    start_line,
    end_line,
  }));
}

/** Equal for one place alone. */
export function placeKey({ path, symbol, start_line, end_line }: AnchorPlace): string {
  return JSON.stringify([path, symbol, start_line, end_line]);
}

export const keysOf = (places: readonly AnchorPlace[]) => places.map(placeKey).join();

export function isNow(moment: MemoMoment): boolean {
  return moment.as_of === null && moment.known_at === null;
}

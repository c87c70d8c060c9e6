// How memos are named and dated in the window.

import { dateTime } from "../../components/format";
import type { Memo, MemoAnchor, MemoAuthor, MemoMoment } from "../../ipc";

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

export function titleOf(memo: { content: string }): string {
  const first = memo.content.split("\n").find((line) => line.trim() !== "") ?? "";
  // Underscores stay: they are more often part of a name than emphasis.
  return first.replace(/^#+\s+/, "").replace(/[`*]/g, "");
}

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

export function anchorOf(anchor: MemoAnchor): string {
  const { path, start_line, end_line } = anchor;
  if (start_line === 0) return path;
  return start_line === end_line ? `${path}:${start_line}` : `${path}:${start_line}-${end_line}`;
}

export function isNow(moment: MemoMoment): boolean {
  return moment.as_of === null && moment.known_at === null;
}

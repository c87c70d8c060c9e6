// What is known of a repository: where it begins, how far its index is, and links to it in the window.

import { join, relative } from "node:path";
import { inOneLine } from "./text";

export interface StatusAnswer {
  health: { summary: Repository };
}

export interface Repository {
  id: string;
  name: string;
  root: string;
  state: string;
  state_note: string;
  files: number;
}

const ICONS: Record<string, string> = {
  ready: "check",
  "not-indexed": "circle-slash",
  indexing: "sync~spin",
  paused: "debug-pause",
  stale: "history",
  failed: "error",
};

/** The language server makes the index and keeps it up to date. */
const UNDER_WAY = ["not-indexed", "indexing", "stale"];

/** For the status bar. */
export function stateOf({ state, state_note, name, files }: Repository) {
  return {
    text: `$(${ICONS[state] ?? "warning"}) Whyrank: ${inOneLine(state.replace("-", " "))}`,
    isUnderWay: UNDER_WAY.includes(state),
    tooltip: inOneLine(`${name}: ${state_note} (files: ${files})`),
  };
}

/** The link to a file and who uses it, for the window; one to the repository without a file. */
export function linkTo({ id, name }: Repository, path?: string): string {
  const params = new URLSearchParams({ ...(path && { path, code: "1" }), repo: id, name });
  const text = params.toString().replace(/[^\x21-\x7e]/g, encodeURIComponent);
  return `whyrank://${path ? "graph" : "search"}?${text}`;
}

/** The root as the editor names it, where a folder was opened by a link to it (`real` is what that leads to). */
export function rootSeenFrom(opened: string, real: string, root: string): string {
  const way = relative(real, root);
  return opened === real || way.startsWith("..") ? root : join(opened, way);
}

/** How far indexing is, from a line of the program: `indexing (parse): 6 of 40 files`. */
export function progressOf(line: string): string | null {
  const [, told] = /^indexing \((.+: \d+ of \d+ \w+|.+)$/.exec(line.trim()) ?? [];
  return told ? inOneLine(told.replace("):", ":")) : null;
}

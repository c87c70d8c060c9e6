// An index whose vectors stopped on the way is searchable, and not finished.

import type { RepoSummary } from "../ipc";
import { percent, plural } from "./format";

/** Some vectors are there and nothing makes the rest: who cancelled may go on. */
export function isPartial({ state, coverage }: RepoSummary): boolean {
  return state === "ready" && coverage.vector > 0 && coverage.vector < 1;
}

export function vectorsSoFar({ coverage }: RepoSummary): string {
  return coverage.vector < 0.01 ? "Vectors under 1 %" : `Vectors ${percent(coverage.vector)}`;
}

/** A note of the engine without the command that a terminal would run: here there is a button. */
export function withoutCommand(note: string): string {
  return note.replace(/[:;] run `whyrank [^`]*`( to go on)?| \(`whyrank [^`]*`\)/g, "");
}

/** How far the index is behind, as far as it is known. */
export function behindInWords({ commits_behind: n = 0 }: RepoSummary): string {
  return n > 0 ? `${plural(n, "commit")} behind` : "Not up to date";
}

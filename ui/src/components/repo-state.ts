// An index that was left unfinished is searchable, and not ready.

import type { RepoSummary, TreeLook } from "../ipc";
import { percent, plural } from "./format";

/** What is not built yet although nothing is at work: who cancelled, or closed the window, may go on. */
export function unfinished(repo: RepoSummary): string | undefined {
  const { state, coverage, graph } = repo;
  if (coverage.lexical < 1 && (state === "stale" || state === "ready"))
    return `Text index ${share(coverage.lexical)}`;
  if (state !== "ready") return undefined;
  if (graph !== "ready") return "No symbol graph";
  return coverage.vector > 0 && coverage.vector < 1
    ? `Vectors ${share(coverage.vector)}`
    : undefined;
}

function share(part: number): string {
  return part < 0.01 ? "under 1%" : percent(part);
}

/** A note of the engine without the command that a terminal would run: here there is a button. */
export function withoutCommand(note: string): string {
  return note.replace(
    /[:;] (if it stays so, )?(run )?`whyrank [^`]*`( to (go on|repair it)| (builds|makes) it( again)?)?| \(`whyrank [^`]*`\)/g,
    "",
  );
}

/** How far the index is behind, as far as it is known. */
export function behindInWords({ commits_behind: n = 0 }: RepoSummary): string {
  return n > 0 ? `${plural(n, "commit")} behind` : "Not up to date";
}

/** A repository beside its name: `3 files changed · vectors 98%`. */
export function shortState(repo: RepoSummary, look: TreeLook | undefined): string {
  const { state, coverage } = repo;
  const { n_behind = 0, note = "" } = look?.found ?? {};
  const isBehind = look !== undefined && note !== "" && n_behind > 0;
  const word = state === "stale" ? behindInWords(repo).toLowerCase() : state.replace("-", " ");
  const parts = [isBehind ? `${plural(n_behind, "file")} changed` : word];
  if (coverage.vector > 0) parts.push(`vectors ${share(coverage.vector)}`);
  return parts.join(" · ");
}

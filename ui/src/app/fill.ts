// A lens of the dock in the whole window.

import { navigate, showInGraph } from "./route";
import { lookInto } from "./scope";
import type { Selection } from "./selection";
import { scopeChosen, session } from "./session";

/** A hit shows its whole definition, a row of the trace the part that was found: ranks are the same. */
export function fillExplain({ hit, queryId }: Selection): void {
  if (!hit || !queryId) return;
  navigate({ view: "explain", id: queryId, params: { row: `#${hit.rank}` } });
}

export function fillGraph(selection: Selection): void {
  lookWithin(selection);
  const { symbol, path, line } = selection;
  showInGraph({ symbol, path, start_line: line });
}

export function fillMemory(selection: Selection): void {
  lookWithin(selection);
  navigate({ view: "memory" });
}

/** What is shown of one place is shown of its repository. */
function lookWithin({ repo, hit }: Selection): void {
  const now = session.get();
  const isOfSeveral = hit ? !!hit.repo : scopeChosen(now) !== "";
  if (isOfSeveral || repo !== now.repo) lookInto(repo);
}

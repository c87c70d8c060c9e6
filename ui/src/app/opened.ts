// A place in the code that is shown without being a hit: where a name led, or a row of another part. It stands in
// the address of Code, so that back and forward lead through the places where one was.

import { amend, currentRoute, navigate, useRoute } from "./route";
import { lastRoute, session } from "./session";

export interface CodePlace {
  /** Id of the repository that it lies in. */
  repo: string;
  path: string;
  /** First line, from 1. */
  line: number;
  /** Last line; the first where there is none. */
  endLine?: number;
}

/** The place that is open in Code, if it is no hit. */
export function useOpened(): CodePlace | null {
  const { params } = useRoute();
  const { repo } = session.use();
  const place = placeOf(params.at ?? "");
  return place && { ...place, repo: params.in || repo };
}

/** The line where one was when a name was followed from what is shown. */
export function useLineBefore(): number | undefined {
  const line = Number(useRoute().params.line);
  return line > 0 ? line : undefined;
}

/** Opens a place in Code. `from` is the line that it was reached from, where one comes back to. */
export function openCode(place: CodePlace, from?: number): void {
  const { view, params } = currentRoute();
  const isInCode = view === "search";
  if (isInCode && from) amend({ view, params: { ...params, line: String(from) } });
  const { at: _, in: __, line: ___, ...asked } = isInCode ? params : lastRoute("search").params;
  const isElsewhere = place.repo !== session.get().repo;
  navigate({
    view: "search",
    params: { ...asked, at: textOf(place), ...(isElsewhere && { in: place.repo }) },
  });
}

/** Back to what was found, where a place stands before it. */
export function leaveOpened(): void {
  const { view, params } = currentRoute();
  if (view !== "search" || !(params.at || params.line)) return;
  const { at, in: _, line: __, ...asked } = params;
  // A place is one to come back to; a line of the same file is none.
  navigate({ view, params: asked }, { replace: !at });
}

function textOf({ path, line, endLine = line }: CodePlace): string {
  return endLine > line ? `${path}:${line}-${endLine}` : `${path}:${line}`;
}

/** `src/tax.py:12` or `src/tax.py:12-30`. */
export function placeOf(text: string): Omit<CodePlace, "repo"> | null {
  const [, path, line, endLine] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (!path || !Number(line)) return null;
  return { path, line: Number(line), ...(endLine && { endLine: Number(endLine) }) };
}

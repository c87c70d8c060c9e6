// What can be drawn over the map of a repository, as its address says it: `#/graph?over=session&session=s-1`.

import { amend, navigate, type Route } from "./route";

/** A session of an agent, a diff against a revision ("" for what is not committed), or a file. */
export type Over =
  | { over: "session"; session: string }
  | { over: "changes"; base: string }
  | { over: "file"; file: string };

export function showOnMap(over: Over): void {
  navigate({ view: "graph", params: { ...over } });
}

/** The map as it is; a step back leads to where one was before. */
export function clearMap(): void {
  amend({ view: "graph" });
}

export function overIn({ over, session, base, file }: Route["params"]): Over | null {
  if (over === "session" && session) return { over, session };
  if (over === "file" && file) return { over, file };
  return over === "changes" ? { over, base: base ?? "" } : null;
}

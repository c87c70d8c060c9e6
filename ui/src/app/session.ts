// What the screens of one session share: the chosen repository and the last answer.

import type { SearchRequest } from "../ipc";
import type { View } from "./route";
import { asRanked, queryParams, type SearchQuery } from "./search-query";
import { createStore } from "./store";

export interface LastAnswer {
  /** The text of the box, filters and all. */
  text: string;
  request: SearchRequest;
  queryId: string;
  /** That of the answer before it, which said less or other of the same question. */
  replaced?: string;
  elapsedMs: number;
  /** The hit that was chosen, from 0. */
  chosen: number;
}

export interface Session {
  repo: string;
  /** What is asked from a repository: the name of a workspace, `all`, "" for it alone; as it is set up
   * for any other. */
  scope: { of: string; name: string } | null;
  last: LastAnswer | null;
  /** What Search asked when it was left. */
  search: SearchQuery;
  /** Repositories of the first start: Search opens when one of them can be searched. */
  awaited: string[];
  /** A folder that was dropped on the window, until it is added or left alone. */
  dropped: string | null;
  /** What the graph showed last, as parameters of its route, and of what. */
  graph: { asked: string; params: Record<string, string> };
}

const KEY = "whyrank.repo";

export const session = createStore<Session>(
  {
    repo: localStorage.getItem(KEY) ?? "",
    scope: null,
    last: null,
    search: asRanked(""),
    awaited: [],
    dropped: null,
    graph: { asked: "", params: {} },
  },
  ({ repo }) => localStorage.setItem(KEY, repo),
);

/** Where a screen was left, or its beginning. */
export function lastRoute(view: View): { view: View; params: Record<string, string> } {
  const { search, graph } = session.get();
  if (view === "search") return { view, params: queryParams(search) };
  if (view === "graph" && graph.asked === askedNow()) return { view, params: graph.params };
  return { view, params: {} };
}

/** The name of the chosen scope; `null` for what is set up for the repository. */
export function scopeChosen({ repo, scope }: Pick<Session, "repo" | "scope">): string | null {
  return scope?.of === repo ? scope.name : null;
}

/** Equal while the same repositories are asked from the same one. */
export function askedNow(): string {
  const now = session.get();
  return `${now.repo} ${scopeChosen(now)}`;
}

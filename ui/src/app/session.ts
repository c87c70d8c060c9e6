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
  elapsedMs: number;
  /** The hit that was chosen, from 0. */
  chosen: number;
}

interface Session {
  repo: string;
  last: LastAnswer | null;
  /** What Search asked when it was left. */
  search: SearchQuery;
  /** Repositories of the first start: Search opens when one of them can be searched. */
  awaited: string[];
  /** A folder that was dropped on the window, until it is added or left alone. */
  dropped: string | null;
  /** What the graph showed last, as parameters of its route, and of which repository. */
  graph: { repo: string; params: Record<string, string> };
}

const KEY = "whyrank.repo";

export const session = createStore<Session>(
  {
    repo: localStorage.getItem(KEY) ?? "",
    last: null,
    search: asRanked(""),
    awaited: [],
    dropped: null,
    graph: { repo: "", params: {} },
  },
  ({ repo }) => localStorage.setItem(KEY, repo),
);

/** Where a screen was left, or its beginning. */
export function lastRoute(view: View): { view: View; params: Record<string, string> } {
  const { search, graph, repo } = session.get();
  if (view === "search") return { view, params: queryParams(search) };
  if (view === "graph" && graph.repo === repo) return { view, params: graph.params };
  return { view, params: {} };
}

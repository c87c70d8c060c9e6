// What the screens of one session share: the chosen repository and the last answer.

import type { SearchRequest } from "../ipc";
import { createStore } from "./store";

export interface LastAnswer {
  /** The text of the box, filters and all. */
  text: string;
  request: SearchRequest;
  queryId: string;
  elapsedMs: number;
}

interface Session {
  repo: string;
  last: LastAnswer | null;
}

const KEY = "whyrank.repo";

export const session = createStore<Session>(
  { repo: localStorage.getItem(KEY) ?? "", last: null },
  ({ repo }) => localStorage.setItem(KEY, repo),
);

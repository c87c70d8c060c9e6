// What is chosen in Code, as the lenses beside it show it.

import type { Hit } from "../ipc";

/** What is chosen in Code: a place, and the answer in which it was found. */
export interface Selection {
  /** Id of the repository it lies in. */
  repo: string;
  /** Commit, or `null` for the working tree. */
  asOf: string | null;
  path: string;
  /** From 1. */
  line: number;
  endLine: number;
  /** Qualified name of the definition there, as the engine gives it. */
  symbol: string | null;
  /** The hit, where a ranked search found it. */
  hit: Hit | null;
  /** Of the answer, for Explain. */
  queryId: string | null;
}

export interface LensProps {
  selection: Selection;
}

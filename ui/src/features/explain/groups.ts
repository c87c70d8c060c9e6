// Which signal a term speaks for: a channel's rank and the evidence that goes with it are one group.

import type { Channel, TraceRow } from "../../ipc";

/** A channel with its evidence, or what belongs to no channel. */
export type Group = Channel | "other";

const OF_TERM: Record<string, Channel> = {
  "lexical-score": "fts",
  "file-lexical": "fts",
  "vector-score": "vector",
  "static-score": "static",
  "graph-score": "graph",
  path: "path",
  area: "path",
  "file-name": "path",
  "file-named": "path",
  "path-words": "path",
  definition: "symbol-name",
  "name-cover": "symbol-name",
  "max-sim": "late-interaction",
  "file-max-sim": "late-interaction",
  "code-max-sim": "late-interaction",
};

/** Coefficients of a group's evidence, as settings name them: they move with its weight. */
export const COEFFICIENTS: Partial<Record<Group, readonly string[]>> = {
  fts: ["lexical_score", "lexical_file"],
  vector: ["vector_score"],
  static: ["static_score"],
  graph: ["graph_score"],
  path: ["file_name", "file_named", "path_words", "area"],
  "symbol-name": ["definition", "embedded_definition", "name_cover"],
  "late-interaction": ["late_score", "late_file", "late_code"],
};

/** Terms that keep a share of what stood before them, rather than add. */
const SHARES = new Set([
  "config-file",
  "test-file",
  "example-file",
  "docs-file",
  "foreign-file",
  "legacy-file",
  "stub-file",
  "between-definitions",
  "re-exports",
  "within-file",
  "same-file",
  "copy",
]);

export const groupOfTerm = (name: string): Group => OF_TERM[name] ?? "other";

export const isShare = (name: string): boolean => SHARES.has(name);

/** What each group adds to a row's score. */
export function groupSums(row: TraceRow): Map<Group, number> {
  const sums = new Map<Group, number>();
  const add = (group: Group, value: number) => sums.set(group, (sums.get(group) ?? 0) + value);
  for (const entry of row.channels) add(entry.channel, entry.contribution);
  for (const entry of row.evidence) add(groupOfTerm(entry.name), entry.contribution);
  return sums;
}

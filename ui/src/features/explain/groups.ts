// Which signal a term speaks for, as the engine says it: a channel's rank and the evidence that goes with it are
// one group.

import { type Channel, EVIDENCE_TERMS, type TraceRow } from "../../ipc";

/** A channel with its evidence, or what belongs to no channel. */
export type Group = Channel | "other";

interface EvidenceTerm {
  name: string;
  channel: Channel | null;
  coefficients: readonly string[];
  is_share: boolean;
}

const TERMS = new Map<string, EvidenceTerm>(EVIDENCE_TERMS.map((term) => [term.name, term]));

/** Coefficients of a group's evidence, as settings name them: they move with its weight. */
export const coefficientsOf = (group: Group): readonly string[] =>
  [...TERMS.values()].flatMap((term) => (term.channel === group ? term.coefficients : []));

export const groupOfTerm = (name: string): Group => TERMS.get(name)?.channel ?? "other";

/** It keeps a share of what stood before it, rather than add. */
export const isShare = (name: string): boolean => TERMS.get(name)?.is_share ?? false;

/** What each group adds to a row's score. */
export function groupSums(row: TraceRow): Map<Group, number> {
  const sums = new Map<Group, number>();
  const add = (group: Group, value: number) => sums.set(group, (sums.get(group) ?? 0) + value);
  for (const entry of row.channels) add(entry.channel, entry.contribution);
  for (const entry of row.evidence) add(groupOfTerm(entry.name), entry.contribution);
  return sums;
}

// The arithmetic of a score, as the trace records it: terms that sum to the score.

import { CHANNELS, channelLabel } from "../../components/channels";
import { sig3, weight } from "../../components/format";
import { pathOf } from "../../components/repository-of";
import type { Channel, Trace, TraceRow } from "../../ipc";
import { type Group, groupOfTerm } from "./groups";

/** How far a sum may be from the score it explains. */
export const TOLERANCE = 1e-9;

export interface Term {
  /** A channel, or the name of a piece of evidence. */
  name: string;
  label: string;
  /** The channel that it speaks for; `other` for none. */
  group: Group;
  /** A rank in the channel, rather than evidence that goes with it. */
  isRank: boolean;
  value: number;
  /** How the value comes about: `1.0 / (60 + 3) = 0.0159`, or the reason in words. */
  formula: string;
}

/** Terms whose names say little, in the words that the rest of the window has for them. */
const LABELS: Record<string, string> = {
  "max-sim": "Late interaction",
  "file-max-sim": "Late interaction of the file",
  "code-max-sim": "Late interaction without comments",
  "cross-encode": "Cross-encoder",
  "lexical-score": "Text match",
  "file-lexical": "Text match of the file",
  "vector-score": "Vector similarity",
  "static-score": "Static similarity",
  "graph-score": "Graph proximity",
  "name-cover": "Name match",
  "file-name": "File name match",
  "file-named": "File name in query",
  "path-words": "Words in the path",
  "file-coherence": "Other chunks of the file",
  "file-rank": "File importance",
  "within-file": "Order within the file",
  "same-file": "Another chunk of its file",
  rerank: "Reranker",
};

export const termLabel = (name: string) => LABELS[name] ?? sentence(name.replaceAll("-", " "));

/** A term of a comparison may be a channel's rank too. */
export const comparedLabel = (name: string) =>
  CHANNELS.some((channel) => channel === name) ? channelLabel(name as Channel) : termLabel(name);

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** A row's terms: channels by their share, then evidence. */
export function termsOf(row: TraceRow, trace: Pick<Trace, "rrf_k" | "weights">): Term[] {
  const channels = row.channels.map((entry): Term => {
    const used = trace.weights.find((one) => one.channel === entry.channel)?.effective;
    return {
      name: entry.channel,
      label: channelLabel(entry.channel),
      group: entry.channel,
      isRank: true,
      value: entry.contribution,
      formula: [formula(used, trace.rrf_k, entry.rank, entry.contribution), entry.way]
        .filter(Boolean)
        .join("; reached "),
    };
  });
  const evidence = row.evidence.map(
    (entry): Term => ({
      name: entry.name,
      label: termLabel(entry.name),
      group: groupOfTerm(entry.name),
      isRank: false,
      value: entry.contribution,
      formula: entry.reason,
    }),
  );
  return grouped([...channels, ...evidence]);
}

/** Groups by what they add, most first; what belongs to no channel comes last. */
function grouped(terms: Term[]): Term[] {
  const sums = new Map<Group, number>();
  for (const term of terms) sums.set(term.group, (sums.get(term.group) ?? 0) + term.value);
  const place = (group: Group) =>
    group === "other" ? Number.NEGATIVE_INFINITY : (sums.get(group) ?? 0);
  return terms.sort(
    (a, b) =>
      place(b.group) - place(a.group) ||
      a.group.localeCompare(b.group) ||
      Number(b.isRank) - Number(a.isRank),
  );
}

/** `1.0 / (60 + 3) = 0.0159`; the bare value where the formula does not give it. */
export function formula(
  used: number | undefined,
  k: number,
  rank: number,
  contribution: number,
): string {
  if (used === undefined || Math.abs(used / (k + rank) - contribution) > TOLERANCE) {
    return `rank ${rank} adds ${sig3(contribution)}`;
  }
  return `${weight(used)} / (${weight(k).replace(/\.0$/, "")} + ${rank}) = ${sig3(contribution)}`;
}

export function sumOf(terms: readonly { value: number }[]): number {
  return terms.reduce((sum, term) => sum + term.value, 0);
}

/** Whether the terms explain the score. */
export function addsUp(terms: readonly { value: number }[], score: number): boolean {
  return Math.abs(sumOf(terms) - score) <= TOLERANCE;
}

/** Ranks by the fused score alone, to show what the evidence moved. */
export function fusedRanks(rows: readonly TraceRow[]): Map<TraceRow, number> {
  const order = [...rows].sort((a, b) => b.fused - a.fused || a.rank - b.rank);
  return new Map(order.map((row, index) => [row, index + 1]));
}

/** A row in a list to choose from. */
export function optionOf(row: TraceRow): { value: string; label: string } {
  return { value: rowKey(row), label: `${row.rank}. ${row.symbol ?? row.path}` };
}

/** Parts of one definition are rows of their own. */
export function rowKey(row: TraceRow): string {
  return `${pathOf(row)}:${row.part?.start_line ?? row.start_line}`;
}

/** The lines that were found: of a long definition a part, or with the comment before it. */
export function partOf({ part, start_line, end_line }: TraceRow): { from: number; to: number } {
  return { from: part?.start_line ?? start_line, to: part?.end_line ?? end_line };
}

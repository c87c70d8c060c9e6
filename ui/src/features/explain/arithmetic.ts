// The arithmetic of a score, as the trace records it: terms that sum to the score.

import { channelLabel } from "../../components/channels";
import { sig3, signed, weight } from "../../components/format";
import type { Channel, Trace, TraceRow } from "../../ipc";

/** How far a sum may be from the score it explains. */
export const TOLERANCE = 1e-9;

export interface Term {
  /** A channel, or the name of a piece of evidence. */
  name: string;
  label: string;
  channel: Channel | null;
  value: number;
  /** How the value comes about: `1.0 / (60 + 3) = 0.0159`, or the reason in words. */
  formula: string;
}

/** Terms that late interaction brings; they have its colour. */
const LABELS: Record<string, string> = {
  "max-sim": "Late interaction",
  "file-max-sim": "Late interaction of the file",
  "code-max-sim": "Late interaction without comments",
};
/** Terms whose names say little. */
const OTHER_LABELS: Record<string, string> = { rerank: "Reranker" };

/** A row's terms: channels by their share, then evidence. */
export function termsOf(row: TraceRow, trace: Pick<Trace, "rrf_k" | "weights">): Term[] {
  const channels = row.channels.map((entry): Term => {
    const used = trace.weights.find((one) => one.channel === entry.channel)?.effective;
    return {
      name: entry.channel,
      label: channelLabel(entry.channel),
      channel: entry.channel,
      value: entry.contribution,
      formula: [formula(used, trace.rrf_k, entry.rank, entry.contribution), entry.way]
        .filter(Boolean)
        .join("; reached "),
    };
  });
  const evidence = row.evidence.map(
    (entry): Term => ({
      name: entry.name,
      label: LABELS[entry.name] ?? OTHER_LABELS[entry.name] ?? entry.name.replaceAll("-", " "),
      channel: entry.name in LABELS ? "late-interaction" : null,
      value: entry.contribution,
      formula: entry.reason
        ? `${entry.reason}: ${signed(entry.contribution)}`
        : signed(entry.contribution),
    }),
  );
  return [...channels.sort((a, b) => b.value - a.value), ...evidence];
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

export function rowKey(row: TraceRow): string {
  return `${row.path}:${row.start_line}`;
}

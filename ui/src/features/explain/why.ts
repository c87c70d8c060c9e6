// Why a row stands where it stands, in a sentence, and what would change that.

import { channelLabel } from "../../components/channels";
import type { Trace, TraceRow } from "../../ipc";
import { type Group, groupSums } from "./groups";
import { type Refused, refuse } from "./refuse";

/** The rank that a row would have if something did not count. */
export interface Counterfactual {
  /** The group that is left out; `null` for a demotion. */
  group: Group | null;
  /** `Path`, `the test-file demotion`. */
  what: string;
  rank: number;
  /** Another part of the same file that would be shown in its place. */
  standIn: string | null;
}

export interface Why {
  /** What carries it. */
  lead: string;
  /** What would change its rank, or that nothing alone would. */
  turn: string;
  counterfactuals: Counterfactual[];
}

/** Groups whose sums make up so much of the evidence for a row are named. */
const ENOUGH = 0.6;
const MAX_NAMED = 3;

export const groupLabel = (group: Group) => (group === "other" ? "Other" : channelLabel(group));

export function whyOf(trace: Trace, row: TraceRow): Why {
  const counterfactuals = [...withoutGroups(trace, row), ...withoutDemotions(trace, row)];
  return { lead: leadOf(trace, row), turn: turnOf(row, counterfactuals), counterfactuals };
}

function withoutGroups(trace: Trace, row: TraceRow): Counterfactual[] {
  const groups = new Set<Group>();
  for (const one of trace.rows) for (const group of groupSums(one).keys()) groups.add(group);
  groups.delete("other");
  return [...groups].map((group) => ({
    group,
    what: groupLabel(group),
    ...placeOf(row, refuse(trace, { [group]: 0 })),
  }));
}

/** Where a row would stand, and what of its file would stand before it if nothing does now. */
function placeOf(row: TraceRow, order: readonly Refused[]) {
  const at = order.findIndex((one) => one.was === row);
  const before = order.slice(0, at).find((one) => one.was.path === row.path)?.was;
  const isNew = before !== undefined && before.rank > row.rank;
  return {
    rank: order[at]?.now.rank ?? row.rank,
    standIn: isNew ? (before.symbol ?? `${before.path}:${before.start_line}`) : null,
  };
}

/** What takes a share off the row: each is left out of this row's score alone of its kind. */
function withoutDemotions(trace: Trace, row: TraceRow): Counterfactual[] {
  return row.evidence
    .filter((term) => term.contribution < 0 && term.name !== "within-file")
    .map((term) => ({
      group: null,
      what: `the ${term.name.replaceAll("-", " ")} demotion`,
      ...placeOf(row, refuse(trace, {}, term.name)),
    }));
}

function leadOf(trace: Trace, row: TraceRow): string {
  const place = row.rank === 1 ? "ranks first" : `ranks #${row.rank}`;
  const carried = carriers(row);
  if (carried.length === 0) return `${place}, though no signal favors it.`;
  const names = listed(carried.map(groupLabel));
  const verb = carried.length === 1 ? "carries" : "carry";
  const lead = `${place}: ${names} ${verb} ${percent(shareOf(row, carried))} of its evidence`;
  const best = trace.rows[0];
  const behind = best && best !== row ? behindOf(row, best) : "";
  return `${lead}${behind}.`;
}

/** What the first row has more of than this one. */
function behindOf(row: TraceRow, best: TraceRow): string {
  const [own, others] = [groupSums(row), groupSums(best)];
  let most: { group: Group; by: number } | undefined;
  for (const [group, value] of others) {
    const by = value - (own.get(group) ?? 0);
    if (group !== "other" && by > (most?.by ?? 0)) most = { group, by };
  }
  if (!most || best.score <= row.score) return "";
  return `; #1 wins mainly on ${groupLabel(most.group).toLowerCase()}`;
}

function carriers(row: TraceRow): Group[] {
  const speaking = [...groupSums(row)].filter(([group, sum]) => group !== "other" && sum > 0);
  speaking.sort((a, b) => b[1] - a[1]);
  const all = speaking.reduce((sum, [, value]) => sum + value, 0);
  const named: Group[] = [];
  let sum = 0;
  for (const [group, value] of speaking) {
    if (sum >= ENOUGH * all || named.length === MAX_NAMED) break;
    named.push(group);
    sum += value;
  }
  return named;
}

function shareOf(row: TraceRow, groups: readonly Group[]): number {
  const sums = groupSums(row);
  const all = [...sums.values()].reduce((sum, value) => sum + Math.max(0, value), 0);
  return groups.reduce((sum, group) => sum + (sums.get(group) ?? 0), 0) / (all || 1);
}

function turnOf(row: TraceRow, counterfactuals: readonly Counterfactual[]): string {
  const moved = counterfactuals.filter((one) => one.rank !== row.rank && !one.standIn);
  const worst = moved.reduce(
    further((a, b) => a.rank > b.rank),
    undefined,
  );
  const best = moved.reduce(
    further((a, b) => a.rank < b.rank),
    undefined,
  );
  const falls = worst && worst.rank > row.rank ? worst : undefined;
  const rises = best && best.rank < row.rank ? best : undefined;
  if (falls && rises) {
    return `Without ${falls.what} it would be #${falls.rank}, without ${rises.what} #${rises.rank}.`;
  }
  const one = falls ?? rises;
  if (one) return `Without ${one.what} it would be #${one.rank}.`;
  const replaced = counterfactuals.find((other) => other.standIn);
  if (replaced) {
    return `Without ${replaced.what}, ${replaced.standIn} of the same file would take its place.`;
  }
  return `Robust: still #${row.rank} without any single signal.`;
}

const further =
  (isFurther: (a: Counterfactual, b: Counterfactual) => boolean) =>
  (so: Counterfactual | undefined, one: Counterfactual) =>
    !so || isFurther(one, so) ? one : so;

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const percent = (share: number) => `${Math.round(share * 100)}%`;

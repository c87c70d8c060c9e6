// The last 24 hours of agents in figures.

import { plural } from "../../../components/format";
import type { CallLog, CallSession, CallTotals, SessionCost } from "../../../ipc";

const DAY_MS = 86_400_000;
/** As many sessions as the engine sums up. */
const MOST_SESSIONS = 20;

export interface Day {
  calls: number;
  failed: number;
  /** Of the answers. */
  tokens: number;
  /** `7`, or `20 or more` where the engine sums up no further ones. */
  sessions: string;
  clients: string[];
  /** What grep printed for the calls that it was asked too; none where it was asked nothing. */
  grep: { calls: number; tokens: number; own: number; found: number; shown: number } | null;
  /** Files that answers showed, with the number of calls that showed each, most first. */
  files: { path: string; calls: number }[];
}

/** Newest first. */
export function sessionsOfDay({ sessions }: CallLog, now = Date.now()): CallTotals[] {
  return sessions.filter(({ last_ms }) => last_ms >= now - DAY_MS);
}

export function dayOf(
  log: CallLog,
  sessions: readonly CallSession[],
  costs: readonly SessionCost[],
  now = Date.now(),
): Day {
  const ofDay = sessionsOfDay(log, now);
  const calls = sessions
    .flatMap((session) => session.calls)
    .filter(({ line }) => line.at_ms >= now - DAY_MS);
  const ids = new Set(calls.map(({ line }) => line.id));
  const compared = costs.flatMap((cost) => cost.calls).filter(({ id }) => ids.has(id));
  const sum = (figure: (call: (typeof compared)[number]) => number) =>
    compared.reduce((total, call) => total + figure(call), 0);
  return {
    calls: log.day.calls,
    failed: log.day.failed,
    tokens: log.day.tokens,
    sessions: ofDay.length < MOST_SESSIONS ? String(ofDay.length) : `${MOST_SESSIONS} or more`,
    clients: [...new Set(ofDay.flatMap(({ session }) => session?.client ?? []))],
    grep:
      costs.length === 0
        ? null
        : {
            calls: compared.length,
            tokens: sum((call) => call.grep_tokens),
            own: sum((call) => call.tokens),
            found: sum((call) => call.n_found),
            shown: sum((call) => call.n_shown),
          },
    files: filesOf(calls),
  };
}

function filesOf(calls: readonly CallSession["calls"][number][]): Day["files"] {
  const counts = new Map<string, number>();
  for (const { shown } of calls)
    for (const path of new Set(shown?.map((place) => place.path)))
      counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts]
    .map(([path, n]) => ({ path, calls: n }))
    .sort((a, b) => b.calls - a.calls || (a.path < b.path ? -1 : 1));
}

/** What grep would have cost, and for how much of the day that speaks. */
export function grepOfDay({ grep, calls }: Day): string {
  if (!grep) return "";
  if (grep.calls === 0)
    return "Nothing to compare: no definition or reference lookups in 24 hours.";
  const own = Math.round(grep.own).toLocaleString("en");
  return `For ${grep.calls} of ${plural(calls, "call")}, grep prints ${plural(grep.tokens, "token")} where Whyrank answered with ${own}, and shows ${grep.found} of the ${plural(grep.shown, "place")}.`;
}

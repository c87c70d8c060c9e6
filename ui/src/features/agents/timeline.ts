// A session as rows: pauses between calls, and what each call asked, in one line.

import type { SessionCall } from "../../ipc";

/** A shorter pause is not worth a word. */
const PAUSE_MS = 60_000;
/** Colours that tools have to themselves; the rest share a grey, so none of these is one. */
const OWN = [1, 2, 3, 4, 5, 8];
export const SHARED = "var(--text-2)";

export type TimelineRow =
  | { kind: "pause"; id: string; ms: number }
  | { kind: "call"; call: SessionCall };

/** Calls in their order, with the pauses of the agent between them. */
export function timelineRows(calls: readonly SessionCall[]): TimelineRow[] {
  return calls.flatMap((call, at): TimelineRow[] => {
    const before = calls[at - 1]?.line;
    // A call is noted when it is answered.
    const pause = before ? call.line.at_ms - call.line.ms - before.at_ms : 0;
    const row: TimelineRow = { kind: "call", call };
    return pause < PAUSE_MS
      ? [row]
      : [{ kind: "pause", id: `before ${call.line.id}`, ms: pause }, row];
  });
}

/** `3 min`, `2 h`: nobody counts the seconds of a pause. */
export function pauseInWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** Arguments that say what is meant, the first that there is. */
const MEANT = ["query", "question", "pattern", "symbol", "name", "path", "task", "text", "issue"];

/** What a call asked, and the rest of its arguments. */
export function askedBy(args: string): { asked: string; rest: string } {
  try {
    const parsed: unknown = JSON.parse(args);
    if (typeof parsed !== "object" || parsed === null) return { asked: args, rest: "" };
    const fields = Object.entries(parsed);
    const main = MEANT.flatMap((name) => fields.find(([key]) => key === name) ?? [])[0];
    const found = fields.find(([key, value]) => key === main && typeof value === "string");
    const others = fields.filter((field) => field !== found && field[0] !== "repo");
    const rest = others.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ");
    return { asked: found ? String(found[1]) : "", rest };
  } catch {
    return { asked: args, rest: "" };
  }
}

/** A colour for each tool, the most used first. */
export function toolColours(calls: readonly SessionCall[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { line } of calls) counts.set(line.tool, (counts.get(line.tool) ?? 0) + 1);
  const names = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  return new Map(
    names.map(([name], at) => [name, OWN[at] === undefined ? SHARED : `var(--subject-${OWN[at]})`]),
  );
}

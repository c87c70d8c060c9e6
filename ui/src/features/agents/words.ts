// States in words, icons and tones; times as people read them.

import { plural } from "../../components/format";
import type { IconName } from "../../components/Icon";
import type { ClientStatus, GrepCall, PlacementState, ServerProfile, Tick } from "../../ipc";

export interface Mark {
  word: string;
  icon: IconName;
  tone: "plain" | "green" | "amber" | "red";
}

const PLACEMENTS: Record<PlacementState, Mark> = {
  "not-set": { word: "Not set up", icon: "info", tone: "plain" },
  set: { word: "Set up", icon: "check", tone: "green" },
  outdated: { word: "Outdated", icon: "warn", tone: "amber" },
  broken: { word: "Invalid file", icon: "fail", tone: "red" },
};

export function placementMark(state: PlacementState): Mark {
  return PLACEMENTS[state];
}

const TICKS: Record<Tick["state"], Mark> = {
  ok: { word: "Done", icon: "check", tone: "green" },
  failed: { word: "Failed", icon: "fail", tone: "red" },
  waiting: { word: "Waiting", icon: "clock", tone: "amber" },
  skipped: { word: "Not tried", icon: "minus", tone: "plain" },
};

export function tickMark(state: Tick["state"]): Mark {
  return TICKS[state];
}

export const PROFILES: Record<ServerProfile, string> = {
  core: "Core",
  standard: "Standard",
  full: "Full",
};

/** How a client stands as a whole: its worst file, and whether it was heard. */
export function clientMark(client: ClientStatus): Mark {
  const states = client.placements.map((place) => place.state);
  if (states.includes("broken")) return PLACEMENTS.broken;
  if (states.includes("outdated")) return PLACEMENTS.outdated;
  if (!states.includes("set")) return PLACEMENTS["not-set"];
  if (client.connected) return { word: "Connected", icon: "check", tone: "green" };
  return PLACEMENTS.set;
}

/** `2 min ago`, from milliseconds since the epoch. */
export function ago(at_ms: number, now_ms: number): string {
  const seconds = Math.max(0, (now_ms - at_ms) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** Hours, minutes and seconds of the local day. */
export function timeOfDay(at_ms: number): string {
  return new Date(at_ms).toLocaleTimeString("en-GB");
}

/** Arguments on one line, as one would write the call: `query="retries", limit=3`. */
export function written(args: string): string {
  try {
    const parsed: unknown = JSON.parse(args);
    if (typeof parsed !== "object" || parsed === null) return args;
    const fields = Object.entries(parsed);
    return fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ");
  } catch {
    return args;
  }
}

/** `grep: 1,204 tokens, 3 of 4 places`. */
export function grepInWords({ grep_tokens, n_found, n_shown }: GrepCall): string {
  const places =
    n_shown === 1
      ? n_found === 1
        ? "the place"
        : "misses the place"
      : `${n_found} of ${n_shown} places`;
  return `grep: ${plural(grep_tokens, "token")}, ${places}`;
}

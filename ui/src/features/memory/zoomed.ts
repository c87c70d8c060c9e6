// The timeline without what says nothing: commits that change no memo fold into one piece, which opens.

import type { MemoTimeline, TimelineBar, TimelineCommit } from "../../ipc";

/** A shorter run of commits without memos stays: folding it would save nothing. */
const LEAST_FOLDED = 3;

export interface CommitStep {
  kind: "commit";
  commit: TimelineCommit;
}

/** Commits without memos as one step. */
export interface FoldStep {
  kind: "fold";
  /** The commit before them, by which it is opened; empty at the beginning. */
  after: string;
  /** Commits of the history, not only those that a long axis has. */
  n: number;
}

export type Step = CommitStep | FoldStep;

export interface Zoomed {
  steps: Step[];
  /** From and until steps. */
  bars: TimelineBar[];
  recorded: number[];
}

export function whole({ commits, bars, recorded }: MemoTimeline): Zoomed {
  return { steps: commits.map(commitStep), bars, recorded };
}

/** `asOf`: the commit that is looked at stays, whatever happened there. `opened`: pieces that are open. */
export function zoomed(
  timeline: MemoTimeline,
  asOf: string | null,
  opened: ReadonlySet<string> = new Set(),
): Zoomed {
  const { commits, places: placesInHistory, bars, recorded } = timeline;
  if (bars.length === 0 || commits.length === 0) return whole(timeline);
  const steps: Step[] = [];
  /** The step of each commit. */
  const places: number[] = [];
  let before = -1;
  for (const index of keptOf(timeline, asOf)) {
    const run = commits.slice(before + 1, index);
    const after = commits[before]?.sha ?? "";
    const isFolded = run.length >= LEAST_FOLDED && !opened.has(after);
    const n = (placesInHistory[index] ?? index) - (placesInHistory[before] ?? before) - 1;
    if (isFolded) steps.push({ kind: "fold", after, n });
    for (const commit of run) {
      if (!isFolded) steps.push(commitStep(commit));
      places.push(steps.length - 1);
    }
    steps.push(...commits.slice(index, index + 1).map(commitStep));
    places.push(steps.length - 1);
    before = index;
  }
  const placeOf = (index: number) => places[index] ?? steps.length;
  return {
    steps,
    recorded,
    bars: bars.map((bar) => ({
      ...bar,
      from: placeOf(bar.from),
      until: bar.until === null ? null : placeOf(bar.until),
    })),
  };
}

/** The commits that never fold, in order. */
function keptOf({ commits, bars }: MemoTimeline, asOf: string | null): number[] {
  const n = commits.length;
  const first = Math.min(...bars.map((bar) => bar.from));
  // The one before the first memo shows that there was a time without.
  const kept = new Set([Math.max(0, first - 1), first, n - 1]);
  for (const { from, until } of bars) {
    kept.add(from);
    if (until !== null && until < n) kept.add(until);
  }
  const chosen = commits.findIndex((commit) => commit.sha === asOf);
  if (chosen >= 0) kept.add(chosen);
  return [...kept].sort((a, b) => a - b);
}

const commitStep = (commit: TimelineCommit): CommitStep => ({ kind: "commit", commit });

/** The nearest step with a commit, going one way. */
export function commitFrom(steps: readonly Step[], from: number, by: 1 | -1): number | null {
  for (let at = from; at >= 0 && at < steps.length; at += by)
    if (steps[at]?.kind === "commit") return at;
  return null;
}

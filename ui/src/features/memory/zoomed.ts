// The timeline without what says nothing: it begins at its memos, and commits that change none fold.

import type { MemoTimeline } from "../../ipc";

/** A shorter run of commits without memos stays: folding it would save nothing. */
const LEAST_FOLDED = 3;

export interface Zoomed extends MemoTimeline {
  /** How many commits follow each that is shown, folded. */
  folded: number[];
}

export const whole = (timeline: MemoTimeline): Zoomed => ({
  ...timeline,
  folded: timeline.commits.map(() => 0),
});

/** `asOf`: the commit that is looked at stays, whatever happened there. */
export function zoomed(timeline: MemoTimeline, asOf: string | null): Zoomed {
  const { commits, bars } = timeline;
  const n = commits.length;
  const first = Math.min(...bars.map((bar) => bar.from));
  if (bars.length === 0 || n === 0) return whole(timeline);
  // The one before the first memo shows that there was a time without.
  const kept = new Set([Math.max(0, first - 1), first, n - 1]);
  for (const { from, until } of bars) {
    kept.add(from);
    if (until !== null && until < n) kept.add(until);
  }
  const chosen = commits.findIndex((commit) => commit.sha === asOf);
  if (chosen >= 0) kept.add(chosen);
  const order = withShortRuns(
    [...kept].sort((a, b) => a - b),
    n,
  );
  const placeOf = (index: number) => order.filter((one) => one <= index).length - 1;
  return {
    ...timeline,
    commits: order.flatMap((index) => commits[index] ?? []),
    folded: order.map((index, at) => (order[at + 1] ?? index + 1) - index - 1),
    bars: bars.map((bar) => ({
      ...bar,
      from: placeOf(bar.from),
      until: bar.until === null ? null : bar.until >= n ? order.length : placeOf(bar.until),
    })),
  };
}

/** The commits that are kept, and those between them where they are few. */
function withShortRuns(kept: readonly number[], n: number): number[] {
  return kept.flatMap((index, at) => {
    const run = (kept[at + 1] ?? Math.min(n, index + 1)) - index - 1;
    return Array.from({ length: run < LEAST_FOLDED ? run + 1 : 1 }, (_, step) => index + step);
  });
}

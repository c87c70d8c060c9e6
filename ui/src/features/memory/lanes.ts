// The bars of the timeline by memo, and the steps of its axes.

import type { MemoTimeline, TimelineBar } from "../../ipc";

export function barsOf(timeline: MemoTimeline): Map<string, TimelineBar[]> {
  const bars = new Map<string, TimelineBar[]>();
  for (const bar of timeline.bars) {
    const known = bars.get(bar.memo);
    if (known) known.push(bar);
    else bars.set(bar.memo, [bar]);
  }
  return bars;
}

/** The step of an axis at a share of its width. */
export function nearestCommit(share: number, n: number): number {
  return Math.min(n - 1, Math.max(0, Math.floor(share * n)));
}

/** The last moment not after one; the first where all are later. */
export function nearestRecorded(recorded: number[], at: number): number {
  let [low, high] = [0, recorded.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((recorded[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

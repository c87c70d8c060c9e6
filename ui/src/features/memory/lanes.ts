// The bars of the timeline by memo, and the steps of its axes.

import type { CSSProperties } from "react";
import type { TimelineBar } from "../../ipc";

/** Pixels of the lanes' titles. */
export const LABEL = 168;

export function barsOf(timeline: { bars: TimelineBar[] }): Map<string, TimelineBar[]> {
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

const FILLS = {
  open: "linear-gradient(var(--accent) 0 0)",
  ended: "linear-gradient(var(--border-strong) 0 0)",
  orphaned: "repeating-linear-gradient(90deg, var(--amber) 0 4px, transparent 4px 7px)",
};

/** The bars of a lane over `n` commits, as backgrounds of one element: they cost no layers. */
export function trackOf(bars: TimelineBar[], n: number): CSSProperties {
  const images = bars.map((bar) => {
    if (bar.orphaned) return FILLS.orphaned;
    return bar.until === null ? FILLS.open : FILLS.ended;
  });
  const places = bars.map((bar) => {
    const width = ((bar.until ?? n) - bar.from) / n;
    // A share of what is left beside the bar.
    const left = width < 1 ? bar.from / n / (1 - width) : 0;
    return { left: `${left * 100}% 50%`, size: `max(3px, calc(${width * 100}% - 1px)) var(--bar)` };
  });
  return {
    backgroundImage: images.join(", "),
    backgroundPosition: places.map((place) => place.left).join(", "),
    backgroundSize: places.map((place) => place.size).join(", "),
  };
}

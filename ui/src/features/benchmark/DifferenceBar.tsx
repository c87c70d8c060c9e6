// A difference and its interval about zero, drawn small.

import type { Estimate, Paired } from "../../ipc";
import { linear } from "./scale";

const WIDTH = 96;
const HEIGHT = 14;

/** The largest distance from zero, so that bars of one table share a scale. */
export function widestOf(pairs: readonly Paired[]): number {
  const ends = pairs.flatMap(({ difference }) => [difference.low, difference.high]);
  return Math.max(0.01, ...ends.map(Math.abs));
}

export function DifferenceBar({ estimate, widest }: { estimate: Estimate; widest: number }) {
  const x = linear([-widest, widest], [5, WIDTH - 5]);
  const sign = estimate.low > 0 ? "ahead" : estimate.high < 0 ? "behind" : "level";
  return (
    <svg
      className="bench-difference"
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      data-standing={sign}
    >
      <path className="bench-zero" d={`M${x(0)} 0V${HEIGHT}`} />
      <path className="bench-span" d={`M${x(estimate.low)} ${HEIGHT / 2}H${x(estimate.high)}`} />
      <circle cx={x(estimate.mean)} cy={HEIGHT / 2} r={3.5} />
    </svg>
  );
}

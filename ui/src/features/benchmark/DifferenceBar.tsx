// A difference and its interval about zero, drawn small.

import type { Estimate, Paired } from "../../ipc";
import { linear } from "./scale";

const WIDTH = 96;
const HEIGHT = 14;

export type Reach = readonly [number, number];

/** From the least to the greatest and over zero, so that bars of one table share a scale. */
export function reachOf(pairs: readonly Paired[]): Reach {
  const low = Math.min(0, ...pairs.map(({ difference }) => difference.low));
  const high = Math.max(0, ...pairs.map(({ difference }) => difference.high));
  return high - low < 0.01 ? [low - 0.005, high + 0.005] : [low, high];
}

export function DifferenceBar({ estimate, reach }: { estimate: Estimate; reach: Reach }) {
  const x = linear([...reach], [5, WIDTH - 5]);
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
      <circle cx={x(estimate.mean)} cy={HEIGHT / 2} r={3} />
    </svg>
  );
}

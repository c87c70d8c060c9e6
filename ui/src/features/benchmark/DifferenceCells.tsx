// A paired difference in a table: in figures, drawn, and in a word.

import type { Paired } from "../../ipc";
import { DifferenceBar } from "./DifferenceBar";
import { signedInterval, signedScore } from "./figures";
import { StandingPill } from "./StandingPill";
import { isSame, standingOf } from "./verdict";

export function DifferenceCells({ paired, widest }: { paired: Paired; widest: number }) {
  return (
    <>
      <td className="num">
        {signedScore(paired.difference.mean)}{" "}
        <span className="muted">{signedInterval(paired.difference)}</span>
      </td>
      <td className="bench-drawn">
        <DifferenceBar estimate={paired.difference} widest={widest} />
      </td>
      <td>
        <StandingPill standing={isSame(paired) ? "same" : standingOf(paired)} />
      </td>
    </>
  );
}
